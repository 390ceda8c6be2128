"""How the bots stand after each round of a run, for hooks: the same for any number of workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.ledger import Ledger, brief_results
from arena.standings.compute import PLACES, own_system
from arena.standings.lead import running_lead, running_lead_in_words
from arena.standings.rows import Leaderboard, LeaderboardRow
from arena.standings.running import RunningRow, RunningTable
from arena.tournament.hooks.events import MOST_ROWS, HookEvent, Move, StandingsRow

_CHUNK: Final = 200
"""Games that are read and rated at once."""
_SHARE: Final = 4
"""After a chunk follows a pause of this many times as long as it took, because the bots need the cores more."""
_NAMED: Final = 3
"""Bots that a text names."""


@dataclass(frozen=True)
class AfterRound:
    """How the bots stand after a round."""

    standings: list[StandingsRow]
    order: list[str]
    """All bots of the field that have played, best first."""
    order_before: list[str]
    """The same after the round before."""
    leaders: list[str]
    """All that may be the best, or the one with the best rating if nothing is known about that; best first."""
    leaders_before: list[str]
    """The same after the round before."""
    words: str
    """Who leads."""

    @property
    def moves(self) -> list[Move]:
        """Return who has another rank than before. A bot that had not played is among them if others had."""
        before = {bot: rank for rank, bot in enumerate(self.order_before, start=1)}
        after = enumerate(self.order, start=1)
        return [Move(bot, before.get(bot), rank) for rank, bot in after if before.get(bot) != rank]

    def moves_in_words(self) -> str:
        """Return whose rank has changed."""
        if set(self.leaders) != set(self.leaders_before):
            return f"{self.words} (before: {', '.join(self.leaders_before)})"
        up = [move for move in self.moves if move.before is None or move.after < move.before]
        texts = [f"{move.bot} is {_rank(move.after)} (before: {_rank(move.before)})" for move in up[:_NAMED]]
        more = f" and {len(up) - _NAMED} more have moved up" if len(up) > _NAMED else ""
        return "by rating, " + ", ".join(texts) + more


class RoundCourse:
    """Reads the games of a ledger in the order of the schedule, round after round."""

    def __init__(self, folder: Path, pause: Callable[[float], bool]) -> None:
        """Begin before the first game. `pause` waits that many seconds, and returns whether to go on."""
        self._folder = folder
        self._pause = pause
        self._read = 0
        self._table: RunningTable | None = None
        self._order: list[str] = []
        self._leaders: list[str] = []

    def catch_up(self, end: int) -> list[HookEvent]:
        """Read the games before a place, in pieces with pauses between them. Return no event."""
        if self._read_to(end) and self._table is not None:
            rows = self._table.rows()
            self._order, self._leaders = _order(rows), _leaders(rows)
        return []

    def advance(self, end: int) -> AfterRound | None:
        """Read on up to the end of a round, and return how the bots stand there. None: there is no time for that."""
        if not self._read_to(end) or self._table is None:
            return None
        with Ledger.open(self._folder) as ledger:
            self._table.suspend(ledger.settings.rated.suspended)
        rows = self._table.rows()
        before, self._order = self._order, _order(rows)
        led, self._leaders = self._leaders, _leaders(rows)
        words = running_lead_in_words(rows, str) or "nobody leads"
        standings = [_standing(rank, row) for rank, row in enumerate(rows[:MOST_ROWS], start=1)]
        return AfterRound(standings, self._order, before, self._leaders, led, words)

    def _read_to(self, end: int) -> bool:
        while self._read < end:
            began = time.monotonic()
            upto = min(end, self._read + _CHUNK)
            with Ledger.open(self._folder) as ledger:
                if self._table is None:
                    self._table = RunningTable(ledger.field(), own_system(ledger))
                rated = ledger.settings.rated
            for game in brief_results(self._folder, self._read, upto):
                if rated.counts(game.bots, game.index):
                    self._table.add(game)
            self._table.rate()
            self._read = upto
            if self._read < end and not self._pause(_SHARE * (time.monotonic() - began)):
                return False
        return True


def final_standings(board: Leaderboard) -> list[StandingsRow]:
    """Return the rows of a leaderboard over all player counts."""
    return [_standing(rank, row) for rank, row in enumerate((board.overall or [])[:MOST_ROWS], start=1)]


def _standing(rank: int, row: RunningRow | LeaderboardRow) -> StandingsRow:
    values = {name: round(value, PLACES) for name, value in row.values.items()}
    finish, wins = (None if value is None else round(value, PLACES) for value in (row.mean_finish, row.wins))
    faults = {code: count for code, count in row.faults.items() if count}
    place = rank if row.in_field else None
    return StandingsRow(place, row.band, row.bot, values, row.bound, row.games, finish, wins, faults, row.suspended)


def _order(rows: Sequence[RunningRow]) -> list[str]:
    return [row.bot for row in rows if row.games and row.in_field]


def _leaders(rows: Sequence[RunningRow]) -> list[str]:
    found = running_lead(rows)
    return [] if found is None else found.bots


def _rank(rank: int | None) -> str:
    if rank is None:
        return "new"
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"
