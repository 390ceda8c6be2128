"""Give marks to submitters after a round, by what ratings say then and by the marks before.

A mark is looked at after every round of a term, and who looks often enough sees anything. So it is given by a bound
that holds however often one looks (Ville 1939; Robbins 1970): a bot that is exactly as good as the reference gets the
mark at any time of the term with a probability of `1 - sure` at most. A submitter's versions share that probability,
the first one having half of it: to send the same bot again and again gains nothing. A mark is lost again when it
is likelier than not (`lost_below`) that the bot is not good enough, which chance seldom does.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from statistics import NormalDist, pstdev
from typing import Final

from arena.common.labels import version_number
from arena.rating import SkillDifference, SkillDifferences
from arena.serve.league import MarkRule

_STANDARD: Final = NormalDist()
KEPT: Final = 1.5
"""A mark of the first quarter is kept in the first 1.5 quarters: others come and go at its end."""
_MOST: Final = 700.0
"""Of an exponent, before numbers end."""


def marks(
    rules: Sequence[MarkRule],
    field: Mapping[str, str],
    differences: SkillDifferences,
    before: Mapping[str, Collection[str]],
    met: Callable[[str, str], int] = lambda *_: 0,
) -> dict[str, list[str]]:
    """Return the marks of each submitter, by name.

    Args:
        rules: The marks that there are.
        field: By submitter, the label of the version that plays, such as `ada@2`. Who is not ranked is not in it.
        differences: What the games so far say of these and of reference bots.
        before: The marks after the round before; a submitter that is not in the field now keeps its own, of those that
            there are.
        met: Returns in how many blocks two bots met.
    """
    known = {rule.name for rule in rules}
    found = {name: known.intersection(before.get(name, ())) for name in {*before, *field}}
    rules = [rule for rule in rules if rule.beats is None or _has_played(rule.beats, differences)]
    labels = [*field.values(), *(rule.beats for rule in rules if rule.beats is not None)]
    ratings = {label: differences.difference(label, labels[0]).mean for label in labels}
    spread = pstdev(ratings.values()) if ratings else 0.0
    best = sorted(field.values(), key=lambda label: (-ratings[label], label))
    for rule in rules:
        for name, label in field.items():
            has = found[name]
            share = (rule.top or 1.0) * (KEPT if rule.name in has else 1.0)
            other = rule.beats or _last_of_top(share, label, best)
            if other is None:  # the whole field is among the first
                has.add(rule.name)
                continue
            ahead = differences.difference(label, other)
            if rule.name in has:
                if ahead.above(0.0) < rule.lost_below:
                    has.remove(rule.name)
            elif is_surely_better(ahead, spread, rule.sure, label) or (
                ahead.bound == "at least" and _is_always_ahead(met(label, other), rule.sure, label)
            ):
                has.add(rule.name)
    return {name: sorted(there) for name, there in sorted(found.items())}


def is_surely_better(ahead: SkillDifference, spread: float, sure: float, label: str) -> bool:
    """Return whether a version is better than another bot, however often that is asked.

    The likelihood of the difference, if it is drawn from a half-normal distribution as wide as the field, is compared
    with that of none at all. That this ratio ever exceeds a number has the probability of one in that number at most,
    if there is no difference.
    """
    if ahead.error <= 0 or spread <= 0 or ahead.mean <= 0:
        return False
    wide = math.hypot(ahead.error, spread)
    z = ahead.mean / ahead.error
    exponent = min(_MOST, (z * spread / wide) ** 2 / 2)
    return 2 * ahead.error / wide * math.exp(exponent) * _STANDARD.cdf(z * spread / wide) >= _needed(sure, label)


def _is_always_ahead(blocks: int, sure: float, label: str) -> bool:
    """Return whether to be ahead of another bot in so many blocks, and never behind, is as sure a sign.

    How much better such a bot is games cannot tell, so the error of the difference stays large.
    """
    return bool(2.0 ** min(blocks + 1, _MOST) / (blocks + 1) >= _needed(sure, label))  # of all chances from 1/2 to 1


def _needed(sure: float, label: str) -> float:
    """Return which likelihood ratio a version needs: of all versions together, the probabilities to reach it are 1."""
    number = version_number(label)
    return number * (number + 1) / (1 - sure)  # shares of 1/2, 1/6, 1/12, ...


def _has_played(bot: str, differences: SkillDifferences) -> bool:
    """Return whether anything is known of a reference bot; without it, marks stay as they are."""
    try:
        differences.difference(bot, bot)
    except KeyError:
        return False
    return True


def _last_of_top(share: float, label: str, best: Sequence[str]) -> str | None:
    """Return the bot that one has to be better than to be in the share of the field that is best. None: nobody."""
    others = [other for other in best if other != label]
    places = max(1, round(share * len(best)))
    return others[places - 1] if places <= len(others) else None


def marks_csv(rules: Iterable[MarkRule], found: Mapping[str, Collection[str]]) -> str:
    """Return who has which marks as a table with a line for each submitter, and 1 or 0 for each mark."""
    names = [rule.name for rule in rules]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["submitter", *names])
    table.writerows([name, *(int(mark in there) for mark in names)] for name, there in sorted(found.items()))
    return text.getvalue()
