"""Ledgers with made-up games, for tests of what is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.ledger import EntrantRecord, GameRecord, Ledger, TournamentSettings

Play = Callable[..., GameRecord]
SETTINGS = TournamentSettings(
    game="kosmos", edition={"name": "standard"}, players=[2, 3], time={}, seed_hash="00", seed_given=True
)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.create(tmp_path, SETTINGS.entries()) as ledger:
        ledger.set_entrants([EntrantRecord(name, f"bots/{name}.py", "00") for name in ("ant", "bee", "cat")])
        yield ledger


@pytest.fixture
def play(ledger: Ledger) -> Play:
    """Record the next game: its bots by seat, first one first, and what else is to be said of it."""

    def record(*bots: str, order: int | None = None, block: int = 0, **other: Any) -> GameRecord:
        place = len(ledger.ids()) if order is None else order
        fields: dict[str, Any] = {
            "id": f"{len(bots)}-{block}-{place}",
            "index": place,
            "players": len(bots),
            "block": block,
            "rotation": 0,
            "seed": "00" * 16,
            "bots": list(bots),
            "ending": "finished",
            "ranks": list(range(1, len(bots) + 1)),
            "scores": [{"days": 20 + seat} for seat in range(len(bots))],
            "steps": [],
            "retired": [],
            "faults": [],
            "times": [[1000] for _ in bots],
            "digest": "",
            "engine": "",
        }
        game = GameRecord(**{**fields, **other})
        ledger.record(game)
        return game

    return record
