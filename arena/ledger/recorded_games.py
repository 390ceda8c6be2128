"""Write and read the games of a ledger, each as it was played, and the attempts that were void.

`arena.tournament.game_recorder` records a game here when a worker hands it over: all that its `GameRecord` says, whole
or not at all, and its page data in the cache beside the ledger. What a record has stands in `arena.ledger.records`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import msgspec

from arena.ledger import dates
from arena.ledger.chain import void_entry
from arena.ledger.database import FILE
from arena.ledger.errors import DamagedLedger, LedgerError
from arena.ledger.ledger_file import LedgerFile
from arena.ledger.packing import PackedCellError
from arena.ledger.records import Days, FaultRecord, GameRecord, GameSummary, PageDataRecord, VoidRecord, summary_of
from arena.ledger.rows import PackedGame, pack_game, record_hash, storable

_HEAD: Final = ("id", "index", "players", "block", "rotation", "seed", "ending", "retired", "digest", "engine")
"""The fields of a record that are columns of the table `games`."""


class RecordedGames(LedgerFile):
    """Writes and reads games."""

    _day: str | None = None
    """The day of the game that was recorded last; None: look it up."""

    def record(self, game: GameRecord, page_data: PageDataRecord | None = None) -> None:
        """Add a finished game as `record_packed` does, and pack it here.

        Raises `LedgerError` as that does, and if the game is too long to be read again.
        """
        try:
            packed = pack_game(game)
        except PackedCellError as error:
            raise LedgerError(f"game {game.id} is too long to be recorded: {error}") from None
        self.record_packed(summary_of(game), packed, page_data)

    def record_packed(self, game: GameSummary, packed: PackedGame, page_data: PageDataRecord | None = None) -> None:
        """Add a finished game, with its page data for the cache: what a tournament writes when a game ends.

        One transaction fills the tables `games`, `seats`, `times`, `steps` and `faults`, counts the game in `days`,
        sets `last_run` in `meta`, and appends a hash of the record to the chain, behind the day if that is a new one;
        inside `together` it is part of a larger one. Page data then go to the cache beside the ledger. If the game
        suspends a bot, that is written to `rated` in `meta` afterwards. A game that is void is recorded by
        `record_void`. The coordinator of a run calls this (`arena.tournament.game_recorder`), and no other process
        does. The worker that played the game has packed it, and built the page data (`arena.tournament.workers`). With
        `--trace` its referee has written the messages beside the ledger (`arena.referee.trace`). `arena match` has no
        ledger: it writes a trace, if it is asked to, and nothing else.

        Recording the same game again does nothing. Raises `LedgerError` if another game has its id.
        """
        if self._rows("SELECT 1 FROM games WHERE id = ?", (game.id,)):
            if record_hash(self.game(game.id)) != packed.hash:
                raise LedgerError(f"game {game.id} is recorded already, and differently")
            return
        retired = json.dumps(game.retired)
        head = (game.id, game.index, game.players, game.block, game.rotation, game.seed, game.ending, retired)
        with self._transaction() as db:
            db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*head, game.digest, game.engine))
            db.executemany(
                "INSERT INTO seats VALUES (?, ?, ?, ?, ?)",
                [
                    (game.id, seat, bot, game.ranks[seat], json.dumps(game.scores[seat]))
                    for seat, bot in enumerate(game.bots)
                ],
            )
            db.execute("INSERT INTO times VALUES (?, ?)", (game.id, packed.times))
            db.execute("INSERT INTO steps VALUES (?, ?)", (game.id, packed.steps))
            db.executemany(
                "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(game.id, n, *msgspec.structs.astuple(fault)) for n, fault in enumerate(game.faults, start=1)],
            )
            now = dates.now()
            day = dates.day_of(now)
            if day != self._last_day():
                self.chain.append(["day", day])
            self.chain.append(["game", game.id, packed.hash])
            self._put(dates.LAST_RUN, now)
            db.execute("INSERT INTO days VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET games = games + 1", (day,))
        self._day = day
        if page_data is not None:
            self._page_data.put(game.id, page_data)

    def _last_day(self) -> str | None:
        """Return the day of the game that was recorded last. None: there is none."""
        if self._day is None:
            _, self._day = self.chain.last("day") or ("day", None)
        return self._day

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

    def ids(self, before: int | None = None) -> list[str]:
        """Return the ids of the recorded games in the order of the schedule. `before`: only of those before a place."""
        if before is None:
            return [row[0] for row in self._rows("SELECT id FROM games ORDER BY ord")]
        return [row[0] for row in self._rows("SELECT id FROM games WHERE ord < ? ORDER BY ord", (before,))]

    def played(self) -> int:
        """Return how many games are recorded."""
        return int(self._rows("SELECT COUNT(*) FROM games")[0][0])

    def marks(self) -> dict[str, str]:
        """Return a mark for each game by id, in the order of the schedule.

        It changes whenever the game's course does.
        """
        return dict(self._rows("SELECT id, seed || ' ' || digest || ' ' || engine FROM games ORDER BY ord"))

    def digests(self) -> dict[str, str]:
        """Return the digest of each game by id: that of its steps and events."""
        return dict(self._rows("SELECT id, digest FROM games"))

    def days(self) -> dict[str, int]:
        """Return how many games were recorded on each day (UTC, as `2026-03-01`), the first day first."""
        found: dict[str, int] = dict(self._rows("SELECT day, games FROM days ORDER BY day"))
        return self._reader.typed("the table of days", {"games": found}, Days).games

    def game(self, game_id: str) -> GameRecord:
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
        seats = self._rows("SELECT bot, rank, scores FROM seats WHERE game = ? ORDER BY seat", one)
        self._reader.complete(what, head[2], seats)
        packed = self._rows("SELECT t.data, s.data FROM times t JOIN steps s ON s.game = t.game WHERE t.game = ?", one)
        if not packed:
            raise DamagedLedger(f"{self.folder / FILE}: {what} cannot be read: its times or its steps are missing")
        [(times, steps)] = packed
        faults = self._rows("SELECT seat, turn, code, text, stderr FROM faults WHERE game = ? ORDER BY n", one)
        data = dict(zip(_HEAD, head, strict=True))
        data |= self._reader.by_seat(what, seats)
        data["retired"] = self._reader.loaded(what, data["retired"])
        data["faults"] = [dict(zip(FaultRecord.__struct_fields__, row, strict=True)) for row in faults]
        data["times"] = self._reader.times(what, head[2], times)
        data["steps"] = self._reader.steps(what, steps)
        return self._reader.typed(what, data, GameRecord)

    def page_data(self, game_id: str) -> PageDataRecord | None:
        """Return the cached page data of a game. Return None if there is none that can be read."""
        return self._page_data.get(game_id)

    def games(self) -> Iterator[GameRecord]:
        """Yield all games in the order of the schedule; not even their ids are held all at once."""
        last = -1
        while found := self._rows("SELECT id, ord FROM games WHERE ord > ? ORDER BY ord LIMIT 1000", (last,)):
            yield from (self.game(game_id) for game_id, _ in found)
            last = found[-1][1]

    def _some_ids(self) -> str:
        ids = self.ids()
        if not ids:
            return "nothing has been played yet"
        return f"it has {len(ids)}, from {ids[0]} to {ids[-1]}"
