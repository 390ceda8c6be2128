"""What is assumed of skills before any game, given who meets whom.

In TrueSkill every skill is normal around the same mean, independent of all others. If bots meet those of about their
own skill, as in Swiss rounds, far apart ones are compared over many others in between. Games then say little of such a
difference, while the prior calls it unlikely: ratings come out nearer to each other than the bots are, by far more than
their errors. So what is assumed of a bot is assumed of its distance from those that it meets, and what follows for two
that never meet is as vague as there are steps between them (an intrinsic autoregression; Besag and Kooperberg 1995).
Where all meet equally often this is TrueSkill's prior exactly.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena.rating.joint.gaussian_tails import Floats

DEVIATION: Final = 25 / 3
"""Of skills before any game, in the unit of `LUCK`."""
_ANYBODY: Final = 1.0
"""Each bot is taken to have played so many games more, against any of the others. That ties groups that never meet."""


def prior_precision(meetings: Floats) -> Floats:
    """Return the precision of skills before any game, by bot and bot.

    Args:
        meetings: By bot and bot: in how many games they met, where a game with several opponents counts as one in all.
            Bots that met nobody are independent of all others.
    """
    found = np.eye(len(meetings))
    games = meetings.sum(axis=1)
    those = np.flatnonzero(games)
    bots = len(those)
    if bots > 1:
        others = (1 - np.eye(bots)) / (bots - 1)
        met = (meetings[np.ix_(those, those)] + _ANYBODY * others) / (games[those] + _ANYBODY)[:, None]
        # The mean of k opponents and the bot itself is that of k + 1 bots, from which it differs by less.
        met /= 1 + np.sum(met**2, axis=1, keepdims=True)
        ties = (met + met.T) / 2
        found[np.ix_(those, those)] = np.diag(ties.sum(axis=1)) - ties + 1 / bots
    return np.asarray(found / DEVIATION**2)
