"""What a table says of strengths that were fitted together: ratings, errors, bands, differences and bounds.

Tables of systems that fit games at once are made here, whether games are over or still played. While they are
played, a look fits the games that came since the last one, and all others again, from where that fit ended, which takes
a few rounds. With many games a single one changes little, and then a look shows the fit of a beginning of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.rating.base import Bound, RankBand, RatingColumns, RatingInput, Ratings, Scores, SkillDifference, Values

if TYPE_CHECKING:
    from arena.rating.joint.fit import JointFit
    from arena.rating.joint.gaussian_tails import Floats
    from arena.rating.joint.separation import Centre, Reach
    from arena.rating.joint.support import Support


@dataclass(frozen=True)
class JointDifferences:
    """The differences of skills that were fitted together, with the covariance of their errors."""

    numbers: Mapping[str, int]
    """By bot: its place in what follows."""
    mean: Floats
    """By bot."""
    covariance: Floats
    """Of the errors, by bot and bot."""
    reached: Reach
    """Which bots finished before which, also over others in between, by bot and bot."""

    def difference(self, one: str, other: str) -> SkillDifference:
        """Return by how much `one` is stronger than `other`, which need not have met it."""
        a, b = self.numbers[one], self.numbers[other]
        variance = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
        bound: Bound | None = None
        if self.reached[a, b] != self.reached[b, a]:
            bound = "at least" if self.reached[a, b] else "at most"
        return SkillDifference(float(self.mean[a] - self.mean[b]), float(max(variance, 0.0)) ** 0.5, bound)


class Fitted(NamedTuple):
    """Strengths that were fitted together."""

    mean: Floats
    """By bot."""
    model: Floats
    """The covariance that the model itself gives, by bot and bot."""
    errors: Floats
    """The covariance of the errors of `mean`."""
    support: Support
    """What the errors rest on."""
    reached: Reach
    """Which bots finished before which, also over others in between, by bot and bot."""


def overall(fit: JointFit) -> Fitted:
    """Return what a fit says of skills over all numbers of players."""
    return Fitted(fit.mean, fit.overall_covariance(), fit.overall_errors(), fit.support(), fit.reached())


class JointTable:
    """What a fit says in one table."""

    def __init__(
        self,
        names: Sequence[str],
        seen: Collection[str],
        fitted: Fitted,
        middle: float,
        ranked: Sequence[str],
        pairs: int | None = None,
    ) -> None:
        """Take a fit.

        Args:
            names: Of the bots.
            seen: The bots of the games that the table shows. Others are nobody's rivals there.
            fitted: Their strengths, in the same order.
            middle: What the mean rating of the bots shall be from which ratings are distances.
            ranked: The bots that have a place.
            pairs: How many pairs of bots are drawn for the bands at most; None: as many as a final table takes.
        """
        self._names, self._fitted = names, fitted
        self._mean, self._errors = fitted.mean, fitted.errors
        self._seen = frozenset(seen)
        self._ranked = ranked
        self._middle = middle
        self._pairs = pairs

    def ratings(self) -> Ratings:
        """Return the values, bands and differences of all bots; nothing if there are none."""
        if not self._names:
            return Ratings({})
        differences = JointDifferences(self._numbers, self._mean, self._errors, self._fitted.reached)
        return Ratings(self.values, self.bands, differences, self.bounds)

    def played(self) -> Mapping[str, Values]:
        """Return the values of the bots that have played."""
        return {name: values for name, values in self.values.items() if name in self._seen}

    @property
    def bounds(self) -> Mapping[str, Bound]:
        """On which side ratings are known that are known on one side alone, by bot that has played."""
        bounds = {self._names[bot]: bound for bot, bound in self.centre.bounds.items()}
        return {name: bound for name, bound in bounds.items() if name in self._seen}

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self._names)}

    @cached_property
    def centre(self) -> Centre:
        """What ratings are distances from."""
        from arena.rating.joint.separation import centre_of

        those = self._seen.intersection(self._ranked) or set(self._names)
        numbers = [number for number, name in enumerate(self._names) if name in those]
        return centre_of(self._fitted.reached, numbers, self._mean)

    @cached_property
    def values(self) -> Mapping[str, Values]:
        """The values of all bots."""
        import numpy as np

        from arena.rating.joint.separation import deviations

        fitted = self._fitted
        errors = deviations(self.centre, self._errors, fitted.model)
        for bot, bound in self.centre.bounds.items():
            least = fitted.support.least(bot, bound, self.centre.bots, self._mean)
            errors[bot] = max(errors[bot], least)
        errors = errors.tolist()
        ratings = (self._middle + self._mean - np.mean(self._mean[self.centre.bots])).tolist()
        means, sigmas = (self._middle + self._mean).tolist(), np.sqrt(np.diag(self._fitted.model)).tolist()
        return {
            name: {"error": error, "mu": mu, "sigma": sigma, "rating": rating}
            for name, error, mu, sigma, rating in zip(self._names, errors, means, sigmas, ratings, strict=True)
        }

    @cached_property
    def bands(self) -> Mapping[str, RankBand]:
        """Between which places the bots stand that have one."""
        import numpy as np

        from arena.rating.joint.rank_bands import PAIRS, rank_bands

        played = [bot for bot in self._ranked if bot in self._seen]
        those = [self._numbers[bot] for bot in played]
        errors, support = self._errors[np.ix_(those, those)], self._fitted.support.of(those)
        found = rank_bands(self._mean[those], errors, support, pairs=self._pairs or PAIRS)
        anywhere = RankBand(1, len(self._ranked))
        return dict.fromkeys(self._ranked, anywhere) | dict(zip(played, found, strict=True))


_FEW: Final = 1000
"""Games that are all fitted whenever somebody looks."""
_GROWTH: Final = 1.02
"""With more, they are fitted anew when there are so many times as many."""
_CHUNK: Final = 200
"""Games of the same bots among so many are mostly of one block."""
_PAIRS: Final = 2_000_000
"""So many pairs of bots are drawn for the bands at most, unless that makes too few draws."""


class RunningJoint:
    """The joint TrueSkill of the games so far. What it says does not depend on when somebody looks."""

    def __init__(self, bots: Iterable[str], columns: RatingColumns, middle: float) -> None:
        """Begin without a game.

        Args:
            bots: Those that have a place. Others may play, too, such as versions that left.
            columns: The columns of the values.
            middle: The mean rating of the bots that have played.
        """
        self.columns = columns
        self._middle = middle
        self._numbers = {bot: number for number, bot in enumerate(sorted(set(bots)))}
        self._placed = set(self._numbers)
        self._games: list[RatingInput] = []
        self._groups: dict[tuple[int, tuple[str, ...]], int] = {}
        """Which bots play together, by chunk."""
        self._fit: JointFit | None = None
        self._fitted = 0
        """How many of the games are in the fit."""
        self._played: set[str] = set()
        self._table: JointTable | None = None

    def add(
        self, bots: Sequence[str], ranks: Sequence[int], teams: Sequence[Sequence[int]] = (), scores: Scores = ()
    ) -> None:
        """Rate one more game. `teams`: the seats of partners that were drawn; `scores`: as in `RatingInput`."""
        if new := [bot for bot in bots if bot not in self._numbers]:
            self._numbers |= {bot: len(self._numbers) + number for number, bot in enumerate(dict.fromkeys(new))}
            self._fit, self._fitted, self._table = None, 0, None
        if not self._played.issuperset(bots):
            self._played.update(bots)
            self._table = None
        chunk = len(self._games) // _CHUNK
        group = self._groups.setdefault((chunk, tuple(sorted(bots))), len(self._groups))
        self._games.append(RatingInput(bots, ranks, scores, (len(bots), group), teams))

    def values(self, bot: str) -> Values:
        """Return the values of a bot, which need not have played."""
        return self._now().values[bot]

    def rank(self, bots: Iterable[str]) -> None:
        """Give places to these bots alone from now on. Ratings are distances from those of them that have played."""
        self._placed, self._table = set(bots), None

    def bands(self) -> Mapping[str, RankBand]:
        """Return between which places the bots stand that have one."""
        return self._now().bands

    def bounds(self) -> Mapping[str, Bound]:
        """Return on which side ratings are known that are known on one side alone."""
        return self._now().bounds

    def _now(self) -> JointTable:
        """Return the table of so many games as a look shows."""
        from arena.rating.joint.fit import JointFit

        shown = shown_games(len(self._games))
        if self._fit is None or self._fitted < shown:
            self._fit = self._fit or JointFit(list(self._numbers))
            self._fit.add(self._games[self._fitted : shown], roughly=True)
            self._fitted, self._table = shown, None
        if self._table is None:
            names, placed = list(self._numbers), sorted(self._placed)
            self._table = JointTable(names, self._played, overall(self._fit), self._middle, placed, _PAIRS)
        return self._table


def shown_games(games: int) -> int:
    """Return how many of so many games are fitted."""
    if games <= _FEW:
        return games
    return int(_FEW * _GROWTH ** int(math.log(games / _FEW, _GROWTH)))
