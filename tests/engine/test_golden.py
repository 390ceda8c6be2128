"""Golden games of every game that comes with the arena: any change of what is shown, offered or done is noticed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from docs.number_race import number_race
from engine.kosmos.decision import KosmosState
from engine.rules import Event
from tests.engine.golden import Golden, main
from tests.engine.suite import Suite, suites

GOLDENS = [Golden.of(suite) for suite in suites()]
QUICK = 2
"""The most players of a short game."""
KEPT = pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.suite.name)
CASES = [
    pytest.param(
        partial(golden.compare, edition, players),
        id=f"{golden.suite.name}-{edition}-{players}",
        marks=[pytest.mark.slow] if players > QUICK else [],
    )
    for golden in GOLDENS
    for edition, players in golden.suite.cases()
]


@pytest.mark.parametrize("compare", CASES)
def test_the_game_is_played_as_it_was(compare: Callable[[], None]) -> None:
    compare()


@KEPT
def test_every_kept_game_is_compared(golden: Golden) -> None:
    golden.check_files()


@KEPT
def test_the_games_show_every_phase_and_nearly_every_event(golden: Golden) -> None:
    assert golden.missing() == set()


def test_a_game_that_gets_nowhere_is_noticed(tmp_path: Path) -> None:
    golden = Golden(Suite(number_race.RULES, phases=("turn", "end"), happenings=(" draws again", "nobody")), tmp_path)
    golden.write()
    assert golden.missing() == {"end", "nobody"}


def test_a_new_game_gets_golden_games_for_nothing(tmp_path: Path) -> None:
    golden = Golden(Suite(number_race.RULES), tmp_path / "golden")
    with pytest.raises(AssertionError, match=r"standard-2\.txt is missing: `python -m tests\.engine\.golden write`"):
        golden.compare("standard", 2)
    golden.write()
    golden.check_files()
    assert len(golden.suite.cases()) == 10
    for case in golden.suite.cases():
        golden.compare(*case)


@pytest.fixture
def changed(tmp_path: Path) -> Golden:
    golden = Golden(GOLDENS[0].suite, tmp_path)
    (tmp_path / "standard-3.txt").write_text("".join(f"{line}\n" for line in golden.lines("standard", 3)), "utf-8")
    golden.compare("standard", 3)
    return golden


def test_a_change_late_in_a_game_is_found_in_its_round(changed: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """One event of one round more, that changes nothing else: the failure names the round and how to read the game."""
    plain = KosmosState.play

    def play(self: KosmosState, index: int) -> list[Event]:
        later = self.table.round == 9
        return [*plain(self, index), *([Event(0, {"event": "over", "ranks": []})] if later else [])]

    monkeypatch.setattr(KosmosState, "play", play)
    with pytest.raises(AssertionError, match=r" is\n  round 9, decisions \d+ to \d+: ") as caught:
        changed.compare("standard", 3)
    assert "python -m tests.engine.golden show kosmos standard 3" in str(caught.value)


def test_the_whole_text_of_a_game_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    main(["show", "ravensburger", "standard", "2"])
    text = capsys.readouterr().out
    kept = Path(__file__).with_name("ravensburger").joinpath("golden", "standard-2.txt").read_text("utf-8")
    assert text.count("\n") > 5 * kept.count("\n")
    assert [line for line in kept.splitlines() if line.startswith(("# ", "-> ")) and line not in text] == []
    last = int(re.findall(r"^# (\d+):", text, re.MULTILINE)[-1])
    assert f" to {last}: " in kept
    with pytest.raises(SystemExit, match="show kosmos standard 2"):
        main(["show", "chess", "standard", "2"])
