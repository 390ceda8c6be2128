"""What somebody with a text editor for SQLite can do to a ledger: alter it, and then make its chain fit."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from arena.ledger import Ledger, heads, record_hash
from arena.ledger.chain import Entry, bot_entry, event_entry, tournament_entry, void_entry
from arena.ledger.packing import STEPS_RATIO, TIMES_RATIO
from arena.replays.export import CHAIN, GAMES, chain_file
from arena.replays.game_file import GameFile, encode, read_game

RATIOS = {"times": TIMES_RATIO, "steps": STEPS_RATIO}
"""By table: to how many times its bytes a cell may unpack."""


@contextmanager
def unpacked(folder: Path) -> Iterator[sqlite3.Connection]:
    """Connect to a ledger as if it had a row for each step, and a seat's times in its row.

    These are temporary tables. What is altered there is packed again at the end, cells that cannot be read included.
    """
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
        if not ledger.execute("SELECT 1 FROM sqlite_master WHERE name = 'steps'").fetchall():
            yield ledger  # the database of something else
            return
        ledger.execute(
            "CREATE TEMP TABLE seats (game TEXT, seat INTEGER, bot TEXT, rank INTEGER, scores TEXT, times TEXT)"
        )
        fields = "kind TEXT, seat INTEGER, by TEXT, idx INTEGER, action TEXT, note TEXT, metrics TEXT"
        ledger.execute(f"CREATE TEMP TABLE steps (game TEXT, n INTEGER, {fields})")
        ledger.execute("INSERT INTO temp.seats SELECT *, NULL FROM main.seats")
        for game, times, steps in ledger.execute(
            "SELECT t.game, t.data, s.data FROM main.times t JOIN main.steps s ON s.game = t.game"
        ).fetchall():
            for seat, each in enumerate(json.loads(zlib.decompress(times))):
                cells = (json.dumps(each, separators=(",", ":")), game, seat)  # as it was packed
                ledger.execute("UPDATE temp.seats SET times = ? WHERE game = ? AND seat = ?", cells)
            for n, step in enumerate(zip(*json.loads(zlib.decompress(steps)), strict=True), start=1):
                kind, seat, by, index, action, note, metrics = step
                row = (game, n, kind, seat, by, index, _cell(action), note, _cell(metrics))
                ledger.execute("INSERT INTO temp.steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        before = _rows(ledger)
        yield ledger
        if _rows(ledger) != before:
            _pack(ledger)


def _cell(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _rows(ledger: sqlite3.Connection) -> tuple[list[Any], list[Any]]:
    seats = ledger.execute("SELECT * FROM temp.seats ORDER BY game, seat").fetchall()
    return seats, ledger.execute("SELECT * FROM temp.steps ORDER BY game, n").fetchall()


def _pack(ledger: sqlite3.Connection) -> None:
    """Write what the temporary tables have to those of the ledger."""
    seats, steps = _rows(ledger)
    ledger.execute("DELETE FROM main.seats")
    ledger.executemany("INSERT INTO main.seats VALUES (?, ?, ?, ?, ?)", [seat[:-1] for seat in seats])
    for table in RATIOS:
        ledger.execute(f"DELETE FROM main.{table}")
    for game in sorted({row[0] for row in (*seats, *steps)}):
        times = _list(seat[-1] for seat in seats if seat[0] == game)
        own = [row[2:] for row in steps if row[0] == game]
        columns = list(zip(*own, strict=True)) or [()] * 7
        texts = [_list(map(json.dumps, columns[at]) if at not in (4, 6) else columns[at]) for at in range(7)]
        for (table, ratio), text in zip(RATIOS.items(), (times, _list(texts)), strict=True):
            plain = zlib.compress(text)  # as it was packed
            cell = plain if len(text) <= ratio * len(plain) else packed_to(text, ratio)
            ledger.execute(f"INSERT INTO main.{table} VALUES (?, ?)", (game, cell))


def packed_to(text: bytes, ratio: int) -> bytes:
    """Pack a text as well as may be unpacked at this ratio: nothing is added but blocks without contents."""
    squeezer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    blocks = squeezer.compress(text) + squeezer.flush(zlib.Z_FULL_FLUSH)
    blocks += b"\0\0\0\xff\xff" * max(0, -(-(len(text) // ratio - len(blocks)) // 5))
    return b"\x78\x9c" + blocks + squeezer.flush() + zlib.adler32(text).to_bytes(4)


def _list(cells: Iterable[str | bytes | None]) -> bytes:
    """Write a list of JSON from texts of JSON, whatever these are."""
    texts = ("null" if cell is None else cell for cell in cells)
    return b"[%s]" % b",".join(text.encode() if isinstance(text, str) else text for text in texts)


def alter(folder: Path, *statements: str, values: Sequence[Any] = ()) -> None:
    """Run SQL on a ledger, which it sees `unpacked`. Each statement must change something."""
    with unpacked(folder) as ledger:
        for statement in statements:
            assert ledger.execute(statement, values).rowcount > 0, statement


def rewrite_games(export: Path, change: Callable[[GameFile], GameFile]) -> None:
    """Alter the games of an export, and make their checksums and the chain fit."""
    hashes = {}
    for file in (export / GAMES).iterdir():
        game = change(read_game(file))
        file.unlink()
        bare = msgspec.json.encode(msgspec.structs.replace(game, checksum=""), order="deterministic")
        checksum = blake2b(bare, digest_size=16, person=b"game file").hexdigest()
        (export / GAMES / f"{game.record.id}.json").write_bytes(
            encode(msgspec.structs.replace(game, checksum=checksum))
        )
        hashes[file.stem] = ["game", game.record.id, record_hash(game.record)]
    entries = map(json.loads, (export / CHAIN).read_text().splitlines())
    forged = [hashes[entry[1]] if entry[0] == "game" else entry for entry in entries]
    (export / CHAIN).write_bytes(chain_file(map(_text, forged)))


def rechain(folder: Path) -> None:
    """Write the chain anew, so that it records what the tables say now: the forger knows how heads are made."""
    with Ledger.open(folder) as ledger:
        entries = [tournament_entry(ledger.meta), *map(bot_entry, ledger.entrants())]
        entries += _changes(ledger)
        before, settings = ledger.chain.entries(), ledger.settings
        entries += [["isolation", how] for how in settings.isolation]
        entries += [["machine", machine] for machine in settings.machines]
        entries += [["without", name] for name in settings.without_machines]
        entries += [entry for entry in before if entry[0] == "run"]
        if settings.beacon is not None:
            said = msgspec.to_builtins(settings.beacon)
            entries.append(["beacon", {**said, "head": list(heads(map(_text, entries)))[-1]}])
            entries += [["date", note.moment] for note in ledger.field_notes()[:1]]
        entries += [["seed", each.place, each.hash] for each in settings.later_seeds]
        entries += _voids(ledger)
        order = [entry[1] for entry in before if entry[0] == "game"]
        ids = sorted(ledger.ids(), key=lambda game: order.index(game) if game in order else len(order))
        games = [["game", game, record_hash(ledger.game(game))] for game in ids]
        for day, count in ledger.days().items():
            entries += [["day", day], *games[:count]]
            games = games[count:]
        entries += games
        if settings.finished:
            entries.append(["end", settings.rated.games])
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as database, database:
        database.execute("DELETE FROM chain")
        database.executemany("INSERT INTO chain (entry) VALUES (?)", [(_text(entry),) for entry in entries])
        for entry in entries:
            if entry[0] == "beacon":
                database.execute("UPDATE meta SET value = ? WHERE key = 'beacon'", (json.dumps(entry[1]),))


def _text(entry: Entry) -> str:
    return json.dumps(entry, sort_keys=True)


def _changes(ledger: Ledger) -> list[Entry]:
    """The changes of the field, with what was said about those of one moment behind them."""
    entries: list[Entry] = []
    changes = zip(ledger.field_events(), ledger.field_notes(), strict=True)
    for note, together in groupby(changes, lambda change: change[1]):
        entries += [event_entry(event) for event, _ in together]
        entries += [["note", note.note]] if note.note else []
        if ledger.settings.beacon_source is None:
            entries.append(["date", note.moment])
    return entries


def _voids(ledger: Ledger) -> list[Entry]:
    return [void_entry(void) for void in ledger.voids()]
