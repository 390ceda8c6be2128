"""What a choice is worth."""

from __future__ import annotations

from random import Random

import pytest

from arena.play import mistakes
from arena.play.mistakes import weigh
from engine import catalog
from engine.chance import Seeded


def a_winning_move(game, edition):
    """A state in which an action ends the game as a win: the view of its seat, the seat, and that action."""
    rules = catalog.rules(game)
    for seed in range(200):
        random = Random(seed)
        state = rules.start(2, rules.edition(edition), Seeded(b"%016d" % seed))
        while (seat := state.to_act) is not None:
            for index in range(len(state.actions())):
                tried = state.copy()
                tried.play(index)
                if tried.to_act is None and tried.ranks()[seat] == 1 and len(state.actions()) > 2:
                    return state.view(seat), seat, index, len(state.actions())
            ways = [action["to"] if type(action.get("to")) is int else 0 for action in state.actions()]
            state.play(ways.index(max(ways)) if max(ways) else random.randrange(len(ways)))
    raise AssertionError("none found")


@pytest.fixture(scope="module")
def position():
    return a_winning_move("ravensburger", "standard")


def test_a_move_that_wins_is_worth_all(position, monkeypatch):
    monkeypatch.setattr(mistakes, "STEP", 6)
    monkeypatch.setattr(mistakes, "WORLDS", 6)
    view, seat, winning, count = position
    edition = catalog.rules("ravensburger").edition("standard")
    others = [index for index in range(count) if index != winning]
    found = weigh("ravensburger", 2, edition, view, seat, (others[0], winning), "a test")
    assert found.could == 1000
    assert 0 <= found.chance < 1000
    back = weigh("ravensburger", 2, edition, view, seat, (winning, others[0]), "a test")
    assert (back.chance, back.could) == (found.could, found.chance), "in the same worlds"
    assert weigh("ravensburger", 2, edition, view, seat, (winning, winning), "a test").error == 0
