"""How tests play games of any sort."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Final

from engine.rules import Event, State

DEPTH: Final = int(os.environ.get("ARENA_TEST_DEPTH", "1"))
"""As many times the random games and positions as usual: `ARENA_TEST_DEPTH=5 pytest tests/engine`, say for a night."""


def random_play(state: State, random: Random, limit: int = 10_000) -> Iterator[tuple[int, list[Event]]]:
    """Play to the end, giving each index and its events after it was played."""
    for _ in range(limit):
        if state.to_act is None:
            return
        index = random.randrange(len(state.actions()))
        yield index, state.play(index)
    raise AssertionError(f"not over after {limit} decisions")
