"""What toolkits must know about a game before it is played: the number of actions, its length, and its payoffs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.rules import Action, Data, Rules, State

MAX_ACTIONS: Final = 512
"""Actions at one decision. Play at random and play that hoards cards met 64 in the games of the package."""
MAX_DECISIONS: Final = 10_000
"""Decisions in one game. Random play needs a few hundred; games that go on for longer than this are stopped."""


class TooManyActions(ValueError):
    """A decision has more actions than the adapter was set up for; the message says how many."""


def offered(state: State, limit: int) -> Sequence[Action]:
    """Return the legal actions. Raises `TooManyActions` instead of leaving some of them out."""
    actions = state.actions()
    if len(actions) > limit:
        raise TooManyActions(f"a decision with {len(actions)} actions: set max_actions, now {limit}, higher")
    return actions


def payoffs(ranks: Sequence[int]) -> list[float]:
    """Return what each seat wins: the share of rivals ranked behind it minus the share ranked before it.

    The numbers range from -1 (alone last) to 1 (alone first) and add up to 0.
    """
    rivals = len(ranks) - 1
    return [(sum(rank < other for other in ranks) - sum(other < rank for other in ranks)) / rivals for rank in ranks]


def resolve(rules: Rules, edition: str) -> Data:
    """Return the edition of that name (empty: the default one) or in that TOML file. Raises `EditionError`."""
    names = rules.editions()
    name = edition or names[0]
    return rules.edition(name if name in names else Path(name))
