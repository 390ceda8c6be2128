"""The golden games of `kosmos`: the files beside this one, one an edition and player count.

After a change that is meant to change them,

    python -m tests.engine.kosmos.golden.playthrough

in the project's folder writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.chance import Chance
from engine.game import Action, Data
from engine.kosmos import GAME
from tests.engine.playthroughs import Playthroughs


def _choose(actions: Sequence[Action], player: Chance) -> int:
    """Any action, but a leg more often than not, so that the game gets somewhere."""
    legs = [index for index, action in enumerate(actions) if action["do"] == "travel"]
    if legs and player.below("travels", 6):
        return legs[player.below("leg", len(legs))]
    return player.below("action", len(actions))


def _short(view: Data) -> str:
    own = view["seat"]
    return (
        f"in {view['city'][own]} on day {view['days'][own]}, gold {view['gold'][own]}, "
        f"hand {' '.join(view['hand']) or '-'}; display {' '.join(card or '-' for card in view['display'])}"
    )


GOLDEN = Playthroughs(GAME, Path(__file__).parent, _choose, _short)

if __name__ == "__main__":
    GOLDEN.regenerate()
