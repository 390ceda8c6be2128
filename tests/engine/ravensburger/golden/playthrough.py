"""The golden games of `ravensburger`: the files beside this one, one an edition and player count.

After a change that is meant to change them,

    python -m tests.engine.ravensburger.golden.playthrough

in the project's folder writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.chance import Chance
from engine.game import Action, Data
from engine.ravensburger import GAME
from tests.engine.playthroughs import Playthroughs

ONWARD = ("play", "leap", "event", "discard", "end")


def _choose(actions: Sequence[Action], player: Chance) -> int:
    """Any action, but one of those that get somewhere more often than not; seldom a card backwards."""
    furthest = {action["card"]: _to(action) for action in sorted(actions, key=_to) if action["do"] == "play"}
    onward = [
        index
        for index, action in enumerate(actions)
        if action["do"] in ONWARD and _to(action) == furthest.get(action.get("card"), -1)
    ]
    if onward and player.below("onward", 8):
        return onward[player.below("way", len(onward))]
    return player.below("action", len(actions))


def _to(action: Action) -> int:
    to = action.get("to", -1)
    return to if isinstance(to, int) else -1


def _short(view: Data) -> str:
    own = view["seat"]
    return (
        f"on square {view['square'][own]} of {view['square']}, rose on the {view['rose']}, "
        f"hand {' '.join(view['hand']) or '-'}; event {view['event'] or view['drawn'] or '-'}"
    )


GOLDEN = Playthroughs(GAME, Path(__file__).parent, _choose, _short)

if __name__ == "__main__":
    GOLDEN.regenerate()
