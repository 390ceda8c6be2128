"""`arena play`: a seat at the table for persons, on a page in the browser or in the terminal."""

from __future__ import annotations

import os
import ssl
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Annotated, Any, Final

import typer

from arena.cli import interrupts, log
from arena.cli.options import (
    Edition,
    IsolationOptions,
    bot_words,
    chosen_edition,
    option,
    reader,
    text,
    with_isolation,
)
from arena.cli.play_terminal import LineReader, TerminalPlayer
from arena.cli.terminal import ExitCode, can_clear, say, warn
from arena.common.progress import Silent
from arena.common.regular_files import why_unread
from arena.entrants import Entrant, EntrantError, LimitCeilings, alike, expand, kept_within, only_bots
from arena.entrants.packaged import games_of, hint_bot, opponents
from arena.game.clock import TimeControl
from arena.play.run import Looking, PlayPlan, beside, check_seats, person_names, run
from arena.play.table import PlayTable, TableSettings
from arena.play.tutorial import has_tutorial
from arena.play.tutorial import tutorial as tutorial_of
from arena.tournament.bounds import NumberBounds
from arena.tournament.identity import tournament_seed
from arena.tournament.plan import PlanError
from arena.web import WebError, check_libraries
from arena.web.visitors import Visitor
from engine import catalog
from engine.rules import Rules


class _Said(Silent):
    """Progress of which only messages are printed."""

    def say(self, text: str) -> None:
        """Print a message."""
        warn(text)


EXAMPLES: Final = (
    "arena play",
    "arena play @planner @sprinter --seat 1",
    "arena play mine.py --move 60",
    "arena play --text",
    "arena play --persons Ann,Bob --players 4",
    "arena play --persons Ann,Bob --host 192.168.1.20",
)


NO_HINTS: Final = "none"

Bots = Annotated[
    list[str] | None,
    typer.Argument(
        help="Your opponents. Default: packaged bots of middling strength.", metavar="BOTS", autocompletion=bot_words
    ),
]
GameGame = Annotated[str | None, option("game", "Default: the first that all bots play.")]
Players = Annotated[
    int | None,
    typer.Option(help="Seats at the table. Packaged bots fill them.", parser=reader(NumberBounds(2)), metavar="N"),
]
Persons = Annotated[
    str | None, typer.Option(help="Names of persons, as Ann,Bob. Default: person.", callback=text, metavar="NAMES")
]
Seat = Annotated[
    int | None,
    typer.Option(help="The first person's, from 1. Default: drawn.", parser=reader(NumberBounds(1)), metavar="N"),
]
PersonMove = Annotated[float | None, option("move", "A person's time per decision. Default: any.")]
Hints = Annotated[
    str | None, typer.Option(help=f"The bot to ask for hints, or {NO_HINTS}. Default: a strong one.", metavar="BOT")
]
InTerminal = Annotated[bool, typer.Option("--text", help="Play in this terminal, without a browser.")]
Tutorial = Annotated[bool, typer.Option("--tutorial", help="Begin with a guided game of five minutes.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Open no browser, only print the address.")]
HostAddress = Annotated[
    str | None,
    typer.Option(help="Let persons join over the network, at this address of this machine.", metavar="ADDRESS"),
]
Port = Annotated[
    int | None, typer.Option(help="Default: 8770, or a free one.", parser=reader(NumberBounds(1, 65535)), metavar="N")
]
TlsCert = Annotated[Path | None, typer.Option(help="For --host: a certificate in PEM.", metavar="FILE")]
TlsKey = Annotated[Path | None, typer.Option(help="For --host: its key.", metavar="FILE")]
LedgerFolder = Annotated[
    str | None,
    typer.Option(help="Folder for the games. Default: tournaments/play-GAME.", callback=text, metavar="DIR"),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Move an earlier ledger aside and start over.")]


@with_isolation
def command(
    bots: Bots = None,
    game: GameGame = None,
    edition: Edition = None,
    players: Players = None,
    persons: Persons = None,
    seat: Seat = None,
    move: PersonMove = None,
    hints: Hints = None,
    in_terminal: InTerminal = False,
    tutorial: Tutorial = False,
    no_browser: NoBrowser = False,
    host: HostAddress = None,
    port: Port = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    seed: Annotated[int | None, option("seed")] = None,
    ledger: LedgerFolder = None,
    fresh: Fresh = False,
    *,
    apart: IsolationOptions,
    verbose: log.Verbose = False,
) -> None:
    """Play against bots yourself, on a page or in this terminal.

    Your seat is one like any other: it is sent what a bot in it would be sent, and the game is recorded, for `arena
    verify`, `arena replay` and `arena show`. Several persons share one page or terminal in turn, or with --host each
    has an address of its own. Ctrl-C ends; a game that is not over then does not count.
    """
    names = person_names(persons)
    seat = None if seat is None else seat - 1
    rules, found = _at_table(bots or [], game, names, players)
    check_seats(rules, len(names) + len(found), seat)
    if tutorial and not has_tutorial(rules):
        raise typer.BadParameter(
            f"the game {rules.name} has none: leave it out, the page says what the game is about",
            param_hint="--tutorial",
        )
    listening = _listening(host, port, tls_cert, tls_key, in_terminal)
    advisor = None if hints == NO_HINTS else _hint_bot(hints, rules.name)
    plan = PlayPlan(
        rules=rules,
        edition=chosen_edition(rules, edition),
        bots=kept_within(found, LimitCeilings(), warn),
        persons=names,
        time=TimeControl(),
        isolation=apart.chosen([entrant.name for entrant in found]),
        move=move,
        seat=seat,
        seed=None if seed is None else tournament_seed(seed),
        ledger=ledger,
        is_fresh=fresh,
        hints=advisor,
        has_tutorial=has_tutorial(rules),
    )
    if in_terminal:
        _play_here(plan)
    else:
        _play_on_pages(plan, listening, no_browser, tutorial)


def _at_table(
    bots: Sequence[str], game: str | None, persons: Sequence[str], players: int | None
) -> tuple[Rules, list[Entrant]]:
    """Return the game and the bots at the table: those that were named, and packaged ones in the seats left."""
    named = only_bots(bots, game)
    rules = _game(named, game)
    count = players or max(rules.players[0], len(persons) + max(1, len(named)))
    missing = max(0, count - len(persons) - len(named))
    found = beside(persons, expand([*bots, *opponents(rules.name, missing)], rules.name).found)
    for line in alike(found):
        warn(line)
    if players is not None and len(persons) + len(found) != players:
        raise PlanError(f"{len(persons) + len(found)} persons and bots are named, and --players is {players}")
    return rules, found


def _game(found: Sequence[Entrant], game: str | None) -> Rules:
    """Return the game that is named, or the first that all bots play as far as their files say."""
    if game is not None:
        return catalog.rules(game)
    said = [games for each in found if each.kind == "python" and (games := games_of(each.path))]
    for name in catalog.names():
        if all(name in games for games in said):
            return catalog.rules(name)
    raise PlanError("there is no game that all of these bots play: choose one with --game")


def _hint_bot(word: str | None, game: str) -> Entrant | None:
    word = hint_bot(game) if word is None else word
    if word is None:
        say(f"no hints: {game} draws no worlds for a bot to search (--hints BOT asks one that plays it)")
        return None
    found = expand([word], game).found
    if len(found) != 1:
        raise EntrantError(f"--hints {word}: name one bot, or none")
    return found[0]


def _listening(host: str | None, port: int | None, cert: Path | None, key: Path | None, in_terminal: bool) -> Any:
    given = {"--host": host, "--port": port, "--tls-cert": cert, "--tls-key": key}
    for name, value in given.items():
        if value is not None and in_terminal:
            raise typer.BadParameter("not together with --text", param_hint=name)
    if (cert is None) != (key is None):
        raise typer.BadParameter("--tls-cert and --tls-key belong together", param_hint="--tls-cert")
    if in_terminal:
        return None
    check_libraries()
    from arena.play.serve import Listening
    from arena.web.server import Certificate

    if cert is None or key is None:
        return Listening(host, port)
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert, key)
    except ssl.SSLError:
        raise WebError(f"{cert} and {key} are no certificate in PEM and its key") from None
    except (OSError, ValueError) as error:
        raise WebError(f"--tls-cert {cert}, --tls-key {key}: {why_unread(error)}") from None
    return Listening(host, port, Certificate(cert, key))


_ASKED: Final = 10.0
"""Seconds after a Ctrl-C in which another one leaves the game."""
_SAME: Final = 0.3
"""Seconds after it in which the same one may be heard again."""


def _ask_first(table: PlayTable) -> None:
    """Ask once before Ctrl-C leaves a game."""
    asked = [-inf]

    def put_off() -> bool:
        since = monotonic() - asked[-1]
        if not table.is_playing:
            return False
        if since > _ASKED:
            asked.append(monotonic())
            say("the game is not over: Ctrl-C again leaves it, and then it does not count")
        elif since > _SAME:
            table.leave()
        return not table.is_left

    interrupts.ask_first(put_off)


# In this terminal


def _play_here(plan: PlayPlan) -> None:
    visitor = Visitor(plan.persons[0])
    players: list[TerminalPlayer] = []

    @contextmanager
    def front(table: PlayTable, settings: TableSettings) -> Iterator[Looking]:
        lines = LineReader(sys.stdin.fileno())
        player = TerminalPlayer(table, visitor, settings.rules, settings.edition, lines, can_clear())
        players.append(player)
        _ask_first(table)
        Thread(target=player.run, name="terminal", daemon=True).start()
        yield Looking()

    run(plan, dict.fromkeys(plan.persons, visitor), front, _Said())
    if players[0].left:
        say(players[0].left)
        raise typer.Exit(ExitCode.INTERRUPTED)


# On pages


def _has_screen() -> bool:
    """Return whether a browser would have a window: one that draws into this terminal must not be opened."""
    if sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _play_on_pages(plan: PlayPlan, listening: Any, no_browser: bool, tutorial: bool) -> None:
    from arena.play.serve import Serving, served, write_replays

    if listening.host is not None and listening.certificate is None:
        warn(
            f"without --tls-cert and --tls-key, anybody who can listen on the network of {listening.host} can read and "
            "take over every seat: play only with people you trust"
        )
    alone = Visitor(" and ".join(plan.persons))
    visitors = {name: alone if listening.host is None else Visitor(name) for name in plan.persons}

    class _Pages(Looking):
        def __init__(self, serving: Serving) -> None:
            self._serving = serving

        def check_serving(self) -> None:
            self._serving.check()

        def replay(self, ledger: Path, game_id: str) -> str | None:
            return write_replays(ledger, self._serving, game_id)

    lessons = tutorial_of(plan.rules) if plan.has_tutorial else None

    @contextmanager
    def front(table: PlayTable, settings: TableSettings) -> Iterator[Looking]:
        with served(
            table, plan.rules, plan.edition, lessons, listening._replace(pages=settings.pages), say, tutorial
        ) as serving:
            _ask_first(table)
            for visitor in table.visitors:
                whose = f"{visitor.name}: " if listening.host is not None else ""
                address = serving.invitation(visitor)
                opens = not no_browser and listening.host is None and _has_screen()
                # A browser in a sandbox, or outside of WSL, cannot read the file.
                before = "If no page opens, open this address: " if opens else whose
                say(f"{before}{address}    (works once; Ctrl-C ends)")
                if opens:
                    page = serving.file_to(address).as_uri()
                    Thread(target=webbrowser.open, args=(page,), name="browser", daemon=True).start()
            yield _Pages(serving)

    run(plan, visitors, front, _Said())
