"""Read and write a game as a file of its own, with all that is needed to show and verify it without its ledger.

The file holds the game's own seed, without which it could not be replayed. That seed is derived from the tournament's
by a keyed one-way hash, so it reveals the hidden cards of this finished game but neither the tournament's seed nor any
other game. The tournament's seed is only in the file if the ledger has published it.
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
from arena.common.decoding_words import in_words
from arena.common.errors import ArenaError
from arena.common.regular_files import read_regular
from arena.game.clock import TimeControl
from arena.ledger import GameRecord, LedgerError, TournamentSettings

FORMAT: Final = "arena game"
VERSION: Final = 1
_LARGEST: Final = 64 << 20
"""Bytes. A game of six talkative bots has a few hundred thousand."""
_LONGEST_NAME: Final = 200
"""Characters of an id, a bot's name or a fault's code."""
_LONGEST: Final = 10**15
"""Microseconds. No time control allows a decision that long."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


class GameFileError(ArenaError):
    """A file that is no exported game, or was altered since. The text says what is wrong and where."""


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One game, with the settings of its tournament."""

    format: Literal["arena game"]
    version: Literal[1]
    arena: str
    """The version of the arena that wrote the file."""
    game: str
    edition: dict[str, Any]
    time: dict[str, Any]
    """The time control: limits in seconds, and the strikes."""
    seed_hash: str
    """The hash of the tournament's seed from which the game got its own."""
    seed: str | None
    """That seed, or None if it was still secret when the file was written."""
    record: GameRecord
    checksum: str = ""


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0


def game_file(record: GameRecord, settings: TournamentSettings) -> GameFile:
    """Return the contents of a game's file, from its record and its ledger's settings."""
    seed_hash, seed = settings.seed_of(record.index)
    bare = GameFile(
        format="arena game",
        version=1,
        arena=arena.__version__,
        game=settings.game,
        edition=settings.edition,
        time=settings.time,
        seed_hash=seed_hash,
        seed=seed,
        record=record,
    )
    # Through JSON and back: a number that becomes a float on reading has to be one in the checksum already.
    read = msgspec.json.decode(msgspec.json.encode(bare), type=GameFile)
    return msgspec.structs.replace(read, checksum=_checksum(read))


def encode(game: GameFile) -> bytes:
    """Return the file's bytes: one line of JSON."""
    return msgspec.json.encode(game) + b"\n"


def file_name(game_id: str) -> str:
    """Return the name of a game's file. Raises `LedgerError` for an id that is no plain file name."""
    if _PLAIN.fullmatch(game_id) is None:
        raise LedgerError(f"a game is called {game_id!r}, which is no name for a file: this ledger was altered")
    return f"{game_id}.json"


def read_game(file: Path) -> GameFile:
    """Read the game in a file.

    Raises:
        GameFileError: it is no exported game, of another version, or was altered.
        OSError: it cannot be read.
    """
    try:
        data = read_regular(file, _LARGEST)
    except ValueError as error:
        raise GameFileError(f"{file} is no exported game: {in_words(error)}") from None
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GameFileError(f"{file} is no exported game: {in_words(error)}") from None
    if head.format != FORMAT:
        raise GameFileError(f"{file} is no exported game: `arena export` writes such files, one a game")
    if head.version != VERSION:
        raise GameFileError(
            f"{file} has version {head.version}, this arena reads {VERSION}: use the arena that wrote it"
        )
    try:
        game = msgspec.json.decode(data, type=GameFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GameFileError(f"{file} was altered or is damaged: {in_words(error)}") from None
    if found := _no_time(game.time) or _misfit(game.record):
        raise GameFileError(f"{file} was altered or is damaged: {found}")
    if game.checksum != _checksum(game):
        raise GameFileError(f"{file} was altered or is damaged: its checksum is not that of its contents")
    return game


def _checksum(game: GameFile) -> str:
    bare = msgspec.structs.replace(game, checksum="")
    return blake2b(msgspec.json.encode(bare, order="deterministic"), digest_size=16, person=b"game file").hexdigest()


def _no_time(time: Mapping[str, Any]) -> str:
    """Return why this is no valid time control. Return an empty text if it is one."""
    try:
        msgspec.convert(time, TimeControl)
    except msgspec.ValidationError as error:
        return f"in `time`, {in_words(error)}"
    return ""


def _misfit(record: GameRecord) -> str:
    """Return what is inconsistent though every value has its type. Return an empty text if nothing is."""
    for name in ("bots", "ranks", "scores", "times"):
        if (number := len(getattr(record, name))) != record.players:
            return f"$.record.{name}: {number} values for {record.players} players"
    for name in (record.id, *record.bots, *(fault.code for fault in record.faults)):
        if len(name) > _LONGEST_NAME:
            return f"$.record: a name of {len(name)} characters"
    seats = [*record.retired, *(fault.seat for fault in record.faults if fault.seat is not None)]
    for seat in [*seats, *(step.seat for step in record.steps)]:
        if not 0 <= seat < record.players:
            return f"$.record: seat {seat} of {record.players} players"
    for time in itertools.chain(*record.times):
        if not 0 <= time <= _LONGEST:
            return f"$.record.times: a decision of {time} microseconds"
    return ""
