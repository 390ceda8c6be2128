"""Determinized worlds of any game, and what has to be equal in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from engine.chance import Seeded, derive
from engine.rules import Data, Rules, State


def determinized(rules: Rules, view: Data, edition: Data, *label: str | int) -> State:
    """A world whose chance follows from the label."""
    players = len(view["city"] if "city" in view else view["square"])
    return rules.determinize(view, players, edition, Seeded(derive(b"imagined in test", *label)))


def check_indistinguishable(rules: Rules, state: State, seat: int | None, edition: Data, *label: str | int) -> State:
    """Determinize a state for `seat`, and compare as bytes all that has to be equal."""
    view = state.view(seat)
    sent = msgspec.msgpack.encode(view)
    world = determinized(rules, view, edition, *label)
    assert msgspec.msgpack.encode(view) == sent, "determinize changed the view"
    assert msgspec.msgpack.encode(world.view(seat)) == sent
    if seat == state.to_act:
        assert world.to_act == seat
        assert msgspec.msgpack.encode(world.actions()) == msgspec.msgpack.encode(state.actions())
    return world


def orders(state: Any) -> list[list[int]]:
    """The order of each deck."""
    return [deck.order for deck in state.decks]


def differences(
    state: Any, world: Any, seat: int | None, hands_but: Callable[[Any, int | None], list[list[int]]]
) -> Iterator[tuple[str, str]]:
    """Yield who reads and what differs (`hands` or `decks`) between a state and a world that `seat` determinized.

    `hands_but` gives what a seat does not see of the hands.
    """
    if hands_but(world, seat) != hands_but(state, seat):
        yield reader(state, seat), "hands"
    if orders(world) != orders(state):
        yield reader(state, seat), "decks"


def reader(state: Any, seat: int | None) -> str:
    """Who reads a view of `seat`: the one who is to act, another one, or nobody of the game."""
    return "nobody" if seat is None else "acting" if seat == state.to_act else "other"
