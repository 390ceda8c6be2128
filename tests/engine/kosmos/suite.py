"""What the tests of every game need to know of `kosmos`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.chance import Chance
from engine.kosmos import RULES
from engine.kosmos.decision import KosmosState
from engine.rules import Action, Data, Event
from tests.engine.kosmos.checks import PHASES, Chits, check_offers, check_sizes, check_whole, snapshot, start
from tests.engine.suite import RandomGames, Suite


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


HAPPENINGS = (
        "begins; on display", "needs 1 day more, as others are home", "is held up by the detective",
        "by a rival's chit", "takes train", "[only seat 0] ", "receives 1 gold", "pays 2 gold", "first-player marker",
        " exchanges ", " travels to ", " rolls a ", " rolls again", " arrives in ", " carries out the ", " leaves the ",
        " slips past the detective", "(limit)", "draws a grey card", " lays off ", " is home as number ",
        "nobody took", "is shuffled anew", "the game is over",
    )  # fmt: skip

MAX_ROUNDS = 100


class KosmosGames(RandomGames):
    """K-01 to K-04, K-25, K-49, K-84: cards, coins and chits are kept, every list has two actions, games end."""

    def begin(self, number: int, random: Random) -> KosmosState:
        state = start(self.data, self.players, "random", self.edition, self.players, number)
        self.chits = Chits(state)
        check_whole(state)
        self.offers = random.random() < 0.1  # looked at in one game of ten, as it takes long
        return state

    def look(self, state: KosmosState, events: list[Event], number: int) -> None:  # type: ignore[override]
        check_sizes(state)
        self.chits.see(state, events)
        if number % 16 == 1:
            check_whole(state)
        if self.offers:
            check_offers(list(state.actions()))

    def over(self, state: KosmosState) -> None:  # type: ignore[override]
        check_whole(state)
        assert state.table.round <= MAX_ROUNDS
        assert min(state.ranks()) == 1
        assert all(set(row) == {"days", "arrived", "cities", "gold"} for row in state.scores())


SUITE = Suite(RULES, _choose, _short, PHASES, HAPPENINGS, KosmosGames, snapshot, rule_count=62)
