"""How tests play games of any sort."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from engine.rules import Event, State

DEPTH: Final = int(os.environ.get("ARENA_TEST_DEPTH", "1"))
"""As many times the random games and positions as usual: `ARENA_TEST_DEPTH=5 pytest tests/engine`, say for a night."""


def spread_pairs(rows: Sequence[Any], columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Every other pair, like the dark squares of a board, so that each value has its turn; at greater `DEPTH` all.

    Tuples are taken apart.
    """
    return [
        (*(row if isinstance(row, tuple) else (row,)), column)
        for across, row in enumerate(rows)
        for down, column in enumerate(columns)
        if DEPTH > 1 or (across + down) % 2 == 0
    ]


def random_play(state: State, random: Random, limit: int = 10_000) -> Iterator[tuple[int, list[Event]]]:
    """Play to the end, giving each index and its events after it was played."""
    for _ in range(limit):
        if state.to_act is None:
            return
        index = random.randrange(len(state.actions()))
        yield index, state.play(index)
    raise AssertionError(f"not over after {limit} decisions")
