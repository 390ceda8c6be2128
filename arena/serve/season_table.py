"""Rate submitters, whose versions cannot shed a bad record.

Each version begins with a rating of its own, so to send the same bot again until it is lucky would help. In a season's
order, therefore, a version stands alone as soon as it is surely better, or surely worse, than those before that count.
Until then they count together, each by how well it is known. As with marks, how often that is asked does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from arena.rating import SkillDifference
from arena.serve.marks import is_surely_better


class VersionRating(NamedTuple):
    """What is known of one version."""

    label: str
    rating: float
    error: float


class SeasonRating(NamedTuple):
    """What is known of a submitter."""

    rating: float
    error: float
    versions: tuple[str, ...]
    """The labels of those that count."""


def season_rating(versions: Iterable[VersionRating], spread: float, sure: float = 0.95) -> SeasonRating | None:
    """Return the rating of a submitter. None: no version has played.

    Args:
        versions: Those that have played, the first one first.
        spread: The deviation of ratings in the field.
        sure: As of a mark.
    """
    found: SeasonRating | None = None
    for label, rating, error in versions:
        alone = SeasonRating(rating, error, (label,))
        if found is None:
            found = alone
            continue
        more = SkillDifference(rating - found.rating, math.hypot(error, found.error))
        less = SkillDifference(-more.mean, more.error)
        if any(is_surely_better(each, spread, sure, label) for each in (more, less)):
            found = alone
        else:
            found = _together(found, alone)
    return found


def _together(one: SeasonRating, other: SeasonRating) -> SeasonRating:
    """Return the mean of two ratings, each weighed by what is known of it."""
    weights = [1 / max(each.error, 1e-9) ** 2 for each in (one, other)]
    rating = (one.rating * weights[0] + other.rating * weights[1]) / sum(weights)
    return SeasonRating(rating, sum(weights) ** -0.5, one.versions + other.versions)
