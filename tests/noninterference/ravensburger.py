"""Describe `ravensburger` to the tests of non-interference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from engine import catalog
from engine.ravensburger import turn
from engine.ravensburger.cards import ACTION, DECKS, EMPTY, NAMES, PURSE
from engine.ravensburger.decision import RavensburgerState
from engine.ravensburger.state import RavensburgerPosition
from engine.ravensburger.travel import playable
from engine.rules import Event
from tests.noninterference.witness import Watched, Witness, watching_decks

ALWAYS_ASKED = ("setup", "rose", "leap", "event")
"""Questions that do not depend on a hand, and so does what the substitute answers."""


@contextmanager
def witnessing(witness: Witness) -> Iterator[None]:
    def told(phase: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def play(position: RavensburgerPosition, action: Mapping[str, Any], log: list[Event]) -> None:
            seat = position.table.decider
            witness.moves.append((seat, action))
            if phase == "further" and action["do"] == "draw":
                witness.lacked(seat, DECKS[ACTION], playable(position))
            do(position, action, log)

        return play

    questions = {name: (found, told(name, do)) for name, (found, do) in turn._QUESTIONS.items()}
    with (
        watching_decks(witness),
        patch.dict(turn._QUESTIONS, questions),
    ):
        yield


def hands(state: RavensburgerState) -> list[list[int]]:
    return [
        hand.cards + [card + len(NAMES) for card in (hand.event, hand.drawn) if card != EMPTY] for hand in state.hands
    ]


def choose(state: RavensburgerState, random: Random) -> int:
    """What leads to rare questions is done more often: some hoard cards to exchange them, some play to the last."""
    hoards = (state.table.decider + state.table.first) % 2
    wanted = ("exchange", "draw", "keep", "retreat") if hoards else ("play", "leap", "retreat")
    found = [index for index, action in enumerate(state.actions()) if action["do"] in wanted]
    return random.choice(found) if found and random.random() < 0.7 else random.randrange(len(state.actions()))


def milestones(state: RavensburgerState) -> dict[str, bool]:
    table = state.table
    shuffles = [deck.record.shuffle for deck in state.decks]
    return {
        "a deck was shuffled again": max(shuffles) > 0,
        "a deck was shuffled three times more": max(shuffles) > 2,
        "somebody has retired": bool(table.retired),
        "somebody keeps an event card": any(table.kept),
        "the turn began beyond the handcuffs": table.beyond,
        "several event cards were drawn": table.orders > 1,
        "a further card": table.further > 0,
        "the last rounds": table.round >= state.edition.max_rounds - 2,
    }


RAVENSBURGER = Watched(
    rules=catalog.rules("ravensburger"),
    state=RavensburgerState,
    decks=DECKS,
    witnessing=witnessing,
    hands=hands,
    choose=choose,
    may_fail=lambda state: state.table.phase in ALWAYS_ASKED,
    turn=turn,
    leak_card=PURSE,
    milestones=milestones,
)
