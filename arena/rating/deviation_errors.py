"""The errors of fitted skills of bots whose deviations, between numbers of players, are greater than those of others.

A fit takes deviations of all bots to have one spread. So a bot that is much better at one number of players than at the
others is drawn towards the others too strongly, and the posterior knows nothing of that. What the deviations of a bot
show of their own spread widens the errors of all that is estimated with them, as far as they were drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.gaussian_tails import Floats

_TRUST: Final = 0.25
"""That a bot's deviations spread as those of others weighs as much as this part of one that is known exactly."""
_LEAST: Final = 0.5
"""The least that the squared spread of a bot may be, in parts of that of all."""


class FittedDeviations(NamedTuple):
    """The deviations of skills at one number of players from those at all."""

    mean: Floats
    """By bot."""
    variance: Floats
    """By bot: what is left of the square of the spread, given what the outcomes say."""
    spread: float
    """Of the deviations of all bots."""
    share: Floats
    """By bot and bot: the posterior covariance of what is estimated with the deviations."""


def widened_by_deviations(errors: Floats, parts: Sequence[FittedDeviations]) -> Floats:
    """Return the covariance of errors as it is if each bot's deviations have the spread that they show.

    Args:
        errors: The covariance if they have one spread for all, by bot and bot.
        parts: By number of players.
    """
    # A deviation of which the part k is known is fitted as k of itself. So its square is k times that of the spread for
    # all on average, and more by k^2 times what the square of the bot's own spread exceeds that by.
    known = [1 - np.clip(part.variance / part.spread**2, 0.0, 1.0) for part in parts]
    excess = sum(part.mean**2 / part.spread**2 - each for part, each in zip(parts, known, strict=True))
    weight = sum(each**2 for each in known) + _TRUST
    added = np.maximum(_LEAST - 1, excess / weight)
    for part in parts:
        errors = errors + (part.share * (added / part.spread**2)) @ part.share.T
    return np.asarray((errors + errors.T) / 2)
