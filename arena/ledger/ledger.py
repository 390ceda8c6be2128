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
from typing import Any, Final

import msgspec

from arena.common.labels import bot_name, version_number
from arena.ledger import database, dates
from arena.ledger.chain import Chain, Entry, bot_entry, event_entry, record_hash, tournament_entry, void_entry
from arena.ledger.database import FILE, ledger_errors
from arena.ledger.errors import LedgerError
from arena.ledger.outcomes import gather_seats, quick_outcome
from arena.ledger.records import (
    BlockRecord,
    Days,
    EntrantRecord,
    FaultRecord,
    FieldEvent,
    FieldNote,
    MatchRecord,
    MatchResult,
    Outcome,
    PageDataRecord,
    with_builds,
)
from arena.ledger.rows import Meta, Row, RowReader, entrant_row, step_rows, storable
from arena.ledger.settings import TournamentSettings
from arena.ledger.voids import VoidRecord

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
        self._reader = RowReader(folder / FILE)
        self.chain = Chain(folder, connection)

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
            ledger.chain.append(tournament_entry(meta))
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
        return Meta(self.folder, {key: self._reader.loaded(f"meta {key}", value) for key, value in rows})

    @property
    def settings(self) -> TournamentSettings:
        """Return what `meta` says of the tournament. Raises `LedgerError`: it says something else or not enough."""
        try:
            return msgspec.convert(dict(self.meta), TournamentSettings)
        except msgspec.ValidationError as error:
            raise LedgerError(
                f"{self.folder / FILE}: meta does not fit: {error}: take a copy of this ledger that is whole"
            ) from None

    def set_meta(self, key: str, value: Any, entry: Entry | None = None) -> None:
        """Set one entry of `meta`. `entry`: what the chain keeps of that."""
        with self._transaction():
            self._put(key, value)
            if entry is not None:
                self.chain.append(entry)

    def note_run(self) -> None:
        """Record the time of this run, even if nothing is left to play."""
        self.set_meta(LAST_RUN, _now())

    def begin_run(self, budget: Mapping[str, Any]) -> None:
        """Record that a run begins, and how much it is asked for."""
        with self._transaction():
            self.chain.append(["run", dict(budget)])

    def end_run(self) -> None:
        """Record that the results are final, after `rated` in `meta` was set."""
        end = ["end", self.settings.rated.games]
        with self._transaction():
            if self.chain.last() != end:
                self.chain.append(end)
            self._put("finished", True)
            self._put(LAST_RUN, _now())

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

    def set_entrants(self, entrants: Sequence[EntrantRecord], note: str = "") -> None:
        """Set the entrants with which the tournament begins. Include those that were left out.

        `note`: what the user says about them.
        """
        joins = [FieldEvent("join", each.name) for each in entrants if each.left_out is None]
        with self._transaction() as db:
            dates.forget_notes(db)
            db.execute("DELETE FROM field_events")
            db.execute("DELETE FROM entrants")
            self._add(entrants, joins, note)

    def change_field(
        self, entrants: Sequence[EntrantRecord], events: Sequence[FieldEvent], place: int, note: str = ""
    ) -> None:
        """Add versions of bots, or replace what is known of them, and add events that hold from `place` on.

        Blocks that were drawn beyond that place are forgotten, because other rounds will be drawn in their stead.
        `note`: what the user says about the events.
        """
        with self._transaction() as db:
            self._add(entrants, events, note)
            if events:
                self._put("finished", False)
                db.execute("DELETE FROM blocks WHERE place >= ?", (place,))

    def _add(self, entrants: Sequence[EntrantRecord], events: Sequence[FieldEvent], note: str) -> None:
        before = {each.name: each.builds for each in self.entrants()}
        entrants = [with_builds(each, before.get(each.name, [])) for each in entrants]
        values = ", ".join("?" * len(EntrantRecord.__struct_fields__))
        self._db.executemany(f"INSERT OR REPLACE INTO entrants VALUES ({values})", map(entrant_row, entrants))
        self._db.executemany(
            "INSERT INTO field_events (kind, bot, round, place, stops) VALUES (?, ?, ?, ?, ?)",
            [storable(msgspec.structs.astuple(each)) for each in events],
        )
        for entrant in entrants:
            self.chain.append(bot_entry(entrant))
        for event in events:
            self.chain.append(event_entry(event))
        dates.note_events(self._db, _now(), *storable((note,)))

    def entrants(self) -> list[EntrantRecord]:
        """Return all versions of bots, sorted by label, with those that left or were left out."""
        fields = ", ".join(EntrantRecord.__struct_fields__)
        return [self._reader.entrant(row) for row in self._rows(f"SELECT {fields} FROM entrants ORDER BY name")]

    def note_build(self, bot: str, build: str) -> None:
        """Record the hash over what a bot's build made, behind those of earlier builds."""
        [entrant] = [each for each in self.entrants() if each.name == bot]
        with self._transaction():
            self._add([msgspec.structs.replace(entrant, builds=[build])], [], "")

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
        return [self._reader.typed("a field event", dict(zip(fields, row, strict=True)), FieldEvent) for row in rows]

    def field_notes(self) -> list[FieldNote]:
        """Return for each of the field's events when it was recorded, and what was said about it."""
        with ledger_errors(self.folder):
            return [self._reader.typed("a note on the field", note, FieldNote) for note in dates.notes(self._db)]

    def days(self) -> dict[str, int]:
        """Return how many games were recorded on each day (UTC, as `2026-03-01`), the first day first."""
        with ledger_errors(self.folder):
            found = dates.games_by_day(self._db)
        return self._reader.typed("the table of days", {"games": found}, Days).games

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
            data = {"place": place, "round": round, "number": number, "bots": self._reader.loaded(what, bots)}
            found.append(self._reader.typed(what, data, BlockRecord))
        return found

    # Games

    def record(self, game: MatchRecord, page_data: PageDataRecord | None = None) -> None:
        """Add a finished game, with its page data for the cache: what a tournament writes when a game ends.

        One transaction fills the tables `games`, `seats`, `steps`, `faults` and `page_data`, counts the game in `days`,
        sets `last_run` in `meta`, and appends a hash of the record to the chain. If the game suspends a bot, that is
        written to `rated` in `meta` afterwards. A game that is void is recorded by `record_void`. The coordinator of a
        run calls this (`arena.tournament.play`), and no other process does. The worker that played the game has made
        the record and built the page data (`arena.tournament.workers`). With `--trace` its referee has written the
        messages beside the ledger (`arena.referee.trace`). `arena match` has no ledger: it writes a trace, if it is
        asked to, and nothing else.

        Recording the same game again does nothing. Raises `LedgerError` if another game has its id.
        """
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
            db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", step_rows(game))
            db.executemany(
                "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(game.id, n, *msgspec.structs.astuple(fault)) for n, fault in enumerate(game.faults, start=1)],
            )
            if page_data is not None:
                db.execute("INSERT INTO page_data VALUES (?, ?, ?)", (game.id, page_data.key, page_data.data))
            self.chain.append(["game", game.id, record_hash(game)])
            now = _now()
            self._put(LAST_RUN, now)
            dates.count_game(db, now)

    def record_void(self, void: VoidRecord) -> None:
        """Add an attempt at a game that was void."""
        row = (void.game, void.attempt, json.dumps(void.bots), void.error, void.lost, void.charged)
        with self._transaction() as db:
            db.execute(
                "INSERT INTO voids (game, attempt, bots, error, lost, charged) VALUES (?, ?, ?, ?, ?, ?)", storable(row)
            )
            self.chain.append(void_entry(void))

    def voids(self) -> list[VoidRecord]:
        """Return all attempts at games that were void, in the order in which they were recorded."""
        found = []
        for row in self._rows("SELECT game, attempt, bots, error, lost, charged FROM voids ORDER BY n"):
            data = dict(zip(VoidRecord.__struct_fields__, row, strict=True))
            what = f"attempt {data['attempt']} at game {data['game']}"
            data["bots"] = self._reader.loaded(what, data["bots"])
            found.append(self._reader.typed(what, data, VoidRecord))
        return found

    def ids(self) -> list[str]:
        """Return the ids of the recorded games in the order of the schedule."""
        return [row[0] for row in self._rows("SELECT id FROM games ORDER BY ord")]

    def played(self) -> int:
        """Return how many games are recorded."""
        return int(self._rows("SELECT COUNT(*) FROM games")[0][0])

    def marks(self) -> dict[str, str]:
        """Return a mark for each game by id, in the order of the schedule.

        It changes whenever the game's course does.
        """
        return dict(self._rows("SELECT id, seed || ' ' || digest || ' ' || engine FROM games ORDER BY ord"))

    @contextmanager
    def snapshot(self) -> Iterator[None]:
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
        self._reader.complete(what, head[2], seats)
        steps = self._rows(
            "SELECT kind, seat, by, idx, action, note, metrics FROM steps WHERE game = ? ORDER BY n", one
        )
        faults = self._rows("SELECT seat, turn, code, text, stderr FROM faults WHERE game = ? ORDER BY n", one)
        data = dict(zip(_HEAD, head, strict=True))
        data |= self._reader.by_seat(what, seats)
        data["retired"] = self._reader.loaded(what, data["retired"])
        data["faults"] = [dict(zip(FaultRecord.__struct_fields__, row, strict=True)) for row in faults]
        data["steps"] = [
            {
                "kind": kind,
                "seat": seat,
                "by": by,
                "index": index,
                "action": self._reader.loaded(what, action),
                "note": note,
                "metrics": self._reader.loaded(what, metrics),
            }
            for kind, seat, by, index, action, note, metrics in steps
        ]
        return self._reader.typed(what, data, MatchRecord)

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
            self._reader.complete(what, players, at)
            data = {"id": game, "index": index, "players": players, "block": block, **self._reader.by_seat(what, at)}
            data |= {"retired": self._reader.loaded(what, retired), "faults": faults.get(game, [])}
            found.append(self._reader.typed(what, data, MatchResult))
        return found

    def outcomes(self, damaged: list[str] | None = None) -> list[Outcome]:
        """Return what the schedule needs of every game, in its order.

        Args:
            damaged: gets the ids of games that cannot be read. None: then raise `LedgerError`.
        """
        with ledger_errors(self.folder):
            rows = self._db.execute("SELECT game, bot, rank, scores FROM seats ORDER BY game, seat")
            all_seats = gather_seats(rows)
        found = []
        for head in self._rows("SELECT id, ord, players, seed, retired FROM games ORDER BY ord"):
            try:
                found.append(quick_outcome(head, all_seats.pop(head[0], None)) or self._outcome(head))
            except LedgerError:
                if damaged is None:
                    raise
                damaged.append(head[0])
        return found

    def _outcome(self, head: Row) -> Outcome:
        game, index, players, seed, retired = head
        what = f"game {game}"
        seats = self._rows("SELECT bot, rank, scores FROM seats WHERE game = ? ORDER BY seat", (game,))
        self._reader.complete(what, players, seats)
        data = {"id": game, "index": index, "seed": seed, "retired": self._reader.loaded(what, retired)}
        data |= {"bots": [seat[0] for seat in seats], "ranks": [seat[1] for seat in seats]}
        return self._reader.typed(
            what, data | {"scores": [self._reader.loaded(what, seat[2]) for seat in seats]}, Outcome
        )

    def score_names(self) -> list[str]:
        """Return the names of the scores in the recorded games, sorted."""
        found: set[str] = set()
        for game, text in self._rows("SELECT MIN(game), scores FROM seats GROUP BY scores"):
            scores = self._reader.loaded(f"game {game}", text)
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

    def _some_ids(self) -> str:
        ids = self.ids()
        if not ids:
            return "nothing has been played yet"
        return f"it has {len(ids)}, from {ids[0]} to {ids[-1]}"


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
