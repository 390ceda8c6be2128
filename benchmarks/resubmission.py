"""Whether to send the same bot again helps: terms in which one submitter does so every week that its place is bad.

`python -m benchmarks.resubmission` prints JSON: how often that submitter is among the first eight of 30 at the end, by
its newest version's rating and by that of the season, and how often a copy of the reference ever gets the mark.
"""

from __future__ import annotations

import json
import math
from statistics import pstdev

import numpy as np
import typer
from numpy.random import RandomState

from arena.serve.marks import is_surely_better
from arena.serve.season_table import VersionRating, season_rating
from benchmarks.marks import DAYS, MOST_OWED, WEEKS, LinearFit, catching_up, day

BOTS = 30
FINALISTS = 8


def play_term(seed: int, again: bool, better: float = 0.0) -> dict[str, bool]:
    """Play a term, and return what came of it for the first submitter, whose bot is as good as the eighth.

    `better`: by how much each of its versions is better than the one before; what it can reach stays the same.
    """
    chance = RandomState(seed)
    others = np.sort(chance.standard_normal(BOTS - 1))[::-1]
    skill = float(others[FINALISTS - 1])
    skills = {f"s{place:02}": float(value) for place, value in enumerate(others)}
    mine = ["me", *(f"me@{number}" for number in range(2, WEEKS + 1))]
    skills |= {label: skill + better * (number - WEEKS + 1) for number, label in enumerate(mine)}
    skills["reference"] = skill
    fit = LinearFit(sorted(skills))
    version, found, passed, unshared = 0, {"rating": 0, "season": 0}, False, False
    for week in range(WEEKS):
        bots = [*(f"s{place:02}" for place in range(BOTS - 1)), "reference", mine[version]]
        new = [mine[version]] if again and week and version and found["new"] else []
        groups = catching_up(new, bots, min(MOST_OWED, week * DAYS), chance)
        for _ in range(DAYS):
            groups += day(bots, chance)
        fit.add(groups, skills, chance)
        differences = fit.differences()
        field = [bot for bot in bots if bot != "reference"]
        at = [differences.numbers[bot] for bot in field]
        played = [bot for bot in field if bot != mine[version]] + mine[: version + 1]
        everybody = [differences.numbers[bot] for bot in played]
        centre = np.eye(len(skills))[everybody]
        centre[:, at] -= 1 / BOTS
        ratings = dict(zip(played, centre @ differences.mean, strict=True))
        errors = dict(zip(played, np.sqrt(np.diag(centre @ differences.covariance @ centre.T)), strict=True))
        spread = pstdev(float(ratings[bot]) for bot in field)
        known = [VersionRating(bot, float(ratings[bot]), float(errors[bot])) for bot in mine[: version + 1]]
        season = season_rating(known, spread)
        assert season is not None
        rivals = [ratings[bot] for bot in field if bot != mine[version]]
        found["rating"] = 1 + sum(rating > ratings[mine[version]] for rating in rivals)
        found["season"] = 1 + sum(rating > season.rating for rating in rivals)
        ahead = differences.difference(mine[version], "reference")
        passed |= is_surely_better(ahead, spread, 0.95, mine[version])
        unshared |= is_surely_better(ahead, spread, 0.95, "me")
        found["new"] = found["rating"] > FINALISTS and week < WEEKS - 1
        version += again and found["new"]
    return {
        "finalist by its version's rating": found["rating"] <= FINALISTS,
        "finalist by the season's rating": found["season"] <= FINALISTS,
        "mark ever": passed,
        "mark ever, if versions shared no error": unshared,
    }


def main(terms: int = 200, first: int = 80_001) -> None:
    """Print the figures as JSON: per cent of terms, with standard errors."""
    for again, better in ((False, 0.0), (True, 0.0), (True, 0.1)):
        each = [play_term(seed, again, better) for seed in range(first, first + terms)]
        shares = {key: sum(one[key] for one in each) / terms for key in each[0]}
        figures = {
            key: [round(100 * share, 1), round(100 * math.sqrt(share * (1 - share) / terms), 1)]
            for key, share in shares.items()
        }
        print(json.dumps({"sent again": again, "each better by": better, "terms": terms, **figures}), flush=True)


if __name__ == "__main__":
    typer.run(main)
