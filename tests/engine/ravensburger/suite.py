"""What the tests of every game need to know of `ravensburger`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import Chance
from engine.game import Action, Data
from engine.ravensburger import GAME
from tests.engine.suite import Suite

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


PHASES = ("setup", "turn", "further", "rose", "exchange", "event", "lay_off", "leap", "defend")
HAPPENINGS = (
        "is on turn", "has the rose on the", " plays train ", " plays purse to square ", " plays handcuffs on seat ",
        " plays rose", " moves from square ", " by the great leap", " for the handcuffs", " from the handcuffs square",
        " by order", " will draw 1 card", " draws a card from the event deck", "[only seat 0] ", " exchanges 2 ",
        " to exchange it", " instead of a draw", " takes the great leap", " declines the great leap",
        " plays a purse and is not sent back", " keeps the event card", " carries out an order: ",
        " carries out the kept order: ", "is shuffled anew", " is in London", "the game is over",
    )  # fmt: skip

SUITE = Suite(GAME, _choose, _short, PHASES, HAPPENINGS)
