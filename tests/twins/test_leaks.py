"""The twins are worth something: with a leak planted they tell the worlds apart, without one they do not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from arena.protocol.messages import Decide, Start
from arena.referee import transcript
from arena.referee.table import Table
from engine.game import Action, Data, Event
from engine.kosmos import turn
from engine.kosmos.cards import NAMES
from engine.kosmos.game import KosmosState
from engine.kosmos.state import Position
from tests.engine.kosmos.checks import random_play, start
from tests.engine.kosmos.test_imagine import check_twin
from tests.twins.worlds import KOSMOS, Plan, twins

Plant = Callable[[pytest.MonkeyPatch], None]


def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No leak."""


def _in_views(monkeypatch: pytest.MonkeyPatch, more: Callable[[KosmosState, int | None], Data]) -> None:
    view = KosmosState.view
    monkeypatch.setattr(KosmosState, "view", lambda self, seat: view(self, seat) | more(self, seat))


def a_rivals_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    _in_views(monkeypatch, lambda self, seat: {"hands": [hand.travel + hand.events for hand in self.hands]})


def a_single_hidden_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether anybody else holds a balloon: one bit."""
    _in_views(
        monkeypatch,
        lambda self, seat: {"hint": any(17 in hand.events for other, hand in enumerate(self.hands) if other != seat)},
    )


def the_order_of_a_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    _in_views(monkeypatch, lambda self, seat: {"next": NAMES[self.decks[0][-1]] if self.decks[0] else None})


def the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Table.start

    def start(self: Table, seat: int) -> Start:
        message = plain(self, seat)
        return msgspec.structs.replace(message, edition={**message.edition, "chance": self.order.seed})

    monkeypatch.setattr(Table, "start", start)


def actions_that_depend_on_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same actions, in an order that tells of the rivals' hands."""
    plain = turn.advance

    def advance(position: Position, log: list[Event]) -> list[Action]:
        found = plain(position, log)
        rivals = [hand for seat, hand in enumerate(position.hands) if seat != position.table.on_turn]
        odd = sum(sum(hand.travel) for hand in rivals) % 2
        return [*found[:1], *reversed(found[1:])] if odd else found

    monkeypatch.setattr(turn, "advance", advance)


def _in_decisions(monkeypatch: pytest.MonkeyPatch, change: Callable[[Table, Decide], Decide]) -> None:
    plain = Table.decide
    monkeypatch.setattr(Table, "decide", lambda self: change(self, plain(self)))


def a_counter_of_rivals_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """How often a rival was asked tells whether it had a choice."""
    _in_decisions(
        monkeypatch,
        lambda table, message: msgspec.structs.replace(message, view={**message.view, "asked": sum(table._turns)}),
    )


def events_for_one_seat_sent_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "visible", lambda event, reader: True)


LEAKS: list[Plant] = [
    a_rivals_hand,
    a_single_hidden_card,
    the_order_of_a_deck,
    the_seed,
    actions_that_depend_on_hidden_cards,
    a_counter_of_rivals_decisions,
    events_for_one_seat_sent_to_all,
]


def told_apart(edition: str, players: int) -> bool:
    """Whether any of some pairs of twins is sent different bytes."""
    for number in range(24):
        plan = Plan(KOSMOS.edition(edition), players, number % players, 5 + 2 * number, f"leak {edition} {number}")
        first, twin = twins(plan, Random(number))
        if first.differs(twin):
            return True
    return False


@pytest.mark.parametrize("edition", ["standard", "ru"])
@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_transcript_twins_find_the_leak(plant: Plant, edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert told_apart(edition, 4)


@pytest.mark.parametrize("edition", ["standard", "ru"])
def test_without_a_leak_they_find_none(edition: str) -> None:
    assert not told_apart(edition, 4)


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (nothing, False),
        (a_rivals_hand, True),
        (a_single_hidden_card, True),
        (the_order_of_a_deck, True),
        (actions_that_depend_on_hidden_cards, True),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_state_twins_find_the_leak(plant: Plant, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The leaks that lie in the engine."""
    plant(monkeypatch)
    data = KOSMOS.edition("standard")
    state = start(data, 3, "leak")
    failed = compared = 0
    for step, _ in enumerate(random_play(state, Random(3))):
        if state.to_act is not None and step % 5 == 0:
            compared += 1
            try:
                check_twin(state, state.to_act, data, "leak", step)
            except AssertionError:
                failed += 1
    assert compared > 20
    assert (failed > 0) == found
