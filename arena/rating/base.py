"""The interface of a rating system: games in, and for every bot a number in each named column out.

To add a system, implement `RatingSystem`, its `columns`, `rate` and `running`, and enter it in
`arena.rating.systems.SYSTEMS`. `DEFAULT_SYSTEM` there is the one that every command uses. In Python,
`arena.site.publish` takes another by its name, and `arena.standings.leaderboard` takes any object. Nothing else names a
system or a column of one:

- computing: `arena.rating.rated_table` ranks the bots and adds figures that no system is needed for, such as the mean
  finish; `arena.standings.compute` makes the leaderboards of that;
- showing: `arena.standings.leaderboard_text` as text and as data, `arena.site.leaderboard_tables` on pages,
  `arena.site.charts` in charts.

`tests/arena/rating/test_second_rating.py` adds one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final, Literal, NamedTuple, Protocol

_STANDARD: Final = NormalDist()

Values = Mapping[str, float]
"""A bot's numbers, by the names of the columns."""
Scores = Sequence[Mapping[str, float]]
"""The named scores of a game, by seat."""
OnRated = Callable[[int, Mapping[str, Values]], None]
"""Called with how many games are rated by now, and the new values of bots that have played."""


class RatingInput(NamedTuple):
    """One game: bots, ranks (1 is best, equal numbers tie) and named scores, all in the same order."""

    bots: Sequence[str]
    ranks: Sequence[int]
    scores: Scores
    block: tuple[int, int]
    """The number of players and the index of the block, whose games were all played by the same group."""
    teams: Sequence[Sequence[int]] = ()
    """Of partners that were drawn: their places in `bots`. Empty: every bot plays for itself."""


def of_players(results: Sequence[RatingInput], players: int | None) -> Sequence[RatingInput]:
    """Return the games of so many players; None: all."""
    return results if players is None else [result for result in results if result.block[0] == players]


Bound = Literal["at least", "at most"]
"""What games say of a bot that only won or only lost: its rating is at least, or at most, one end of an interval."""
Ends = tuple[float | None, float | None]
"""The lower and the upper end of an interval; None: nothing is known there."""


def one_sided(low: float | None, high: float | None, bound: Bound | None, places: int) -> str:
    """Return the end of an interval that is known, if it is one alone, such as > 34.3; else nothing."""
    if bound == "at least" and low is not None:
        return f"> {low:.{places}f}"
    return f"< {high:.{places}f}" if bound == "at most" and high is not None else ""


class RankBand(NamedTuple):
    """The places at which a bot may stand, both included; 1 is best."""

    best: int
    worst: int

    def __str__(self) -> str:
        """Return the band as a table shows it, such as 1–3."""
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


class SkillDifference(NamedTuple):
    """By how much one bot is stronger than another, on the scale of its ratings: a normal distribution."""

    mean: float
    error: float
    """Its standard deviation. 0: the difference is certain."""
    bound: Bound | None = None
    """On which side it is known, if on one side alone."""

    def above(self, least: float) -> float:
        """Return the probability that the difference is more than `least`."""
        over = self.mean - least
        if self.error > 0:
            return _STANDARD.cdf(over / self.error)
        return 0.5 if over == 0 else float(over > 0)

    def ends(self, reach: float) -> tuple[float | None, float | None]:
        """Return the ends of the interval of `reach` errors to either side; None for the side that is not known."""
        low, high = self.mean - reach * self.error, self.mean + reach * self.error
        return (None if self.bound == "at most" else low), (None if self.bound == "at least" else high)

    def one_sided(self, places: int) -> str:
        """Return the end that is known, such as > +3.1, if it is known on one side alone; else nothing."""
        low, high = self.ends(REACH)
        if high is None:
            return f"> {low:+.{places}f}"
        return f"< {high:+.{places}f}" if low is None else ""

    def within(self, most: float) -> float:
        """Return the probability that the difference is at most `most` to either side."""
        return self.above(-most) - self.above(most)


Finding = Literal["better", "worse", "within", "unknown"]
"""What a test of a difference of two bots has found: it is above 0, below 0, or less than the margin to either side, or
none of these is known."""


class SkillDifferences(Protocol):
    """Knows by how much each bot is stronger than each other one, and how sure that is."""

    def difference(self, one: str, other: str) -> SkillDifference:
        """Return by how much `one` is stronger than `other`, which need not have met it."""


class Ratings(NamedTuple):
    """What a rating system says of some bots."""

    values: Mapping[str, Values]
    """By bot."""
    bands: Mapping[str, RankBand] = {}
    """By bot that has a place. Empty: the system knows no bands."""
    differences: SkillDifferences | None = None
    """None: the system knows no errors."""
    bounds: Mapping[str, Bound] = {}
    """By bot whose rating is known on one side alone."""


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
    """The column with the standard error of this one, of which people see `REACH` times as much, behind a ±."""


REACH: Final = 1.96
"""Standard errors on either side that make an interval of 95 %."""
HALF: Final = "± 95 %"
"""What half of an interval of 95 % is called wherever people read; the error itself is for scripts."""


def half(error: float | None, places: int) -> str:
    """Return half of an interval of 95 % as it stands behind a number, such as ` ± 1.4`; nothing if it is not known."""
    return "" if error is None else f" ± {REACH * error:.{places}f}"


class Interval(NamedTuple):
    """The interval that charts draw around a rating: `reach` times `error` on each side of `middle`."""

    middle: str
    """The name of a column, as are `error` and `lower`."""
    error: str
    reach: float
    lower: str | None = None
    """The column whose value is the lower end, if there is one."""


class RatingColumns(NamedTuple):
    """The columns of a rating system."""

    shown: tuple[RatingColumn, ...]
    """From left to right."""
    ranking: str
    """The name of the column by which bots are ranked; higher is better unless `is_least_best`."""
    note: str = ""
    """A sentence below a leaderboard that explains the ranking column."""
    interval: Interval | None = None
    data: tuple[RatingColumn, ...] = ()
    """Columns that stand in JSON and CSV alone."""
    is_least_best: bool = False
    """Whether lower is better in the ranking column. A difference of bots is by how much one is better all the same."""
    is_amount: bool = False
    """Whether bots are ranked by how much they win, and not by the order in which they finish."""

    def merit(self, values: Values) -> float:
        """Return a bot's number in the ranking column, with the sign turned where lower is better: higher is better."""
        return -values[self.ranking] if self.is_least_best else values[self.ranking]

    @property
    def names(self) -> list[str]:
        """The names in the order of JSON and CSV: the ranking column comes last, after those it is computed from."""
        return [column.name for column in (*self.shown, *self.data) if column.name != self.ranking] + [self.ranking]

    def column(self, name: str) -> RatingColumn:
        """Return the column of that name."""
        return next(column for column in self.shown if column.name == name)

    @property
    def ranked(self) -> RatingColumn:
        """The column by which bots are ranked."""
        return self.column(self.ranking)

    @property
    def is_centred(self) -> bool:
        """Whether bots are ranked by the middle of the interval."""
        return self.interval is not None and self.interval.middle == self.ranking

    def ends(self, values: Values, bound: Bound | None = None) -> tuple[float, float, float]:
        """Return lower end, middle and upper end of a bot's interval; three times the rating if no errors are known.

        An end of which nothing is known is infinite. `bound`: on which side the rating is known, if on one side alone.
        """
        if self.interval is None:
            return (values[self.ranking],) * 3
        middle = values[self.interval.middle]
        reach = self.interval.reach * values[self.interval.error]
        lower = -math.inf if bound == "at most" else middle - reach
        return lower, middle, math.inf if bound == "at least" else middle + reach

    def known_ends(self, values: Values, bound: Bound | None) -> Ends | None:
        """Return the ends of a bot's interval as data; None if no errors are known."""
        if self.interval is None:
            return None
        low, _, high = self.ends(values, bound)
        return low if math.isfinite(low) else None, high if math.isfinite(high) else None

    def one_sided(self, values: Values, bound: Bound | None, places: int) -> str:
        """Return what is shown in the place of a rating and its error if it is known on one side alone, such as > 34.3.

        Empty if it has an error on both sides. All tables, pages and reports show it so.
        """
        low, _, high = self.ends(values, bound)
        return one_sided(low, high, bound, places)

    def in_words(self, values: Values, bound: Bound | None = None, few: bool = False) -> str:
        """Return a bot's number with half of its interval of 95 %, or the end that is known if it is one alone."""
        column = self.middle
        places = column.few_places if few else column.places
        error = None if column.error is None else values[column.error]
        return self.one_sided(values, bound, places) or f"{values[column.name]:.{places}f}{half(error, places)}"

    def stated(self, values: Values, bound: Bound | None = None) -> str:
        """Return the same in a sentence, such as `rating 31.2 ± 1.4 (95 %)`."""
        sure = " (95 %)" if self.interval is not None else ""
        return f"{self.middle.title} {self.in_words(values, bound)}{sure}"

    def heading(self, column: RatingColumn, few: bool = False) -> str:
        """Return what stands above a column that is shown with its error."""
        title = column.symbol if few else column.title
        return title if column.error is None else f"{title} {HALF}"

    @property
    def middle(self) -> RatingColumn:
        """The column of the middle of the interval; without one, that by which bots are ranked."""
        return self.ranked if self.interval is None else self.column(self.interval.middle)

    @property
    def error(self) -> str | None:
        """The name of the column with the standard errors of ratings; None: no errors are known."""
        return self.middle.error

    @property
    def lower_end(self) -> str:
        """What the lower end of the interval is called; empty without an interval."""
        if self.interval is None:
            return ""
        return "95 %, lower end" if self.interval.lower is None else self.column(self.interval.lower).title

    @property
    def upper_end(self) -> str:
        """What the upper end of the interval is called; empty without an interval."""
        if self.interval is None:
            return ""
        if self.interval.lower is None:
            return "95 %, upper end"
        middle, error = self.column(self.interval.middle).title, self.column(self.interval.error).title
        return f"{middle} + {self.interval.reach:g} {error}"


class RunningRating(Protocol):
    """Ratings that go on with every game, to be looked at while games are played.

    They may differ a little from those of `RatingSystem.rate`, which knows all games from the first one on.
    """

    @property
    def columns(self) -> RatingColumns:
        """The columns of numbers that it gives each bot."""

    def add(
        self, bots: Sequence[str], ranks: Sequence[int], teams: Sequence[Sequence[int]] = (), scores: Scores = ()
    ) -> None:
        """Rate one more game. `teams`: the seats of partners that were drawn; `scores`: as in `RatingInput`."""

    def values(self, bot: str) -> Values:
        """Return the values of a bot, which need not have played."""

    def rank(self, bots: Iterable[str]) -> None:
        """Give places to these bots alone from now on."""

    def bands(self) -> Mapping[str, RankBand]:
        """Return between which places the bots stand that have one. Empty: nothing is known about that."""

    def bounds(self) -> Mapping[str, Bound]:
        """Return on which side ratings are known that are known on one side alone."""


class RatingSystem(Protocol):
    """Rates the bots of some games. An instance must be picklable, as it is sent to other processes."""

    @property
    def columns(self) -> RatingColumns:
        """The columns of numbers that it gives each bot."""

    def rate(
        self,
        results: Sequence[RatingInput],
        bots: Iterable[str],
        on_rated: OnRated | None = None,
        players: int | None = None,
        ranked: Iterable[str] | None = None,
    ) -> Ratings:
        """Rate every one of `bots`.

        Args:
            results: The games in the order of the schedule.
            bots: The names of the bots, which need not have played.
            on_rated: To be called now and then, and last of all with the values that every bot has in the end; None:
                nobody draws the course of the ratings. A system that rates game by game calls it after each of those
                that the table shows.
            players: Rate the bots for games of so many players; None: for all. A system may learn from the other games
                too.
            ranked: The bots that have places in the table; None: all.

        Returns:
            The values of every bot, and what else the system knows.
        """

    def running(self, bots: Iterable[str] = ()) -> RunningRating:
        """Return ratings that go on with every game, without a game so far. `bots`: those that will play."""


def tied_orders(ties: Sequence[bool]) -> list[tuple[int, ...]]:
    """Return the orders of the places of an outcome: those that tie go round in a circle, either way.

    TrueSkill compares neighbours, and those that tie have no order. Whichever of them came to stand beside the next
    better or worse bot would be compared with it alone. So an outcome with ties is taken in several orders, in which
    each bot that ties is in each place of its group equally often.

    Args:
        ties: By place but the last, whether it ties with the next.
    """
    return _orders(tuple(ties))


@lru_cache(maxsize=256)
def _orders(ties: tuple[bool, ...]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    start = 0
    for place in range(len(ties) + 1):
        if place < len(ties) and ties[place]:
            continue
        group = tuple(range(start, place + 1))
        turned = {side[turn:] + side[:turn] for side in (group, group[::-1]) for turn in range(len(group))}
        found = [(*earlier, *later) for earlier in found for later in sorted(turned)]
        start = place + 1
    return found
