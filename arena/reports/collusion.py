"""Whether a bot does better beside another one than its opponents otherwise allow: facts, from the games alone.

In a game of more than two, one bot can play for another. What cannot be told from the two themselves, whose styles may
suit each other, shows in the *third* bots at their tables: the favoured one is ahead of these more often than ratings
foresee, and the one that favours it less often. Two sums are looked at for each two bots, either way round: by how much
the one is ahead of thirds beyond what is foreseen, and that less the same of the other. How far such sums scatter is
taken from all pairs of the field, by blocks, whose games have their bots in common. What is said has been corrected for
looking at all pairs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations
from statistics import NormalDist
from typing import Final

import msgspec

from arena.rating.base import RatingInput
from arena.rating.held_out import Forecast, joint_forecaster

LEAST_BLOCKS: Final = 5
"""That two bots have met in."""
ERROR: Final = 0.05
"""How often a field in which nobody favours anybody has any favour at all."""
_STANDARD: Final = NormalDist()
_TESTS: Final = 2


class Favour(msgspec.Struct, frozen=True):
    """How one bot did at the tables of another."""

    bot: str
    """The one that did well."""
    beside: str
    """The other one."""
    blocks: int
    games: int
    gain: float
    """How much oftener than foreseen `bot` was ahead of a third bot, as a share of all such comparisons."""
    other_gain: float
    """The same of `beside`; below 0: it was ahead of third bots less often."""
    chance: float
    """The probability that any two bots of such a field show as much by chance, at most."""

    def in_words(self) -> str:
        """Return the finding as a sentence."""
        return (
            f"{self.bot} is ahead of third bots {100 * self.gain:+.1f} % oftener than foreseen in {self.games} games "
            f"beside {self.beside}, and {self.beside} {100 * self.other_gain:+.1f} %; any two bots of a field show as "
            f"much with a probability of {self.chance:.2g} at most"
        )


class _Sums:
    """What is summed up over the blocks of two bots, and its variance but for a factor."""

    def __init__(self) -> None:
        self.blocks: defaultdict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0] * 4)
        """By block: what the one and the other missed, and the variances of these."""
        self.games = self.thirds = 0

    def total(self) -> list[float]:
        """Return the sums over all blocks."""
        return [math.fsum(values) for values in zip(*self.blocks.values(), strict=True)]


def favours(games: Sequence[RatingInput], most: float = ERROR) -> list[Favour]:
    """Return the pairs of bots whose games show more than chance does in a field, the surest first.

    Args:
        games: Those that are rated. Games of two, and of partners that were drawn, say nothing here.
        most: Up to which `Favour.chance`; 1: all pairs that met often enough.
    """
    shown = [game for game in games if len(game.bots) > 2 and not game.teams]
    if not shown:
        return []
    bots = sorted({bot for game in games for bot in game.bots})
    pairs = _summed(shown, joint_forecaster([game for game in games if not game.teams], bots))
    scatter = [_scatter(pairs.values(), differs) for differs in (False, True)]
    tested = {pair: sums for pair, sums in pairs.items() if len(sums.blocks) >= LEAST_BLOCKS}
    found = []
    for (bot, beside), sums in tested.items():
        own, other, own_variance, other_variance = sums.total()
        farthest = max(
            own / math.sqrt(scatter[0] * own_variance),
            (own - other) / math.sqrt(scatter[1] * (own_variance + other_variance)),
        )
        chance = min(1.0, _TESTS * len(tested) * _STANDARD.cdf(-farthest))
        if chance <= most:
            said = own / sums.thirds, other / sums.thirds
            found.append(Favour(bot, beside, len(sums.blocks), sums.games, *said, chance))
    return sorted(found, key=lambda each: (each.chance, each.bot, each.beside))


def _summed(games: Iterable[RatingInput], forecast: Forecast) -> dict[tuple[str, str], _Sums]:
    """Sum up what forecasts missed at the tables of each two bots, which are in the order (bot, beside)."""
    known: dict[tuple[str, str, int], float] = {}
    pairs: defaultdict[tuple[str, str], _Sums] = defaultdict(_Sums)
    for game in games:
        players, ranks = len(game.bots), dict(zip(game.bots, game.ranks, strict=True))
        missed: dict[tuple[str, str], tuple[float, float]] = {}
        for one, other in permutations(ranks, 2):
            key = one, other, players
            if key not in known:
                known[key] = forecast(*key)
            ahead = 0.5 * ((ranks[one] < ranks[other]) + (ranks[one] <= ranks[other]))
            missed[one, other] = ahead - known[key], known[key] * (1 - known[key])
        whole = {
            bot: [math.fsum(missed[bot, other][kind] for other in ranks if other != bot) for kind in (0, 1)]
            for bot in ranks
        }
        for bot, beside in permutations(ranks, 2):
            sums = pairs[bot, beside]
            sums.games += 1
            sums.thirds += players - 2
            block = sums.blocks[game.block]
            for place, (one, other) in enumerate(((bot, beside), (beside, bot))):
                for kind in (0, 1):
                    block[place + 2 * kind] += whole[one][kind] - missed[one, other][kind]
    return dict(pairs)


def _scatter(pairs: Iterable[_Sums], differs: bool) -> float:
    """Return by what factor the squares of the sums of blocks exceed what forecasts say of single comparisons."""
    squares, variances = [], []
    for sums in pairs:
        for own, other, own_variance, other_variance in sums.blocks.values():
            squares.append((own - other * differs) ** 2)
            variances.append(own_variance + other_variance * differs)
    return max(1e-9, math.fsum(squares)) / max(1e-9, math.fsum(variances))
