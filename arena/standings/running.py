"""A table that goes on with every game while games are played: cheap, and close to the leaderboard computed later.

Its rows as text are the same for a terminal and for a live page.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from arena.ledger import BriefResult
from arena.rating import RankBand, RatingColumns, RatingSystem, rating_system
from arena.rating.base import Bound, RatingInput, Values
from arena.rating.rated_table import finish, rating_input, win_share
from arena.standings.rows import NO_PLACE, place_in_words


class RunningRow(NamedTuple):
    """A bot's row. Figures are None without a game."""

    bot: str
    values: Values
    """By column of the rating system."""
    games: int
    mean_finish: float | None
    wins: float | None
    faults: dict[str, int]
    """By code."""
    band: RankBand | None = None
    """Between which places it stands. None: nothing is known about that, or the bot is not in the field."""
    suspended: bool = False
    bound: Bound | None = None
    """On which side its rating is known, if on one side alone."""

    @property
    def in_field(self) -> bool:
        """Whether it has a place, as in `LeaderboardRow.in_field`."""
        return not self.suspended

    def place(self, order: int) -> str:
        """Return its place as a table shows it, such as 1–3, or nothing before its first game if no bands are known."""
        if self.band is None and not self.games and self.in_field:
            return ""
        return place_in_words(order, self.band) if self.in_field else NO_PLACE


class RunningTable:
    """Counts games at once, and rates them one by one when there is time."""

    def __init__(self, bots: Iterable[str], system: RatingSystem | None = None) -> None:
        """Begin without a game.

        Args:
            bots: Those that have a row, which are all in the field until they are suspended.
            system: The rating system. None: that of ranks.
        """
        self._bots = list(bots)
        self._suspended: set[str] = set()
        self._ratings = (system or rating_system()).running(self._bots)
        self.columns = self._ratings.columns
        self._places: set[int] = set()
        self._new: deque[BriefResult] = deque()
        self._earlier: list[BriefResult] = []
        self._games: Counter[str] = Counter()
        self._wins: defaultdict[str, float] = defaultdict(float)
        self._finishes: defaultdict[str, float] = defaultdict(float)
        self._faults: dict[str, Counter[str]] = {}

    def suspend(self, bots: Iterable[str]) -> None:
        """Take bots out of the field: they keep their rows, and have no place from now on."""
        self._suspended.update(bots)
        self._ratings.rank(bot for bot in self._bots if bot not in self._suspended)

    @property
    def games(self) -> int:
        """Return how many games were added."""
        return len(self._places)

    @property
    def rated(self) -> int:
        """Return how many of them are rated."""
        return len(self._places) - len(self._new) - len(self._earlier)

    def add(self, game: BriefResult) -> None:
        """Add a game, to be rated after those that were added before. A game that is in already changes nothing."""
        if self._count(game):
            self._new.append(game)

    def add_earlier(self, games: Iterable[BriefResult]) -> None:
        """Add games, in their order, that are rated when no others wait, the last one first."""
        self._earlier[:0] = [game for game in games if self._count(game)]

    def rate(self, seconds: float | None = None, clock: Callable[[], float] = time.perf_counter) -> None:
        """Rate what is not rated yet. `seconds`: stop after about that time."""
        ends = None if seconds is None else clock() + seconds
        while (self._new or self._earlier) and (ends is None or clock() < ends):
            game = self._new.popleft() if self._new else self._earlier.pop()
            rated = _rated(game)
            self._ratings.add(rated.bots, rated.ranks, rated.teams, rated.scores)

    def rows(self) -> list[RunningRow]:
        """Return the rows, best first, behind them those without a game, and last the suspended."""
        bands, bounds = (self._ratings.bands(), self._ratings.bounds()) if self.rated else ({}, {})
        rows = [self._row(bot, bands.get(bot), bounds.get(bot)) for bot in self._bots]
        merit = self.columns.merit
        return sorted(rows, key=lambda row: (row.suspended, not row.games, -merit(row.values), row.bot))

    def _count(self, game: BriefResult) -> bool:
        if game.index in self._places:
            return False
        self._places.add(game.index)
        rated = _rated(game)
        for seat, bot in enumerate(rated.bots):
            self._games[bot] += 1
            self._wins[bot] += win_share(rated.ranks, seat, rated.teams)
            self._finishes[bot] += finish(rated.ranks, seat, rated.teams)
        for seat, code in game.faults:
            self._faults.setdefault(game.bots[seat], Counter())[code] += 1
        return True

    def _row(self, bot: str, band: RankBand | None, bound: Bound | None) -> RunningRow:
        games = self._games[bot]
        return RunningRow(
            bot=bot,
            values=self._ratings.values(bot),
            games=games,
            mean_finish=self._finishes[bot] / games if games else None,
            wins=self._wins[bot] / games if games else None,
            faults=dict(self._faults.get(bot, {})),
            band=band,
            suspended=bot in self._suspended,
            bound=bound,
        )


def _rated(game: BriefResult) -> RatingInput:
    return rating_input(game.bots, game.ranks, game.scores, (len(game.bots), 0), game.teams)


def rating_headings(columns: RatingColumns) -> list[str]:
    """Return the ranking column and the middle of the interval, if that is another one."""
    return [columns.heading(each, few=True) for each in dict.fromkeys((columns.ranked, columns.middle))]


def rating_cells(row: RunningRow, columns: RatingColumns) -> list[str]:
    """Return what stands below these headings."""
    if not row.games:
        return ["-"] * len(rating_headings(columns))
    ranked = columns.ranked
    cells = [] if ranked == columns.middle else [f"{row.values[ranked.name]:.{ranked.few_places}f}"]
    return [*cells, columns.in_words(row.values, row.bound, few=True)]


def faults_cell(row: RunningRow) -> str:
    """Return the faults by code, or that the bot is suspended."""
    if row.suspended:
        return "suspended"
    return ", ".join(f"{code} {count}" for code, count in sorted(row.faults.items())) or "-"
