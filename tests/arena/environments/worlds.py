"""Pairs of games for any game of the catalog that differ in one card's way through a shuffle, and what a seat is sent.

Chance is a list of numbers here, in the order in which the engine asks for them. One number changed is another order of
a deck; the moves stay the same by value. What a seat was sent is written down straight from the engine, without any
adapter.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import catalog
from engine.chance import Chance
from engine.rules import Action, Data, State
from tests.marking import mostly_slow

CASES = pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param(name, players, id=f"{name}-{players}")
        for name, rules in catalog.installed().items()
        for players in rules.players
    ],
)
"""The fewest and the most players, because adapters treat all numbers alike; `GAMES` are played by three."""
QUICK_CASES = pytest.mark.parametrize(
    ("name", "players"),
    [
        row
        for name, rules in catalog.installed().items()
        for row in mostly_slow((name, n) for n in range(rules.players[0], rules.players[1] + 1))
    ],
)
"""One of each game quick."""
GAMES = pytest.mark.parametrize("name", list(catalog.installed()))
QUICK_GAMES = pytest.mark.parametrize(
    "name", [name if name == "kosmos" else pytest.param(name, marks=pytest.mark.slow) for name in catalog.installed()]
)
"""One of them quick: each takes a survey of its numbers, which takes seconds."""


class Diverged(Exception):
    """The moves are not possible with this chance."""


class Numbers(Chance):
    """A list of numbers, continued at random; `bounds` says what was asked for."""

    def __init__(self, numbers: list[int], random: Random) -> None:
        self.numbers = numbers[:]
        self.bounds: list[int] = []
        self._random = random

    def below(self, stream: str, bound: int) -> int:
        if bound == 1:
            return 0
        if len(self.bounds) == len(self.numbers):
            self.numbers.append(self._random.randrange(bound))
        number = self.numbers[len(self.bounds)]
        if number >= bound:
            raise Diverged("another number was asked for")
        self.bounds.append(bound)
        return number

    def copy(self) -> Numbers:
        raise TypeError("these games are not copied")


class Played(NamedTuple):
    """A game up to some decision."""

    state: State
    chance: Numbers
    actions: list[Action]
    """What was chosen."""
    indexes: list[int]
    sent: list[list[Any]]
    """By seat."""
    private: list[list[Data]]
    """By seat: the events for it alone."""
    heard: list[list[Data]]
    """By seat: all events that it was sent."""


def play(
    name: str, players: int, decisions: int, random: Random, model: Played | None = None, change: int = 0
) -> Played:
    """A random game of so many decisions; or the `model`'s with another number at `change`. Raises `Diverged`."""
    rules = catalog.rules(name)
    chance = Numbers([] if model is None else model.chance.numbers, random)
    if model is not None:
        chance.numbers[change] = random.randrange(model.chance.bounds[change])
    state = rules.start(players, rules.edition(rules.editions()[0]), chance)
    private: list[list[Data]] = [[] for _ in range(players)]
    heard: list[list[Data]] = [[] for _ in range(players)]
    played = Played(state, chance, [], [], [[state.view(seat)] for seat in range(players)], private, heard)
    while state.to_act is not None and len(played.actions) < decisions:
        seat, offer = state.to_act, list(state.actions())
        wanted = random.choice(offer) if model is None else model.actions[len(played.actions)]
        if wanted not in offer:
            raise Diverged(str(wanted))
        index = offer.index(wanted)
        played.sent[seat].append([state.view(seat), offer, index])
        for to, what in state.play(index):
            for reader in range(players) if to is None else [to]:
                played.sent[reader].append(what)
                played.heard[reader].append(what)
            if to is not None:
                played.private[to].append(what)
        played.actions.append(wanted)
        played.indexes.append(index)
    if model is not None and chance.bounds != model.chance.bounds:
        raise Diverged("other numbers were asked for")
    for seat in range(players):
        played.sent[seat].append(state.view(seat))
        if seat == state.to_act:
            played.sent[seat].append(list(state.actions()))
    return played


def pairs(name: str, players: int, random: Random, tries: int) -> Iterator[tuple[Played, Played]]:
    """Games and the same moves with one number of the start changed."""
    for number in range(tries):
        if number % 20 == 0:
            model = play(name, players, random.randrange(80), random)
            start = play(name, players, 0, random)
        try:
            yield (
                model,
                play(name, players, len(model.actions), random, model, random.randrange(len(start.chance.bounds))),
            )
        except Diverged:
            continue


class Tally:
    """Counts pairs that are equal to one seat and not to the others."""

    def __init__(self) -> None:
        self._hidden = self._private = 0
        self._possible = False

    def add(self, first: Played, second: Played, seat: int) -> None:
        """Both are equal in what `seat` was sent."""
        self._hidden += first.sent != second.sent
        self._private += first.private != second.private
        self._possible = self._possible or any(first.private)

    def wants(self, first: Played, second: Played) -> bool:
        """Whether this pair is of a kind that is still missing."""
        indistinguishable = any(one == two for one, two in zip(first.sent, second.sent, strict=True))
        return indistinguishable and first.sent != second.sent and (self._hidden < 5 or first.private != second.private)

    @property
    def enough(self) -> bool:
        """Some differ in a rival's view, and in the events for a rival alone where the game has any."""
        return self._hidden >= 5 and (self._private >= 3 or not self._possible)
