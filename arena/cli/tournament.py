"""`arena tournament`: a round robin across player counts, and the table."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from arena.cli.options import (
    AsJson,
    Bank,
    Edition,
    GameName,
    Minutes,
    Move,
    Out,
    Start,
    Strikes,
    check_times,
)
from arena.cli.progress import Bar, Lines
from arena.cli.terminal import ExitCode, examples, print_json, say
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
    bots: Annotated[
        list[str] | None, typer.Argument(help="Python files, executables, folders with bot.toml.", metavar="BOTS")
    ] = None,
    plan: Annotated[Path | None, typer.Option(help="A TOML file with these options; flags win.")] = None,
    game: GameName = None,
    edition: Edition = None,
    players: Annotated[str | None, typer.Option(help="Player counts, as 2-6 or 2,4. Default: all.")] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Every bot in so many blocks at every count.")] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Rounded up to whole blocks. Default: 200.")] = None,
    minutes: Minutes = None,
    seed: Annotated[int | None, typer.Option(min=0, help="A known seed is no secret; default: drawn, sealed.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Games at the same time. Default: one a core.")] = None,
    out: Out = None,
    start: Start = None,
    move: Move = None,
    bank: Bank = None,
    strikes: Strikes = None,
    ponder: Annotated[bool | None, typer.Option(help="Let bots think in others' time, each on its own core.")] = None,
    strict: Annotated[bool | None, typer.Option(help="A bot that cannot take part is an error.")] = None,
    trace: Annotated[bool | None, typer.Option(help="Write every message of every game to OUT/trace.")] = None,
    fresh: Annotated[bool | None, typer.Option(help="Move an earlier tournament aside and begin anew.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin across player counts. Typed again it goes on where it stopped."""
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
        "ponder": ponder,
        "strict": strict,
        "trace": trace,
        "fresh": fresh,
    }
    asked = read_plan(plan, flags)
    check_times(asked, plan)
    with _interruptible(), Bar() if sys.stderr.isatty() else Lines() as progress:
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


@contextmanager
def _interruptible() -> Iterator[None]:
    """To be asked to end is the same as Ctrl-C: the table so far, and nothing lives on."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
