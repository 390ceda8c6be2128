"""Put results in the order of the schedule: formats read them in that order, and bots are suspended in it.

A bot is suspended that retired in three games in a row: it plays no more.

A game that ended before a bot was asked for anything, because rivals retired, is passed over: it neither counts as one
of the three nor begins the row anew, or bots that crash at once would shelter each other.

Decided on the schedule's gapless beginning, so that it does not depend on which worker was quicker: games beyond a gap
wait, and what a bot has played after the third of these games is left out as if it had not been played. A bot that left
the field is left out in the same way of games that were drawn before. `arena.tournament.coordinator` reports who is
suspended.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from arena.common.labels import bot_name
from arena.formats import GameOutcome, PlayedBlock
from arena.ledger import BlockRecord, FieldEvent, PlaceRange, is_absent

IN_A_ROW: Final = 3
MOST_VOID: Final = 3
"""Games of a bot, all its versions together, that are void because it crashed there, if crashes make games void.

Later ones count as lost: no bot gains by making games void.
"""


class _Played(NamedTuple):
    """See `TournamentHistory.played`."""

    game: GameOutcome
    crashed: Sequence[int]
    idle: Sequence[int]


class TournamentHistory:
    """Collects results in any order, gives them in the order of the schedule, and suspends bots that keep failing."""

    def __init__(self, events: Iterable[FieldEvent] = ()) -> None:
        """Start with no game played. `events`: those of the field, in their order."""
        self._results: dict[int, GameOutcome] = {}
        self.suspensions: dict[str, list[PlaceRange]] = {}
        """By bot: from where on it is suspended, and where it came back by joining once more."""
        self.absent: dict[str, list[PlaceRange]] = {}
        """By bot: where its games are left out, because it was suspended or had left."""
        self._gone: list[str] = []
        """Who was suspended and has not come back."""
        self._gone_at: list[int] = []
        """From which places on."""
        self._joins: dict[str, list[int]] = {}
        self._in_a_row: dict[str, int] = {}
        self.reached = 0
        """Of all places before this one it is known whether a game was played there."""
        self.void: dict[str, list[int]] = {}
        """By bot: places of games that are void because it crashed there."""
        self.void_games = 0
        self._void_places: set[int] = set()
        self._crashes: Counter[str] = Counter()
        """By the name of a bot: the void games of all its versions."""
        self._waiting: dict[int, _Played | None] = {}
        for event in events:
            ranges = self.absent.setdefault(event.bot, [])
            if event.kind == "leave":
                ranges.append((event.place if event.stops is None else event.stops, None))
                continue
            self._joins.setdefault(event.bot, []).append(event.place)
            if ranges:
                ranges[-1] = (ranges[-1][0], event.place)
        self.absent = {bot: ranges for bot, ranges in self.absent.items() if ranges}

    def played(self, index: int, game: GameOutcome, crashed: Sequence[int] = (), idle: Sequence[int] = ()) -> list[str]:
        """Add the game at that place of the schedule, and return the bots that it suspends.

        Args:
            index: The place.
            game: Its outcome.
            crashed: Seats whose crash makes it void, if it is one of the first of their bots.
            idle: Seats that did not retire and were asked for nothing, as others retired.
        """
        self._results[index] = game
        self._waiting[index] = _Played(game, crashed, idle)
        return self._go_on()

    def missing(self, index: int) -> list[str]:
        """Note that there will be no game at that place, and return the bots that are suspended by that."""
        self._waiting[index] = None
        return self._go_on()

    def take_blocks(self, blocks: Sequence[BlockRecord]) -> list[PlayedBlock]:
        """Return the games of these blocks that count, and forget them. All must be known."""
        taken = []
        for block in blocks:
            places = range(block.place, block.place + len(block.bots))
            results = [(place, self._results.pop(place, None)) for place in places]
            games = [game for place, game in results if game is not None and not self.excludes(game.bots, place)]
            taken.append(PlayedBlock(block.bots, [game.by_entrant() for game in games]))
        return taken

    def excludes(self, bots: Iterable[str], index: int) -> bool:
        """Return whether a game of these bots at that place is left out."""
        return index in self._void_places or is_absent(self.absent, bots, index)

    def is_suspended(self, bot: str, place: int, known: int) -> bool:
        """Return whether a bot is suspended at a place, as far as that follows from the games before `known`."""
        return any(
            begin <= known and begin <= place and (end is None or place < end)
            for begin, end in self.suspensions.get(bot, ())
        )

    def absent_before(self, place: int) -> dict[str, list[PlaceRange]]:
        """Return where games before a place are left out, by bot."""
        found = {bot: [each for each in self.absent[bot] if each[0] < place] for bot in sorted(self.absent)}
        return {bot: ranges for bot, ranges in found.items() if ranges}

    def void_before(self, place: int) -> dict[str, list[int]]:
        """Return the places of void games before a place, by the bots that crashed there."""
        found = {bot: [each for each in self.void[bot] if each < place] for bot in sorted(self.void)}
        return {bot: places for bot, places in found.items() if places}

    def gone(self, place: int) -> list[str]:
        """Return who was suspended before a place and has not come back since, in this order."""
        return self._gone[: bisect(self._gone_at, place)]

    def suspended(self, place: int) -> dict[str, int]:
        """Return who is suspended at a place, each with the place from which on its games are left out."""
        return {
            bot: begin
            for bot, ranges in self.suspensions.items()
            for begin, end in ranges
            if begin <= place and (end is None or place < end)
        }

    def _go_on(self) -> list[str]:
        newly = []
        while self.reached in self._waiting:
            played = self._waiting.pop(self.reached)
            if played is not None and not self.excludes(played.game.bots, self.reached):
                bots, retired = played.game.bots, played.game.retired
                self._void(self.reached, [bots[seat] for seat in played.crashed])
                for bot in dict.fromkeys(bots):  # which may hold all seats of a team
                    seats = {seat for seat, each in enumerate(bots) if each == bot}
                    if seats.issubset(played.idle):
                        continue
                    self._in_a_row[bot] = 0 if seats.isdisjoint(retired) else self._in_a_row.get(bot, 0) + 1
                    if self._in_a_row[bot] == IN_A_ROW:
                        self._suspend(bot, self.reached + 1)
                        newly.append(bot)
            self.reached += 1
        return newly

    def _void(self, place: int, crashed: Sequence[str]) -> None:
        """Make a game void if one of the bots that crashed there may still do so."""
        excused = [bot for bot in crashed if self._crashes[bot_name(bot)] < MOST_VOID]
        for bot in excused:
            self.void.setdefault(bot, []).append(place)
            self._void_places.add(place)
        self._crashes.update({bot_name(bot) for bot in excused})
        self.void_games += bool(excused)

    def _suspend(self, bot: str, place: int) -> None:
        back = min((join for join in self._joins.get(bot, []) if join >= place), default=None)
        self.suspensions.setdefault(bot, []).append((place, back))
        self.absent.setdefault(bot, []).append((place, back))
        self._in_a_row[bot] = 0
        if back is None:
            self._gone.append(bot)
            self._gone_at.append(place)
