"""Describe `kosmos` to the tests of non-interference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from engine import catalog
from engine.kosmos import turn
from engine.kosmos.cards import BALLOON, DECKS, FACE_DOWN, GREY_DAYS, LONDON
from engine.kosmos.decision import KosmosState
from engine.kosmos.state import KosmosPosition
from engine.rules import Event
from tests.noninterference.witness import Watched, Witness, watching_decks


@contextmanager
def witnessing(witness: Witness) -> Iterator[None]:
    def told(do: Callable[..., Any]) -> Callable[..., Any]:
        def play(position: KosmosPosition, action: Mapping[str, Any], log: list[Event]) -> None:
            witness.moves.append((position.table.on_turn, action))
            do(position, action, log)

        return play

    with (
        watching_decks(witness),
        patch.dict(turn._PLAYS, {name: told(do) for name, do in turn._PLAYS.items()}),
    ):
        yield


def choose(state: KosmosState, random: Random) -> int:
    actions = state.actions()
    legs = [index for index, action in enumerate(actions) if action["do"] == "travel"]
    return random.choice(legs) if legs and random.random() < 0.4 else random.randrange(len(actions))


def may_fail(state: KosmosState) -> bool:
    """Which card to take: with more than one on the table everybody is asked."""
    return state.table.phase == "take" and sum(action["do"] == "take" for action in state.actions()) > 1


def face_down(state: KosmosState) -> dict[str, list[int]]:
    """Chits beside cities that nobody has reached; the first city's was laid first."""
    return {
        stream: [city - 1 for city, chit in enumerate(beside) if chit == FACE_DOWN]
        for stream, beside in (("red chits", state.table.red), ("blue chits", state.table.blue))
    }


def milestones(state: KosmosState) -> dict[str, bool]:
    table = state.table
    travel, event = (deck.record.shuffle for deck in state.decks)
    return {
        "somebody is home": bool(table.arrived),
        "somebody was home before this round": table.home_before > 0,
        "the travel deck was shuffled again": travel > 0,
        "the event deck was shuffled again": event > 0,
        "somebody has retired": bool(table.retired),
        "the marker was taken": table.marker_taken,
        "a leg was made in this turn": table.legs > 0,
        "the next city is the last": max(table.city) >= LONDON - 1,
    }


KOSMOS = Watched(
    rules=catalog.rules("kosmos"),
    state=KosmosState,
    decks=DECKS,
    witnessing=witnessing,
    hands=lambda state: [hand.travel + hand.events for hand in state.hands],
    choose=choose,
    may_fail=may_fail,
    turn=turn,
    leak_card=BALLOON,
    milestones=milestones,
    face_down=face_down,
    never_held=frozenset(GREY_DAYS),
)
