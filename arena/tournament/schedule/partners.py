"""Who plays with whom where partners are drawn: in the blocks of a tournament, all have all others about as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations
from typing import Final

from arena.ledger import Dealing

_MOST_ORDERS: Final = 120
"""So many orders of a block are tried: all that differ in a game of six, in whose games all bots move on."""


class Partnerships:
    """How often each two bots were partners."""

    def __init__(self, dealing: Dealing) -> None:
        """Begin without a block."""
        self._dealing = dealing
        self._games: Counter[frozenset[str]] = Counter()

    def count_block(self, bots: Sequence[str]) -> None:
        """Count the games of a block."""
        self._games.update(map(frozenset, self._pairs(bots)))

    def arranged(self, bots: Sequence[str]) -> list[str]:
        """Return the bots of a block in the order in which those are partners that were least often."""
        if not any(self._pairs(bots)):
            return list(bots)
        orders = islice(permutations(bots[1:]), _MOST_ORDERS)
        return min(([bots[0], *order] for order in orders), key=self._cost)

    def _cost(self, bots: Sequence[str]) -> int:
        games = Counter(map(frozenset, self._pairs(bots)))
        return sum(more * (2 * self._games[pair] + more) for pair, more in games.items())

    def _pairs(self, bots: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Generate the partners of each game of a block, in which all bots move on by a seat each game."""
        teams = self._dealing.teams_of(len(bots)) if self._dealing.partners == "drawn" else []
        for team in teams:
            for one, other in combinations(team, 2):
                for rotation in range(len(bots)):
                    yield bots[(one + rotation) % len(bots)], bots[(other + rotation) % len(bots)]
