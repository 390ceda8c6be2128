"""Measure how often the errors of ratings hold, on simulated fields whose skills are known.

    python -m benchmarks.calibration [runs]

Prints JSON: by field and rating system, the share of bots whose true rating lay within 1.96 errors, the share of
neighbours in the table for whose difference that held, their errors taken as independent, and the share of runs in
which all rank bands were right at once. All should be 0.95. What is true is what the same system says of many more
games of the same field. TrueSkill's own sigma is there to compare; it has no bands.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import Any, NamedTuple

from arena.rating import SYSTEMS, RatedBot, rate
from tests.arena.rating.fields import LUCK, simulated

RUNS = 60
TRUTH = 60_000
"""Games that say what is true."""
SYSTEM = "joint"
BY_SIGMA = "trueskill"
REACH = 1.96


class Field(NamedTuple):
    """A field of bots, and how it plays."""

    bots: int
    games: int
    counts: Sequence[int]
    suits: float = 0.0
    """The deviation of what a group adds to the skills of its bots, in units of luck."""
    apart: float = 0.0
    """The deviation of skills between numbers of players, in units of luck."""


FIELDS = {
    "8 bots, 400 games": Field(8, 400, (2, 3, 4)),
    "8 bots, 1,200 games, groups that suit some": Field(8, 1200, (2, 3, 4), suits=0.5),
    "8 bots, 1,200 games, skills differ by number of players": Field(8, 1200, (2, 3, 4), apart=0.25),
    "40 bots, 2,000 games": Field(40, 2000, (2, 3, 4, 5, 6)),
    "40 bots, 2,000 games, both": Field(40, 2000, (2, 3, 4, 5, 6), suits=0.5, apart=0.25),
}


def measure(field: Field, runs: int) -> dict[str, Any]:
    """Return by system how often its errors and bands were right."""
    chance = random.Random(1)
    names = [f"b{number}" for number in range(field.bots)]
    skills = {name: chance.gauss(0, LUCK) for name in names}
    apart = {(name, count): chance.gauss(0, field.apart * LUCK) for name in names for count in field.counts}

    def tables(games: int, seed: int) -> dict[str, list[RatedBot]]:
        played = simulated(skills, games, field.counts, seed, suits=field.suits * LUCK, deviations=apart)
        systems = (SYSTEM,) if games == TRUTH else (SYSTEM, BY_SIGMA)
        return {name: rate(played, names, system=SYSTEMS[name]) for name in systems}

    truth = {row.bot: row.values["rating"] for row in tables(TRUTH, 0)[SYSTEM]}
    real = {bot: place for place, bot in enumerate(sorted(truth, key=lambda bot: -truth[bot]), 1)}
    shares: dict[str, list[dict[str, float]]] = {SYSTEM: [], BY_SIGMA: []}
    for seed in range(1, runs + 1):
        for name, rows in tables(field.games, seed).items():
            value, error = ("rating", "error") if name == SYSTEM else ("mu", "sigma")
            shares[name].append(_right(rows, value, error, truth))
            if name == SYSTEM:
                bands = all(row.values["best_place"] <= real[row.bot] <= row.values["worst_place"] for row in rows)
                shares[name][-1]["bands"] = float(bands)
    return {name: {key: round(_mean(found, key), 3) for key in found[0]} for name, found in shares.items()}


def _right(rows: Sequence[RatedBot], value: str, error: str, truth: Mapping[str, float]) -> dict[str, float]:
    middle = sum(row.values[value] for row in rows) / len(rows) - sum(truth.values()) / len(truth)
    inside = [abs(row.values[value] - middle - truth[row.bot]) < REACH * row.values[error] for row in rows]
    differences = []
    for one, other in pairwise(rows):
        missed = (one.values[value] - truth[one.bot]) - (other.values[value] - truth[other.bot])
        differences.append(abs(missed) < REACH * hypot(one.values[error], other.values[error]))
    return {"ratings": sum(inside) / len(inside), "differences": sum(differences) / len(differences)}


def _mean(found: Sequence[Mapping[str, float]], key: str) -> float:
    return sum(each[key] for each in found) / len(found)


def main(runs: int = RUNS) -> None:
    """Measure all fields, and print one line of JSON for each."""
    for name, field in FIELDS.items():
        began = time.perf_counter()
        print(json.dumps({"field": name, **measure(field, runs), "seconds": round(time.perf_counter() - began)}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
