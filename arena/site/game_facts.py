"""What the list of games says of a game besides who played: what it was won with, and why to look at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

import msgspec

from arena.ledger import GameResult

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


class Featured(NamedTuple):
    """The game to watch first, without a word on who won: a reader may want to see that."""

    game: str
    bots: list[str]
    """By seat."""
    why: str


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


def _in_words(chance: int) -> str:
    """Return a chance, in thousandths, in per cent. Nobody wins from a chance of 0 %."""
    return "less than 1 %" if chance < 10 else f"{chance / 10:.0f} %"


def worth_a_look(facts: Mapping[str, GameFacts]) -> dict[str, str]:
    """Return by game why to look at it, for those that came from behind or were close."""
    lowest, margins = _lowest(facts), _margins(facts)
    comeback = min(lowest, key=lowest.__getitem__, default=None)
    closest = min(margins, key=margins.__getitem__, default=None)
    found = {}
    for game in facts:
        why = []
        if game in lowest and lowest[game] <= _BEHIND:
            first = "biggest comeback: " if game == comeback else ""
            why.append(f"{first}won from a chance of {_in_words(lowest[game])}")
        if game in margins and margins[game] <= _CLOSE:
            why.append("closest finish" if game == closest else "close finish")
        if why:
            found[game] = ", ".join(why)
    return found


def featured(results: Sequence[GameResult], facts: Mapping[str, GameFacts]) -> Featured | None:
    """Return the game to watch first: the biggest comeback, else the closest finish, else the latest game.

    `facts` are of the games that can be played back; None: there is no such game.
    """
    bots = {result.id: list(result.bots) for result in results if result.id in facts}
    if not bots:
        return None
    known = {game: facts[game] for game in bots}
    lowest, margins = _lowest(known), _margins(known)
    game = min(lowest, key=lowest.__getitem__, default=None)
    if game is not None and lowest[game] <= _BEHIND:
        words = f"The biggest comeback: won from a chance of {_in_words(lowest[game])}."
        return Featured(game, bots[game], words)
    game = min(margins, key=margins.__getitem__, default=None)
    if game is not None and margins[game] <= _CLOSE:
        return Featured(game, bots[game], "The closest finish: to the last turns nobody could tell who would win.")
    game = next(reversed(bots))
    return Featured(game, bots[game], "The latest game.")


def _lowest(facts: Mapping[str, GameFacts]) -> dict[str, int]:
    return {game: each.lowest for game, each in facts.items() if each.lowest is not None}


def _margins(facts: Mapping[str, GameFacts]) -> dict[str, int]:
    return {game: each.margin for game, each in facts.items() if each.margin is not None}
