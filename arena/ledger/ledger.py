"""Read and write the ledger of one tournament.

A finished game is one transaction, so the file is never wrong about what was played. Writing needs the tournament's
lock. Reading needs none, also while a tournament runs.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar

import msgspec

from arena.common.labels import bot_name, version_number
from arena.ledger import database
from arena.ledger.database import FILE, ledger_errors
from arena.ledger.errors import LedgerError
from arena.ledger.records import (
    BlockRecord,
    EntrantRecord,
    FaultRecord,
    FieldEvent,
    MatchRecord,
    MatchResult,
    Outcome,
    PageDataRecord,
)
from arena.ledger.settings import TournamentSettings

Row = tuple[Any, ...]
Record = TypeVar("Record", MatchRecord, MatchResult, Outcome, FieldEvent, BlockRecord)

LAST_RUN: Final = "last_run"
"""The key in `meta` of the time when a run last began, ended or played a game, in UTC as text that sorts."""
_HEAD: Final = ("id", "index", "players", "block", "rotation", "seed", "ending", "retired", "digest", "engine")
"""The fields of a record that are columns of the table `games`."""


class Ledger:
    """The ledger of one tournament. Use it as a context manager, or close it."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, writing: bool) -> None:
        """Wrap an open connection. Call `create` or `open` instead."""
        self.folder = folder
        self._db = connection
        self._writing = writing

    @classmethod
    def create(cls, folder: Path, meta: Mapping[str, Any]) -> Ledger:
        """Create a ledger in `folder`. Raises `LedgerError` if there is one already."""
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / FILE).exists():
            raise LedgerError(f"{folder} already holds a tournament")
        ledger = cls(folder, database.create(folder), writing=True)
        with ledger._transaction():
            for key, value in meta.items():
                ledger._put(key, value)
        return ledger

    @classmethod
    def open(cls, folder: Path, writing: bool = False) -> Ledger:
        """Open the ledger in `folder` to read it. Only one process at a time may open it with `writing`.

        Raises `LedgerError` if there is none, or one of another version.
        """
        opened = database.open_to_write if writing else database.open_to_read
        return cls(folder, opened(folder), writing)

    def close(self) -> None:
        """Close the file. If it was written, merge its log unless others are reading it."""
        if self._writing:
            database.leave(self._db)
        else:
            self._db.close()

    def __enter__(self) -> Ledger:
        """Return itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close the file."""
        self.close()

    # What the tournament is

    @property
    def meta(self) -> dict[str, Any]:
        """Return the settings that were fixed when the tournament began, and its state."""
        rows = self._rows("SELECT key, value FROM meta ORDER BY key")
        return _Meta(self.folder, {key: self._loaded(f"meta {key}", value) for key, value in rows})

    @property
    def settings(self) -> TournamentSettings:
        """Return what `meta` says of the tournament. Raises `LedgerError`: it says something else or not enough."""
        try:
            return msgspec.convert(dict(self.meta), TournamentSettings)
        except msgspec.ValidationError as error:
            raise LedgerError(
                f"{self.folder / FILE}: meta does not fit: {error}: take a copy of this ledger that is whole"
            ) from None

    def set_meta(self, key: str, value: Any) -> None:
        """Set one entry of `meta`."""
        with self._transaction():
            self._put(key, value)

    def note_run(self) -> None:
        """Record the time of this run, even if nothing is left to play."""
        self.set_meta(LAST_RUN, _now())

    @property
    def identity(self) -> str:
        """Return a hash over all that was fixed when the tournament began, by which tournaments are told apart."""
        meta = self.meta
        fixed = [meta.get(key) for key in ("game", "edition", "players", "time", "seed_hash", "format")]
        text = json.dumps(fixed, sort_keys=True)
        return blake2b(text.encode(), digest_size=16, person=b"tournament").hexdigest()

    def _put(self, key: str, value: Any) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    # Who plays

    def set_entrants(self, entrants: Sequence[EntrantRecord]) -> None:
        """Set the entrants with which the tournament begins. Include those that were left out."""
        joins = [FieldEvent("join", each.name) for each in entrants if each.left_out is None]
        with self._transaction() as db:
            db.execute("DELETE FROM field_events")
            db.execute("DELETE FROM entrants")
            self._add(entrants, joins)

    def change_field(self, entrants: Sequence[EntrantRecord], events: Sequence[FieldEvent], place: int) -> None:
        """Add versions of bots, or replace what is known of them, and add events that hold from `place` on.

        Blocks that were drawn beyond that place are forgotten, because other rounds will be drawn in their stead.
        """
        with self._transaction() as db:
            self._add(entrants, events)
            if events:
                db.execute("DELETE FROM blocks WHERE place >= ?", (place,))

    def _add(self, entrants: Sequence[EntrantRecord], events: Sequence[FieldEvent]) -> None:
        rows = [_storable(msgspec.structs.astuple(each)) for each in entrants]
        self._db.executemany("INSERT OR REPLACE INTO entrants VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._db.executemany(
            "INSERT INTO field_events (kind, bot, round, place, stops) VALUES (?, ?, ?, ?, ?)",
            [_storable(msgspec.structs.astuple(each)) for each in events],
        )

    def entrants(self) -> list[EntrantRecord]:
        """Return all versions of bots, sorted by label, with those that left or were left out."""
        rows = self._rows(
            "SELECT name, path, fingerprint, language, declared_version, deterministic, parallel, left_out"
            " FROM entrants ORDER BY name"
        )
        return [
            EntrantRecord(name, path, fingerprint, language, declared, bool(deterministic), parallel, left_out)
            for name, path, fingerprint, language, declared, deterministic, parallel, left_out in rows
        ]

    def left_out(self) -> list[EntrantRecord]:
        """Return the versions that could not take part, of bots of which no newer version could."""
        newest: dict[str, EntrantRecord] = {}
        for each in sorted(self.entrants(), key=lambda each: version_number(each.name)):
            newest[bot_name(each.name)] = each
        return [newest[bot] for bot in sorted(newest) if newest[bot].left_out is not None]

    def field_events(self) -> list[FieldEvent]:
        """Return who joined and left the field, in this order."""
        rows = self._rows("SELECT kind, bot, round, place, stops FROM field_events ORDER BY n")
        fields = FieldEvent.__struct_fields__
        return [self._typed("a field event", dict(zip(fields, row, strict=True)), FieldEvent) for row in rows]

    def field(self) -> list[str]:
        """Return the labels of the versions in the field now, sorted."""
        found: set[str] = set()
        for event in self.field_events():
            (found.add if event.kind == "join" else found.discard)(event.bot)
        return sorted(found)

    # What was drawn

    def add_blocks(self, blocks: Sequence[BlockRecord]) -> None:
        """Add the blocks of a round that was drawn."""
        rows = [(each.place, each.round, each.number, json.dumps(each.bots)) for each in blocks]
        with self._transaction() as db:
            db.executemany("INSERT INTO blocks VALUES (?, ?, ?, ?)", rows)

    def blocks(self) -> list[BlockRecord]:
        """Return the blocks of the rounds that were drawn, in the order of the schedule."""
        found = []
        for place, round, number, bots in self._rows("SELECT place, round, number, bots FROM blocks ORDER BY place"):
            what = f"the block at place {place}"
            data = {"place": place, "round": round, "number": number, "bots": self._loaded(what, bots)}
            found.append(self._typed(what, data, BlockRecord))
        return found

    # Games

    def record(self, game: MatchRecord, page_data: PageDataRecord | None = None) -> None:
        """Add a finished game, with its page data for the cache: what a tournament writes when a game ends.

        One transaction fills the tables `games`, `seats`, `steps`, `faults` and `page_data`, and sets `last_run` in
        `meta`; of a void game it keeps only the error, in `voids`. If the game suspends a bot, that is written to
        `rated` in `meta` afterwards. The coordinator of a run calls this (`arena.tournament.play`), and no other
        process does. The worker that played the game has made the record and built the page data
        (`arena.tournament.workers`). With `--trace` its referee has written the messages beside the ledger
        (`arena.referee.trace`). `arena match` has no ledger: it writes a trace, if it is asked to, and nothing else.

        Recording the same game again does nothing. Raises `LedgerError` if another game has its id.
        """
        if game.ending == "void":
            self._record_void(game)
            return
        if self._rows("SELECT 1 FROM games WHERE id = ?", (game.id,)):
            # as text: a tuple in an action comes back as a list
            if msgspec.json.encode(self.game(game.id)) != msgspec.json.encode(game):
                raise LedgerError(f"game {game.id} is recorded already, and differently")
            return
        retired = json.dumps(game.retired)
        head = (game.id, game.index, game.players, game.block, game.rotation, game.seed, game.ending, retired)
        with self._transaction() as db:
            db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*head, game.digest, game.engine))
            db.executemany(
                "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (game.id, seat, bot, game.ranks[seat], json.dumps(game.scores[seat]), json.dumps(game.times[seat]))
                    for seat, bot in enumerate(game.bots)
                ],
            )
            db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", _step_rows(game))
            db.executemany(
                "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(game.id, n, *msgspec.structs.astuple(fault)) for n, fault in enumerate(game.faults, start=1)],
            )
            if page_data is not None:
                db.execute("INSERT INTO page_data VALUES (?, ?, ?)", (game.id, page_data.key, page_data.data))
            self._put(LAST_RUN, _now())

    def _record_void(self, game: MatchRecord) -> None:
        attempt = self.voids().get(game.id, 0) + 1
        with self._transaction() as db:
            db.execute("INSERT INTO voids VALUES (?, ?, ?)", _storable((game.id, attempt, game.error)))

    def voids(self) -> dict[str, int]:
        """Return how often each game was void: lost through the arena's own fault."""
        return dict(self._rows("SELECT game, COUNT(*) FROM voids GROUP BY game ORDER BY game"))

    def void_errors(self, game_id: str) -> list[str]:
        """Return the error of each void attempt at a game."""
        rows = self._rows("SELECT error FROM voids WHERE game = ? ORDER BY attempt", (game_id,))
        return [row[0] for row in rows]

    def ids(self) -> list[str]:
        """Return the ids of the recorded games in the order of the schedule."""
        return [row[0] for row in self._rows("SELECT id FROM games ORDER BY ord")]

    def marks(self) -> dict[str, str]:
        """Return a mark for each game by id, in the order of the schedule.

        It changes whenever the game's course does.
        """
        return dict(self._rows("SELECT id, seed || ' ' || digest || ' ' || engine FROM games ORDER BY ord"))

    @contextmanager
    def still(self) -> Iterator[None]:
        """Read from one snapshot inside the block, whatever is recorded meanwhile. Do not write in it."""
        with ledger_errors(self.folder):
            self._db.execute("BEGIN")
        try:
            yield
        finally:
            with ledger_errors(self.folder):
                self._db.rollback()

    def game(self, game_id: str) -> MatchRecord:
        """Return one game. Raises `LedgerError` if there is none of that id, or if its record is damaged."""
        one = (game_id,)
        heads = self._rows(
            "SELECT id, ord, players, block, rotation, seed, ending, retired, digest, engine FROM games WHERE id = ?",
            one,
        )
        if not heads:
            raise LedgerError(f"there is no game {game_id!r} in {self.folder}: {self._some_ids()}")
        head = heads[0]
        what = f"game {game_id}"
        seats = self._rows("SELECT bot, rank, scores, times FROM seats WHERE game = ? ORDER BY seat", one)
        self._complete(what, head[2], seats)
        steps = self._rows(
            "SELECT kind, seat, by, idx, action, note, metrics FROM steps WHERE game = ? ORDER BY n", one
        )
        faults = self._rows("SELECT seat, turn, code, text, stderr FROM faults WHERE game = ? ORDER BY n", one)
        data = dict(zip(_HEAD, head, strict=True))
        data |= self._by_seat(what, seats)
        data["retired"] = self._loaded(what, data["retired"])
        data["faults"] = [dict(zip(FaultRecord.__struct_fields__, row, strict=True)) for row in faults]
        data["steps"] = [
            {
                "kind": kind,
                "seat": seat,
                "by": by,
                "index": index,
                "action": self._loaded(what, action),
                "note": note,
                "metrics": self._loaded(what, metrics),
            }
            for kind, seat, by, index, action, note, metrics in steps
        ]
        return self._typed(what, data, MatchRecord)

    def page_data(self, game_id: str) -> PageDataRecord | None:
        """Return the cached page data of a game. Return None if there is none that can be read."""
        for row in self._rows("SELECT key, data FROM page_data WHERE game = ?", (game_id,)):
            with suppress(msgspec.ValidationError):
                return msgspec.convert(dict(zip(PageDataRecord.__struct_fields__, row, strict=True)), PageDataRecord)
        return None

    def games(self) -> Iterator[MatchRecord]:
        """Yield all games in the order of the schedule."""
        for game_id in self.ids():
            yield self.game(game_id)

    def results(self) -> list[MatchResult]:
        """Return what rating needs of every game, in the order of the schedule."""
        # Games first: one that is recorded meanwhile is whole or not among them.
        games = self._rows("SELECT id, ord, players, block, retired FROM games ORDER BY ord")
        all_seats = self._rows("SELECT game, bot, rank, scores, times FROM seats ORDER BY game, seat")
        all_faults = self._rows("SELECT game, seat, code FROM faults WHERE seat IS NOT NULL ORDER BY game, n")
        seats: dict[str, list[Row]] = {}
        for game, *row in all_seats:
            seats.setdefault(game, []).append(tuple(row))
        faults: dict[str, list[tuple[int, str]]] = {}
        for game, seat, code in all_faults:
            faults.setdefault(game, []).append((seat, code))
        found = []
        for game, index, players, block, retired in games:
            what = f"game {game}"
            at = seats.get(game, [])
            self._complete(what, players, at)
            data = {"id": game, "index": index, "players": players, "block": block, **self._by_seat(what, at)}
            data |= {"retired": self._loaded(what, retired), "faults": faults.get(game, [])}
            found.append(self._typed(what, data, MatchResult))
        return found

    def outcomes(self, damaged: list[str] | None = None) -> list[Outcome]:
        """Return what the schedule needs of every game, in its order.

        Args:
            damaged: gets the ids of games that cannot be read. None: then raise `LedgerError`.
        """
        games = self._rows("SELECT id, ord, players, seed, retired FROM games ORDER BY ord")
        seats: dict[str, list[Row]] = defaultdict(list)
        for game, *row in self._rows("SELECT game, bot, rank, scores FROM seats ORDER BY game, seat"):
            seats[game].append(tuple(row))
        found = []
        for game, index, players, seed, retired in games:
            at = seats.pop(game, [])
            try:
                found.append(self._outcome((game, index, players, seed, retired), at))
            except LedgerError:
                if damaged is None:
                    raise
                damaged.append(game)
        return found

    def _outcome(self, head: Row, seats: Sequence[Row]) -> Outcome:
        game, index, players, seed, retired = head
        what = f"game {game}"
        self._complete(what, players, seats)
        data = {"id": game, "index": index, "seed": seed, "retired": self._loaded(what, retired)}
        data |= {"bots": [seat[0] for seat in seats], "ranks": [seat[1] for seat in seats]}
        return self._typed(what, data | {"scores": [self._loaded(what, seat[2]) for seat in seats]}, Outcome)

    def score_names(self) -> list[str]:
        """Return the names of the scores in the recorded games, sorted."""
        found: set[str] = set()
        for game, text in self._rows("SELECT MIN(game), scores FROM seats GROUP BY scores"):
            scores = self._loaded(f"game {game}", text)
            if not isinstance(scores, dict):
                raise LedgerError(f"{self.folder / FILE}: game {game} cannot be read: its scores are {text}")
            found.update(scores)
        return sorted(found)

    def faults_of(self, bot: str) -> list[tuple[str, FaultRecord]]:
        """Return a bot's faults, each with its game's id, in the order of the schedule."""
        rows = self._rows(
            "SELECT f.game, f.seat, f.turn, f.code, f.text, f.stderr FROM faults f"
            " JOIN seats s ON s.game = f.game AND s.seat = f.seat JOIN games g ON g.id = f.game"
            " WHERE s.bot = ? ORDER BY g.ord, f.n",
            (bot,),
        )
        return [(row[0], FaultRecord(*row[1:])) for row in rows]

    def latest_faults(self, most: int) -> dict[str, tuple[int, list[tuple[str, FaultRecord]]]]:
        """Return for each bot the number of its faults, and the last `most` of them with their games' ids."""
        counts: Counter[str] = Counter()
        latest: dict[str, deque[tuple[str, FaultRecord]]] = defaultdict(lambda: deque(maxlen=most))
        with ledger_errors(self.folder):
            for bot, game, *fault in self._db.execute(
                "SELECT s.bot, f.game, f.seat, f.turn, f.code, f.text, f.stderr FROM faults f"
                " JOIN seats s ON s.game = f.game AND s.seat = f.seat JOIN games g ON g.id = f.game ORDER BY g.ord, f.n"
            ):
                counts[bot] += 1
                latest[bot].append((game, FaultRecord(*fault)))
        return {bot: (counts[bot], list(found)) for bot, found in latest.items()}

    # How it is done

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with ledger_errors(self.folder):
            return self._db.execute(sql, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all that the block writes, or nothing if it raises."""
        with ledger_errors(self.folder), self._db:
            yield self._db

    def _loaded(self, what: str, text: str | None) -> Any:
        if text is None:
            return None
        try:
            with suppress(msgspec.DecodeError):
                return msgspec.json.decode(text)
            return json.loads(text)  # a bot's number may be NaN, which only this one knows
        except (ValueError, TypeError, RecursionError) as error:
            raise LedgerError(f"{self.folder / FILE}: {what} cannot be read: {error}") from None

    def _by_seat(self, what: str, seats: Sequence[Row]) -> dict[str, Any]:
        """Return the fields of a record that hold a list by seat, from rows of bot, rank, scores and times."""
        return {
            "bots": [seat[0] for seat in seats],
            "ranks": [seat[1] for seat in seats],
            "scores": [self._loaded(what, seat[2]) for seat in seats],
            "times": [self._loaded(what, seat[3]) for seat in seats],
        }

    def _typed(self, what: str, data: dict[str, Any], kind: type[Record]) -> Record:
        """Convert to `kind`. Raises `LedgerError` for a wrong type, because SQLite lets any value into any column."""
        try:
            return msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            raise LedgerError(f"{self.folder / FILE}: {what} cannot be read: {error}") from None

    def _complete(self, what: str, players: int, seats: Sequence[Row]) -> None:
        if len(seats) != players:
            raise LedgerError(f"{self.folder / FILE}: {what} is for {players} players and has {len(seats)} seats")

    def _some_ids(self) -> str:
        ids = self.ids()
        if not ids:
            return "nothing has been played yet"
        return f"it has {len(ids)}, from {ids[0]} to {ids[-1]}"


class _Meta(dict[str, Any]):
    """The entries of `meta`. Reading a missing one raises `LedgerError`, because every tournament has them all."""

    def __init__(self, folder: Path, entries: Mapping[str, Any]) -> None:
        super().__init__(entries)
        self._folder = folder

    def __missing__(self, key: str) -> Any:
        raise LedgerError(f"{self._folder / FILE}: meta {key} is missing: take a copy of this ledger that is whole")


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _storable(row: Row) -> Row:
    """Return a row with bytes that are no text escaped. Paths, and errors that name them, may hold some."""
    return tuple(cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell for cell in row)


def _step_rows(game: MatchRecord) -> Iterator[Row]:
    for n, step in enumerate(game.steps, start=1):
        action = None if step.action is None else json.dumps(step.action)
        metrics = None if step.metrics is None else json.dumps(step.metrics)
        yield (game.id, n, step.kind, step.seat, step.by, step.index, action, step.note, metrics)
