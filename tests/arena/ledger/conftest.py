from collections.abc import Callable
from typing import Any

import pytest

from arena.ledger import FaultRecord, GameRecord, Step


def make_game(order: int = 0, **other: Any) -> GameRecord:
    """A game of two with a bit of everything in it; another one for every place in the schedule."""
    fields: dict[str, Any] = {
        "id": f"2-{order // 2}-{order % 2}",
        "index": order,
        "players": 2,
        "block": order // 2,
        "rotation": order % 2,
        "seed": f"{order:032x}",
        "bots": ["greedy", "naïve"] if order % 2 == 0 else ["naïve", "greedy"],
        "ending": "finished",
        "ranks": [1, 2],
        "scores": [{"days": 20 + order, "arrived": 1}, {"days": 31, "arrived": 0}],
        "steps": [
            Step("play", 0, "bot", 2, {"kind": "leg", "to": "Köln", "cards": [1, 2]}, "a note", {"hope": 0.25}),
            Step("penalty", 1, "referee"),
            Step("play", 1, "substitute", 0, {"kind": "pass"}),
            Step("retire", 1, "referee"),
        ],
        "retired": [1],
        "faults": [
            FaultRecord(1, 1, "late", "no answer within 5.050 s", "Traceback\n  x\n"),
            FaultRecord(None, None, "impostor", "3 messages"),
        ],
        "times": [[812, 90_000], [5_050_000]],
        "digest": f"{order:064x}",
        "engine": "kosmos 1.0.0",
    }
    return GameRecord(**{**fields, **other})


@pytest.fixture
def a_game() -> Callable[..., GameRecord]:
    return make_game
