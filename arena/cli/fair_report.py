"""What `arena report --fair` asks bots: how each decides where others decided in recorded games, once for each."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
import typer

from arena.check import answers
from arena.cli.options import IsolationOptions
from arena.common.labels import bot_name
from arena.common.printable import printable
from arena.common.regular_files import read_regular, why_unread, write_atomic
from arena.entrants import BuildFailed, EntrantError, build
from arena.entrants.build import recall
from arena.entrants.launch import FORWARDER
from arena.game.clock import TimeControl
from arena.game.replay import questions
from arena.ledger import Ledger
from arena.reports.duplicates import LEAST
from arena.reports.fairness import FairReport, fair_report
from engine import catalog

_DECISIONS: Final = 2 * LEAST
"""That each bot is asked, if games have so many."""
_MOST_BYTES: Final = 64 << 20


class AskedBots(msgspec.Struct):
    """What bots answered so far."""

    seats: list[tuple[str, int]] = []
    """Games, and whose decisions in them."""
    answers: dict[str, list[int | None]] = {}
    """By version."""


def ask_bots(ledger: Ledger, kept: Path, apart: IsolationOptions) -> tuple[AskedBots, list[str]]:
    """Ask the bots of the field that were not asked yet, and keep what they answer in a file.

    A bot is taken as asked before it is, so that one that takes too long is not asked for ever.

    Returns:
        All answers so far, and why some bots could not be asked.
    """
    try:
        found = msgspec.json.decode(read_regular(kept, _MOST_BYTES), type=AskedBots) if kept.exists() else AskedBots()
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{kept} holds no answers of bots: {why_unread(error)}", param_hint="--ask") from None
    settings, notes = ledger.settings, list[str]()
    rules, time = catalog.rules(settings.game), msgspec.convert(settings.time, TimeControl)
    if not found.seats:
        found.seats = _chosen(ledger)
    records = {game: ledger.game(game) for game, _ in found.seats}
    seats = [(records[game], seat) for game, seat in found.seats]
    field = set(ledger.field())
    new = [each for each in ledger.entrants() if each.name in field and each.name not in found.answers]
    if not seats or not new:
        return found, notes
    isolation = apart.chosen([bot_name(each.name) for each in new])
    for each in new:
        found.answers[each.name] = []
        write_atomic(kept, msgspec.json.encode(found))
        try:
            entrant = recall(bot_name(each.name), each.fingerprint, each.path)
            if entrant.command[1:] != FORWARDER:  # a bot elsewhere can be asked while it is connected alone
                built = build(entrant, isolation=isolation)
                found.answers[each.name] = answers(built, seats, rules, settings.edition, time)
        except (EntrantError, BuildFailed) as error:
            notes.append(f"{each.name} was not asked: {printable(str(error))}")
        write_atomic(kept, msgspec.json.encode(found))
    return found, notes


def _chosen(ledger: Ledger) -> list[tuple[str, int]]:
    """Choose seats of games from all over the schedule, with enough decisions. Empty: there are too few so far."""
    settings, found, decisions = ledger.settings, list[tuple[str, int]](), 0
    rules = catalog.rules(settings.game)
    for number, name in enumerate(sorted(ledger.ids(), key=lambda name: sha256(name.encode()).digest())):
        game = ledger.game(name)
        seat = number % game.players
        if seat not in game.retired:
            found.append((game.id, seat))
            decisions += sum(each.seat == seat and each.is_asked for each in questions(game, rules, settings.edition))
        if decisions >= _DECISIONS:
            return found
    return found if decisions >= LEAST else []


def asked_and_found(ledger: Ledger, kept: Path | None, apart: IsolationOptions) -> FairReport:
    """Look for favours and copies. `kept`: what `ask_bots` keeps; None: no bot is asked."""
    found, notes = (AskedBots(), list[str]()) if kept is None else ask_bots(ledger, kept, apart)
    return fair_report(ledger, found.answers, notes)
