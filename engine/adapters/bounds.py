"""What toolkits want to know of a game before it is played: how many actions, how long, what is won."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.game import Action, Data, Game, State

MAX_ACTIONS: Final = 512
"""Actions at one decision. Random and hoarding play met 64 in the games that come with the package."""
MAX_DECISIONS: Final = 10_000
"""Decisions in one game; random play needs a few hundred. Whoever plays on and on is stopped here."""


class TooManyActions(ValueError):
    """A decision has more actions than the adapter was set up for; the text says how many."""


def offered(state: State, limit: int) -> Sequence[Action]:
    """The legal actions. Raises `TooManyActions` rather than to hide some of them."""
    actions = state.actions()
    if len(actions) > limit:
        raise TooManyActions(f"a decision with {len(actions)} actions: set max_actions, now {limit}, higher")
    return actions


def payoffs(ranks: Sequence[int]) -> list[float]:
    """What each seat wins: the share of rivals ranked behind it less the share ranked before it.

    From -1 (alone last) to 1 (alone first); they add up to 0.
    """
    rivals = len(ranks) - 1
    return [(sum(rank < other for other in ranks) - sum(other < rank for other in ranks)) / rivals for rank in ranks]


def resolve(rules: Game, edition: str) -> Data:
    """The edition of that name (empty: the default one) or in that TOML file. Raises `EditionError`."""
    names = rules.editions()
    name = edition or names[0]
    return rules.edition(name if name in names else Path(name))
