"""Measure how often the errors of score ratings hold, on simulated fields whose expected scores are known.

    python -m benchmarks.score_calibration [--runs RUNS] [--first-seed SEED] [FIELD ...]

Prints a line of JSON for each field: the shares of bots and of pairs of bots for which the interval of 95 % that a
table shows has the truth in it, with their standard errors; the share of runs in which all bands were right; and the
mean error. Nothing was chosen with seeds above 10,000.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from arena.rating import REACH, RatingInput
from arena.rating.score_rating import ScoreRating
from engine.rules import Score

Floats = NDArray[np.float64]
RUNS = 300
FIRST_SEED = 10_001


class ScoreField(NamedTuple):
    """A field of bots that play for a score."""

    bots: int
    blocks: int
    counts: Sequence[int] = (2,)
    """Numbers of players, with equally many blocks each."""
    score: Score = Score("won", zero_sum=True)
    effects: float = 0.3
    """The deviation of what a bot wins on average, in units of the luck of a game."""
    draw: str = "even"
    """`uneven`: one bot plays eight times as much as another; `versions`: half of the bots join in the middle."""
    tails: str = "normal"
    """Luck: `normal`; `poker`: mostly small pots, few large ones (a t distribution with 3 degrees of freedom, whose
    scale is lognormal by game); `whole`: rounded, with many draws."""
    wild: float = 1.0
    """By how much greater the luck of games with the first bot is."""
    suits: float = 0.1
    """The deviation of what a block adds to each of its bots."""


ZERO = Score("won", zero_sum=True)
FIELDS = {
    "poker, 2 players, 8 bots, 400 games": ScoreField(8, 200, tails="poker"),
    "poker, 4 players, 8 bots, 400 games": ScoreField(8, 100, (4,), tails="poker"),
    "poker, 2 and 4 players, 8 bots, 400 games, uneven": ScoreField(8, 134, (2, 4), draw="uneven", tails="poker"),
    "poker, 2 players, one wild bot": ScoreField(8, 200, tails="poker", wild=3.0),
    "poker, 2 players, half join late": ScoreField(8, 200, tails="poker", draw="versions"),
    "even luck, 2 players, 8 bots, 400 games": ScoreField(8, 200),
    "whole scores with draws, 2 players": ScoreField(8, 200, tails="whole"),
    "few games: 4 bots, 40 games of 2": ScoreField(4, 20, tails="poker"),
    "two bots, 20 games": ScoreField(2, 10, tails="poker"),
    "20 bots, 400 games of 4": ScoreField(20, 100, (4,), tails="poker"),
    "points of 4 that add up, uneven": ScoreField(8, 100, (4,), Score("points", best="least"), draw="uneven"),
    "points of 3, free": ScoreField(8, 130, (3,), Score("points")),
    "cooperative, 2 and 4 players": ScoreField(8, 134, (2, 4), Score("points", cooperative=True)),
    "cooperative, 3 players, few games, uneven": ScoreField(
        6, 30, (3,), Score("points", cooperative=True), draw="uneven"
    ),
}


def simulated(field: ScoreField, chance: RandomState) -> tuple[list[RatingInput], Floats]:
    """Return games and, by bot, the expected score in a game with others of the field."""
    own = chance.standard_normal(field.bots) * field.effects
    others = chance.standard_normal(field.bots) * field.effects / 2
    adds_up = field.score.best == "least"
    truth = np.zeros(field.bots)
    for players in field.counts:
        rest = [(np.sum(each) - each) / (field.bots - 1) for each in (own, others)]
        if field.score.zero_sum or adds_up:
            truth += own - rest[0]
        elif field.score.cooperative:
            truth += (own + (players - 1) * rest[0]) / players
        else:
            truth += own + rest[1]
    games = []
    for block, group in enumerate(groups(field, chance)):
        players = len(group)
        suits = chance.standard_normal(players) * field.suits
        for turn in range(players):
            bots = np.roll(group, turn)
            luck = drawn_luck(field, players, chance) * (field.wild if 0 in bots else 1.0)
            suit = np.roll(suits, turn)
            if field.score.zero_sum or adds_up:
                won = own[bots] + suit + luck
                won = (won - won.mean()) * players / (players - 1) - (luck - luck.mean()) / (players - 1)
            elif field.score.cooperative:
                won = np.full(players, (own[bots] + suit + luck).mean())
            else:
                won = own[bots] + suit + (others[bots].sum() - others[bots]) / (players - 1) + luck + luck.mean()
            if field.tails == "whole":
                won = np.round(won) if players > 2 else np.round(won[0]) * np.array([1, -1])
            rows = [{field.score.name: each + 6.5 * adds_up} for each in won.tolist()]
            games.append(RatingInput([f"b{bot}" for bot in bots], [1] * players, rows, (players, block)))
    if field.tails == "whole":
        truth = np.zeros(field.bots)
        fine = np.round(own[:, None, None] - own[None, :, None] + RandomState(1).standard_normal(20000) * 2**0.5)
        truth = fine.mean(axis=2).sum(axis=1) / (field.bots - 1)
    return games, truth / (1 if field.tails == "whole" else len(field.counts)) + 6.5 * adds_up


def drawn_luck(field: ScoreField, players: int, chance: RandomState) -> Floats:
    """Draw the luck of a game, by seat."""
    if field.tails == "poker":
        return np.asarray(chance.standard_t(3, players) / 3**0.5 * np.exp(chance.standard_normal() * 0.8 - 0.64))
    return np.asarray(chance.standard_normal(players))


def groups(field: ScoreField, chance: RandomState) -> Iterator[NDArray[np.int64]]:
    """Draw the bots of each block."""
    shares = (8.0 if field.draw == "uneven" else 1.0) ** -np.linspace(0, 1, field.bots)
    for block in range(field.blocks):
        late = field.draw == "versions" and 2 * block < field.blocks
        there = field.bots // 2 if late else field.bots
        players = field.counts[block % len(field.counts)]
        yield chance.choice(there, players, replace=False, p=shares[:there] / shares[:there].sum())


def measure(field: ScoreField, runs: int, first_seed: int) -> dict[str, list[float]]:
    """Return how often what a table shows held: each share with its standard error."""
    found: dict[str, list[float]] = defaultdict(list)
    sign = -1 if field.score.best == "least" else 1
    for seed in range(first_seed, first_seed + runs):
        games, truth = simulated(field, RandomState(seed))
        seen = sorted({bot for game in games for bot in game.bots})
        true = {bot: truth[int(bot[1:])] for bot in seen}
        ratings = ScoreRating(field.score).rate(games, seen)
        missed = [(ratings.values[bot]["score"] - true[bot]) / ratings.values[bot]["error"] for bot in seen]
        found["ratings"].append(float(np.mean(np.abs(missed) < REACH)))
        assert ratings.differences is not None
        apart = []
        for one, other in itertools.combinations(seen, 2):
            shown = ratings.differences.difference(one, other)
            apart.append(abs(shown.mean - sign * (true[one] - true[other])) < REACH * shown.error)
        found["differences"].append(float(np.mean(apart)))
        places = {bot: 1 + sum(sign * (true[each] - true[bot]) > 0 for each in seen) for bot in seen}
        found["all bands"].append(all(b.best <= places[bot] <= b.worst for bot, b in ratings.bands.items()))
        found["error"].append(float(np.mean([ratings.values[bot]["error"] for bot in seen])))
    return {
        name: [round(float(np.mean(each)), 4), round(float(np.std(each) / runs**0.5), 4)]
        for name, each in found.items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure how often the errors of score ratings hold.")
    parser.add_argument("--runs", type=int, default=RUNS, help="simulated tournaments of each field")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED, help="the seed of the first of them")
    parser.add_argument("fields", nargs="*", metavar="FIELD", help="a part of a field's name; without one: all fields")
    given = parser.parse_args()
    for name, field in FIELDS.items():
        if not given.fields or any(each in name for each in given.fields):
            print(
                json.dumps({"field": name, "runs": given.runs, **measure(field, given.runs, given.first_seed)}),
                flush=True,
            )
