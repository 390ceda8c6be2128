"""`python -m benchmarks.stopping`: how often equal bots are called different, and what it takes to resolve an order.

Prints JSON. `equal bots`: pairs of equal bots meet in blocks of 2 to 6 players among others, and somebody looks after
every block: the share that is ever called better or worse, by the tests of the arena and, to compare, by an ordinary
test with 1.96 standard errors at each look. `fields of 8`: games until every two neighbours are apart or within the
margin, of `decisive`, of `balanced --until resolved`, and the budget that would have to be fixed before so that nine of
ten such fields are resolved by it; and in how many fields anything was wrong. Skills and luck are those of the
Plackett-Luce model, in log-odds; with a spread of 1, two random bots differ as 3 games to 1 do.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil, tanh
from statistics import fmean
from typing import NamedTuple

import numpy as np

from arena.formats import Decisive, Format, FormatOptions, UntilResolved, make_format
from arena.formats.decisive import OrderKnowledge
from arena.rating.betting.betting_tests import BettingTests, Observations
from arena.rating.betting.ranking_tests import variance_of_game
from arena.rating.joint.gaussian_tails import Floats
from tests.arena.formats.simulated import SimulatedTournament, names

PAIRS = 10_000
BLOCKS = 500
COUNTS = (2, 3, 4, 5, 6)
ERROR = 0.05
FIELDS = ((0.5, 0.1, 20), (1.0, 0.1, 20), (2.0, 0.1, 20), (1.0, 0.05, 8))
"""Spread of skills, margin, and how many."""
BOTS = 8
_MOST = 60_000


class EverDifferent(NamedTuple):
    """Shares of pairs that were called different at any look."""

    by_betting: float
    by_ordinary_test: float


def equal_bots(pairs: int = PAIRS, blocks: int = BLOCKS, margin: float = 0.05, seed: int = 1) -> EverDifferent:
    """Let pairs of equal bots meet, and look after every block from the tenth on."""
    chance = np.random.RandomState(seed)
    tests, ordinary = BettingTests(margin, pairs), np.zeros(pairs, dtype=np.bool_)
    number, total, squares = 0, np.zeros(pairs), np.zeros(pairs)
    skills = chance.normal(0, 1, (pairs, max(COUNTS)))
    skills[:, 1] = skills[:, 0]
    for block in range(blocks):
        players = COUNTS[block % len(COUNTS)]
        totals = sum((_difference(chance, skills[:, :players]) for _ in range(players)), np.zeros(pairs))
        games = np.full(pairs, float(players))
        tests.add(Observations(np.arange(pairs), totals, games, games * variance_of_game(players)))
        number, total, squares = number + 1, total + totals, squares + totals**2
        if number >= 10:
            ordinary |= np.abs(total) > 1.96 * np.sqrt(squares - total**2 / number)
    found = tests.refutations(ERROR)
    return EverDifferent(float(np.mean(found[:, 0] | found[:, 1])), float(np.mean(ordinary)))


def _difference(chance: np.random.RandomState, skills: Floats) -> Floats:
    """Play a game, and return by how much the first bot finishes before the second, by pair."""
    shown = skills + chance.gumbel(size=skills.shape)
    ahead = [np.sum(shown > shown[:, each, None], axis=1) for each in (0, 1)]
    return np.asarray((ahead[1] - ahead[0]) / (skills.shape[1] - 1))


class ResolvedField(NamedTuple):
    """A field whose order was resolved."""

    games: int
    tied: int
    """Neighbours."""
    is_wrong: bool
    """Whether the lower of two that are told apart is better, or two tied bots differ by far more than the margin."""


def resolved(make: Callable[[bytes], Format], spread: float, margin: float, seed: int) -> ResolvedField:
    """Play until the order of a field is resolved."""
    chance = random.Random(seed)
    skills = {bot: chance.gauss(0, spread) for bot in names(BOTS)}
    tournament = SimulatedTournament(lambda: make(seed.to_bytes(16, "big")), skills, COUNTS, seed)
    while tournament.games < _MOST and tournament.play_round():
        pass
    format = tournament.format
    assert isinstance(format, Decisive | UntilResolved)
    wrong, kinds = False, Counter[str]()
    for verdict in format.resolution(tournament.field).verdicts:
        kinds[verdict.kind] += 1
        difference = skills[verdict.upper] - skills[verdict.lower]
        # Mean finishes of two players differ by tanh(d / 2), those of more by less, but half as much at least.
        wrong |= difference < 0 if verdict.kind == "apart" else tanh(abs(difference) / 2) > 2 * margin
    return ResolvedField(tournament.games, kinds["tied"], wrong)


def fields(spread: float, margin: float, number: int) -> dict[str, object]:
    """Compare ways to resolve fields of that spread."""
    even = FormatOptions(until="resolved", margin=margin)
    ways: dict[str, Callable[[bytes], Format]] = {
        "decisive": lambda seed: Decisive(seed, OrderKnowledge(ERROR, margin)),
        "balanced --until resolved": lambda seed: make_format("balanced", seed, even),
    }
    found = {name: [resolved(make, spread, margin, seed) for seed in range(number)] for name, make in ways.items()}
    evenly = sorted(each.games for each in found["balanced --until resolved"])
    return {
        **{
            name: {
                "mean games": round(fmean(each.games for each in some)),
                "tied neighbours": _share([each.tied / (BOTS - 1) for each in some]),
                "fields with anything wrong": sum(each.is_wrong for each in some),
            }
            for name, some in found.items()
        },
        "games fixed before that resolve nine of ten": evenly[ceil(0.9 * number) - 1],
    }


def _share(values: Sequence[float]) -> float:
    return round(fmean(values), 3)


def stopping_figures() -> dict[str, object]:
    """Return all figures."""
    return {
        f"{PAIRS} pairs of equal bots, looked at after each of {BLOCKS} blocks": {
            f"margin {margin}": equal_bots(margin=margin, seed=seed)._asdict()
            for seed, margin in enumerate((0.05, 0.1), start=1)
        },
        f"fields of {BOTS}": {
            f"spread {spread}, margin {margin}, {number} fields": fields(spread, margin, number)
            for spread, margin, number in FIELDS
        },
    }


if __name__ == "__main__":
    json.dump(stopping_figures(), sys.stdout, indent=2)
    print()
