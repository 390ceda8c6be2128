"""The tree on a game small enough to see all of it: a secret card, decisions that nobody hears of, a last roll."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from arena.environments import tree
from arena.environments.tree import Node, TreeGame, determinize, root
from engine.chance import Chance
from engine.rules import Action, Data, Event

SETUP = TreeGame("whispers", 2, {})
CALL: Sequence[Action] = [{"do": "nod"}, {"do": "frown"}]


class Whispers:
    """Seat 0 holds one of three cards and decides once, or twice with card 2; then seat 1 decides, and a die is rolled.

    Only seat 0 hears of its own decisions, and not of all of them.
    """

    def __init__(self, chance: Chance, card: int) -> None:
        self.chance = chance
        self.card = card
        self.made: list[int] = []
        self.roll: int | None = None

    @property
    def to_act(self) -> int | None:
        if self.roll is not None:
            return None
        return 0 if len(self.made) < 1 + (self.card == 2) else 1

    def actions(self) -> Sequence[Action]:
        return [] if self.to_act is None else CALL

    def play(self, index: int) -> list[Event]:
        seat = self.to_act
        if seat is None or not 0 <= index < len(CALL):
            raise IndexError(index)
        self.made.append(index)
        if seat == 1:
            self.roll = self.chance.roll("die") + self.chance.below("blank", 1)
            return [Event(None, {"event": "roll", "roll": self.roll})]
        return [Event(0, {"event": "secret"})] if len(self.made) == 1 else []

    def view(self, seat: int | None) -> Data:
        if seat == 0:
            return {"card": self.card, "asked": self.to_act == 0}
        return {"roll": self.roll}

    def ranks(self) -> list[int]:
        return [1, 2]

    def copy(self) -> Whispers:
        clone = Whispers(self.chance.copy(), self.card)
        clone.made = self.made[:]
        clone.roll = self.roll
        return clone


class Rules:
    """As much of a game as the tree asks for."""

    def start(self, players: int, edition: Data, chance: Chance) -> Any:
        chance.below("blank", 1)
        return Whispers(chance, chance.below("card", 3))

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> Any:
        state = Whispers(chance, view.get("card", chance.below("card", 3)))
        if "card" not in view:
            state.made = [0] * (1 + (state.card == 2))
        return state


@pytest.fixture(autouse=True)
def _rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.environments.tree.catalog.rules", lambda name: Rules())


def walk(*moves: int) -> Node:
    node = root(SETUP)
    for move in moves:
        node = node.child(move)
    return node


def test_a_number_that_can_only_be_one_is_no_chance() -> None:
    assert root(SETUP).asked == ("card", 3)
    rolling = walk(0, 1, 1)
    assert rolling.asked == ("die", 6)
    ends = [rolling.child(outcome) for outcome in range(6)]
    assert all(end.over and end.asked is None for end in ends)
    assert [end.view(None) for end in ends] == [{"roll": roll} for roll in range(1, 7)]
    assert [end.draws for end in ends] == [2] * 6


def test_a_node_stays_as_it_was() -> None:
    node = walk(1)
    before = (node.view(0), node.past(0), node.past(1), node.moves)
    for move in (0, 1, 0):
        node.child(move).child(0)
    assert (node.view(0), node.past(0), node.past(1), node.moves) == before


def test_what_nobody_hears_of_changes_nothing_for_it() -> None:
    """With card 2, seat 0 is asked once more; seat 1 must not notice, whatever was decided."""
    waiting = [walk(card, *choices) for card in (0, 1, 2) for choices in product((0, 1), repeat=1 + (card == 2))]
    assert {node.to_act for node in waiting} == {1}
    assert len({node.past(1) for node in waiting}) == 1
    assert len({node.past(None) for node in waiting}) == 1
    assert walk(0).past(1) == waiting[0].past(1)
    assert waiting[0].events(1) == []
    assert waiting[0].events(0) == [{"event": "secret"}]


def test_recall_is_perfect() -> None:
    """Every card and every decision of its own makes another past for seat 0, although its view is the same."""
    waiting = [walk(card, *choices) for card in (0, 1, 2) for choices in product((0, 1), repeat=1 + (card == 2))]
    assert len({node.past(0) for node in waiting}) == len(waiting) == 8
    assert waiting[0].view(0) == waiting[1].view(0)


def test_at_a_chance_node_only_who_chose_knows_what() -> None:
    at, nod, frown = walk(0, 0), walk(0, 0, 0), walk(0, 0, 1)
    assert nod.asked == frown.asked == ("die", 6)
    assert nod.to_act is None
    assert not nod.over
    assert len({node.past(1) for node in (at, nod, frown)}) == 3
    assert len({node.past(0) for node in (at, nod, frown)}) == 1
    assert nod.view(0) == at.view(0)


def test_what_all_hear_is_in_everybodys_past() -> None:
    ends = [walk(0, 0, 0, outcome) for outcome in range(6)]
    for reader in (0, 1, None):
        assert len({end.past(reader) for end in ends}) == 6
        assert ends[3].events(reader)[-1] == {"event": "roll", "roll": 4}


def test_a_world_drawn_anew_keeps_the_past_of_its_seat_alone() -> None:
    node = walk(2, 0, 1)
    world = determinize(node, 1, bytes(16))
    assert world.past(1) == node.past(1)
    assert world.decisions == node.decisions
    assert world.events(0) == []
    cards = {determinize(node, 1, bytes([seed] * 16)).view(0)["card"] for seed in range(30)}  # type: ignore[index]
    assert cards == {0, 1, 2}
    assert [world.child(0).child(roll).past(1) for roll in range(6)] == [
        node.child(0).child(roll).past(1) for roll in range(6)
    ]
    again = pickle.loads(pickle.dumps(world.child(0).child(2)))
    assert again.moves == (0, 2)
    assert again.past(1) == node.child(0).child(2).past(1)
    assert again.view(0) == world.child(0).child(2).view(0)


def test_only_a_decision_or_an_end_can_be_drawn_anew() -> None:
    for node in (root(SETUP), walk(0, 0, 0)):
        with pytest.raises(ValueError, match="chance node"):
            determinize(node, 1, bytes(16))
    assert determinize(walk(0, 0, 0, 5), 0, bytes(16)).past(0) == walk(0, 0, 0, 5).past(0)


def test_moves_are_followed_in_one_piece_to_the_node_that_their_children_lead_to() -> None:
    for moves in ((), (2,), (2, 0), (2, 0, 1, 1), (2, 0, 1, 1, 4), (0, 1, 1)):
        node, steps = tree.follow(SETUP, None, moves), walk(*moves)
        assert (node.moves, node.draws, node.decisions, node.asked) == (
            moves, steps.draws, steps.decisions, steps.asked
        )  # fmt: skip
        assert [node.past(reader) for reader in (0, 1, None)] == [steps.past(reader) for reader in (0, 1, None)]
    for moves in ((3,), (2, 0, 2), (0, 1, 1, 6), (0, 1, 1, 5, 0)):
        with pytest.raises(IndexError):
            tree.follow(SETUP, None, moves)


def test_moves_that_there_are_not() -> None:
    for node, move in ((root(SETUP), 3), (root(SETUP), -1), (walk(0), 2), (walk(0, 0, 0, 0), 0)):
        with pytest.raises(IndexError):
            node.child(move)
