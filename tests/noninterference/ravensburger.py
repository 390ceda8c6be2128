"""Describe `ravensburger` to the tests of non-interference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from engine.catalog import game
from engine.game import Event
from engine.ravensburger import turn
from engine.ravensburger.cards import ACTION, DECKS, EMPTY, PURSE
from engine.ravensburger.game import RavensburgerState
from engine.ravensburger.state import EVENT_OFFSET, RavensburgerPosition
from engine.ravensburger.travel import playable
from tests.noninterference.witness import Watched, Witness

ALWAYS_ASKED = ("setup", "rose", "leap", "event")
"""Questions that do not depend on a hand, and so does what the substitute answers."""


@contextmanager
def witnessing(witness: Witness) -> Iterator[None]:
    take_top, draw, draw_event, show = (
        RavensburgerPosition._take_top,
        RavensburgerPosition.draw,
        RavensburgerPosition.draw_event,
        RavensburgerPosition._show,
    )
    settle = RavensburgerPosition._settle

    def _take_top(self: RavensburgerPosition, deck: int, log: list[Event]) -> int:
        card = take_top(self, deck, log)
        if card != EMPTY:
            witness.took(self, deck, card)
        return card

    def _draw(self: RavensburgerPosition, seat: int, count: int, log: list[Event]) -> None:
        witness.drawer = seat
        draw(self, seat, count, log)
        witness.drawer = None

    def _draw_event(self: RavensburgerPosition, unseen: bool, log: list[Event]) -> int:
        witness.drawer = self.table.on_turn if unseen else None
        card = draw_event(self, unseen, log)
        witness.drawer = None
        return card

    def _show(self: RavensburgerPosition, seat: int, deck: int, card: int) -> None:
        if (card if deck == ACTION else card + EVENT_OFFSET) not in self.table.known[seat]:
            witness.showed(seat, deck, card)
        show(self, seat, deck, card)

    def _settle(self: RavensburgerPosition, deck: int) -> None:
        before = [Counter(known) for known in self.table.known]
        settle(self, deck)
        for seat, known in enumerate(self.table.known):
            for card in (Counter(known) - before[seat]).elements():
                witness.showed(seat, deck, card if deck == ACTION else card - EVENT_OFFSET)

    def told(phase: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def play(position: RavensburgerPosition, action: Mapping[str, Any], log: list[Event]) -> None:
            seat = position.table.decider
            witness.moves.append((seat, action))
            if phase == "further" and action["do"] == "draw":
                witness.lacked(seat, ACTION, playable(position))
            do(position, action, log)

        return play

    questions = {name: (found, told(name, do)) for name, (found, do) in turn._QUESTIONS.items()}
    with (
        patch.multiple(
            RavensburgerPosition, _take_top=_take_top, draw=_draw, draw_event=_draw_event, _show=_show, _settle=_settle
        ),
        patch.dict(turn._QUESTIONS, questions),
    ):
        yield


def hands(state: RavensburgerState) -> list[list[int]]:
    return [
        hand.cards + [card + EVENT_OFFSET for card in (hand.event, hand.drawn) if card != EMPTY] for hand in state.hands
    ]


def choose(state: RavensburgerState, random: Random) -> int:
    """What leads to rare questions is done more often: some hoard cards to exchange them, some play to the last."""
    hoards = (state.table.decider + state.table.first) % 2
    wanted = ("exchange", "draw", "keep", "retreat") if hoards else ("play", "leap", "retreat")
    found = [index for index, action in enumerate(state.actions()) if action["do"] in wanted]
    return random.choice(found) if found and random.random() < 0.7 else random.randrange(len(state.actions()))


RAVENSBURGER = Watched(
    rules=game("ravensburger"),
    decks=DECKS,
    witnessing=witnessing,
    hands=hands,
    choose=choose,
    may_fail=lambda state: state.table.phase in ALWAYS_ASKED,
    turn=turn,
    leak_card=PURSE,
)
