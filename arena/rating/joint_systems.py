"""Rating systems that fit all games at once: the joint TrueSkill, Plackett-Luce and Bradley-Terry.

Their tables are functions of the set of games, whatever their order. Errors come from blocks of games, and with the
ratings come rank bands. What they compute with is imported when they are used, because numpy takes longer to import
than most commands take to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

from arena.rating.base import Interval, OnRated, RatingColumn, RatingColumns, RatingInput, Values, of_players
from arena.rating.trueskill import RunningTrueSkill

if TYPE_CHECKING:
    from arena.rating.gaussian_tails import Floats
    from arena.rating.joint_fit import JointFit

_NOTE: Final = "A bot's real place lies between from and to: with 95 % confidence for all bots at once."
_MEAN: Final = 25.0
"""The mean rating of the bots of a table, as in TrueSkill."""


def _columns(about: str, places: int) -> RatingColumns:
    error = "standard error of the rating's distance from the mean of all, from how much blocks of games differ"
    return RatingColumns(
        shown=(
            RatingColumn("rating", "rating", about, "rating", places, few_places=1, error="error"),
            RatingColumn("error", "error", error, "error", places, few_places=1),
            RatingColumn("best_place", "from", "the best place that it may really have", "from", 0, 0),
            RatingColumn("worst_place", "to", "the worst place that it may really have", "to", 0, 0),
        ),
        ranking="rating",
        note=_NOTE,
        interval=Interval("rating", "error", 2),
    )


@dataclass(frozen=True)
class JointTrueSkill:
    """The rating system `joint`: TrueSkill, fitted to all games at once.

    Tables by number of players learn from the games with other numbers too; the overall table is the mean of the skills
    at each number of players.
    """

    columns: ClassVar[RatingColumns] = _columns("the bot's skill, by TrueSkill over all games at once", 2)

    def rate(
        self, results: Sequence[RatingInput], bots: Iterable[str], on_rated: OnRated, players: int | None = None
    ) -> Mapping[str, Values]:
        """Rate the bots. `on_rated` is not called: there is no order of games."""
        names = sorted(bots)
        fit = _joint_fit(tuple(names), tuple((tuple(each.bots), tuple(each.ranks), each.block) for each in results))
        if players is None or players not in fit.counts:
            mean, errors = fit.mean, fit.overall_errors()
        else:
            mean, errors = fit.counts[players].mean, fit.errors(players)
        return _values(names, of_players(results, players), mean, errors, _MEAN)

    def running(self) -> RunningTrueSkill:
        """Return ratings that go on with every game, one game after another."""
        return RunningTrueSkill()


@dataclass(frozen=True)
class ChoiceModel:
    """A rating system in which a game is a number of choices, each by its own strengths for each number of players."""

    name: str
    columns: RatingColumns

    def rate(
        self, results: Sequence[RatingInput], bots: Iterable[str], on_rated: OnRated, players: int | None = None
    ) -> Mapping[str, Values]:
        """Rate the bots. `on_rated` is not called: there is no order of games."""
        from arena.rating import choices

        names = sorted(bots)
        model: Callable[[Sequence[bool]], list[choices.Choice]] = getattr(choices, self.name)
        games = of_players(results, players)
        fit = choices.ChoiceFit(names, games, model)
        return _values(names, games, fit.mean, fit.errors(), 0.0)

    def running(self) -> RunningTrueSkill:
        """Return ratings that go on with every game, one game after another; they are TrueSkill's."""
        return RunningTrueSkill()


PLACKETT_LUCE: Final = ChoiceModel("plackett_luce", _columns("strength in log-odds, by Plackett-Luce", 3))
BRADLEY_TERRY: Final = ChoiceModel("bradley_terry", _columns("strength in log-odds, by Bradley-Terry", 3))


@lru_cache(maxsize=1)
def _joint_fit(
    bots: tuple[str, ...], games: tuple[tuple[tuple[str, ...], tuple[int, ...], tuple[int, int]], ...]
) -> JointFit:
    """Fit the skills; one table after the other asks for the same games."""
    from arena.rating.joint_fit import JointFit

    fit = JointFit(bots)
    fit.add(RatingInput(names, ranks, (), block) for names, ranks, block in games)
    return fit


def _values(
    names: Sequence[str], games: Sequence[RatingInput], mean: Floats, errors: Floats, middle: float
) -> Mapping[str, Values]:
    """Return the values of the columns.

    Args:
        names: Of the bots.
        games: Those that the table shows. Bots without one of them are nobody's rivals there.
        mean: By bot.
        errors: The covariance of the errors of `mean`, by bot and bot.
        middle: What the mean rating of the bots that played shall be.
    """
    import numpy as np

    from arena.rating.rank_bands import rank_bands

    seen = {bot for game in games for bot in game.bots}
    played = [number for number, name in enumerate(names) if name in seen]
    bands = dict(zip(played, rank_bands(mean[played], errors[np.ix_(played, played)]), strict=True))
    centre = np.zeros(len(names))
    centre[played] = 1 / max(1, len(played))
    apart = np.eye(len(names)) - centre
    deviations = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", apart, errors, apart), 0.0))
    found = {}
    for number, name in enumerate(names):
        best, worst = bands.get(number, (1, len(names)))
        rating = middle + float(mean[number] - centre @ mean)
        error = float(deviations[number])
        found[name] = {"rating": rating, "error": error, "best_place": best, "worst_place": worst}
    return found
