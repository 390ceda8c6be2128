"""What the tests of every game need to know of `ravensburger`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.chance import Chance
from engine.ravensburger import RULES
from engine.ravensburger.decision import RavensburgerState
from engine.rules import Action, Data, Event
from tests.engine.ravensburger.checks import check_offers, check_sizes, check_whole, start
from tests.engine.suite import RandomGames, Suite

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

WHOLE = 4
"""One game of so many is played to its end by players in a hurry, the others for some rounds by all sorts."""
MAX_ROUNDS = 200


class RavensburgerGames(RandomGames):
    """R-01, R-03, R-19, R-52, R-53: cards are kept, every list has two actions, games end."""

    home = 0

    def begin(self, number: int, random: Random) -> RavensburgerState:
        whole = number % WHOLE == 0
        self.rounds = MAX_ROUNDS if whole else random.randint(1, 50)
        self.data["parameters"]["max_rounds"] = self.rounds
        state = start(self.data, self.players, "random", self.edition, self.players, number)
        self.hurry = 0.9 if whole else random.random()
        check_whole(state)
        return state

    def choose(self, state: RavensburgerState, random: Random) -> int:  # type: ignore[override]
        """Any action, but with some probability one that brings the pawn nearer to the goal, or allowed into it."""
        actions = state.actions()
        if random.random() < self.hurry:
            seat = state.to_act
            here = -1 if seat is None else state.table.square[seat]
            ways = [
                [
                    i
                    for i, a in enumerate(actions)
                    if a["do"] == "leap" or (a["do"] == "play" and a.get("to", -1) > here)
                ],
                [i for i, a in enumerate(actions) if a["do"] in ("discard", "event")],
            ]
            for found in ways:
                if found:
                    return random.choice(found)
        return random.randrange(len(actions))

    def look(self, state: RavensburgerState, events: list[Event], number: int) -> None:  # type: ignore[override]
        check_sizes(state)
        if number % 64 == 1:
            check_offers(state)
            check_whole(state)

    def over(self, state: RavensburgerState) -> None:  # type: ignore[override]
        check_whole(state)
        assert 1 <= state.table.round <= self.rounds
        assert min(state.ranks()) == 1
        arrived = sum(row["arrived"] for row in state.scores())
        assert arrived == 1 or (arrived == 0 and state.table.round == self.rounds)
        self.home += arrived

    def done(self, games: int) -> None:
        assert self.home >= games / WHOLE / 2


SUITE = Suite(RULES, _choose, _short, PHASES, HAPPENINGS, RavensburgerGames, rule_count=53)
