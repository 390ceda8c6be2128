"""The substitute: what is played for a seat whose bot does not act (R-55).

It plays one decision after a strike, and every decision of a seat that was retired, until the game ends.
`arena.game.game.Game` asks for it; when at most one seat is left that can act, the game ends as a walkover.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.ravensburger.cards import EMPTY, MODES
from engine.ravensburger.state import RavensburgerPosition
from engine.rules import Action

PREFERENCES: Final = ("exchange", "draw", "discard", "retreat", "stay", "carry_out", "end")
"""What is done when no card is played: the first of these that is offered. Everything else is declined."""


def substitute_action(position: RavensburgerPosition, found: Sequence[Action]) -> int:
    """Return the index of the substitute's action among the actions in `found`.

    It plays the card or purse that moves forward the least, but not into the goal. If there is none it follows
    `PREFERENCES`. It leaves the rose where it lies, and at the start takes the first mode.
    """
    table = position.table
    kinds = [action["do"] for action in found]
    if kinds[0] == "rose":
        return 0 if table.rose == EMPTY else [action["to"] for action in found].index(MODES[table.rose])
    square = table.square[table.decider]
    steps = {
        index: action["to"] - square
        for index, action in enumerate(found)
        if action["do"] == "play" and square < action.get("to", -1) < position.edition.goal
    }
    if steps:
        return min(steps, key=steps.__getitem__)
    return next(kinds.index(kind) for kind in PREFERENCES if kind in kinds)
