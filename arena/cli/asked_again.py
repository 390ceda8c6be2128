"""Bots that are asked the questions of recorded games again, for `arena verify`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from arena.check import ask_games_again
from arena.cli.check import built_bot
from arena.common.decoding_words import in_words
from arena.common.labels import bot_name
from arena.entrants import BuildFailed, Built, EntrantError, build
from arena.entrants.recall import recall
from arena.game.clock import TimeControl
from arena.game.replay import ReplayError
from arena.isolation.settings import Isolation
from arena.ledger import DamagedLedger, GameRecord, Ledger
from arena.replays.game_file import read_game
from arena.tournament.verification.export import ExportCheck
from arena.tournament.verification.export import records as exported_records
from engine import catalog

Picked = TypeVar("Picked")


class AskingAgain:
    """Asks bots again, and collects where they differ."""

    def __init__(self, game: str, edition: dict[str, Any], time: Mapping[str, Any]) -> None:
        """Take the settings of the tournament. Raises `LedgerError` for a time control that is none."""
        self._rules = catalog.rules(game)
        self._edition = edition
        try:
            self._time = msgspec.convert(time, TimeControl)
        except msgspec.ValidationError as error:
            raise DamagedLedger(f"the time control was altered or is damaged: {in_words(error)}") from None
        self.different: dict[str, list[str]] = {}
        """By game."""
        self.notes: list[str] = []

    def ask(self, label: str, built: Built, records: Iterable[GameRecord]) -> None:
        """Ask a bot again about all games that it played under that label."""
        games = decisions = 0
        try:
            for asked in ask_games_again(built, _seats(label, records), self._rules, self._edition, self._time):
                games += 1
                decisions += asked.decisions
                if asked.unknown is not None:
                    self.notes.append(f"{label} could not be asked to the end about {asked.game}: {asked.unknown}")
                if asked.difference is not None:
                    self.different.setdefault(asked.game, []).append(f"{label}, {asked.difference}")
        except ReplayError as error:
            self.notes.append(f"{label} could not be asked to the end: {error}")
        self.notes.append(f"{label} was asked again: {decisions} decisions in {games} games")


def ask_ledger(ledger: Ledger, sample: int | None, bot: str | None, isolation: Isolation) -> AskingAgain:
    """Ask the bots of a tournament again that call themselves deterministic, or only the one at a path.

    Args:
        ledger: The tournament.
        sample: So many games of each bot, spread over all that it played. None: all of them.
        bot: The path of the one bot to ask. None: all bots.
        isolation: How they are kept apart.
    """
    settings = ledger.settings
    asking = AskingAgain(settings.game, settings.edition, settings.time)
    mine = None if bot is None else built_bot(bot, isolation)
    outcomes = ledger.outcomes()
    entrants = [each for each in ledger.entrants() if each.left_out is None]
    if mine is not None:
        same = [each for each in entrants if each.fingerprint == mine.entrant.fingerprint]
        if not same:
            raise EntrantError(f"{bot} did not take part: no bot of this tournament has its content")
        entrants = same
    for each in entrants:
        if mine is None and not each.deterministic:
            asking.notes.append(f"{each.name} is not asked again: it does not call itself deterministic")
            continue
        try:
            built = mine or build(recall(bot_name(each.name), each.fingerprint, each.path), isolation=isolation)
        except (EntrantError, BuildFailed) as error:
            asking.notes.append(f"{each.name} is not asked again: {error}")
            continue
        own = [outcome.id for outcome in outcomes if each.name in outcome.bots]
        asking.ask(each.name, built, map(ledger.game, _spread(own, sample)))
    return asking


def ask_export(found: ExportCheck, sample: int | None, bot: str, isolation: Isolation) -> AskingAgain:
    """Ask a bot again about all games of an export that a bot with its content played.

    Args:
        found: The export, with at least one game.
        sample: So many games, spread over all that it played. None: all of them.
        bot: Its path.
        isolation: How it is kept apart.
    """
    mine = built_bot(bot, isolation)
    labels = [label for label, each in found.fingerprints.items() if each == mine.entrant.fingerprint]
    if not labels:
        raise EntrantError(f"{bot} did not take part: no bot of this tournament has its content")
    one = read_game(found.games[0].file)
    asking = AskingAgain(one.game, one.edition, one.time)
    for label in labels:
        own = [game for game in found.games if label in game.bots]
        asking.ask(label, mine, exported_records(_spread(own, sample)))
    return asking


def _spread(games: Sequence[Picked], sample: int | None) -> list[Picked]:
    """Return so many games, spread over all of them; None: all."""
    number = len(games) if sample is None else min(sample, len(games))
    return [games[place * len(games) // number] for place in range(number)]


def _seats(label: str, records: Iterable[GameRecord]) -> Iterator[tuple[GameRecord, int]]:
    for record in records:
        if label in record.bots:
            yield record, record.bots.index(label)
