"""What the tests of `tests/engine` need to know of a game, so that they run for every game of the catalog.

A game needs nothing of it to be tested: what stands here is taken then. A module `suite` among its own tests may hold a
`SUITE` that knows the game better.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final

from engine import catalog
from engine.chance import Chance, Seeded, derive
from engine.rules import Action, Data, Event, Rules, State

MOST_PLAYERS: Final = 6
"""Larger games are not played in every test."""


def any_action(actions: Sequence[Action], player: Chance) -> int:
    """The index of an action, each as likely as the others."""
    return player.below("action", len(actions))


def nothing(view: Data) -> str:
    """No more of a view than its digest."""
    return f"seat {view.get('seat')}"


class RandomGames:
    """Random games of an edition and a number of players, and what has to hold in them."""

    def __init__(self, rules: Rules, edition: str, players: int) -> None:
        self.rules = rules
        self.edition = edition
        self.players = players
        self.data = rules.edition(edition)

    def begin(self, number: int, random: Random) -> State:
        """The next game; nobody has acted yet."""
        seed = derive(self.rules.name.encode(), "random", self.edition, self.players, number)
        return self.rules.start(self.players, self.data, Seeded(seed))

    def choose(self, state: State, random: Random) -> int:
        """The index of the action that is played."""
        return random.randrange(len(state.actions()))

    def look(self, state: State, events: list[Event], number: int) -> None:
        """Assert what holds after each decision, this many being made: every list has two different actions."""
        texts = {json.dumps(action) for action in state.actions()}
        assert len(texts) == len(state.actions())
        assert (len(texts) == 0) if state.to_act is None else (len(texts) >= 2)

    def over(self, state: State) -> None:
        """Assert what holds when a game is over."""
        assert min(state.ranks()) == 1
        assert len({frozenset(row) for row in state.scores()}) == 1

    def done(self, games: int) -> None:
        """Assert what holds of so many games together."""


def snapshot(state: State) -> Any:
    """All that can be asked of a state."""
    readers = [*range(len(state.ranks())), None]
    return json.dumps([list(state.actions()), [state.view(seat) for seat in readers], state.ranks(), state.scores()])


@dataclass(frozen=True)
class Suite:
    """A game as its tests play it."""

    rules: Rules
    choose: Callable[[Sequence[Action], Chance], int] = any_action
    """The index of the action that is played in a golden game."""
    short: Callable[[Data], str] = nothing
    """Of a view what changes most, in one line."""
    phases: tuple[str, ...] = ()
    """The phases that a view names, but for those of no named edition."""
    happenings: tuple[str, ...] = ()
    """What has to stand somewhere in the golden games: one that never gets anywhere would guard nothing."""

    random_games: type[RandomGames] = RandomGames
    snapshot: Callable[[Any], Any] = snapshot
    """Everything that a state holds, to be compared."""
    rule_count: int = 0
    """Rules on the game's page, so that none is lost."""

    @property
    def name(self) -> str:
        """The game's."""
        return self.rules.name

    @property
    def counts(self) -> range:
        """The numbers of players."""
        low, high = self.rules.players
        return range(low, min(high, MOST_PLAYERS) + 1)

    def cases(self) -> list[tuple[str, int]]:
        """The named editions, each with every number of players."""
        return [(edition, players) for edition in self.rules.editions() for players in self.counts]


def suites() -> list[Suite]:
    """Those of all games that come with the arena; a plug-in is tested at home."""
    return [suite_of(rules) for name, rules in catalog.installed().items() if catalog.version(name) is None]


def suite_of(rules: Rules) -> Suite:
    """What is known of a game."""
    module = f"tests.engine.{rules.name}.suite"
    try:
        known = find_spec(module)
    except ModuleNotFoundError:  # there is not even a folder of that name
        known = None
    if known is None:
        return Suite(rules)
    suite = import_module(module).SUITE
    assert isinstance(suite, Suite)
    return suite
