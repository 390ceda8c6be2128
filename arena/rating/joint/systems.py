"""The rating system that fits all games at once: the joint TrueSkill.

Its tables are functions of the set of games, whatever their order. Errors come from blocks of games, and with the
ratings come rank bands. What it computes with is imported when it is used, because numpy takes longer to import than
most commands take to run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from arena.rating.base import (
    REACH,
    Interval,
    OnRated,
    RatingColumn,
    RatingColumns,
    RatingInput,
    Ratings,
    RunningRating,
    Values,
)
from arena.rating.joint.table import Fitted, JointTable, RunningJoint, overall
from arena.rating.sequential_trueskill import RunningTrueSkill

if TYPE_CHECKING:
    from arena.rating.joint.fit import JointFit

BANDS: Final = (
    "A place such as 1–3 is where a bot may really stand, with 95 % confidence for all bots at once. A ± is half of an "
    "interval of 95 %."
)
_WEIGHTS: Final = (
    "Overall, each number of players counts the same; a table of one number also learns from the games of the others."
)
MEAN: Final = 25.0
"""The mean rating of the bots of a table, as in TrueSkill."""
MOST_CHECKPOINTS: Final = 24
"""The most points of a course for which all games so far are fitted."""
_MOST_RUNNING: Final = 100
"""The most bots that are rated jointly while games are played."""
_CHECKPOINT_GAMES: Final = 4
"""A course has a point for so many games at the most."""
_COURSE_BOTS: Final = 200
"""With more bots, whose fits take long, a course has fewer points: fewer by the square of how many times as many."""


_ERROR: Final = "standard error of the rating's distance from the mean of all, from how much blocks of games differ"
_TRUESKILL: Final = RatingColumns(
    shown=(
        RatingColumn(
            "rating",
            "rating",
            "the bot's skill, by TrueSkill over all games at once; the mean of all bots is 25",
            "rating",
            few_places=1,
            error="error",
        ),
        RatingColumn("error", "error", _ERROR, "error", few_places=1),
    ),
    ranking="rating",
    note=f"{BANDS} {_WEIGHTS}",
    interval=Interval("rating", "error", REACH),
    data=(
        RatingColumn("mu", "mu", "TrueSkill's mean of the skill, before the mean of all bots is set to 25", "mu"),
        RatingColumn(
            "sigma", "sigma", "TrueSkill's deviation of the skill, if all that the model assumes were true", "σ"
        ),
    ),
)


@dataclass(frozen=True)
class JointTrueSkill:
    """The rating system `trueskill`: TrueSkill, fitted to all games at once.

    Tables by number of players learn from the games with other numbers too; the overall table is the mean of the skills
    at each number of players.
    """

    columns: ClassVar[RatingColumns] = _TRUESKILL

    def rate(
        self,
        results: Sequence[RatingInput],
        bots: Iterable[str],
        on_rated: OnRated | None = None,
        players: int | None = None,
        ranked: Iterable[str] | None = None,
    ) -> Ratings:
        """Rate the bots. `on_rated` is called for `MOST_CHECKPOINTS` beginnings of the schedule at most."""
        names = sorted(bots)
        ranked = names if ranked is None else sorted(ranked)
        games = tuple(
            _Game(tuple(each.bots), tuple(each.ranks), each.block, tuple(map(tuple, each.teams))) for each in results
        )
        if on_rated is not None:
            self._course(names, games, on_rated, players, ranked)
        shown = _of_players(games, players)
        table = self._table(_joint_fit(tuple(names), games), names, shown, players, ranked)
        if on_rated is not None and shown:
            on_rated(len(shown), table.played())
        return table.ratings()

    def _course(
        self, names: list[str], games: tuple[_Game, ...], on_rated: OnRated, players: int | None, ranked: Sequence[str]
    ) -> None:
        """Fit beginnings of the schedule, each from the fit of the one before."""
        from arena.rating.joint.fit import JointFit

        fit, before = JointFit(names), 0
        for end in checkpoints(len(games), len(names)):
            fit.add((each.input() for each in games[before:end]), roughly=True)
            if shown := _of_players(games[:end], players):
                on_rated(len(shown), self._table(fit, names, shown, players, ranked).played())
            before = end

    def _table(
        self, fit: JointFit, names: list[str], shown: Sequence[_Game], players: int | None, ranked: Sequence[str]
    ) -> JointTable:
        count = len(shown[0].bots) if players is not None and shown else None  # a bot may hold several seats of a team
        if count is None:
            found = overall(fit)
        else:
            mean, model = fit.counts[count].mean, fit.covariance(count)
            found = Fitted(mean, model, fit.errors(count), fit.support(count), fit.reached())
        return JointTable(names, _seen(shown), found, MEAN, ranked)

    def running(self, bots: Iterable[str] = ()) -> RunningRating:
        """Return ratings that go on with every game; a large field is rated game by game."""
        names = sorted(bots)
        return RunningJoint(names, self.columns, MEAN) if len(names) <= _MOST_RUNNING else SeparateTrueSkill()


class SeparateTrueSkill(RunningTrueSkill):
    """TrueSkill, one game after another, in the columns of the joint one: for fields too large to follow jointly."""

    columns: ClassVar[RatingColumns] = _TRUESKILL

    def values(self, bot: str) -> Values:
        """Return the values of a bot, which need not have played."""
        values = super().values(bot)
        return {"error": values["sigma"], "mu": values["mu"], "sigma": values["sigma"], "rating": values["mu"]}


class _Game(NamedTuple):
    """What a joint system needs of a game, by which it can be looked up."""

    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    block: tuple[int, int]
    teams: tuple[tuple[int, ...], ...]

    def input(self) -> RatingInput:
        """Return the game as the fit takes it."""
        return RatingInput(self.bots, self.ranks, (), self.block, self.teams)


@lru_cache(maxsize=1)
def _joint_fit(bots: tuple[str, ...], games: tuple[_Game, ...]) -> JointFit:
    """Fit the skills; one table after the other asks for the same games."""
    from arena.rating.joint.fit import JointFit

    fit = JointFit(bots)
    fit.add(each.input() for each in games)
    return fit


def checkpoints(games: int, bots: int) -> list[int]:
    """Return how many games there are at each point of a course but the last: more are fitted then, on average."""
    most = int(MOST_CHECKPOINTS * min(1.0, _COURSE_BOTS / max(1, bots)) ** 2)
    points = min(most, games // _CHECKPOINT_GAMES)
    return sorted({games * point // points for point in range(1, points)} - {0, games})


def _of_players(games: Iterable[_Game], players: int | None) -> list[_Game]:
    return [each for each in games if players in (None, each.block[0])]


def _seen(games: Iterable[RatingInput] | Iterable[_Game]) -> set[str]:
    return {bot for game in games for bot in game.bots}
