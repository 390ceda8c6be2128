"""Fit the scores of all games at once: what each bot wins in a game, and what the others of that game win beside it.

At each number of players a score is a sum of effects of the bots of its game, and of luck (a linear model):

- if all scores of a game add up to 0, a bot's own effect less the mean of those of the others;
- if all have the same score, the mean of the effects of all;
- else a bot's own effect, and the mean of what the others do to it: a bot may win much, and let others win much, too.

The rating of a bot is its expected score in a game with others of the field, drawn at random; over several numbers of
players, the mean of those. Luck has two deviations at each number: that of the game's mean, and that of scores from it.
So what is always the same in a game, such as its sum, is known to be so. Effects are normal with deviations so great
that they matter only where games say nothing. Errors come from how much blocks differ
(`arena.rating.joint.block_errors`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.base import REACH
from arena.rating.joint.block_errors import BlockScores, FittedPart, widened
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.normal import JointNormal
from arena.rating.joint.outcomes import Ints
from arena.rating.joint.support import Support
from arena.rating.joint.table import Fitted
from engine.rules import Score

_EFFECTS: Final = 10.0
"""The deviation of effects before any game. It and the next ones are in units of that of all scores."""
_APART: Final = 3.0
"""The deviation of an effect at one number of players from that at all."""
_LEAST: Final = 1e-6
"""The least variance of luck: of a sum that is always the same, say."""
_ROUNDS: Final = 4
"""In which the deviations of luck are fitted."""
_LEAST_FREEDOM: Final = 1.0

ScoredGame = tuple[Sequence[str], Sequence[float], tuple[int, int]]
"""A game: its bots, their scores, and its block."""


class _Count(NamedTuple):
    """The games of one number of players."""

    bots: Ints
    """By game and place: the number of the bot, in ascending order."""
    scores: Floats
    """By game and place; more is better, and their mean is 0 unless those of every game add up to 0."""
    mean: float
    """What was taken from them."""
    blocks: Ints
    """By game: the number of its block."""
    design: Floats
    """By place and effect of the game's bots: by how much a score follows an effect."""
    effects: Ints
    """By game: the numbers of these effects."""

    def parts(self, score: Score) -> list[tuple[Floats, int]]:
        """Return the matrices that leave of a game's scores what has luck of its own, and how much that is."""
        players = self.bots.shape[1]
        mean = np.full((players, players), 1 / players)
        found = [] if score.zero_sum else [(mean, 1)]
        return found if score.cooperative else [*found, (np.eye(players) - mean, players - 1)]


class ScoreFit:
    """The effects of some bots, fitted to the scores of all their games."""

    def __init__(self, bots: Sequence[str], games: Iterable[ScoredGame], score: Score) -> None:
        """Fit the effects.

        Args:
            bots: Their names.
            games: Each as its bots, their scores and its block.
            score: What is played for.
        """
        self.bots = list(bots)
        self._score = score
        self._pairs = not (score.zero_sum or score.cooperative)
        self._size = len(self.bots) * (2 if self._pairs else 1)
        self._counts = self._read(games)
        squares = sum(float(np.sum(count.scores**2)) for count in self._counts.values())
        number = sum(count.scores.size for count in self._counts.values())
        self._unit = math.sqrt(squares / number) if squares else 1.0
        """The deviation of all scores, in which they are fitted."""
        self._luck = {
            players: [max(_LEAST, float(np.mean((count.scores / self._unit) ** 2)))] * len(count.parts(score))
            for players, count in self._counts.items()
        }
        """By number of players: the variances of its parts."""
        self._fit()
        for _ in range(_ROUNDS):
            self._luck = {players: self._fitted_luck(players) for players in self._counts}
            self._fit()

    def _read(self, games: Iterable[ScoredGame]) -> dict[int, _Count]:
        numbers = {bot: number for number, bot in enumerate(self.bots)}
        sign = 1.0 if self._score.best == "most" else -1.0
        by_count: dict[int, list[tuple[list[tuple[int, float]], tuple[int, int]]]] = {}
        for bots, scores, block in games:
            seats = sorted((numbers[bot], sign * won) for bot, won in zip(bots, scores, strict=True))
            by_count.setdefault(len(seats), []).append((seats, block))
        return {players: self._count(by_count[players]) for players in sorted(by_count)}

    def _count(self, games: Sequence[tuple[list[tuple[int, float]], tuple[int, int]]]) -> _Count:
        bots = np.array([[bot for bot, _ in seats] for seats, _ in games], dtype=np.int64)
        scores = np.array([[won for _, won in seats] for seats, _ in games], dtype=np.float64)
        mean = 0.0 if self._score.zero_sum else float(scores.mean())
        blocks: dict[tuple[object, ...], int] = {}
        of_game = [blocks.setdefault((block, *(bot for bot, _ in seats)), len(blocks)) for seats, block in games]
        players = bots.shape[1]
        own = np.eye(players)
        others = (1 - own) / (players - 1)
        if self._score.zero_sum:
            design, effects = own - others, bots
        elif self._score.cooperative:
            design, effects = np.full((players, players), 1 / players), bots
        else:
            design, effects = np.hstack([own, others]), np.hstack([bots, bots + len(self.bots)])
        return _Count(bots, scores - mean, mean, np.array(of_game, dtype=np.int64), design, effects)

    def _weights(self, players: int) -> Floats:
        """Return by place and place what scores of a game say together, as precisions."""
        parts = self._counts[players].parts(self._score)
        return np.asarray(sum(part / luck for (part, _), luck in zip(parts, self._luck[players], strict=True)))

    def _fit(self) -> None:
        said: dict[int, tuple[Floats, Floats]] = {}
        for players, count in self._counts.items():
            pull = count.design.T @ self._weights(players)
            vector = np.zeros(self._size)
            np.add.at(vector, count.effects, count.scores / self._unit @ pull.T)
            matrix = np.zeros((self._size, self._size))
            blocks = self._of_blocks(players, np.zeros_like(count.scores))
            np.add.at(matrix, (blocks.bots[:, :, None], blocks.bots[:, None, :]), blocks.information)
            said[players] = matrix, vector
        prior = np.eye(self._size) / _EFFECTS**2
        self._normal = JointNormal(prior, said, dict.fromkeys(said, _APART))

    def _rest(self, players: int) -> Floats:
        """Return by game and place what the fit leaves of scores."""
        count = self._counts[players]
        return np.asarray(count.scores / self._unit - self._normal.means[players][count.effects] @ count.design.T)

    def _fitted_luck(self, players: int) -> list[float]:
        """Return the variances of luck that fit the rest best, with one game more that is as far out as all scores."""
        count, rest = self._counts[players], self._rest(players)
        found = []
        own = self._normal.covariance(players)[count.effects[:, :, None], count.effects[:, None, :]].sum(axis=0)
        for (part, number), luck in zip(count.parts(self._score), self._luck[players], strict=True):
            taken = float(np.sum(own * (count.design.T @ part @ count.design))) / luck
            squares, all_squares = (float(np.sum((each @ part) ** 2)) for each in (rest, count.scores / self._unit))
            observed = len(rest) * number
            found.append(max(_LEAST, (squares + all_squares / observed) / (max(0.0, observed - taken) + 1)))
        return found

    def _of_blocks(self, players: int, rest: Floats) -> BlockScores:
        count, weights = self._counts[players], self._weights(players)
        number, size = int(count.blocks.max()) + 1, count.effects.shape[1]
        effects = np.zeros((number, size), dtype=np.int64)
        effects[count.blocks] = count.effects
        slopes = np.zeros((number, size))
        np.add.at(slopes, count.blocks, rest @ weights @ count.design)
        games = np.bincount(count.blocks, minlength=number)
        return BlockScores(effects, slopes, games[:, None, None] * (count.design.T @ weights @ count.design))

    def estimate(self, players: int | None, field: Collection[str]) -> Fitted:
        """Return the ratings. `players`: for games of so many; None: the mean of all. `field`: whom bots may meet."""
        shown = list(self._counts) if players is None or players not in self._counts else [players]
        maps = {each: self._expected(each, field) / len(shown) for each in shown}
        bots, normal = len(self.bots), self._normal
        if not maps:
            wide = self._unit**2 * _EFFECTS**2 * np.eye(bots)
            return _fitted(np.zeros(bots), wide, wide, np.full(bots, _LEAST_FREEDOM))
        shares = {other: sum(maps[each] @ normal.covariances(each)[other] for each in shown) for other in self._counts}
        model = np.asarray(sum(np.asarray(shares[each]) @ maps[each].T for each in shown))
        mean = np.asarray(sum(maps[each] @ normal.means[each] for each in shown)) * self._unit
        mean += sum(self._counts[each].mean for each in shown) / len(shown)
        parts = [
            FittedPart(
                self._of_blocks(other, self._rest(other)), normal.said[other][0], normal.covariance(other),
                np.asarray(share), None,
            )
            for other, share in shares.items()
        ]  # fmt: skip
        freedom = self._freedom(parts, np.diag(model))
        errors = widened((model + model.T) / 2, parts) * self._unit**2
        return _fitted(mean, model * self._unit**2, errors, freedom)

    def _expected(self, players: int, field: Collection[str]) -> Floats:
        """Return by bot and effect how its expected score with others of the field follows the effect."""
        bots = len(self.bots)
        there = np.isin(np.arange(bots), self._counts[players].bots) & [bot in field for bot in self.bots]
        others = there * (1 - np.eye(bots))
        others /= np.maximum(others.sum(axis=1, keepdims=True), 1)
        if self._score.zero_sum:
            return np.asarray(np.eye(bots) - others)
        if self._score.cooperative:
            return np.asarray((np.eye(bots) + (players - 1) * others) / players)
        return np.hstack([np.eye(bots), others])

    def _freedom(self, parts: Sequence[FittedPart], variances: Floats) -> Floats:
        """Return by bot the degrees of freedom of its error, as `arena.rating.joint.support` does."""
        known, squares = np.zeros(len(self.bots)), np.zeros(len(self.bots))
        for part, count in zip(parts, self._counts.values(), strict=True):
            own = np.sum((part.share @ part.information) * part.share, axis=1)
            games = np.bincount(count.bots.ravel(), minlength=len(self.bots))
            first = np.unique(count.blocks, return_index=True)[1]
            blocks = np.bincount(count.bots[first].ravel(), minlength=len(self.bots))
            known += own
            squares += own**2 / np.maximum(np.sqrt(games * blocks) - 1, _LEAST_FREEDOM)
        rest = np.maximum(variances - known, 0.0)
        return np.asarray(np.maximum((known + rest) ** 2 / np.maximum(squares, _LEAST**2), _LEAST_FREEDOM))


def _fitted(mean: Floats, model: Floats, errors: Floats, freedom: Floats) -> Fitted:
    """Return ratings of games of which ranks do not count, so that nobody is known on one side alone."""
    bots = len(mean)
    none = np.zeros((bots, bots))
    support = Support(freedom, none, none, np.zeros(bots))
    return Fitted(mean, model, errors, support, np.ones((bots, bots), dtype=np.bool_))


def wider(freedom: Floats) -> Floats:
    """Return by how much a t distribution is wider than a normal one where 95 % end (Wallace 1959, turned round)."""
    shrunk = REACH * (8 * freedom + 3) / (8 * freedom + 1)
    return np.asarray(np.sqrt(freedom * np.expm1(shrunk**2 / freedom)) / REACH)
