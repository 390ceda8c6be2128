"""How many games the engine and the second implementation of the moves in `tests.reference` play beside each other."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

import msgspec

from engine.rules import Data, Rules

GAMES: Final = int(os.environ.get("ARENA_LOCKSTEP_GAMES", "40"))
"""Of each game: a sample, or as many as that variable says, as `ARENA_LOCKSTEP_GAMES=2000 pytest -k lockstep`."""
PIECES: Final = 8


def cases(
    rules: Rules, parameters: Mapping[str, Any], rounds: Sequence[int], piece: int
) -> Iterator[tuple[int, Data, int, Random]]:
    """Number, edition, players and random numbers of each game of a piece: a named edition, or with any parameters.

    `parameters`: what each may be set to. `rounds`: how long games with parameters of their own may last.
    """
    for number in range(piece, GAMES, PIECES):
        random = Random(f"lockstep {rules.name} {number}")
        data = rules.edition(rules.editions()[number // PIECES % len(rules.editions())])
        if random.random() < 0.7:
            data["parameters"] |= {name: _any(allowed, random) for name, allowed in parameters.items()}
            data["parameters"]["max_rounds"] = random.choice(rounds)
        yield number, data, random.randint(*rules.players), random


def counted(actions: Iterable[Mapping[str, Any]]) -> Counter[bytes]:
    """Count actions by what they say, in whatever order they say it."""
    return Counter(msgspec.json.encode(action, order="deterministic") for action in actions)


def _any(allowed: Any, random: Random) -> Any:
    if allowed is bool:
        return random.random() < 0.5
    return random.choice(allowed)
