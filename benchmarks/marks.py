"""How stable the marks of a league are: terms of bots whose skills are known.

`python -m benchmarks.marks` prints JSON. Each term has 30 submitters, two reference bots and a round a day for 12
weeks; in a week every fourth submitter sends a new version, mostly a better one. Two send copies of the reference.
A bot that did not change in a week should have the marks at its end that it had at its begin.

To fit 84 rounds of 50 terms takes hours. So games show performances here, of which a least-squares fit is exact; they
say as much of a difference as ranks do. `--joint` fits ranks by the joint model instead, as leagues do.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import typer
from numpy.random import RandomState
from numpy.typing import NDArray

from arena.rating import RatingInput
from arena.rating.joint.fit import JointFit
from arena.rating.joint.table import JointDifferences
from arena.serve.league import MarkRule
from arena.serve.marks import marks

SUBMITTERS = 30
WEEKS = 12
DAYS = 7
PLAYERS = 4
COPIES = 2
"""Submitters whose bot is the reference `greedy` itself."""
REFERENCES = {"greedy": -0.5, "random_bot": -2.5}
"""Skills, in units of luck, of which those of submitters have a deviation of 1."""
SUITS = 0.2
"""The deviation of what a block adds to the skill of each of its bots."""
SAID_BY_RANKS = 0.85
"""The share of what performances say."""
MOST_OWED = 32
"""Blocks that a new version has before the others go on, as in `arena.formats.balanced`."""
RULES = (MarkRule("pass", beats="greedy"), MarkRule("good", top=0.25))


class Term(NamedTuple):
    """What is known of a term before it is played."""

    skills: dict[str, float]
    """Of all versions, by label."""
    weeks: list[list[int]]
    """By week, which version of each submitter plays."""


def draw_term(chance: RandomState, submitters: int, length: int) -> Term:
    """Draw the versions of a term of so many weeks."""
    skills = dict(REFERENCES)
    number, skill = [1] * submitters, chance.standard_normal(submitters)
    skill[:COPIES] = REFERENCES["greedy"]
    weeks = []
    for week in range(length):
        for bot in range(COPIES, submitters):
            if week and chance.random_sample() < 0.25:
                number[bot] += 1
                skill[bot] += 0.2 + 0.4 * chance.standard_normal()
        skills |= {label(bot, number[bot]): float(skill[bot]) for bot in range(submitters)}
        weeks.append(list(number))
    return Term(skills, weeks)


def label(bot: int, number: int) -> str:
    """Return the label of a version."""
    return f"s{bot:02}" if number == 1 else f"s{bot:02}@{number}"


def day(bots: Sequence[str], chance: RandomState) -> list[list[str]]:
    """Cut the field into groups at random; those that are left over play with others again."""
    order = [bots[place] for place in chance.permutation(len(bots))]
    order += order[: -len(order) % PLAYERS]
    return [order[start : start + PLAYERS] for start in range(0, len(order), PLAYERS)]


def catching_up(newcomers: Sequence[str], bots: Sequence[str], owed: int, chance: RandomState) -> list[list[str]]:
    """Return the groups in which new versions play as many blocks as the others have had."""
    left = dict.fromkeys(newcomers, owed)
    groups = []
    while any(left.values()):
        order = [bots[place] for place in chance.permutation(len(bots))]
        groups.append(sorted(order, key=lambda bot: -left.get(bot, 0))[:PLAYERS])
        left |= {bot: max(0, left[bot] - 1) for bot in groups[-1] if bot in left}
    return groups


class LinearFit:
    """The fit of performances: exact, and of a millisecond."""

    def __init__(self, bots: Sequence[str]) -> None:
        """Know nothing but that skills are not far apart."""
        self._numbers = {bot: number for number, bot in enumerate(bots)}
        self._said = np.eye(len(bots)) / 4
        self._sum = np.zeros(len(bots))

    def add(self, groups: Sequence[Sequence[str]], skills: dict[str, float], chance: RandomState) -> None:
        """Play a block in each group: as many games as bots."""
        variance = SUITS**2 + 1 / (PLAYERS * SAID_BY_RANKS)
        centred = np.eye(PLAYERS) - 1 / PLAYERS
        for group in groups:
            at = [self._numbers[bot] for bot in group]
            shown = np.array([skills[bot] for bot in group]) + math.sqrt(variance) * chance.standard_normal(PLAYERS)
            self._said[np.ix_(at, at)] += centred / variance
            self._sum[at] += centred @ shown / variance

    def differences(self) -> JointDifferences:
        """Return what is known now."""
        covariance = np.linalg.inv(self._said)
        nobody = np.zeros(covariance.shape, dtype=bool)
        return JointDifferences(self._numbers, covariance @ self._sum, covariance, nobody)


class RankFit:
    """The fit of ranks that leagues have."""

    def __init__(self, bots: Sequence[str]) -> None:
        """Begin without a game."""
        self._fit = JointFit(bots)
        self._blocks = 0

    def add(self, groups: Sequence[Sequence[str]], skills: dict[str, float], chance: RandomState) -> None:
        """Play a block in each group."""
        games = []
        for group in groups:
            middle = np.array([skills[bot] for bot in group]) + SUITS * chance.standard_normal(PLAYERS)
            shown = np.round((middle + chance.standard_normal((PLAYERS, PLAYERS))) / 0.1)
            for ranks in (1 + (shown[:, None, :] > shown[:, :, None]).sum(axis=2)).tolist():
                games.append(RatingInput(list(group), ranks, [{}] * PLAYERS, (PLAYERS, self._blocks)))
            self._blocks += 1
        self._fit.add(games, roughly=True)

    def differences(self) -> JointDifferences:
        """Return what is known now."""
        fit = self._fit
        numbers = {bot: number for number, bot in enumerate(fit.bots)}
        return JointDifferences(numbers, fit.mean, fit.overall_errors(), fit.reached())


def play_term(
    seed: int, blocks: int = 1, joint: bool = False, submitters: int = SUBMITTERS, length: int = WEEKS
) -> Counter[str]:
    """Simulate a term, and count weeks of bots that did not change, and in how many of them a mark changed."""
    chance = RandomState(seed)
    skills, weeks = draw_term(chance, submitters, length)
    fit = (RankFit if joint else LinearFit)(sorted(skills))
    counts: Counter[str] = Counter()
    found: dict[str, list[str]] = {}
    ever: set[str] = set()
    had: set[tuple[str, str]] = set()
    for week, numbers in enumerate(weeks):
        field = {f"s{bot:02}": label(bot, number) for bot, number in enumerate(numbers)}
        bots = [*field.values(), *REFERENCES]
        new = [label(bot, number) for bot, number in enumerate(numbers) if week and weeks[week - 1][bot] != number]
        at_begin = found
        for today in range(DAYS):
            groups = [] if today else catching_up(new, bots, min(MOST_OWED, week * DAYS * blocks), chance)
            for _ in range(blocks):
                groups += day(bots, chance)
            fit.add(groups, skills, chance)
            found = marks(RULES, field, fit.differences(), found)
            ever |= {name for name in list(field)[:COPIES] if RULES[0].name in found[name]}
        if week:
            same = [name for bot, name in enumerate(field) if weeks[week - 1][bot] == numbers[bot]]
            counts += changes(same, at_begin, found, had)
        had |= {(name, mark) for name, there in found.items() for mark in there}
    better = [name for name, playing in field.items() if skills[playing] > REFERENCES["greedy"]]
    counts["better than greedy at the end"] = len(better)
    counts["better than greedy, with the mark"] = sum(RULES[0].name in found[name] for name in better)
    counts["with the mark of the top at the end"] = sum(RULES[1].name in there for there in found.values())
    counts["copies of greedy"] = COPIES
    counts["copies of greedy that passed ever"] = len(ever)
    return counts


def changes(
    names: Sequence[str], before: dict[str, list[str]], after: dict[str, list[str]], had: set[tuple[str, str]]
) -> Counter[str]:
    """Count bots that did not change and their marks that did. `had`: who had which mark at the end of any week."""
    counts = Counter({"weeks of unchanged bots": len(names)})
    for name in names:
        got, lost = set(after[name]) - set(before[name]), set(before[name]) - set(after[name])
        counts["weeks with another mark"] += bool(got or lost)
        counts["weeks with another mark than one for the first time"] += bool(
            lost or {(name, mark) for mark in got} & had
        )
        counts.update([f"{mark} got" for mark in got] + [f"{mark} lost" for mark in lost])
    return counts


def main(
    terms: int = 50, blocks: int = 6, joint: bool = False, submitters: int = SUBMITTERS, weeks: int = WEEKS
) -> None:
    """Print as JSON what happened in so many terms, with standard errors. `blocks`: of each bot in a day's round."""
    each = [play_term(200_001 + number, blocks, joint, submitters, weeks) for number in range(terms)]

    def percent(part: str, whole: str) -> list[float]:
        shares: NDArray[np.float64] = np.array([100 * counts[part] / counts[whole] for counts in each if counts[whole]])
        return [round(float(shares.mean()), 2), round(float(shares.std()) / math.sqrt(max(1, len(shares) - 1)), 2)]

    found = {
        "terms": terms,
        "blocks of a bot a day": blocks,
        "another mark, % of weeks": percent("weeks with another mark", "weeks of unchanged bots"),
        "another mark than one for the first time, % of weeks": percent(
            "weeks with another mark than one for the first time", "weeks of unchanged bots"
        ),
        "copies of greedy that passed ever, %": percent("copies of greedy that passed ever", "copies of greedy"),
        "better bots that have passed, %": percent(
            "better than greedy, with the mark", "better than greedy at the end"
        ),
        "counts": dict(sorted(sum(each, Counter[str]()).items())),
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    typer.run(main)
