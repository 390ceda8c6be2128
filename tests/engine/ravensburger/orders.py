"""Games in which a test decides how the decks lie, and a witness who sees every move, asked for or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from engine.chance import Chance, T
from engine.ravensburger import RULES, turn
from engine.ravensburger.cards import CODES
from engine.ravensburger.decision import RavensburgerState
from engine.ravensburger.state import RavensburgerPosition
from engine.rules import Action, Data, Event
from tests.engine.doubles import Lowest

Move = tuple[int, Mapping[str, Any]]
"""Seat and action."""


class Orders(Lowest):
    """Shuffles by a list: for each stream its orders one after the other, the top card last; then as they lie."""

    def __init__(self, orders: Mapping[str, Sequence[Sequence[int]]]) -> None:
        self._orders = {stream: [list(order) for order in given] for stream, given in orders.items()}

    def shuffle(self, stream: str, items: MutableSequence[T]) -> None:
        """Lay the cards in the next order."""
        given: list[Any] = self._orders.get(stream, [])
        if given:
            order = given.pop(0)
            assert sorted(order) == sorted(items)  # type: ignore[type-var]
            items[:] = order

    def copy(self) -> Orders:
        """An independent source."""
        return Orders(self._orders)


def edition(name: str = "standard", **changes: Any) -> Data:
    """A named edition with some parameters, or whole tables, changed."""
    data = RULES.edition(name)
    for key, value in changes.items():
        if key in data["parameters"]:
            data["parameters"][key] = value
        else:
            data[key] = value
    return data


def start(data: Data, players: int, chance: Chance) -> RavensburgerState:
    """A new game, with its own type."""
    state = RULES.start(players, data, chance)
    assert isinstance(state, RavensburgerState)
    return state


def deck(data: Data, *top: str) -> list[int]:
    """The edition's action deck with these cards drawn first, in this order."""
    cards = sorted(code for name, code in CODES.items() for _ in range(count(data, name)))
    first = [CODES[name] for name in top]
    for card in first:
        cards.remove(card)
    return cards + first[::-1]


def count(data: Data, name: str) -> int:
    """How often an action card comes."""
    kind, _, value = name.partition("-")
    number = data["cards"][kind]
    return int(number[int(value) - 1] if value else number)


def do(state: RavensburgerState, seat: int, **action: Any) -> list[Event]:
    """Have `seat` do that."""
    assert state.to_act == seat
    return state.play(list(state.actions()).index(action))  # type: ignore[arg-type]


@contextmanager
def witnessing(moves: list[Move]) -> Iterator[None]:
    """Note every answer to a question, including the only possible one."""

    def recording(choose: Callable[[RavensburgerPosition, Action, list[Event]], None]) -> Callable[..., None]:
        def answer(position: RavensburgerPosition, action: Action, log: list[Event]) -> None:
            moves.append((position.table.decider, action))
            choose(position, action, log)

        return answer

    questions = {name: (found, recording(choose)) for name, (found, choose) in turn._QUESTIONS.items()}
    with patch.dict(turn._QUESTIONS, questions):
        yield
