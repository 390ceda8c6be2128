"""The interface of a rating system: games in, and for every bot a number in each named column out.

To add a system, implement `RatingSystem`, its `columns`, `rate` and `running`, and enter it in
`arena.rating.systems.SYSTEMS`. `DEFAULT_SYSTEM` there is the one that every command uses. In Python,
`arena.site.publish` takes another by its name, and `arena.standings.leaderboard` takes any object. Nothing else names a
system or a column of one:

- computing: `arena.rating.rated_table` ranks the bots and adds figures that no system is needed for, such as the mean
  finish; `arena.standings.compute` makes the leaderboards of that;
- showing: `arena.standings.leaderboard_text` as text and as data, `arena.site.leaderboard_tables` on pages,
  `arena.site.charts` and `arena.site.courses` in charts.

`tests/arena/rating/test_second_rating.py` adds one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

Values = Mapping[str, float]
"""A bot's numbers, by the names of the columns."""
OnRated = Callable[[Mapping[str, Values]], None]
"""Called after every game with the new values of its bots."""


@dataclass(frozen=True)
class RatingInput:
    """One game: bots, ranks (1 is best, equal numbers tie) and named scores, all in the same order."""

    bots: Sequence[str]
    ranks: Sequence[int]
    scores: Sequence[Mapping[str, float]]
    block: tuple[int, int]
    """The number of players and the index of the block, whose games were all played by the same group."""


def of_players(results: Sequence[RatingInput], players: int | None) -> Sequence[RatingInput]:
    """Return the games of so many players; None: all."""
    return results if players is None else [result for result in results if len(result.bots) == players]


class RatingColumn(NamedTuple):
    """A column of a leaderboard."""

    name: str
    """Its name in JSON and CSV."""
    title: str
    """Its heading."""
    about: str
    """An explanation, shown when the pointer is on the heading."""
    symbol: str
    """Its heading where there is little space."""
    places: int = 2
    """Decimal places."""
    few_places: int = 2
    """Decimal places where there is little space."""
    error: str | None = None
    """The column with the standard error of this one, which is shown after it with a ±."""


class Interval(NamedTuple):
    """The interval that charts draw around a rating: `reach` times `error` on each side of `middle`."""

    middle: str
    """The name of a column, as are `error` and `lower`."""
    error: str
    reach: int
    lower: str | None = None
    """The column whose value is the lower end, if there is one."""


class RatingColumns(NamedTuple):
    """The columns of a rating system."""

    shown: tuple[RatingColumn, ...]
    """From left to right."""
    ranking: str
    """The name of the column by which bots are ranked; higher is better."""
    note: str = ""
    """A sentence below a leaderboard that explains the ranking column."""
    interval: Interval | None = None

    @property
    def names(self) -> list[str]:
        """The names in the order of JSON and CSV: the ranking column comes last, after those it is computed from."""
        return [column.name for column in self.shown if column.name != self.ranking] + [self.ranking]

    def column(self, name: str) -> RatingColumn:
        """Return the column of that name."""
        return next(column for column in self.shown if column.name == name)

    @property
    def ranked(self) -> RatingColumn:
        """The column by which bots are ranked."""
        return self.column(self.ranking)

    @property
    def lower_end(self) -> str:
        """What the lower end of the interval is called; empty without an interval."""
        if self.interval is None:
            return ""
        if self.interval.lower is not None:
            return self.column(self.interval.lower).title
        middle, error = self.column(self.interval.middle).title, self.column(self.interval.error).title
        return f"{middle} − {self.interval.reach} {error}"

    @property
    def errors(self) -> set[str]:
        """The names of the columns that are the error of another one."""
        return {column.error for column in self.shown if column.error is not None}


class RunningRating(Protocol):
    """Ratings that go on with every game, to be looked at while games are played.

    They may differ a little from those of `RatingSystem.rate`, which knows all games from the first one on.
    """

    @property
    def columns(self) -> RatingColumns:
        """The columns of numbers that it gives each bot."""

    def add(self, bots: Sequence[str], ranks: Sequence[int]) -> None:
        """Rate one more game."""

    def values(self, bot: str) -> Values:
        """Return the values of a bot, which need not have played."""


class RatingSystem(Protocol):
    """Rates the bots of some games. An instance must be picklable, as it is sent to other processes."""

    @property
    def columns(self) -> RatingColumns:
        """The columns of numbers that it gives each bot."""

    def rate(
        self, results: Sequence[RatingInput], bots: Iterable[str], on_rated: OnRated, players: int | None = None
    ) -> Mapping[str, Values]:
        """Rate every one of `bots`.

        Args:
            results: The games in the order of the schedule.
            bots: The names of the bots, which need not have played.
            on_rated: To be called after each game by a system that rates game by game; a chart of the ratings' course
                needs it.
            players: Rate the bots for games of so many players; None: for all. A system may learn from the other games
                too.

        Returns:
            The values of every bot, by its name.
        """

    def running(self) -> RunningRating:
        """Return ratings that go on with every game, without a game so far."""
