"""A game as a file of its own: all that is needed to tell it and to check it, without the ledger it came from.

It holds the game's own seed, without which nothing could be played again. That seed is drawn from the tournament's by
a keyed hash that does not run backwards: it opens this game, which is over, and neither the tournament's seed nor any
other game. The tournament's seed itself is named only when its ledger publishes it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

import arena
from arena.ledger import LedgerError, MatchRecord
from arena.match.clock import TimeControl

FORMAT: Final = "arena game"
VERSION: Final = 1
_LARGEST: Final = 64 << 20
"""Bytes. A game of six bots that talk a lot has some hundred thousand."""
_LONGEST: Final = 10**15
"""Microseconds. What cannot be: no time control allows a bot that much."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


class GameFileError(ValueError):
    """A file that is no exported game, or is not as it was exported; the text says what and where."""


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One game with what its tournament had fixed."""

    format: Literal["arena game"]
    version: Literal[1]
    arena: str
    """The version that wrote it."""
    game: str
    edition: dict[str, Any]
    time: dict[str, Any]
    """The time control: seconds, and strikes."""
    seed_hash: str
    """Of the tournament's seed."""
    seed: str | None
    """The tournament's seed; None: it was sealed when this was written."""
    record: MatchRecord
    checksum: str = ""


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0


def game_file(record: MatchRecord, meta: Mapping[str, Any]) -> GameFile:
    """The file's contents, from a game and its ledger's meta."""
    bare = GameFile(
        format="arena game",
        version=1,
        arena=arena.__version__,
        game=meta["game"],
        edition=meta["edition"],
        time=meta["time"],
        seed_hash=meta["seed_hash"],
        seed=meta.get("seed"),
        record=record,
    )
    # Through JSON and back: a number that becomes a float on reading has to be one in the checksum already.
    read = msgspec.json.decode(msgspec.json.encode(bare), type=GameFile)
    return msgspec.structs.replace(read, checksum=_checksum(read))


def encode(game: GameFile) -> bytes:
    """As bytes: one line of JSON."""
    return msgspec.json.encode(game) + b"\n"


def file_name(game_id: str) -> str:
    """The file of that game. Raises `LedgerError` for an id that would lead elsewhere."""
    if _PLAIN.fullmatch(game_id) is None:
        raise LedgerError(f"a game is called {game_id!r}, which is no name for a file: this ledger was altered")
    return f"{game_id}.json"


def read_game(file: Path) -> GameFile:
    """The game in a file. Raises `GameFileError`, or `OSError` when it cannot be read."""
    if file.stat().st_size > _LARGEST:
        raise GameFileError(f"{file} is no exported game: it has more than {_LARGEST >> 20} MiB")
    data = file.read_bytes()
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GameFileError(f"{file} is no exported game: {error}") from None
    if head.format != FORMAT:
        raise GameFileError(f"{file} is no exported game: `arena export` writes such files, one a game")
    if head.version != VERSION:
        raise GameFileError(
            f"{file} has version {head.version}, this arena reads {VERSION}: use the arena that wrote it"
        )
    try:
        game = msgspec.json.decode(data, type=GameFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GameFileError(f"{file} was altered or is damaged: {error}") from None
    if found := _no_time(game.time) or _misfit(game.record):
        raise GameFileError(f"{file} was altered or is damaged: {found}")
    if game.checksum != _checksum(game):
        raise GameFileError(f"{file} was altered or is damaged: its checksum is not that of its contents")
    return game


def _checksum(game: GameFile) -> str:
    bare = msgspec.structs.replace(game, checksum="")
    return blake2b(msgspec.json.encode(bare, order="deterministic"), digest_size=16, person=b"game file").hexdigest()


def _no_time(time: Mapping[str, Any]) -> str:
    """Why this is no time control; nothing when it is."""
    try:
        msgspec.convert(time, TimeControl)
    except msgspec.ValidationError as error:
        return str(error).replace("`$", "`$.time") if "`$" in str(error) else f"{error} - at `$.time`"
    return ""


def _misfit(record: MatchRecord) -> str:
    """What does not hold together, though every value has its type; nothing when all does."""
    for name in ("bots", "ranks", "scores", "times"):
        if (number := len(getattr(record, name))) != record.players:
            return f"$.record.{name}: {number} values for {record.players} players"
    seats = [*record.retired, *(fault.seat for fault in record.faults if fault.seat is not None)]
    for seat in [*seats, *(step.seat for step in record.steps)]:
        if not 0 <= seat < record.players:
            return f"$.record: seat {seat} of {record.players} players"
    for time in itertools.chain(*record.times):
        if not 0 <= time <= _LONGEST:
            return f"$.record.times: a decision of {time} microseconds"
    return ""
