"""The chain of a ledger: everything that was recorded, in the order of recording, each entry hashed with all before it.

An entry is a JSON array: a kind, then values. The head after an entry is SHA-256 of the head before it (nothing at
first) and the entry's text. A reader who has seen a head can check later whether the ledger still begins with the same
entries: a head that was published cannot be made true afterwards.

| entry | recorded when |
|---|---|
| `["tournament", {...}]` | it begins: all that is fixed, the edition as a hash |
| `["bot", {...}]` | a version of a bot is tried: all that `EntrantRecord` says but the path, and no `author` of None |
| `["join", bot, round, place]`, `["leave", bot, round, place, stops]` | the field changes |
| `["note", text]` | something was said about the changes that have no date yet |
| `["date", moment]` | right after these changes; of a tournament that waits for a public value, right after that |
| `["run", {...}]` | a run begins, with how much it is asked for |
| `["beacon", {...}]` | the public value is known that goes into the seed, with the head before this entry |
| `["isolation", how]` | bots are kept apart in another way from here on, or more is opened to them |
| `["machine", {...}]` | games are played on another machine, or by another arena, from here on |
| `["day", date]` | a game ends on another day (UTC) than the one before it |
| `["game", id, hash]` | a game ends: see `arena.ledger.rows.record_hash` |
| `["void", id, attempt, hash]` | a game is void, with a hash of all that `VoidRecord` says of it |
| `["without", machine]` | the games of a machine of a cluster do not count, by its name |
| `["head", moment]` | the head before this entry was published at that moment |
| `["seed", place, hash]` | games from that place on get a new seed, with its hash |
| `["end", games]` | a run ends: so many games from the beginning of the schedule are rated |

How bots are kept apart, and the machine if it is one, stand before the first head that a run publishes.

The seed of a tournament with a public value follows from the head before it. So nothing before it depends on the time:
the same plan, seed and value give the same games on any day, on the same machine.
"""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.common.decoding_words import in_words
from arena.ledger.database import FILE, ledger_errors
from arena.ledger.errors import DamagedLedger
from arena.ledger.records import EntrantRecord, FieldEvent, VoidRecord
from arena.ledger.rows import storable

FIXED: Final = (
    "game",
    "edition",
    "players",
    "time",
    "seed_hash",
    "seed_given",
    "format",
    "options",
    "limits",
    "network",
    "beacon_source",
    "dealing",
)
"""The keys of `meta` that never change."""
Entry = list[Any]


def text_hash(text: str) -> str:
    """Hash a text."""
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=32).hexdigest()


def heads(entries: Iterable[str]) -> Iterator[str]:
    """Yield the head after each entry, in hex."""
    head = b""
    for entry in entries:
        head = sha256(head + entry.encode()).digest()
        yield head.hex()


def tournament_entry(meta: Mapping[str, Any]) -> Entry:
    """Return the first entry: what is fixed of a tournament."""
    fixed = {key: meta[key] for key in FIXED if key in meta}
    if "edition" in fixed:
        fixed["edition"] = text_hash(json.dumps(fixed["edition"], sort_keys=True))
    return ["tournament", fixed]


def bot_entry(record: EntrantRecord) -> Entry:
    """Return the entry for a version of a bot."""
    said = msgspec.to_builtins(record)
    del said["path"]
    if record.author is None:  # as in ledgers from before bots had authors
        del said["author"]
    # What is no text is stored escaped: see `arena.ledger.rows.storable`.
    return ["bot", dict(zip(said, storable(tuple(said.values())), strict=True))]


def void_entry(void: VoidRecord) -> Entry:
    """Return the entry for an attempt at a game that was void."""
    text = json.dumps([void.bots, *storable((void.error,)), void.lost, void.charged])
    return ["void", void.game, void.attempt, text_hash(text)]


def event_entry(event: FieldEvent) -> Entry:
    """Return the entry for a change of the field."""
    return [event.kind, event.bot, event.round, event.place, *([event.stops] if event.kind == "leave" else [])]


def read_entry(text: Any, file: Path) -> Entry:
    """Read an entry as it is hashed. Raises `LedgerError`, which names the `file`."""
    try:
        return msgspec.json.decode(text, type=Entry)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, TypeError) as error:
        raise DamagedLedger(f"{file}: an entry of the chain cannot be read: {in_words(error)}") from None


class Chain:
    """The chain of an open ledger, or of another file that keeps one in the same way."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, name: str = FILE) -> None:
        """Take the folder and the name of the file, for errors, and a connection to it."""
        self._folder, self._name = folder, name
        self._db = connection

    def append(self, entry: Entry) -> None:
        """Add an entry, in the transaction that records what it is about."""
        self._db.execute("INSERT INTO chain (entry) VALUES (?)", (json.dumps(entry, sort_keys=True),))

    def texts(self) -> list[str]:
        """Return the entries as they are hashed. Raises `LedgerError` if one is no text."""
        with ledger_errors(self._folder, self._name):
            found = [row[0] for row in self._db.execute("SELECT entry FROM chain ORDER BY n")]
        if not all(isinstance(text, str) for text in found):
            raise DamagedLedger(f"{self._folder / self._name}: an entry of the chain is no text")
        return found

    def entries(self) -> list[Entry]:
        """Return the entries. Raises `LedgerError` if one cannot be read."""
        return [read_entry(text, self._folder / self._name) for text in self.texts()]

    def last(self, kind: str | None = None) -> Entry | None:
        """Return the last entry, or the last one of a kind. None: there is none. Raises as `entries`.

        It is read from the end, as far as need be: whether all before it fits is for `arena.ledger.chain_check` to say.
        """
        file = self._folder / self._name
        with (
            ledger_errors(self._folder, self._name),
            closing(self._db.execute("SELECT entry FROM chain ORDER BY n DESC")) as rows,
        ):
            entries = (read_entry(text, file) for (text,) in rows)
            return next((entry for entry in entries if kind is None or entry[:1] == [kind]), None)

    def length(self) -> int:
        """Return how many entries there are."""
        with ledger_errors(self._folder, self._name):
            return int(self._db.execute("SELECT COUNT(*) FROM chain").fetchone()[0])

    def head(self) -> str:
        """Return the hash over all entries; of an empty chain an empty text."""
        return next(iter(deque(heads(self.texts()), maxlen=1)), "")
