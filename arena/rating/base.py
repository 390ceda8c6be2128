"""What a rating system is: games in, for every bot a number in each of its named columns out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

Values = Mapping[str, float]
"""A bot's numbers, by the names of the columns."""
OnRated = Callable[[Mapping[str, Values]], None]
"""Gets after every game the values of its bots."""


@dataclass(frozen=True)
class RatingInput:
    """One game: bots, ranks (1 is best, equal numbers tie) and named scores, in step."""

    bots: Sequence[str]
    ranks: Sequence[int]
    scores: Sequence[Mapping[str, float]]
    block: tuple[int, int]
    """Number of players and number of the block: its games were played by the same group."""


class RatingColumn(NamedTuple):
    """A column of a leaderboard."""

    name: str
    """What JSON and CSV call it."""
    title: str
    """Its heading."""
    about: str
    """What it says, for who points at the heading."""
    symbol: str
    """Its heading where there is little room."""
    places: int = 2
    """Decimal places."""
    few_places: int = 2
    """Decimal places where there is little room."""
    error: str | None = None
    """The column with the standard error of this one: shown behind it, after a ±."""


class Interval(NamedTuple):
    """What charts draw beside a rating: the value of the column `middle`, and so many errors to either side."""

    middle: str
    error: str
    reach: int
    lower: str
    """The column whose value is the lower end."""


class RatingColumns(NamedTuple):
    """The columns of a rating system."""

    shown: tuple[RatingColumn, ...]
    """From left to right."""
    ranking: str
    """The name of the column by which bots are ranked; a higher value is better."""
    note: str = ""
    """What the ranking column says, in a sentence below a leaderboard."""
    interval: Interval | None = None

    @property
    def names(self) -> list[str]:
        """Return the names in the order of JSON and CSV: the ranking column stands behind those it is made of."""
        return [column.name for column in self.shown if column.name != self.ranking] + [self.ranking]

    def column(self, name: str) -> RatingColumn:
        """Return the column of that name."""
        return next(column for column in self.shown if column.name == name)

    @property
    def ranked(self) -> RatingColumn:
        """Return the column by which bots are ranked."""
        return self.column(self.ranking)

    @property
    def errors(self) -> set[str]:
        """Return the names of the columns that are the error of another."""
        return {column.error for column in self.shown if column.error is not None}


class RatingSystem(Protocol):
    """Rates the bots of some games. It must be possible to send it to another process."""

    @property
    def columns(self) -> RatingColumns:
        """What it says of a bot."""

    def rate(self, results: Sequence[RatingInput], bots: Iterable[str], on_rated: OnRated) -> Mapping[str, Values]:
        """Rate every one of `bots` by these games, which are in the order of the schedule.

        A system that rates game by game calls `on_rated` after each; without that there is no chart of how the
        ratings went.
        """
