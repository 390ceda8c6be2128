"""What the tests of every game need to know of `kosmos`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import Chance
from engine.game import Action, Data
from engine.kosmos import GAME
from tests.engine.suite import Suite


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


PHASES = ("take", "action", "travel", "reroll", "chit", "escape", "limit")
HAPPENINGS = (
        "begins; on display", "loses 1 day as others are home", "to the detective", "to a rival's chit", "takes train",
        "[only seat 0] ", "receives 1 gold", "pays 2 gold", "first-player marker", " exchanges ", " travels to ",
        " rolls a ", " rolls again", " arrives in ", " carries out the ", " leaves the ", " slips past the detective",
        "(limit)", "draws a grey card", " lays off ", " is home as number ", "nobody took", "is shuffled anew",
        "the game is over",
    )  # fmt: skip

SUITE = Suite(GAME, _choose, _short, PHASES, HAPPENINGS)
