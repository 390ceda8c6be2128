"""`arena analyse`: weigh the choices of a recorded game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Annotated, Final

import msgspec
import typer

from arena.analysis.analysis import GameAnalysis, accuracy_of, losses_by_bot
from arena.analysis.playouts import PLAYOUTS, Budget
from arena.analysis.run import NOBODY, AnalysisCache, Analyst, Named, cost
from arena.check import Failed, ask_again
from arena.cli.check import built_bots
from arena.cli.options import (
    AsJson,
    IsolationOptions,
    bot_words,
    option,
    reader,
    with_isolation,
)
from arena.cli.progress import ProgressLines, drawn_bar
from arena.cli.replay import ChosenGame, GameId, Source, chosen_game
from arena.cli.terminal import print_json, say, terminal_width, warn
from arena.common.processes import ProcessPool, cores
from arena.entrants import Built
from arena.game.clock import TimeControl
from arena.ledger import GameRecord, Ledger
from arena.reports.analysis_text import game_text
from arena.tournament.bounds import NumberBounds
from engine import catalog

EXAMPLES: Final = (
    "arena analyse p2-b0000-r0",
    "arena analyse tournaments/default p2-b0000-r0 --seat 1",
    "arena analyse p2-b0000-r0 --with @planner",
    "arena analyse p2-b0000-r0 --playouts 2000",
    "arena analyse export/games/p2-b0000-r0.json --time 200ms --json",
)
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")
_MOST_SECONDS: Final = 3600.0


def seconds(text: str) -> float:
    """Read a time such as `200ms` or `1.5s`. Raises `typer.BadParameter`."""
    found = _TIME.fullmatch(text.strip())
    value = 0.0 if found is None else float(found[1]) / (1000 if found[2] == "ms" else 1)
    if not 0 < value <= _MOST_SECONDS:
        raise typer.BadParameter(f"{text!r} is no time such as 200ms or 1.5s, of at most {_MOST_SECONDS:.0f}s")
    return value


@with_isolation
def command(
    source: Source,
    game_id: GameId = None,
    seats: Annotated[
        list[int] | None,
        typer.Option(
            "--seat", help="Only the decisions of this seat, from 1.", parser=reader(NumberBounds(1)), metavar="N"
        ),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            help="Ask this bot the same questions, and weigh what it would play beside the rest.",
            metavar="BOT",
            autocompletion=bot_words,
        ),
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            help=f"Playouts for each decision: the same number gives the same result. Default: {PLAYOUTS}.",
            parser=reader(NumberBounds(8)),
            metavar="N",
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            help="Processor time for each decision, as 200ms, in place of --playouts: results differ from run to run.",
            parser=seconds,
            metavar="TIME",
        ),
    ] = None,
    jobs: Annotated[int | None, option("jobs", "Processes. Default: one per core.")] = None,
    *,
    apart: IsolationOptions,
    as_json: AsJson = False,
) -> None:
    """Weigh each choice of a finished game by playouts, and show what would have been better.

    A playout is played in a world that the seat could not tell from the real one. What is found is kept beside the
    ledger.
    """
    if playouts is not None and time is not None:
        raise typer.BadParameter("--playouts and --time: choose one", param_hint="--time")
    budget = Budget(PLAYOUTS if playouts is None else playouts, time)
    chosen = chosen_game(source, game_id)
    record = chosen.record
    wanted = sorted({seat - 1 for seat in seats}) if seats else list(range(record.players))
    if wanted[-1] >= record.players:
        why = f"{wanted[-1] + 1}: {record.id} has the seats 1 to {record.players}"
        raise typer.BadParameter(why, param_hint="--seat")
    built = built_bots(bots or [], apart)
    with nullcontext() if chosen.folder is None else AnalysisCache(chosen.folder, writing=True) as cache:
        analyst = Analyst(chosen.rules, chosen.edition, budget, [each.entrant.name for each in built], cache)
        named = _asked(built, chosen, wanted, chosen.time_control(source)) if built else {}
        [analysis] = analysed(analyst, [(record, wanted)], jobs, named)
    if as_json:
        records = {bot: accuracy_of(plays) for bot, plays in losses_by_bot([analysis]).items()}
        marks = [analysis.mark(each) for each in analysis.decisions]
        print_json({**msgspec.to_builtins(analysis), "marks": marks, "records": msgspec.to_builtins(records)})
    else:
        say(f"{record.id}: {', '.join(f'{seat} {bot}' for seat, bot in enumerate(record.bots, start=1))}")
        say(game_text(analysis, terminal_width()).removesuffix("\n"))


def analysed(
    analyst: Analyst,
    games: Sequence[tuple[GameRecord, Sequence[int]]],
    jobs: int | None,
    named: Named = NOBODY,
) -> list[GameAnalysis]:
    """Say what it costs to weigh the decisions of these seats of games, and do it."""
    missing = [task for record, seats in games for task in analyst.missing(record, seats, named)]
    processes = min(jobs or cores(), len(missing)) or 1
    warn(cost(missing, analyst.budget, processes))
    found = []
    with ProcessPool(processes) as pool, drawn_bar() or ProgressLines() as progress:
        progress.stage("decisions weighed", len(missing))
        for record, seats in games:
            for each in analyst.analyse(record, seats, pool, named):
                progress.advance("")
                analysis = each
            found.append(analysis.only(seats))
    return found


def analysed_games(
    ledger: Ledger, games: Sequence[tuple[str, Sequence[int]]], jobs: int | None = None
) -> list[GameAnalysis]:
    """Analyse these seats of games of a ledger, or take what was found before."""
    settings = ledger.settings
    with AnalysisCache(ledger.folder, writing=True) as cache:
        analyst = Analyst(catalog.rules(settings.game), settings.edition, Budget(), cache=cache)
        return analysed(analyst, [(ledger.game(game), seats) for game, seats in games], jobs)


def _asked(built: Sequence[Built], chosen: ChosenGame, seats: Iterable[int], time: TimeControl) -> Named:
    """Return what each bot would play, by seat and turn."""
    named: dict[tuple[int, int], dict[str, int]] = {}
    for bot in built:
        for seat in seats:
            try:
                for answer in ask_again(bot, chosen.record, chosen.rules, chosen.edition, seat, time):
                    named.setdefault((seat, answer.question.turn), {})[bot.entrant.name] = answer.now
            except Failed as failure:
                warn(f"{bot.entrant.name} does not answer for seat {seat}: {failure.problem.what}")
    return named
