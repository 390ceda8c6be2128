"""`arena tournament`: a round robin across player counts, and the table."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from types import FrameType, TracebackType
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from arena.cli.terminal import ExitCode, console, examples, print_json, say, warn
from arena.ledger import Ledger
from arena.publish import FORMATS, leaderboard
from arena.tournament.plan import Plan, read_plan
from arena.tournament.run import Outcome, run


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "tournament",
        epilog=examples(
            "arena tournament bots/*",
            "arena tournament bots/* --games 1000 --players 2,4 --seed 1",
            "arena tournament --plan tournaments/quick.toml",
            "arena tournament mine.py bots/planner.py --minutes 5 --out /tmp/trial",
        ),
    )(command)


def command(
    bots: Annotated[list[str] | None, typer.Argument(help="Python files, executables, folders with bot.toml.")] = None,
    plan: Annotated[Path | None, typer.Option(help="A TOML file with these options; flags win.")] = None,
    game: Annotated[str | None, typer.Option(help="See `arena games`.")] = None,
    edition: Annotated[str | None, typer.Option(help="A name or a TOML file.")] = None,
    players: Annotated[str | None, typer.Option(help="Player counts, as 2-6 or 2,4. Default: all.")] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Every bot in so many blocks at every count.")] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Rounded up to whole blocks. Default: 200.")] = None,
    minutes: Annotated[float | None, typer.Option(help="As many games as that takes.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="A known seed is no secret; default: drawn, sealed.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Games at the same time. Default: one a core.")] = None,
    out: Annotated[str | None, typer.Option(help="Folder of the results. Default: tournaments/default.")] = None,
    start: Annotated[float | None, typer.Option(help="Seconds to say hello. Default: 10.")] = None,
    move: Annotated[float | None, typer.Option(help="Seconds free for a decision. Default: 0.05.")] = None,
    bank: Annotated[float | None, typer.Option(help="Seconds a game beyond that. Default: 5.")] = None,
    strikes: Annotated[
        int | None, typer.Option(min=1, help="Faults a game until the seat retires. Default: 3.")
    ] = None,
    ponder: Annotated[bool, typer.Option(help="Let bots think in others' time, each on its own core.")] = False,
    strict: Annotated[bool, typer.Option(help="A bot that cannot take part is an error.")] = False,
    trace: Annotated[bool, typer.Option(help="Write every message of every game to OUT/trace.")] = False,
    fresh: Annotated[bool, typer.Option(help="Move an earlier tournament aside and begin anew.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the tables as JSON.")] = False,
) -> None:
    """Play a round robin across player counts; typed again it goes on where it stopped."""
    switches = {"ponder": ponder, "strict": strict, "trace": trace, "fresh": fresh}
    flags = {
        "bots": bots,
        "game": game,
        "edition": edition,
        "players": players,
        "rounds": rounds,
        "games": games,
        "minutes": minutes,
        "seed": seed,
        "jobs": jobs,
        "out": out,
        "start": start,
        "move": move,
        "bank": bank,
        "strikes": strikes,
        **{name: True for name, on in switches.items() if on},
    }
    asked = read_plan(plan, flags)
    signal.signal(signal.SIGTERM, _interrupt)
    with Bar() if sys.stderr.isatty() else Lines() as progress:
        outcome = run(asked, progress)
    with Ledger.open(outcome.folder) as ledger:
        board = leaderboard(ledger)
    if as_json:
        print_json(board)
    else:
        say()
        say(FORMATS["plain"](board))
        _conclude(asked, outcome)
    if outcome.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if outcome.set_aside:
        raise typer.Exit(ExitCode.SET_ASIDE)


def _conclude(plan: Plan, outcome: Outcome) -> None:
    if outcome.interrupted:
        say(f"Interrupted after {outcome.played} games; they are kept in {outcome.folder}.")
        say("Type the same command to go on.")
        return
    say(f"{outcome.played} games played, {outcome.rated} in the tables. Results: {outcome.folder}")
    if outcome.set_aside:
        say(f"Set aside after failing twice: {', '.join(outcome.set_aside)}")
    if plan.seed is not None:
        say("The seed was given, so it is no secret: for a competition let it be drawn.")


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


class Lines:
    """Progress off a terminal: plain lines on stderr, one for every tenth of the way."""

    def __init__(self) -> None:
        """Nothing is going on."""
        self._lock = threading.Lock()
        self._name, self._total, self._done = "", None, 0

    def say(self, text: str) -> None:
        """A line."""
        warn(text)

    def stage(self, name: str, total: int | None) -> None:
        """A stage begins."""
        with self._lock:
            self._name, self._total, self._done = name, total, 0
        warn(name + ("" if total is None else f": {total}"))

    _total: int | None

    def advance(self, what: str) -> None:
        """One part of it is done."""
        with self._lock:
            self._done += 1
            step = max(1, (self._total or 1000) // 10)
            if self._done % step == 0:
                warn(f"{self._name}: {self._done}" + ("" if self._total is None else f" of {self._total}"))

    def __enter__(self) -> Lines:
        """Itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Nothing to tidy up."""


class Bar:
    """Progress on a terminal: a bar that stays in its line."""

    def __init__(self) -> None:
        """No bar yet."""
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[what]}"),
            console=console(stderr=True),
        )
        self._task: TaskID | None = None

    def say(self, text: str) -> None:
        """A line above the bar."""
        self._bar.console.print(text)

    def stage(self, name: str, total: int | None) -> None:
        """A bar of its own for the stage."""
        self._task = self._bar.add_task(name, total=total, what="")

    def advance(self, what: str) -> None:
        """The bar moves."""
        if self._task is not None:
            self._bar.update(self._task, advance=1, what=what)

    def __enter__(self) -> Bar:
        """Show it."""
        self._bar.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Leave it as it stands."""
        self._bar.stop()
