"""What the tests of `tests/engine` need to know of a game, so that they run for every game of the catalog.

A game needs nothing of it to be tested: what stands here is taken then. A module `suite` among its own tests may hold a
`SUITE` that knows the game better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from engine import catalog
from engine.chance import Chance
from engine.game import Action, Data, Game

MOST_PLAYERS: Final = 6
"""Larger games are not played in every test."""


def any_action(actions: Sequence[Action], player: Chance) -> int:
    """The index of an action, each as likely as the others."""
    return player.below("action", len(actions))


def nothing(view: Data) -> str:
    """No more of a view than its digest."""
    return f"seat {view.get('seat')}"


@dataclass(frozen=True)
class Suite:
    """A game as its tests play it."""

    rules: Game
    choose: Callable[[Sequence[Action], Chance], int] = any_action
    """The index of the action that is played in a golden game."""
    short: Callable[[Data], str] = nothing
    """Of a view what changes most, in one line."""
    phases: tuple[str, ...] = ()
    """The phases that a view names, but for those of no named edition."""
    happenings: tuple[str, ...] = ()
    """What has to stand somewhere in the golden games: one that never gets anywhere would guard nothing."""

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
    return [suite_of(rules) for name, rules in catalog.games().items() if catalog.version(name) is None]


def suite_of(rules: Game) -> Suite:
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
