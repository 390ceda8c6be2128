"""`arena show`: show a tournament, running or finished, and the faults of its bots."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from arena.cli.history import same_names, show_history
from arena.cli.narration import last_words
from arena.cli.options import AsJson, Folder, bots_of_tournament, folder_to_read, reader
from arena.cli.terminal import print_json, say, table, terminal_width, warn
from arena.common.allowed_words import suggested
from arena.common.decoding_words import in_words
from arena.common.printable import printable
from arena.formats import SEATED
from arena.game.clock import TimeControl
from arena.ledger import GameResult, Ledger, LedgerError, TournamentSettings, is_locked
from arena.site import publish
from arena.standings import leaderboard, rated_results
from arena.standings.game_counts import game_counts
from arena.standings.leaderboard_text import plain
from arena.standings.machine_losses import slow_machines_in_words
from arena.tournament.bounds import NumberBounds
from arena.web import PORT, check_libraries

_LATEST = 5


EXAMPLES: Final = (
    "arena show",
    "arena show tournaments/default --faults greedy",
    "arena show --games --json",
    "arena show tournaments/default --history",
    "arena show --history greedy",
    "arena show --web --open",
)


def command(
    folder: Folder = None,
    bot: Annotated[
        str | None,
        typer.Argument(help="With --history: only this bot.", metavar="BOT", autocompletion=bots_of_tournament),
    ] = None,
    faults: Annotated[
        str | None,
        typer.Option(help="The faults of this bot, with its last output.", autocompletion=bots_of_tournament),
    ] = None,
    games: Annotated[bool, typer.Option("--games", help="All games with their results.")] = False,
    history: Annotated[
        bool, typer.Option("--history", help="The versions of all bots; of BOT also what happened to it.")
    ] = False,
    web: Annotated[bool, typer.Option("--web", help="Serve its pages to this machine until Ctrl-C.")] = False,
    port: Annotated[
        int | None,
        typer.Option(
            help=f"For --web. Default: {PORT}, or a free one.", parser=reader(NumberBounds(1, 65535)), metavar="N"
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="With --web: open the browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a tournament, running or finished: its settings, its latest games and the tables so far."""
    asked = {"--web": web, "--faults": faults is not None, "--games": games, "--history": history}
    if len(chosen := [name for name, given in asked.items() if given]) > 1:
        raise typer.BadParameter(f"{' and '.join(chosen)}: choose one", param_hint=chosen[-1])
    if bot is not None and not history:
        raise typer.BadParameter("only together with --history", param_hint="BOT")
    if web:
        if as_json:
            raise typer.BadParameter("--web prints no JSON: its leaderboard.json is served", param_hint="--json")
        _serve(folder_to_read(folder), port, open_)
        return
    for name, given in {"--port": port is not None, "--open": open_}.items():
        if given:
            raise typer.BadParameter("only together with --web", param_hint=name)
    if history and bot is None and folder is not None and not folder.is_dir():
        folder, bot = None, str(folder)
    with Ledger.open(folder_to_read(folder)) as ledger:
        if history:
            show_history(ledger, bot, as_json)
        elif faults is not None:
            _faults(ledger, faults, as_json)
        elif games:
            _games(ledger.results(), as_json)
        else:
            _overview(ledger, as_json)


def _serve(folder: Path, port: int | None, in_browser: bool) -> None:
    """Serve the pages until the user interrupts it."""
    check_libraries()
    from arena.web.live import show_live

    browser = webbrowser.open if in_browser else None
    show_live(
        folder, _publish, lambda address: say(f"{address} (to this machine only, until Ctrl-C)"), warn, port, browser
    )


def _publish(folder: Path, site: Path) -> None:
    # One process: the tournament's bots need the cores.
    publish(folder, site, jobs=1, live=True, replace=True)


def _overview(ledger: Ledger, as_json: bool) -> None:
    settings = ledger.settings
    results = ledger.results()
    rated = rated_results(ledger, results)
    board = leaderboard(ledger, results=rated)
    counts_of_games = game_counts(ledger, results, rated)
    if as_json:
        fixed = {key: value for key, value in settings.entries().items() if key != "edition"}
        entrants = [msgspec.to_builtins(each) for each in ledger.entrants()]
        fixed["head"] = ledger.chain.head()
        fixed |= {"edition": settings.edition_name, "games": msgspec.to_builtins(counts_of_games)}
        print_json({**fixed, "entrants": entrants, **board.data()})
        return
    counts = settings.counts(len(ledger.field()))
    say(f"{settings.game}, edition {settings.edition_name}, players {', '.join(map(str, counts))}")
    say(f"{counts_of_games.words}; {_state(ledger)}")
    if skipped := [count for count in settings.players if count not in counts]:
        say(f"no games of {', '.join(map(str, skipped))}: too few bots take part")
    say(_time(settings))
    if settings.dealing is not None and settings.dealing.words:
        say(f"deals: {settings.dealing.words}")
    say(f"seed {settings.seed or 'secret'}, its hash {settings.seed_hash}")
    if settings.beacon_source is not None:
        value = "is still to come" if settings.beacon is None else repr(settings.beacon.value)
        say(f"the public value in the seed ({settings.beacon_source}) {value}")
    for each in settings.later_seeds:
        say(f"from game {each.place + 1} on seed {each.seed or 'secret'}, its hash {each.hash}")
    for line in slow_machines_in_words(ledger):
        say(line)
    say(f"head {ledger.chain.head()}")
    for entrant in ledger.entrants():
        if entrant.builds:
            what = "was built" if len(entrant.builds) == 1 else f"was built {len(entrant.builds)} times, differently"
            say(f"{printable(entrant.name)} {what}: {', '.join(printable(each) for each in entrant.builds)}")
    say()
    _games(results[-_LATEST:], False)
    say()
    say(plain(board, terminal_width()))
    for line in same_names(ledger):
        say(line)


def _time(settings: TournamentSettings) -> str:
    try:
        time = msgspec.convert(settings.time, TimeControl)
    except msgspec.ValidationError as error:
        return f"its time control was altered or is damaged: {in_words(error)}"
    limits = f"{time.start:g} s to start, {time.move:g} s a decision, {time.bank:g} s a game beyond that"
    others = "think in others' time" if time.ponder else "are stopped in others' time"
    crash = "" if time.on_crash == "substitute" else f", {time.on_crash} on a crash"
    return f"{limits}, {time.strikes} strikes{crash}; bots {others}"


def _state(ledger: Ledger) -> str:
    if is_locked(ledger.folder):
        return "it is being played"
    if ledger.settings.format == SEATED:
        return "`arena play` goes on"
    return "finished" if ledger.settings.finished else "not finished: the same `arena tournament` command goes on"


def _games(results: Sequence[GameResult], as_json: bool) -> None:
    if as_json:
        print_json(
            [{key: getattr(each, key) for key in ("id", "bots", "ranks", "scores", "retired")} for each in results]
        )
        return
    rows = []
    for result in results:
        places = sorted(zip(result.ranks, result.bots, strict=True))
        rows.append((result.id, ", ".join(f"{rank}. {bot}" for rank, bot in places)))
    say(table(("game", "result"), rows))


def _faults(ledger: Ledger, bot: str, as_json: bool) -> None:
    left_out = {entrant.name: entrant.left_out for entrant in ledger.entrants()}
    if bot not in left_out:
        known = f"there are {', '.join(left_out)}{suggested(bot, left_out)}"
        raise LedgerError(f"no bot {bot!r} in {ledger.folder}: {known}")
    found = list(ledger.each_fault_of(bot))
    if as_json:
        lines: list[dict[str, Any]] = [{"game": game, **msgspec.to_builtins(fault)} for game, fault in found]
        print_json(lines)
        return
    reason = left_out[bot]
    if reason is not None:
        say(f"{bot} was left out: {reason}")
    elif not found:
        say(f"{bot}: no faults")
    for game, fault in found:
        turn = "" if fault.turn is None else f", its turn {fault.turn}"
        seat = "" if fault.seat is None else f", seat {fault.seat + 1}"
        say(f"{game}{seat}{turn}: {fault.code}: {printable(fault.text)}")
        for line in last_words(fault):
            say(line)
