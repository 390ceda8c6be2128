"""Measure the joint TrueSkill: does the order of games matter, and how long does it take?

    python -m benchmarks.ratings [ORDERS]

Prints JSON. Seconds are of one core (processor time); run it with OPENBLAS_NUM_THREADS=1 on a quiet machine.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

from arena.rating import SYSTEMS, RatingInput, rate
from arena.rating.joint.fit import JointFit
from tests.arena.rating.fields import LUCK, simulated

ORDERS: Final = 60
ORDERED: Final = 2000
"""Games that are put in other orders."""
SIZES: Final = (10_000, 100_000)
ROUND: Final = 50
"""Games that are added to the largest of these."""
FOLLOWED: Final = 1000
"""Games that are rated as they come."""
BOTS: Final = 16
COUNTS: Final = (2, 3, 4, 5, 6)
LARGE_FIELD: Final = 1000
LARGE_FIELD_GAMES: Final = 20_000


def ratings_figures(orders: int = ORDERS) -> dict[str, object]:
    """Return by how much tables of other orders of the same games differ, and seconds."""
    chance = random.Random(1)
    skills = {f"b{number:02}": chance.gauss(0, LUCK) for number in range(BOTS)}
    games = simulated(skills, ORDERED, COUNTS, 1)
    first = _table(games)
    farthest = 0.0
    for _ in range(orders):
        other = _table(chance.sample(games, len(games)))
        farthest = max([farthest, *(abs(first[key] - value) for key, value in other.items())])
    found: dict[str, object] = {"orders": orders, "games ordered": ORDERED, "largest difference": farthest}
    for size in SIZES:
        games = simulated(skills, size, COUNTS, 2)
        found[f"seconds for a table of {size} games"] = _seconds(lambda games=games: rate(games))
    fit = JointFit(sorted(skills))
    found["seconds for its fit alone"] = _seconds(lambda: fit.add(games))
    more = simulated(skills, ROUND, COUNTS, 3)
    found[f"seconds to add {ROUND} games"] = _seconds(lambda: fit.add(more))
    whole = JointFit(sorted(skills))
    whole.add([*more, *games])
    found["largest difference of what was added to and what was fitted at once"] = float(
        abs(fit.mean - whole.mean).max()
    )
    many = {f"b{number:04}": chance.gauss(0, LUCK) for number in range(LARGE_FIELD)}
    games_of_many = simulated(many, LARGE_FIELD_GAMES, COUNTS, 4)
    found[f"seconds for a table of {LARGE_FIELD_GAMES} games of {LARGE_FIELD} bots"] = _seconds(
        lambda: rate(games_of_many)
    )
    running = SYSTEMS["trueskill"].running(skills)
    found[f"seconds to follow {FOLLOWED} games"] = _seconds(
        lambda: [running.add(game.bots, game.ranks) for game in games[:FOLLOWED]]
    )
    found["seconds to look at what was followed"] = _seconds(lambda: [running.bands(), running.values("b00")])
    return found


def _table(games: Sequence[RatingInput]) -> dict[tuple[str, str], float]:
    return {(row.bot, name): value for row in rate(games) for name, value in row.values.items()}


def _seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return round(time.process_time() - began, 2)


if __name__ == "__main__":
    print(json.dumps(ratings_figures(*map(int, sys.argv[1:2])), indent=2))
