"""The substitute: what is played for a seat whose bot does not act (K-85).

It plays one decision after a strike, and every decision of a seat that was retired, until the game ends.
`arena.game.game.Game` asks for it; when at most one seat is left that can act, the game ends as a walkover.

In every phase it takes the first action, which `engine.kosmos.turn` lists for it:

    take    the leftmost card that may be taken
    action  pass
    travel  stay
    reroll  keep the roll
    chit    decline
    escape  suffer the days
    limit   discard the first card in card order
"""

from __future__ import annotations

from typing import Final

SUBSTITUTE_ACTION: Final = 0
"""The index of its action in the list of any phase."""
