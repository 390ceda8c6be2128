"""What the ledger keeps of a game: enough to replay it, to rate it and to say who was to blame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

Ending = Literal["finished", "walkover", "void"]
"""By the rules; one living seat left or none that can act; our own fault, to be played again."""


class Step(msgspec.Struct, frozen=True):
    """One thing that moved the game on: an action played, a penalty charged, a seat retired."""

    kind: Literal["play", "penalty", "retire"]
    seat: int
    by: Literal["bot", "substitute", "referee"]
    index: int | None = None
    action: Mapping[str, Any] | None = None
    note: str | None = None
    metrics: dict[str, float] | None = None


class FaultRecord(msgspec.Struct, frozen=True):
    """A fault: whose (None: charged to nobody), at which of its decisions (None: outside one), and its last words."""

    seat: int | None
    turn: int | None
    code: str
    text: str
    stderr: str = ""


class MatchRecord(msgspec.Struct, frozen=True):
    """One game as it was played. Lists by seat where not said otherwise; times in microseconds a decision."""

    id: str
    index: int
    players: int
    block: int
    rotation: int
    seed: str
    bots: list[str]
    ending: Ending
    ranks: list[int]
    scores: list[dict[str, int]]
    steps: list[Step]
    retired: list[int]
    faults: list[FaultRecord]
    times: list[list[int]]
    digest: str
    engine: str
    error: str = ""


class PageDataRecord(msgspec.Struct, frozen=True):
    """A game's page data as the ledger caches it."""

    key: str
    """A hash over all that the data depends on (record, edition, source files); the data is valid while it matches."""
    data: bytes
    """Compressed; see `arena.replays.cache`."""


class MatchResult(msgspec.Struct, frozen=True):
    """What rating and tables need of a game. Lists by seat; `faults` are (seat, code)."""

    id: str
    index: int
    players: int
    block: int
    bots: list[str]
    ranks: list[int]
    scores: list[dict[str, int]]
    retired: list[int]
    faults: list[tuple[int, str]]
    times: list[list[int]]


class EntrantRecord(msgspec.Struct, frozen=True):
    """A bot of a tournament, as its source and its `hello` describe it; `left_out` says why it takes no part."""

    name: str
    path: str
    fingerprint: str
    language: str = ""
    version: str = ""
    deterministic: bool = False
    parallel: int = 1
    left_out: str | None = None
