"""Imagined worlds of any game, and what has to be equal in them."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.chance import Seeded, derive
from engine.game import Data, Game, State


def imagined(rules: Game, view: Data, edition: Data, *label: str | int) -> State:
    """A world whose chance follows from the label."""
    return rules.determinize(view, edition, Seeded(derive(b"imagined in test", *label)))


def check_indistinguishable(rules: Game, state: State, seat: int | None, edition: Data, *label: str | int) -> State:
    """Determinize a state for `seat`, and compare as bytes all that has to be equal."""
    view = state.view(seat)
    sent = msgspec.msgpack.encode(view)
    world = imagined(rules, view, edition, *label)
    assert msgspec.msgpack.encode(view) == sent, "imagining changed the view"
    assert msgspec.msgpack.encode(world.view(seat)) == sent
    if seat == state.to_act:
        assert world.to_act == seat
        assert msgspec.msgpack.encode(world.actions()) == msgspec.msgpack.encode(state.actions())
    return world


def orders(state: Any) -> list[list[int]]:
    """The order of each deck."""
    return [deck.order for deck in state.decks]
