"""Measure how often the errors of ratings hold, on simulated fields whose skills are known.

    python -m benchmarks.calibration [--runs RUNS] [--first-seed SEED] [--sequential-runs RUNS] [FIELD ...]

Takes the seeds from the first one on; what the model assumes was chosen with seeds below 10,000, so figures that shall
count begin there. FIELD is a part of a name; without one all fields are measured.

Prints a line of JSON for each field. By rating system and table it has the share of bots whose true rating lay within
1.96 errors of the one found, and of pairs of bots for whose difference that held; and the share of runs in which all
differences lay within their simultaneous intervals, and in which all rank bands were right, at once. The first three
should be 0.95. Bands are right more often unless all bots are equal: for a wrong one a bot must seem better than one
that is really better. Beside each share is its standard error. `places` is the mean number of places in a band.

Fields called "claims" are of equal bots, where any order is a false claim; how often there was one is 1 less the share
of `all bands`. `one-sided` is the share of bots known on one side alone whose rating lay beyond the end that is known,
and `two-sided` that of the others; so are `one-sided differences` and `two-sided differences` of pairs of bots.
Ratings are distances from the mean of the bots that are comparable.

TrueSkill game by game, with its own sigma, is there to compare. It keeps no covariances, so that the errors of two bots
are taken as independent, and it has no bands. Ratings are compared by their distance from the mean of the field, as
tables show them. In a field with a bot that the model does not fit, true is what the same system says of very many
games.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from arena.rating import SYSTEMS, RatingInput
from arena.rating.joint.fit import JointFit
from arena.rating.joint.rank_bands import difference_errors, largest_error
from arena.rating.joint.table import JointDifferences, JointTable, overall
from benchmarks.simulated_fields import SimulatedField, drawn_skills, played

Floats = NDArray[np.float64]
Shares = Mapping[str, float]

RUNS = 500
FIRST_SEED = 10_001
SEQUENTIAL_RUNS = 100
"""In so many of the runs the sequential system rates too, which takes ten times as long."""
TRUTH = 100_000
"""Games that say what is true of a field with a bot that the model does not fit."""
REACH = 1.96
FEW = (2, 3, 4)
ALL = (2, 3, 4, 5, 6)
FIELDS = {
    "8 bots, 400 games as of kosmos": SimulatedField(8, 400, ALL, 0.85, 0.15, two=4.5, suits=0.1, rounding=0.02),
    "8 bots, 400 games as of ravensburger": SimulatedField(8, 400, ALL, 1.4, 0.13, suits=0.1, rounding=0.05),
    "8 bots, 200 games": SimulatedField(8, 200, ALL, 0.9, 0.2, suits=0.2, rounding=0.02),
    "8 bots, 400 games, uneven schedule": SimulatedField(8, 400, FEW, 0.9, 0.2, suits=0.2, draw="uneven"),
    "8 bots, 400 games, half of them versions": SimulatedField(8, 400, FEW, 0.9, 0.2, suits=0.2, draw="versions"),
    "8 equal bots, 400 games": SimulatedField(8, 400, FEW, 0.0, 0.0, suits=0.2),
    "8 bots, 400 games, groups that suit some": SimulatedField(8, 400, FEW, 0.9, 0.2, suits=0.5),
    "8 bots, 400 games, skills that differ much by number": SimulatedField(8, 400, FEW, 0.9, 0.5, suits=0.2),
    "8 bots, 400 games, one with wild luck": SimulatedField(8, 400, FEW, 0.9, 0.2, suits=0.2, wild=2.5),
    "8 bots, 400 games, one odd at one number": SimulatedField(8, 400, FEW, 0.9, 0.1, suits=0.2, odd=1.5),
    "40 bots, 800 games": SimulatedField(40, 800, (2, 4, 6), 0.9, 0.2, suits=0.2, rounding=0.02),
    "40 bots, 800 games, uneven schedule": SimulatedField(40, 800, (2, 4), 0.9, 0.2, suits=0.2, draw="uneven"),
    "40 bots, 800 games of neighbours": SimulatedField(40, 800, (2, 3), 0.9, 0.0, suits=0.2, draw="neighbours"),
    "8 bots, 300 games, one far ahead": SimulatedField(8, 300, FEW, 0.9, 0.2, suits=0.2, ahead=7.2),
    "claims: 2 equal bots, 4 games": SimulatedField(2, 4, (2,), 0.0, rounding=0.02),
    "claims: 6 equal bots, 6 games of six": SimulatedField(6, 6, (6,), 0.0, rounding=0.02),
    "claims: 3 equal bots, 30 games": SimulatedField(3, 30, (2, 3), 0.0, rounding=0.02),
    "8 bots, 400 games, ties with a margin": SimulatedField(8, 400, FEW, 0.9, 0.2, suits=0.2, rounding=1.5),
    "8 bots, 400 games, 60 % tied by a rule": SimulatedField(8, 400, FEW, 0.9, 0.2, suits=0.2, tied=0.6),
    "8 bots, 400 games, luck with heavy tails": SimulatedField(8, 400, FEW, 0.9, 0.2, suits=0.2, tails=2.0),
}


def measure(
    field: SimulatedField, runs: int, first_seed: int = FIRST_SEED, sequential_runs: int = SEQUENTIAL_RUNS
) -> dict[str, dict[str, list[float]]]:
    """Return by system and table how often errors and bands held: each share with its standard error."""
    found: dict[str, list[Shares]] = defaultdict(list)
    truth = _truth(field) if field.wild != 1 or field.tied or field.tails else {}
    for seed in range(first_seed, first_seed + runs):
        chance = RandomState(seed)
        skills = drawn_skills(field, RandomState(0) if truth else chance)
        games = played(field, skills, chance)
        fit = JointFit(field.names)
        fit.add(games)
        seen = np.flatnonzero([any(name in game.bots for game in games) for name in field.names])
        few = field.counts[-1]
        for table, players in {"joint": None, f"joint, {few} players": few}.items():
            mean, errors = (
                (fit.mean, fit.overall_errors()) if players is None else (fit.counts[few].mean, fit.errors(few))
            )
            true = truth.get(players, skills.true(field, players))
            shares = _held(mean[seen], errors[np.ix_(seen, seen)], true[seen])
            found[table].append(shares | (_shown(fit, true, seen) if players is None else {}))
        if seed - first_seed < sequential_runs:
            true = truth.get(None, skills.true(field))
            found["sequential"].append(_sequential(games, field.names, seen, true))
    return {
        table: {
            name: [round(float(value), 3) for value in (np.mean(shares), np.std(shares) / len(shares) ** 0.5)]
            for name, shares in _columns(rows).items()
        }
        for table, rows in found.items()
    }


def _truth(field: SimulatedField) -> dict[int | None, Floats]:
    """Return what very many games say, by number of players; None: overall."""
    chance = RandomState(0)
    fit = JointFit(field.names)
    fit.add(played(field._replace(games=TRUTH), drawn_skills(field, chance), chance))
    return {None: fit.mean, field.counts[-1]: fit.counts[field.counts[-1]].mean}


def _sequential(games: Sequence[RatingInput], names: Sequence[str], seen: Floats, true: Floats) -> Shares:
    values = SYSTEMS["sequential"].rate(games, names).values
    rows = [values[names[number]] for number in seen]
    return _held(
        np.array([row["mu"] for row in rows]), np.diag([row["sigma"] ** 2 for row in rows]), true[seen], joint=False
    )


def _shown(fit: JointFit, true: Floats, seen: Floats) -> dict[str, float]:
    """Return the shares of bots and of runs for which what a table shows held, in one run."""
    names = [fit.bots[number] for number in seen]
    table = JointTable(fit.bots, names, overall(fit), 0.0, names)
    at, columns = true - np.mean(true[table.centre.bots]), SYSTEMS["trueskill"].columns
    sides: dict[str, list[bool]] = defaultdict(list)
    for number, name in zip(seen, names, strict=True):
        bound = table.bounds.get(name)
        low, _, high = columns.ends(table.values[name], bound)
        sides["two-sided" if bound is None else "one-sided"].append(bool(low < at[number] < high))
    found = {"ratings": float(np.mean([*sides["one-sided"], *sides["two-sided"]]))}
    differences = JointDifferences(
        {name: number for number, name in enumerate(fit.bots)}, fit.mean, fit.overall_errors(), fit.reached()
    )
    for one, other in itertools.combinations(seen, 2):
        low, high = (shown := differences.difference(fit.bots[one], fit.bots[other])).ends(REACH)
        apart = true[one] - true[other]
        held = (low is None or low < apart) and (high is None or apart < high)
        sides["two-sided differences" if shown.bound is None else "one-sided differences"].append(bool(held))
    found |= {side: float(np.mean(held)) for side, held in sides.items() if held}
    bands, own = [table.bands[name] for name in names], true[seen]
    best = 1 + (own[None, :] > own[:, None] + 1e-9).sum(axis=1)
    worst = len(own) - (own[None, :] < own[:, None] - 1e-9).sum(axis=1)
    is_right = [band.best <= low and high <= band.worst for band, low, high in zip(bands, best, worst, strict=True)]
    found["all bands"] = float(all(is_right))
    found["places"] = float(np.mean([band.worst - band.best + 1 for band in bands]))
    return found


def _held(mean: Floats, errors: Floats, true: Floats, *, joint: bool = True) -> dict[str, float]:
    """Return the shares of bots, of pairs and of runs for which errors held, in one run."""
    bots = len(mean)
    centred = np.eye(bots) - 1 / bots
    deviations = np.sqrt(np.einsum("ij,jk,ik->i", centred, errors, centred)) if joint else np.sqrt(np.diag(errors))
    missed = mean - true
    upper = np.triu_indices(bots, 1)
    apart = np.abs(missed[:, None] - missed[None, :])[upper]
    spread = difference_errors(errors)
    found = {
        "ratings": float(np.mean(np.abs(centred @ missed) < REACH * deviations)),
        "differences": float(np.mean(apart < REACH * spread[upper])),
    }
    if joint:
        found["all differences"] = float(np.all(apart < largest_error(errors, spread) * spread[upper]))
    return found


def _columns(rows: Sequence[Shares]) -> dict[str, list[float]]:
    return {
        name: [row[name] for row in rows if name in row] for name in dict.fromkeys(each for row in rows for each in row)
    }


def main(runs: int, first_seed: int, sequential_runs: int, names: Sequence[str]) -> None:
    """Measure some fields, all unless named, and print one line of JSON for each."""
    for name, field in FIELDS.items():
        if not names or any(each in name for each in names):
            began = time.perf_counter()
            found = measure(field, runs, first_seed, sequential_runs)
            took = round(time.perf_counter() - began)
            print(
                json.dumps({"field": name, "runs": runs, "first seed": first_seed, **found, "seconds": took}),
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure how often the errors of ratings hold.")
    parser.add_argument("--runs", type=int, default=RUNS, help="simulated tournaments of each field")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED, help="the seed of the first of them")
    parser.add_argument("--sequential-runs", type=int, default=SEQUENTIAL_RUNS, help="in how many it rates, too")
    parser.add_argument("fields", nargs="*", metavar="FIELD", help="a part of a field's name; without one: all fields")
    given = parser.parse_args()
    main(given.runs, given.first_seed, given.sequential_runs, given.fields)
