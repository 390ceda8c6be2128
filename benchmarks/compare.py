"""`python -m benchmarks.compare`: how often a comparison is right and how many games it takes, as JSON. Some minutes.

Pairs of bots are simulated whose true difference is known. `drawn`: in each game every bot draws a number around its
strength, and the greatest is first. `recorded`: differences of blocks that were played. If bots are to be equal they
are of `greedy` with itself; if they are to differ, a part of the blocks is that of a better bot. `finishes.json` has
these blocks: the mean finish of the bot, of the bot once more, and of the better one, against the same opponents.

Beside the mean number of games stands the number that a test with a fixed number of games needs for the same power:
one that calls a bot better if the mean difference is so great that chance exceeds it, to either side, as seldom.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import NormalDist, fmean, pvariance

import numpy as np

from arena.formats.paired import pair_counts
from arena.rating.base import Finding
from arena.rating.betting.betting_tests import BettingTests, Observations
from arena.rating.betting.sequential import Pair, enough_rounds, observed

TRIALS = 400
ERROR = 0.05
OPPONENTS = 5
_STRENGTHS = 0.7
"""How much the strengths of opponents vary, if those of a bot from game to game vary by 1."""

Draw = Callable[[random.Random, int], float]
"""Returns the difference of a pair of that player count."""


def compare_figures(trials: int = TRIALS) -> dict[str, object]:
    """By noise, player counts and margin."""
    found: dict[str, object] = {}
    for counts, margin in (([2, 3, 4, 5, 6], 0.05), ([2, 3, 4, 5, 6], 0.1), ([2], 0.05), ([2], 0.1)):
        name = f"{'2 to 6' if len(counts) > 1 else '2'} players, margin {margin}"
        noises: dict[str, Callable[[float], Draw]] = {"drawn": drawn}
        noises |= {f"recorded, {game}": partial(recorded, game, counts) for game in finishes()}
        found[name] = {noise: _figures(make, counts, margin, trials) for noise, make in noises.items()}
    found["mean games of 2 to 6 players by difference, drawn, margin 0.05"] = {
        str(difference): _mean_games(difference, trials) for difference in (0.0, 0.05, 0.1, 0.2, 0.3)
    }
    return found


def _mean_games(difference: float, trials: int) -> int:
    games, draw = pair_counts(range(2, 7), OPPONENTS), drawn(difference)
    ended = compared(draw, games, 0.05, 1000, [random.Random(number) for number in range(trials)])
    return round(fmean(rounds for _, rounds in ended) * 2 * sum(games))


def _figures(make: Callable[[float], Draw], counts: list[int], margin: float, trials: int) -> dict[str, object]:
    games = pair_counts(counts, OPPONENTS)
    most = enough_rounds(games, margin, ERROR)
    found: dict[str, object] = {"most games": most * 2 * sum(games)}
    for name, part in (("equal", 0.0), ("better by half the margin", 0.5), ("better by the margin", 1.0)):
        draw = make(part * margin)
        ended = compared(draw, games, margin, most, [random.Random(f"{name}{number}") for number in range(trials)])
        verdicts = Counter(verdict for verdict, _ in ended)
        figures: dict[str, object] = {verdict: verdicts[verdict] / trials for verdict in sorted(verdicts)}
        figures["mean games"] = round(fmean(rounds for _, rounds in ended) * 2 * sum(games))
        if part == 1:
            rounds = _fixed_rounds(draw, games, margin, min(verdicts["better"], trials - 1) / trials)
            figures["fixed games of the same power"] = rounds * 2 * sum(games)
        found[name] = figures
    return found


def compared(
    draw: Draw, games: Sequence[int], margin: float, most: int, chances: Sequence[random.Random]
) -> list[tuple[Finding, int]]:
    """Compare two bots once with each of these sources of chance. Returns verdicts and numbers of rounds."""
    tests = BettingTests(margin, len(chances))
    ended: list[tuple[Finding, int]] = [("unknown", most)] * len(chances)
    playing = list(range(len(chances)))
    for number in range(1, most + 1):
        drawn = [observed([Pair(draw(chances[test], count), count) for count in games], test) for test in playing]
        tests.add(Observations(*map(np.concatenate, zip(*drawn, strict=True))))
        for test in playing:
            ended[test] = tests.finding(test, ERROR), number
        playing = [test for test in playing if ended[test][0] == "unknown"]
        if not playing:
            break
    return ended


def _fixed_rounds(draw: Draw, games: Sequence[int], margin: float, power: float) -> int:
    chance = random.Random("fixed")
    means = [sum(draw(chance, count) * count for count in games) / sum(games) for _ in range(4000)]
    normal = NormalDist()
    reach = normal.inv_cdf(1 - ERROR / 2) + normal.inv_cdf(power)
    return math.ceil(reach**2 * pvariance(means) / margin**2)


def drawn(difference: float) -> Draw:
    """Return pairs of two bots of which one finishes that much earlier on average, whatever the number of players."""
    strength = NormalDist().inv_cdf(0.5 + difference) * math.sqrt(2 + _STRENGTHS**2)

    def draw(chance: random.Random, count: int) -> float:
        opponents = [chance.gauss(0, _STRENGTHS) for _ in range(count - 1)]
        ahead = 0
        for sign, own in ((1, 0.0), (-1, strength)):
            for _ in range(count):
                result = chance.gauss(own, 1)
                ahead += sign * sum(chance.gauss(opponent, 1) > result for opponent in opponents)
        return ahead / (count - 1) / count

    return draw


def recorded(game: str, counts: Sequence[int], difference: float) -> Draw:
    """Return recorded pairs in which the bots differ that much on average over all games of these counts."""
    blocks = {count: finishes()[game][str(count)] for count in counts}
    games = pair_counts(counts, OPPONENTS)
    # Half of all pairs of equal bots are turned round, so that their mean is 0.
    gains = {count: fmean((first + second) / 2 - better for first, second, better in blocks[count]) for count in counts}
    share = difference * sum(games) / sum(gains[count] * count for count in games)

    def draw(chance: random.Random, count: int) -> float:
        first, second, better = chance.choice(blocks[count])
        if chance.random() < 0.5:
            first, second = second, first
        return first - (better if chance.random() < share else second)

    return draw


def finishes() -> dict[str, dict[str, list[list[float]]]]:
    """Return what was recorded, by game and number of players."""
    found: dict[str, dict[str, list[list[float]]]] = json.loads(Path(__file__).with_name("finishes.json").read_text())
    return found


if __name__ == "__main__":
    json.dump(compare_figures(), sys.stdout, indent=2)
    print()
