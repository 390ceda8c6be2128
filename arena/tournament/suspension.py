"""Who is suspended: a bot that retired in three games in a row plays no more.

Decided on the schedule's gapless beginning, so that it does not depend on which worker was quicker: games beyond a gap
wait, and what a bot has played after the third of these games is left out as if it had not been played. A bot that left
the field is left out in the same way of games that were drawn before. `arena.tournament.history` has one `Suspensions`,
and `arena.tournament.play` reports them.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from typing import Final

from arena.ledger import FieldEvent, PlaceRange, is_absent

IN_A_ROW: Final = 3


class Suspensions:
    """Follow the games in the order of the schedule, and suspend bots that keep failing."""

    def __init__(self, events: Iterable[FieldEvent] = ()) -> None:
        """Begin with nobody suspended. `events`: those of the field, in their order."""
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
        self._waiting: dict[int, tuple[Sequence[str], Sequence[int]] | None] = {}
        for event in events:
            ranges = self.absent.setdefault(event.bot, [])
            if event.kind == "leave":
                ranges.append((event.place if event.stops is None else event.stops, None))
                continue
            self._joins.setdefault(event.bot, []).append(event.place)
            if ranges:
                ranges[-1] = (ranges[-1][0], event.place)
        self.absent = {bot: ranges for bot, ranges in self.absent.items() if ranges}

    def played(self, index: int, bots: Sequence[str], retired: Sequence[int]) -> list[str]:
        """Note that the game at that place was played, and return the bots that it suspends. `retired`: seats."""
        self._waiting[index] = (bots, retired)
        return self._go_on()

    def missing(self, index: int) -> list[str]:
        """Note that there will be no game at that place, and return the bots that are suspended by that."""
        self._waiting[index] = None
        return self._go_on()

    def excludes(self, bots: Iterable[str], index: int) -> bool:
        """Return whether a game of these bots at that place is left out."""
        return is_absent(self.absent, bots, index)

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
            game = self._waiting.pop(self.reached)
            if game is not None and not self.excludes(game[0], self.reached):
                bots, retired = game
                for seat, bot in enumerate(bots):
                    self._in_a_row[bot] = self._in_a_row.get(bot, 0) + 1 if seat in retired else 0
                    if self._in_a_row[bot] == IN_A_ROW:
                        self._suspend(bot, self.reached + 1)
                        newly.append(bot)
            self.reached += 1
        return newly

    def _suspend(self, bot: str, place: int) -> None:
        back = min((join for join in self._joins.get(bot, []) if join >= place), default=None)
        self.suspensions.setdefault(bot, []).append((place, back))
        self.absent.setdefault(bot, []).append((place, back))
        self._in_a_row[bot] = 0
        if back is None:
            self._gone.append(bot)
            self._gone_at.append(place)
