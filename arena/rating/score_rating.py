"""Rate bots by what they win: the mean score in a game against this field, from all games at once.

It is for rules that say what is played for (`engine.rules.Score`), where it counts by how much a game is won. What it
computes with is imported when it is used, because numpy takes longer to import than most commands take to run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from arena.common.errors import ArenaError
from arena.common.printable import printable
from arena.rating.base import (
    REACH,
    Interval,
    OnRated,
    RatingColumn,
    RatingColumns,
    RatingInput,
    Ratings,
    Values,
    of_players,
)
from arena.rating.joint.systems import BANDS, checkpoints
from arena.rating.joint.table import Fitted, JointDifferences, JointTable, RunningJoint, shown_games
from engine.rules import Score

if TYPE_CHECKING:
    from arena.rating.joint.score_fit import ScoredGame, ScoreFit


class ScoreError(ArenaError):
    """The games do not have the score by which they are to be rated."""


@dataclass(frozen=True)
class ScoreRating:
    """The rating system `score`: the expected score in a game with others of the field, drawn at random."""

    score: Score

    @property
    def columns(self) -> RatingColumns:
        """The score with its error, in the rules' own unit."""
        unit = printable(self.score.unit)
        about = f"{unit} in a game with others of this field, on average, from all games at once"
        if self.score.cooperative:
            about = f"{unit} of a group with this bot and others of this field, on average, from all games at once"
        error = "standard error of that, from how much blocks of games differ; 95 % are within 1.96 errors"
        less = ", where less is better" if self.score.best == "least" else ""
        return RatingColumns(
            shown=(
                RatingColumn("score", f"{unit} a game", about, f"{unit}/game", error="error"),
                RatingColumn("error", "error", error, "error"),
            ),
            ranking="score",
            note=f"Rated by {unit} a game{less}. {BANDS}",
            interval=Interval("score", "error", REACH),
            is_least_best=self.score.best == "least",
            is_amount=True,
        )

    def rate(
        self,
        results: Sequence[RatingInput],
        bots: Iterable[str],
        on_rated: OnRated | None = None,
        players: int | None = None,
        ranked: Iterable[str] | None = None,
    ) -> Ratings:
        """Rate the bots. `on_rated` is called for some beginnings of the schedule. Raises `ScoreError`."""
        names = sorted(bots)
        field = names if ranked is None else sorted(ranked)
        if on_rated is not None:
            for end in checkpoints(len(results), len(names)):
                if shown := of_players(results[:end], players):
                    on_rated(len(shown), self.table(names, results[:end], field, players).played())
        table = self.table(names, results, field, players)
        if on_rated is not None and (shown := of_players(results, players)):
            on_rated(len(shown), table.played())
        return table.ratings()

    def table(
        self, names: Sequence[str], results: Sequence[RatingInput], field: Sequence[str], players: int | None = None
    ) -> ScoreTable:
        """Rate the bots of these names. `field`: those that have places. Raises `ScoreError`."""
        fit = _fit(tuple(names), tuple(_scored(each, self.score) for each in results), self.score)
        seen = {bot for game in of_players(results, players) for bot in game.bots}
        found = fit.estimate(players, seen.intersection(field) or seen)
        return ScoreTable(self.score, names, seen, found, field)

    def running(self, bots: Iterable[str] = ()) -> RunningScores:
        """Return ratings that go on with every game."""
        return RunningScores(self, bots)


class ScoreTable(JointTable):
    """What a fit of scores says in one table."""

    def __init__(
        self, score: Score, names: Sequence[str], seen: set[str], fitted: Fitted, ranked: Sequence[str]
    ) -> None:
        """Take a fit. The arguments after `score` are as in `JointTable`."""
        from arena.rating.joint.score_fit import wider

        super().__init__(names, seen, fitted, 0.0, ranked)
        self._score = score
        by = wider(fitted.support.freedom)
        self._shown_errors = fitted.errors * by[:, None] * by[None, :]

    def ratings(self) -> Ratings:
        """Return the values, bands and differences of all bots; nothing if there are none."""
        found = super().ratings()
        if not self._names:
            return found
        apart = JointDifferences(self._numbers, self._mean, self._shown_errors, self._fitted.reached)
        return found._replace(differences=apart)

    @cached_property
    def values(self) -> Mapping[str, Values]:
        """The values of all bots."""
        sign = -1.0 if self._score.best == "least" else 1.0
        variances = self._shown_errors.diagonal().tolist()
        return {
            name: {"error": max(0.0, variance) ** 0.5, "score": sign * mean + 0.0}
            for name, mean, variance in zip(self._names, self._mean.tolist(), variances, strict=True)
        }


class RunningScores(RunningJoint):
    """The score rating of the games so far."""

    def __init__(self, system: ScoreRating, bots: Iterable[str]) -> None:
        """Begin without a game. `bots`: those that have a place."""
        super().__init__(bots, system.columns, 0.0)
        self._system = system

    def _now(self) -> JointTable:
        shown = shown_games(len(self._games))
        if self._table is None or self._fitted < shown:
            self._fitted = shown
            self._table = self._system.table(list(self._numbers), self._games[:shown], sorted(self._placed))
        return self._table


def _scored(game: RatingInput, score: Score) -> ScoredGame:
    """Return what is needed of a game, by which its fit can be looked up."""
    try:
        return tuple(game.bots), tuple(float(row[score.name]) for row in game.scores), game.block
    except (KeyError, TypeError, ValueError):
        raise ScoreError(
            f"rating: a game of {', '.join(game.bots)} has no score {score.name!r}: try --rating trueskill"
        ) from None


@lru_cache(maxsize=1)
def _fit(bots: tuple[str, ...], games: tuple[ScoredGame, ...], score: Score) -> ScoreFit:
    """Fit the effects; one table after the other asks for the same games."""
    from arena.rating.joint.score_fit import ScoreFit

    return ScoreFit(bots, games, score)
