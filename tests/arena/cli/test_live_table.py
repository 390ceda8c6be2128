"""What is shown while games are played: a table on a terminal, lines elsewhere, and no wait for either."""

from __future__ import annotations

import io
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from arena.cli import live
from arena.cli.live import LiveProgress, Pace, TournamentView
from arena.ledger import FaultRecord, GameSummary, summary_of
from arena.tournament.observer import RunStart
from arena.tournament.plan import Plan
from arena.tournament.run import run
from tests.arena.ledger.conftest import make_game
from tests.arena.tournament.conftest import lab  # noqa: F401

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

ESCAPE = "\x1b]0;owned\x07"


def game(place: int, bots: list[str], **other: Any) -> GameSummary:
    record = make_game(
        place,
        id=f"p2-b{place:04}-r0",
        bots=bots,
        ranks=list(range(1, len(bots) + 1)),
        **{"retired": [], "faults": [], **other},
    )
    return summary_of(record)


def begun(field: list[str], **other: Any) -> TournamentView:
    view = TournamentView(other.pop("minutes", None))
    start = {"folder": Path("nowhere"), "end": 0, "complete": 0, "recorded": 0, "expected": None}
    view.on_begin(RunStart(field=field, **{**start, **other}))
    return view


def drawn(view: TournamentView, pace: Pace, width: int = 60, height: int = 24, seconds: float = 10.0) -> list[str]:
    view.update(seconds)
    console = Console(file=io.StringIO(), width=width, height=height)
    console.print(view.draw(pace, width, height))
    return [line.rstrip() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]


def test_it_shows_the_best_with_their_figures_and_how_fast_it_goes() -> None:
    view = begun(["a", "b", "c"])
    for place in range(10):
        view.on_game(game(place, ["a", "b"] if place % 3 else ["b", "a"], faults=[FaultRecord(1, 1, "late", "")]))
    bar, pace, headings, *rows = drawn(view, Pace(10, 40, 2.5, 4.0))
    assert set(bar) <= set("━╸╺ ")
    assert pace == "10 of 40 games  2.5 a second  0:00:12 left"
    assert headings.split() == ["#", "bot", "rating", "±", "95", "%", "games", "wins", "faults"]
    assert re.fullmatch(r"1–2  a +\d+\.\d ± \d\.\d     10  60 %  late 4", rows[0])
    assert re.fullmatch(r"1–2  b +\d+\.\d ± \d\.\d     10  40 %  late 6", rows[1])
    assert re.fullmatch(r"1–3  c +-  +0     -  -", rows[2])
    assert view.line() == "too early to say: any of the 3 may be the best"


def test_no_line_is_wider_than_a_narrow_terminal_and_all_fit_a_low_one() -> None:
    names = [f"a_bot_with_a_very_long_name_{number}{ESCAPE}" for number in range(31)]
    view = begun(names)
    for place in range(31):
        faults = [FaultRecord(0, 1, code, "") for code in ("late", "illegal", "malformed", "crash")]
        view.on_game(game(place, [names[place], names[place - 1]], retired=[0], faults=faults))
    for width, height in ((60, 24), (100, 15), (200, 60)):
        lines = drawn(view, Pace(31, 10_000, 250.0, 4.0), width, height)
        assert max(map(len, lines)) <= width
        assert len(lines) < height - 3
        assert all(line.isprintable() for line in lines)
        assert sum("a_bot_with" in line and "retired" not in line for line in lines) == min(10, height - 11)
    assert any(line == "and 21 more" for line in lines)
    assert sum("retired" in line for line in lines) == 3


def test_what_is_new() -> None:
    view = begun(["a", "b"])
    view.on_game(game(0, ["a", "b"], retired=[1], faults=[FaultRecord(1, 1, "crash", "ended")]))
    assert drawn(view, Pace(1, None, None, 1.0))[-1] == "b retired in p2-b0000-r0: crash"
    view.on_game(game(1, ["a", "b"], retired=[1], faults=[FaultRecord(1, 1, "mute", "")]))
    view.on_suspended("b")
    first, *_, row, news = drawn(view, Pace(2, None, None, 1.0))
    assert first == "2 games", "nobody knows how many there will be"
    assert row.endswith("suspended")
    assert news == "b retired in p2-b0001-r0: mute, 2 times by now"


def test_minutes_are_counted_down() -> None:
    bar, pace, *_ = drawn(begun(["a", "b"], minutes=2.0), Pace(5, None, 0.5, 30.0))
    assert pace == "5 games  0.5 a second  0:01:30 left"
    assert bar.startswith("━")


@pytest.mark.slow
def test_games_of_earlier_runs_are_read_when_there_is_time(lab: Lab) -> None:  # noqa: F811
    run(plan(lab, games=600), lab, make=lab.make)
    view = TournamentView()
    outcome = run(plan(lab, games=700), lab, make=lab.make, observers=[view])
    lines = drawn(view, Pace(1, None, None, 1.0), seconds=0.0)
    played = outcome.played
    assert f"ratings are those of 0 games so far, {played} are to be rated" in lines
    view.update(100.0)
    rows = {row.bot: (row.games, row.wins) for row in view._table.rows()}
    board = lab.board(outcome)["overall"]
    assert {bot: games for bot, (games, _) in rows.items()} == {row["bot"]: row["games"] for row in board}
    assert not [line for line in drawn(view, Pace(1, None, None, 1.0)) if "to be rated" in line]


def plan(lab: Lab, **options: Any) -> Plan:  # noqa: F811
    return Plan(bots=lab.bots("a", "b", "c"), seed=1, jobs=1, players="2-3", **options)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class _Blocked(_Terminal):
    """A terminal on which somebody pressed Ctrl-S."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()
        self.waits = threading.Event()

    def write(self, text: str) -> int:
        if threading.current_thread().name == "display" and not self.go_on.is_set():
            self.waits.set()
            assert self.go_on.wait(100)
        return super().write(text)


def test_a_stopped_terminal_holds_up_no_game(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    terminal = _Blocked()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    view = TournamentView()
    with LiveProgress(view) as progress:
        outcome = run(plan(lab, games=40), progress, make=lab.make, observers=[view])
        assert terminal.waits.wait(100)
        progress.say("said while it was stopped")
        assert outcome.played >= 40
        terminal.go_on.set()
    assert "said while it was stopped" in terminal.getvalue()


@pytest.mark.parametrize("asked", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}])
def test_a_terminal_gets_lines_if_somebody_wants_plain_text(
    lab: Lab,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    asked: dict[str, str],
) -> None:
    terminal = _Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    for name, value in ({"TERM": "xterm"} | asked).items():
        monkeypatch.setenv(name, value)
    view = TournamentView()
    with LiveProgress(view) as progress:
        run(plan(lab, games=20), progress, make=lab.make, observers=[view])
    lines = [line for line in terminal.getvalue().splitlines() if line.startswith("playing")]
    assert "\x1b" not in terminal.getvalue()
    assert lines[0] == "playing: 20"
    leaders = "[abc] leads|[abc] leads; [abc] is not ruled out|too early to say: any of the 3 may be the best"
    assert re.fullmatch(rf"playing: 20 of 2\d, ({leaders})", lines[10])
    assert len(lines) <= 12


@pytest.mark.slow
def test_off_a_terminal_a_long_silence_is_broken(lab: Lab, capsys, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(live, "_SILENCE", -1.0)
    view = TournamentView()
    with LiveProgress(view) as progress:
        run(plan(lab, games=40), progress, make=lab.make, observers=[view])
    said = [line for line in capsys.readouterr().err.splitlines() if re.match(r"playing: \d+ of", line)]
    assert len(said) >= 40
