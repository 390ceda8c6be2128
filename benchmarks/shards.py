"""Simulate a field too large for one schedule: shards play by themselves, and their ratings are joined by common bots.

`python -m benchmarks.shards [BOTS]` prints it as JSON. Skills are normal; who of two bots wins follows from the
logistic of their difference. In each stage every bot plays `GAMES` games within its shard, against random bots of it,
and the same anchors play in every shard. Each shard is fitted by itself (logistic, with a normal prior), and moved so
that its anchors have their mean skill over all shards. The best tenth goes on, until one shard is left, the final.

Nothing here starts a bot: it says how well the best are found, not how long games take.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any, Final

import numpy as np

BOTS: Final = 100_000
SHARD: Final = 1_000
ANCHORS: Final = 20
GAMES: Final = 40
BEST: Final = 10
SPREAD: Final = 1.5
"""Of skills, in logits."""

Array = np.ndarray[Any, np.dtype[np.float64]]


def fitted(first: Any, second: Any, won: Any, bots: int) -> Array:
    """Return the skills that fit games best, by Newton's steps on the diagonal."""
    skills = np.zeros(bots)
    for _ in range(60):
        expected = 1 / (1 + np.exp(skills[second] - skills[first]))
        slope = np.bincount(first, won - expected, bots) - np.bincount(second, won - expected, bots)
        weight = expected * (1 - expected)
        curve = np.bincount(first, weight, bots) + np.bincount(second, weight, bots)
        skills += 0.7 * (slope - skills / SPREAD**2) / (curve + 1 / SPREAD**2)
    return skills


def played(skills: Array, games: int, random: np.random.Generator) -> tuple[Any, Any, Any]:
    """Let each bot play so many games against random others: first, second, and whether the first won."""
    bots = len(skills)
    rounds = [random.permutation(bots)[: bots // 2 * 2].reshape(-1, 2) for _ in range(games)]
    first, second = np.concatenate(rounds).T
    won = random.random(len(first)) < 1 / (1 + np.exp(skills[second] - skills[first]))
    return first, second, won.astype(float)


def joined(skills: Array, anchors: Array, random: np.random.Generator) -> Array:
    """Return the ratings of all bots, shard by shard, joined by the anchors."""
    ratings, of_anchors = [], []
    for begin in range(0, len(skills), SHARD):
        all_skills = np.concatenate([skills[begin : begin + SHARD], anchors])
        found = fitted(*played(all_skills, GAMES, random), len(all_skills))
        ratings.append(found[: -len(anchors)])
        of_anchors.append(found[-len(anchors) :])
    mean = np.mean(of_anchors)
    return np.concatenate([rating - anchor.mean() + mean for rating, anchor in zip(ratings, of_anchors, strict=True)])


def shard_figures(bots: int) -> dict[str, object]:
    """Return how well the best bots are found."""
    began, random = time.process_time(), np.random.default_rng(1)
    skills = random.normal(0, SPREAD, bots)
    truth = np.argsort(-skills)
    left, score, games, stages = np.arange(bots), np.zeros(bots), 0, []
    while True:
        anchors = np.quantile(skills[left], np.linspace(0.02, 0.98, ANCHORS))
        score = score + joined(skills[left], anchors, random)
        games += len(left) * GAMES // 2
        stages.append({"bots": len(left), f"of the {BEST} best": len({*truth[:BEST]} & {*left})})
        order = np.argsort(-score)
        if len(left) <= SHARD:
            break
        best = order[: max(SHARD, len(left) // 10)]
        left, score = left[best], score[best]
    return {
        "games": games,
        "stages": stages,
        f"of the {BEST} best, among the {BEST} first": len({*truth[:BEST]} & {*left[order[:BEST]]}),
        "true place of the winner, from 1": int(np.flatnonzero(truth == left[order[0]])[0]) + 1,
        "s of processor time": round(time.process_time() - began, 1),
    }


if __name__ == "__main__":
    print(json.dumps(shard_figures(int(sys.argv[1]) if len(sys.argv) > 1 else BOTS)))
