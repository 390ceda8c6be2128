"""The errors of fitted skills that come from the spreads of deviations, of which the posterior knows nothing.

A fit takes deviations of all bots between numbers of players to have one spread. So a bot that is much better at one
number of players than at the others is drawn towards the others too strongly. What the deviations of a bot show of
their own spread widens the errors of all that is estimated with them, as far as they were drawn.

And the fit takes the spreads as known, although games leave them open. By how much skills would change with a spread,
and how uncertain that is, widens the errors too (Kass and Steffey 1989, "Approximate Bayesian inference in
conditionally independent hierarchical models").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.gaussian_tails import Floats

_TRUST: Final = 0.25
"""That a bot's deviations spread as those of others weighs as much as this part of one that is known exactly."""


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


def widened_by_deviations(errors: Floats, parts: Sequence[FittedDeviations], unknown: Floats) -> Floats:
    """Return the covariance of errors as it is if spreads are not known, nor the same for each bot.

    Args:
        errors: The covariance if they have one spread for all, by bot and bot.
        parts: By number of players.
        unknown: The covariance of the errors of the logarithms of the spreads, by number and number of players.
    """
    # A deviation of which the part k is known is fitted as k of itself. So its square is k times that of the spread for
    # all on average, and more by k^2 times what the square of the bot's own spread exceeds that by.
    known = [1 - np.clip(part.variance / part.spread**2, 0.0, 1.0) for part in parts]
    excess = sum(part.mean**2 / part.spread**2 - each for part, each in zip(parts, known, strict=True))
    weight = sum(each**2 for each in known) + _TRUST
    added = np.maximum(0.0, excess / weight)
    for part in parts:
        errors = errors + (part.share * (added / part.spread**2)) @ part.share.T
    # By how much the estimate changes with the logarithm of each spread, while outcomes say what they say.
    slopes = np.stack([2 / part.spread**2 * (part.share @ part.mean) for part in parts], axis=1)
    errors = errors + slopes @ unknown @ slopes.T
    return np.asarray((errors + errors.T) / 2)
