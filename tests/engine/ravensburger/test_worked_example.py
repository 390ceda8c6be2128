"""The turn that the rule sheet plays through, card by card."""

from __future__ import annotations

import pytest

from tests.engine.ravensburger.orders import Orders, deck, do, edition, start

HAND = ("train-4", "steamer-3", "elephant-1", "rose", "purse")
RIVAL = ("coach-1", "coach-1", "coach-2", "coach-2", "coach-2")
AFTER = ("elephant-5", "coach-3", "coach-3", "coach-3", "handcuffs")


@pytest.mark.parametrize("name", ["standard", "expert"])
def test_fifteen_squares_in_one_turn(name: str) -> None:
    """R-60, and on the way R-10, R-12, R-20, R-22, R-30, R-33, R-40, R-42."""
    data = edition(name)
    state = start(data, 2, Orders({"action deck": [deck(data, *HAND, *RIVAL, *AFTER)]}))
    table = state.table
    do(state, 0, do="rose", to="train")
    assert state.view(0)["hand"] == ["train-4", "steamer-3", "elephant-1", "rose", "purse"]
    assert (table.square, table.on_turn) == ([0, 0], 0)

    do(state, 0, do="play", card="rose")
    do(state, 0, do="rose", to="steamer")
    do(state, 0, do="play", card="steamer-3", to=3)
    assert table.phase == "rose"
    do(state, 0, do="rose", to="train")
    do(state, 0, do="play", card="purse", to=5)
    assert state.view(0)["turn"]["stage"]
    do(state, 0, do="play", card="train-4", to=9)
    do(state, 0, do="rose", to="elephant")
    do(state, 0, do="play", card="elephant-1", to=10)
    assert state.view(0)["hand"] == []
    events = [what for to, what in do(state, 0, do="leap") if to is None]

    assert events[:2] == [
        {"event": "leap", "seat": 0, "taken": True},
        {"event": "move", "seat": 0, "from": 10, "to": 15, "by": "leap"},
    ]
    assert [what["event"] for what in events[2:]] == ["draw"] * 5
    view = state.view(0)
    assert sorted(view["hand"]) == sorted(AFTER)
    assert (view["phase"], view["on_turn"], view["turn"]["further"], view["turn"]["stage"], view["square"]) == (
        "further", 0, 1, True, [15, 0],
    )  # fmt: skip
    # A further card may be played: the rose lies on the elephant.
    assert {"do": "play", "card": "elephant-5", "to": 20} in state.actions()
    assert {"do": "end"} in state.actions()
    assert not any(action["do"] == "draw" for action in state.actions())
    assert view["piles"]["action"] == ["rose", "steamer-3", "purse", "train-4", "elephant-1"]
