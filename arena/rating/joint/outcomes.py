"""The outcomes of games as arrays: who finished before whom, and how often that very outcome occurred.

Games of the same bots that ended in the same order say the same, so they are computed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.base import RatingInput

Ints = NDArray[np.int64]


class _Outcome(NamedTuple):
    bots: tuple[int, ...]
    """Best first; those that tie by number."""
    ties: tuple[bool, ...]
    """Whether each ties with the next."""


class Outcomes:
    """Different outcomes of games of one number of players, counted. More games can be added at any time."""

    def __init__(self, players: int) -> None:
        """Begin without a game."""
        self.players = players
        self._rows: dict[_Outcome, int] = {}
        self._known = np.zeros((0, players), dtype=np.int64), np.zeros((0, players - 1), dtype=np.bool_)
        """Those of the outcomes that were asked for before, as arrays."""
        self._counts: list[int] = []
        self._of_game: list[int] = []
        self._blocks: dict[tuple[tuple[int, int], tuple[int, ...]], int] = {}
        """By block and its bots, which are always the same unless somebody altered the ledger."""
        self._block_of_game: list[int] = []

    def add(self, game: RatingInput, numbers: Mapping[str, int]) -> None:
        """Add a game. `numbers`: of the bots, by name."""
        finished = sorted((rank, numbers[bot]) for rank, bot in zip(game.ranks, game.bots, strict=True))
        ties = tuple(one == other for (one, _), (other, _) in pairwise(finished))
        outcome = _Outcome(tuple(bot for _, bot in finished), ties)
        row = self._rows.setdefault(outcome, len(self._rows))
        if row == len(self._counts):
            self._counts.append(0)
        self._counts[row] += 1
        self._of_game.append(row)
        block = (game.block, tuple(sorted(outcome.bots)))
        self._block_of_game.append(self._blocks.setdefault(block, len(self._blocks)))

    def __len__(self) -> int:
        """Return how many different outcomes there are."""
        return len(self._rows)

    @property
    def bots(self) -> Ints:
        """By outcome and place: the number of the bot."""
        return self._arrays()[0]

    @property
    def ties(self) -> NDArray[np.bool_]:
        """By outcome and place but the last: whether that bot ties with the next."""
        return self._arrays()[1]

    def _arrays(self) -> tuple[Ints, NDArray[np.bool_]]:
        """Return the bots and the ties of all outcomes. Only those that are new are turned into arrays."""
        bots, ties = self._known
        new = list(islice(self._rows, len(bots), None))
        if new:
            more = np.array([outcome.bots for outcome in new], dtype=np.int64)
            bots = np.concatenate([bots, more.reshape(-1, self.players)])
            tied = np.array([outcome.ties for outcome in new], dtype=np.bool_)
            ties = np.concatenate([ties, tied.reshape(-1, self.players - 1)])
            self._known = bots, ties
        return bots, ties

    @property
    def counts(self) -> NDArray[np.float64]:
        """By outcome: how many games ended so."""
        return np.array(self._counts, dtype=np.float64)

    @property
    def of_game(self) -> Ints:
        """By game: its outcome."""
        return np.array(self._of_game, dtype=np.int64)

    @property
    def block_of_game(self) -> Ints:
        """By game: its block."""
        return np.array(self._block_of_game, dtype=np.int64)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return len(self._blocks)

    @property
    def groups(self) -> Ints:
        """By block: the numbers of its bots."""
        return np.array([bots for _, bots in self._blocks], dtype=np.int64).reshape(-1, self.players)
