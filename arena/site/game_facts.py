"""What the list of games says of a game besides who played: what it was won with, and why to look at it."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Final

import msgspec

_LAST: Final = 4
"""How close a game was is seen in the last part of its turns, one of so many. In the first one nobody is behind yet."""
_BEHIND: Final = 100
"""In thousandths: who wins from a chance of at most this comes from behind."""
_CLOSE: Final = 100
"""In thousandths: the most that the best two chances differ in a close game."""


class GameFacts(msgspec.Struct, frozen=True, array_like=True):
    """What is known of one game; empty or None if the game does not explain itself."""

    won: str = ""
    """What the winner had, and the best of the others."""
    lowest: int | None = None
    """The least chance that the winner had, after the first turns, in thousandths."""
    margin: int | None = None
    """By how much the best two chances differed in the last turns, in thousandths."""


class _Public(msgspec.Struct):
    """The fields of `arena.replays.page_data` that are needed here."""

    ranks: list[int] | None
    outcome: str | None = None
    runner_up: str | None = None
    chances: list[list[int]] = []


def game_facts(public: bytes) -> GameFacts:
    """Return the facts of a game by the public part of its page data."""
    data = msgspec.json.decode(public, type=_Public)
    if not data.ranks or data.outcome is None:
        return GameFacts()
    won = data.outcome if data.runner_up is None else f"{data.outcome}; next: {data.runner_up}"
    turns = [chances for _, *chances in data.chances[:-1]]
    if data.ranks.count(min(data.ranks)) > 1 or len(turns) < _LAST:
        return GameFacts(won)
    winner = data.ranks.index(min(data.ranks))
    quarter = len(turns) // _LAST
    gaps = [best - second for best, second, *_ in (sorted(each, reverse=True) for each in turns[-quarter:])]
    return GameFacts(won, min(each[winner] for each in turns[quarter:]), round(fmean(gaps)))


def worth_a_look(facts: Mapping[str, GameFacts]) -> dict[str, str]:
    """Return by game why to look at it, for those that came from behind or were close."""
    lowest = {game: each.lowest for game, each in facts.items() if each.lowest is not None}
    margins = {game: each.margin for game, each in facts.items() if each.margin is not None}
    comeback = min(lowest, key=lowest.__getitem__, default=None)
    closest = min(margins, key=margins.__getitem__, default=None)
    found = {}
    for game in facts:
        why = []
        if game in lowest and lowest[game] <= _BEHIND:
            first = "biggest comeback: " if game == comeback else ""
            why.append(f"{first}won from a chance of {lowest[game] / 10:.0f} %")
        if game in margins and margins[game] <= _CLOSE:
            why.append("closest finish" if game == closest else "close finish")
        if why:
            found[game] = ", ".join(why)
    return found
