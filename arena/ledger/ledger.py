"""The ledger of one tournament: an SQLite file that is never wrong about what has been played.

A finished game is one transaction. Who writes holds a lock; who reads needs none, also while a tournament runs.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import msgspec

from arena.ledger.records import EntrantRecord, FaultRecord, GameRecord, GameResult, Step

FILE: Final = "ledger.sqlite"
SCHEMA: Final = 1


class LedgerError(ValueError):
    """A ledger that is not there or cannot be used; the text says what, where and what to do."""


class Ledger:
    """One tournament's ledger. Use as a context manager, or close it."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        """Not called by users: see `create` and `open`."""
        self.folder = folder
        self._db = connection

    @classmethod
    def create(cls, folder: Path, meta: Mapping[str, Any]) -> Ledger:
        """A new ledger in a folder that has none."""
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / FILE).exists():
            raise LedgerError(f"{folder} already holds a tournament")
        connection = _connect(folder, create=True)
        connection.executescript((files("arena.ledger") / "schema.sql").read_text("utf-8"))
        ledger = cls(folder, connection)
        with connection:
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
            for key, value in meta.items():
                ledger._put(key, value)
        return ledger

    @classmethod
    def open(cls, folder: Path) -> Ledger:
        """The ledger in that folder. Raises `LedgerError` when there is none, or one of a later version."""
        if not (folder / FILE).is_file():
            raise LedgerError(
                f"there is no tournament in {folder}: name the folder given as --out to `arena tournament`"
            )
        connection = _connect(folder, create=False)
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            connection.close()
            raise LedgerError(f"{folder / FILE} is no ledger: {error}") from None
        if version != SCHEMA:
            connection.close()
            raise LedgerError(
                f"{folder / FILE} has ledger version {version}, this arena reads {SCHEMA}: use the arena that wrote it"
            )
        return cls(folder, connection)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Ledger:
        """Itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close."""
        self.close()

    # What the tournament is

    @property
    def meta(self) -> dict[str, Any]:
        """What was fixed when the tournament began, and how it stands."""
        return {key: json.loads(value) for key, value in self._db.execute("SELECT key, value FROM meta ORDER BY key")}

    def set_meta(self, key: str, value: Any) -> None:
        """Set one entry of `meta`."""
        with self._db:
            self._put(key, value)

    def _put(self, key: str, value: Any) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    def set_entrants(self, entrants: Sequence[EntrantRecord]) -> None:
        """The bots of the tournament, those that were left out too."""
        with self._db:
            self._db.execute("DELETE FROM entrants")
            self._db.executemany(
                "INSERT INTO entrants VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [msgspec.structs.astuple(e) for e in entrants]
            )

    def entrants(self) -> list[EntrantRecord]:
        """The bots by name."""
        rows = self._db.execute(
            "SELECT name, path, fingerprint, language, version, deterministic, parallel, left_out"
            " FROM entrants ORDER BY name"
        )
        return [
            EntrantRecord(name, path, fingerprint, language, version, bool(deterministic), parallel, left_out)
            for name, path, fingerprint, language, version, deterministic, parallel, left_out in rows
        ]

    # Games

    def record(self, game: GameRecord) -> None:
        """Add a finished game. Recording the same game again does nothing, another one under its id is an error."""
        if game.ending == "void":
            self._record_void(game)
            return
        if self._db.execute("SELECT 1 FROM games WHERE id = ?", (game.id,)).fetchone():
            if self.game(game.id) != game:
                raise LedgerError(f"game {game.id} is recorded already, and differently")
            return
        with self._db:
            self._db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    game.id,
                    game.order,
                    game.players,
                    game.block,
                    game.rotation,
                    game.seed,
                    game.ending,
                    json.dumps(game.retired),
                    game.digest,
                    game.engine,
                ),
            )
            self._db.executemany(
                "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (game.id, seat, bot, game.ranks[seat], json.dumps(game.scores[seat]), json.dumps(game.times[seat]))
                    for seat, bot in enumerate(game.bots)
                ],
            )
            self._db.executemany("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", _step_rows(game))
            self._db.executemany(
                "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(game.id, n, *msgspec.structs.astuple(fault)) for n, fault in enumerate(game.faults, start=1)],
            )

    def _record_void(self, game: GameRecord) -> None:
        with self._db:
            self._db.execute(
                "INSERT INTO voids VALUES (?, ?, ?)", (game.id, self.voids().get(game.id, 0) + 1, game.error)
            )

    def voids(self) -> dict[str, int]:
        """How often each game was lost by the arena's own fault."""
        return dict(self._db.execute("SELECT game, COUNT(*) FROM voids GROUP BY game ORDER BY game"))

    def void_errors(self, game_id: str) -> list[str]:
        """What went wrong each time."""
        rows = self._db.execute("SELECT error FROM voids WHERE game = ? ORDER BY attempt", (game_id,))
        return [row[0] for row in rows]

    def ids(self) -> list[str]:
        """The recorded games in the order of the schedule."""
        return [row[0] for row in self._db.execute("SELECT id FROM games ORDER BY ord")]

    def game(self, game_id: str) -> GameRecord:
        """One game. Raises `LedgerError`."""
        head = self._db.execute(
            "SELECT id, ord, players, block, rotation, seed, ending, retired, digest, engine FROM games WHERE id = ?",
            (game_id,),
        ).fetchone()
        if head is None:
            raise LedgerError(f"there is no game {game_id!r} in {self.folder}: {self._some_ids()}")
        seats = self._db.execute(
            "SELECT bot, rank, scores, times FROM seats WHERE game = ? ORDER BY seat", (game_id,)
        ).fetchall()
        steps = self._db.execute(
            "SELECT kind, seat, by, idx, action, note, metrics FROM steps WHERE game = ? ORDER BY n", (game_id,)
        )
        faults = self._db.execute(
            "SELECT seat, turn, code, text, stderr FROM faults WHERE game = ? ORDER BY n", (game_id,)
        )
        return GameRecord(
            id=head[0],
            order=head[1],
            players=head[2],
            block=head[3],
            rotation=head[4],
            seed=head[5],
            bots=[row[0] for row in seats],
            ending=head[6],
            ranks=[row[1] for row in seats],
            scores=[json.loads(row[2]) for row in seats],
            steps=[_step(row) for row in steps],
            retired=json.loads(head[7]),
            faults=[FaultRecord(*row) for row in faults],
            times=[json.loads(row[3]) for row in seats],
            digest=head[8],
            engine=head[9],
        )

    def games(self) -> Iterator[GameRecord]:
        """All games in the order of the schedule."""
        for game_id in self.ids():
            yield self.game(game_id)

    def results(self) -> list[GameResult]:
        """What rating needs of every game, in the order of the schedule."""
        seats: dict[str, list[tuple[str, int, str, str]]] = {}
        for game, *row in self._db.execute("SELECT game, bot, rank, scores, times FROM seats ORDER BY game, seat"):
            seats.setdefault(game, []).append((row[0], row[1], row[2], row[3]))
        faults: dict[str, list[tuple[int, str]]] = {}
        for game, seat, code in self._db.execute("SELECT game, seat, code FROM faults WHERE seat IS NOT NULL"):
            faults.setdefault(game, []).append((seat, code))
        found = []
        rows = self._db.execute("SELECT id, ord, players, block, retired FROM games ORDER BY ord")
        for game, order, players, block, retired in rows:
            at = seats[game]
            found.append(
                GameResult(
                    id=game,
                    order=order,
                    players=players,
                    block=block,
                    bots=[seat[0] for seat in at],
                    ranks=[seat[1] for seat in at],
                    scores=[json.loads(seat[2]) for seat in at],
                    retired=json.loads(retired),
                    faults=faults.get(game, []),
                    times=[json.loads(seat[3]) for seat in at],
                )
            )
        return found

    def faults_of(self, bot: str) -> list[tuple[str, FaultRecord]]:
        """A bot's faults with their games, in the order of the schedule."""
        rows = self._db.execute(
            "SELECT f.game, f.seat, f.turn, f.code, f.text, f.stderr FROM faults f"
            " JOIN seats s ON s.game = f.game AND s.seat = f.seat JOIN games g ON g.id = f.game"
            " WHERE s.bot = ? ORDER BY g.ord, f.n",
            (bot,),
        )
        return [(row[0], FaultRecord(*row[1:])) for row in rows]

    def _some_ids(self) -> str:
        ids = self.ids()
        if not ids:
            return "nothing has been played yet"
        return f"it has {len(ids)}, from {ids[0]} to {ids[-1]}"


def _connect(folder: Path, create: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / FILE, timeout=30)
    if create:
        with closing(connection.execute("PRAGMA journal_mode = WAL")):
            pass
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _step_rows(game: GameRecord) -> Iterator[tuple[Any, ...]]:
    for n, step in enumerate(game.steps, start=1):
        action = None if step.action is None else json.dumps(step.action)
        metrics = None if step.metrics is None else json.dumps(step.metrics)
        yield (game.id, n, step.kind, step.seat, step.by, step.index, action, step.note, metrics)


def _step(row: tuple[Any, ...]) -> Step:
    kind, seat, by, index, action, note, metrics = row
    return Step(kind, seat, by, index, _loaded(action), note, _loaded(metrics))


def _loaded(text: str | None) -> Any:
    return None if text is None else json.loads(text)
