"""How many games formats need until the order of 24 simulated bots is known, and how right it then is.

`python -m benchmarks.formats` prints it as JSON. The order is known when of every two neighbours in it either the upper
one is better, or the two differ by less than `MARGIN`, each with a probability of 1 - `ERROR`, by the same estimate for
all formats, which looks at every `LOOK` games. Bots' skills are drawn from a normal distribution, anew for each seed.
"""

from __future__ import annotations

import json
import math
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from arena.formats import Format, make_format
from arena.rating import OrderEstimate
from tests.arena.formats.simulated import SimulatedTournament, names

BOTS = 24
FORMATS = ("balanced", "swiss", "decisive")
COUNTS = ((2,), (4,), (2, 3, 4, 5, 6))
SPREADS = (0.5, 1.0, 2.0)
"""Of skills, in log-odds of beating each other; at 1, two random bots differ as 3 games to 1 do."""
SEEDS = 10
ERROR = 0.05
MARGIN = 0.05
LOOK = 24
MOST = 60_000


class Known(NamedTuple):
    """What there is when the order is known."""

    games: int
    apart: int
    wrongly_apart: int
    tied: int
    wrongly_tied: int
    misplaced: float
    """The share of all pairs differing by more than the margin that stand in the wrong order."""


def format_figures(seeds: int = SEEDS) -> dict[str, dict[str, dict[str, object]]]:
    """By player counts and spread of skills, and format: games until the order is known, and how right it is."""
    return {
        f"{' '.join(map(str, counts))} players, spread {spread}": {
            name: _summary([_until_known(name, counts, spread, seed) for seed in range(seeds)]) for name in FORMATS
        }
        for counts, spread in [*((counts, 1.0) for counts in COUNTS), *(((4,), each) for each in SPREADS if each != 1)]
    }


def _summary(found: Sequence[Known]) -> dict[str, object]:
    games = [each.games for each in found]
    return {
        "games": round(statistics.mean(games)),
        "games, standard error": round(statistics.stdev(games) / math.sqrt(len(games))) if len(games) > 1 else None,
        "stopped at the most games": sum(number >= MOST for number in games),
        "neighbours apart, wrongly, %": _percent(
            sum(each.wrongly_apart for each in found), sum(each.apart for each in found)
        ),
        "neighbours tied, wrongly, %": _percent(
            sum(each.wrongly_tied for each in found), sum(each.tied for each in found)
        ),
        "tied, of all neighbours, %": _percent(sum(each.tied for each in found), len(found) * (BOTS - 1)),
        "pairs beyond the margin in the wrong order, %": round(
            100 * statistics.mean(each.misplaced for each in found), 2
        ),
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def _until_known(name: str, counts: Sequence[int], spread: float, seed: int) -> Known:
    chance = random.Random(seed)
    skills = {bot: chance.gauss(0, spread) for bot in names(BOTS)}
    make: Callable[[], Format] = lambda: make_format(name, seed.to_bytes(16, "big"))  # noqa: E731
    tournament = SimulatedTournament(make, skills, counts, seed)
    estimate = OrderEstimate()
    looked = 0
    while tournament.games < MOST and tournament.play_round():
        results = tournament.results_from(looked)
        for first in range(0, len(results), LOOK):
            part = results[first : first + LOOK]
            estimate.add((game.bots, game.ranks) for game in part)
            looked += len(part)
            if _is_known(estimate, skills):
                return _known(estimate, skills, looked)
    return _known(estimate, skills, looked)


def _verdicts(estimate: OrderEstimate, skills: dict[str, float]) -> list[tuple[str, str, str]]:
    """Return every two neighbours, the upper one first, with what is known of them."""
    order = sorted(skills, key=lambda bot: (-estimate.skill(bot), bot))
    found = []
    for upper, lower in pairwise(order):
        difference = estimate.difference(upper, lower)
        apart = difference.above(0) >= 1 - ERROR
        tied = difference.within(estimate.margin(MARGIN)) >= 1 - ERROR
        found.append((upper, lower, "apart" if apart else "tied" if tied else "undecided"))
    return found


def _is_known(estimate: OrderEstimate, skills: dict[str, float]) -> bool:
    return all(verdict != "undecided" for _, _, verdict in _verdicts(estimate, skills))


def _known(estimate: OrderEstimate, skills: dict[str, float], games: int) -> Known:
    margin = estimate.margin(MARGIN)
    verdicts = _verdicts(estimate, skills)
    apart = [skills[upper] - skills[lower] for upper, lower, verdict in verdicts if verdict == "apart"]
    tied = [skills[upper] - skills[lower] for upper, lower, verdict in verdicts if verdict == "tied"]
    far = [(a, b) for a, b in combinations(skills, 2) if abs(skills[a] - skills[b]) > margin]
    wrong = sum((skills[a] - skills[b]) * (estimate.skill(a) - estimate.skill(b)) < 0 for a, b in far)
    return Known(
        games=games,
        apart=len(apart),
        wrongly_apart=sum(each < 0 for each in apart),
        tied=len(tied),
        wrongly_tied=sum(abs(each) > margin for each in tied),
        misplaced=wrong / len(far),
    )


if __name__ == "__main__":
    json.dump(format_figures(), sys.stdout, indent=2)
    print()
