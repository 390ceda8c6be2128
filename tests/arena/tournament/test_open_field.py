"""Bots join, change and leave, and the tournament goes on in the same folder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.entrants import EntrantError
from arena.ledger import Ledger, MatchResult, committed_seeds, seed_hash
from arena.standings import leaderboard, rated_results
from arena.tournament import field
from arena.tournament.audit import audit
from arena.tournament.plan import PlanError

if TYPE_CHECKING:
    from conftest import Lab

FOLDER = Path("tournaments/default")


def change(lab: Lab, bot: str, content: str) -> None:
    Path(lab.bots(bot)[0]).write_text(content)


def in_field() -> list[str]:
    with Ledger.open(FOLDER) as ledger:
        return ledger.field()


def counting() -> list[MatchResult]:
    with Ledger.open(FOLDER) as ledger:
        return rated_results(ledger)


def games_of(bot: str) -> Counter[int]:
    return Counter(game.players for game in counting() if bot in game.bots)


def problems() -> list[str]:
    with Ledger.open(FOLDER) as ledger:
        return audit(ledger)


def test_a_changed_bot_joins_as_its_next_version_and_the_old_one_leaves(lab: Lab) -> None:
    first = lab.run(games=20)
    before = [game.id for game in counting()]
    change(lab, "a", "# better now\n")
    second = lab.run(games=20)
    assert second.folder == first.folder
    assert in_field() == ["a@2", "b", "c", "d"]
    assert [game.id for game in counting()][: len(before)] == before, "old games go on counting"
    assert games_of("a@2").total() > 0
    assert [row["bot"] for row in sorted(lab.board(second)["overall"], key=lambda row: row["bot"])] == in_field()
    assert second.counting >= 20, "games between bots of the field"
    assert problems() == []


def test_ten_changes_leave_one_folder_and_ten_versions(lab: Lab) -> None:
    for number in range(1, 11):
        change(lab, "a", f"# {number}\n")
        lab.run(games=20)
        assert in_field() == sorted(["a" if number == 1 else f"a@{number}", "b", "c", "d"])
    assert [each.name for each in Path("tournaments").iterdir()] == ["default"]
    with Ledger.open(FOLDER) as ledger:
        assert sum(each.name.startswith("a") for each in ledger.entrants()) == 10
    assert problems() == []


def test_content_that_was_there_before_is_its_old_version_again(lab: Lab) -> None:
    lab.run(games=20)
    original = Path(lab.bots("a")[0]).read_text()
    change(lab, "a", "# worse\n")
    lab.run(games=20)
    change(lab, "a", original)
    lab.run(games=20)
    assert in_field() == ["a", "b", "c", "d"]
    assert problems() == []


def test_a_new_bot_joins(lab: Lab) -> None:
    lab.run("a b c", games=20)
    lab.run("a b c d", games=20)
    assert in_field() == ["a", "b", "c", "d"]
    assert games_of("d").total() > 0
    assert problems() == []


def test_a_bot_that_is_not_named_stays_unless_it_may_leave(lab: Lab) -> None:
    lab.run(games=20)
    assert lab.run("a b c", games=20).played == 0
    assert in_field() == ["a", "b", "c", "d"]
    lab.run("a b c", games=20, leave=True)
    assert in_field() == ["a", "b", "c"]
    assert {row["bot"] for row in lab.board(lab.run("a b c", games=20))["overall"]} == {"a", "b", "c"}
    assert problems() == []


def test_a_bot_that_is_not_named_and_gone_leaves(lab: Lab) -> None:
    lab.run(games=20)
    Path(lab.bots("d")[0]).unlink()
    lab.run("a b c", games=20)
    assert in_field() == ["a", "b", "c"]


def test_a_version_that_cannot_take_part_does_not_replace_the_one_before(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.run(games=20)
    monkeypatch.setattr("arena.tournament.run.recall", lambda name, *_: lab.entrant(name))
    change(lab, "a", "# broken\n")
    lab.left_out = {"a@2": "no hello"}
    outcome = lab.run(games=30)
    assert in_field() == ["a", "b", "c", "d"]
    assert outcome.left_out == {"a@2": "no hello"}
    assert problems() == []


@pytest.mark.parametrize("names", ["a b c d e", "a b c", "a b c d"])
def test_a_fixed_field_refuses_every_difference(lab: Lab, names: str) -> None:
    lab.run(games=20)
    assert lab.run(games=20, fixed=True).played == 0
    if names == "a b c d":
        change(lab, "a", "# better\n")
    if names == "a b c":
        Path(lab.bots("d")[0]).unlink()
    with pytest.raises(PlanError):
        lab.run(names, games=20, fixed=True)
    assert in_field() == ["a", "b", "c", "d"]


def test_a_pinned_version_stays_beside_the_new_one(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field, "recall", lambda name, *_: lab.entrant(name))
    lab.run(games=20)
    change(lab, "a", "# better\n")
    lab.run(games=20, pin=["a@1"])
    assert in_field() == ["a", "a@2", "b", "c", "d"]
    assert any({"a", "a@2"} <= set(game.bots) for game in counting())
    lab.run(games=20)
    assert in_field() == ["a@2", "b", "c", "d"], "without the pin it leaves"
    lab.run(games=20, pin=["a@1"])
    assert in_field() == ["a", "a@2", "b", "c", "d"], "and comes back"
    assert problems() == []
    for pin in ("a@7", "nobody@1", "a@", "a@x"):
        with pytest.raises(PlanError):
            lab.run(games=20, pin=[pin])


def test_a_name_goes_with_its_path(lab: Lab) -> None:
    lab.bots("a")
    other = lab.folder / "elsewhere" / "a.py"
    other.parent.mkdir()
    other.write_text("# the other a\n")
    options: dict[str, Any] = {"games": 20, "seed": 1, "jobs": 1, "players": "2"}
    lab.run_paths([*lab.bots("a", "b"), str(other)], **options)
    assert in_field() == ["a", "a-2", "b"]
    assert lab.run_paths([str(other), *lab.bots("a", "b")], **options).played == 0
    assert in_field() == ["a", "a-2", "b"]


# Suspension


def test_games_that_a_suspended_bot_could_not_play_are_made_up(lab: Lab) -> None:
    lab.retires = {"d"}
    outcome = lab.run(players="2-4", games=100)
    assert outcome.suspended == ["d"]
    living = [game for game in counting() if "d" not in game.bots]
    assert len(living) == outcome.counting >= 100
    for players in (2, 3):
        blocks = {bot: sum(bot in game.bots for game in living if game.players == players) for bot in "abc"}
        assert max(blocks.values()) - min(blocks.values()) <= players
    assert not outcome.is_short
    assert problems() == []


def test_too_few_that_are_left_are_said_at_once_and_the_run_is_short(lab: Lab) -> None:
    lab.retires = {"d"}
    outcome = lab.run(players="4", games=100)
    assert (outcome.counting, outcome.is_short) == (0, True)
    assert problems() == []


def test_a_suspended_bot_that_was_repaired_joins_again(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.run(games=40)
    change(lab, "d", "# repaired\n")
    outcome = lab.run(games=40)
    assert outcome.suspended == []
    assert in_field() == ["a", "b", "c", "d@2"]
    assert games_of("d@2").total() > 3
    assert problems() == []


def test_a_suspended_bot_that_did_not_change_stays_suspended(lab: Lab) -> None:
    lab.retires = {"d"}
    lab.run(games=40)
    before = games_of("d")
    assert lab.run(games=60).suspended == ["d"]
    assert games_of("d") == before


def test_versions_that_left_are_rated_but_not_shown(lab: Lab) -> None:
    lab.run(games=20)
    change(lab, "a", "# better\n")
    outcome = lab.run(games=20)
    with Ledger.open(outcome.folder) as ledger:
        rows = leaderboard(ledger).overall
    assert rows is not None
    assert sum(row.games for row in rows) < sum(len(game.bots) for game in counting())


def test_a_bot_that_is_gone_cannot_be_pinned(lab: Lab) -> None:
    lab.run(games=20)
    change(lab, "a", "# better\n")
    lab.run(games=20)
    with pytest.raises(EntrantError):
        lab.run(games=20, pin=["a@1"])


def test_a_seed_that_was_published_is_used_for_no_further_game(lab: Lab) -> None:
    lab.run(games=20, seed=None)
    change(lab, "a", "# better\n")
    lab.interrupt_after = lab.played.total() + 5
    assert lab.run(games=20, seed=None).interrupted
    with Ledger.open(FOLDER) as ledger:
        settings = ledger.settings
        seeds = committed_seeds(ledger)
    assert settings.seed is not None, "the first one was published"
    [later] = settings.later_seeds
    assert later.seed is None, "the second one is secret"
    assert later.hash != settings.seed_hash
    assert seeds.at(later.place) != seeds.at(later.place - 1) == bytes.fromhex(settings.seed)
    lab.interrupt_after = None
    lab.run(games=20, seed=None)
    lab.run(games=20, seed=None)
    with Ledger.open(FOLDER) as ledger:
        [later] = ledger.settings.later_seeds
    assert later.seed is not None
    assert seed_hash(bytes.fromhex(later.seed)) == later.hash
    assert problems() == []
