"""What ratings, tables and the schedule need of the games of a ledger: of all of them, or of some, in brief."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from arena.common.decoding_words import in_words
from arena.ledger import database
from arena.ledger.database import FILE, ledger_errors
from arena.ledger.errors import DamagedLedger, LedgerError
from arena.ledger.ledger_file import LedgerFile
from arena.ledger.records import BriefResult, FaultRecord, GameResult, Outcome, idle_seats
from arena.ledger.rows import Row
from arena.ledger.settings import Dealing

_SCORES: Final = msgspec.json.Decoder(dict[str, int | float])
_RETIRED: Final = msgspec.json.Decoder(list[int])


class ResultQueries(LedgerFile):
    """Reads results, without the courses of the games."""

    def results(self) -> list[GameResult]:
        """Return what rating needs of every game, in the order of the schedule."""
        # Games first: one that is recorded meanwhile is whole or not among them.
        games = self._rows("SELECT id, ord, players, block, retired FROM games ORDER BY ord")
        all_seats = self._all_seats()
        times: dict[str, object] = dict(self._rows("SELECT game, data FROM times"))
        all_faults = self._rows("SELECT game, seat, code FROM faults WHERE seat IS NOT NULL ORDER BY game, n")
        faults: dict[str, list[tuple[int, str]]] = {}
        for game, seat, code in all_faults:
            faults.setdefault(game, []).append((seat, code))
        found = []
        dealing = self.settings.dealing or Dealing()
        for game, index, players, block, retired in games:
            teams = dealing.teams_of(players)
            what = f"game {game}"
            seats, packed, theirs = all_seats.pop(game, None), times.pop(game, None), faults.get(game, [])
            usual = _usual_outcome((game, index, players, "", retired), seats)
            if usual is not None and type(block) is int and isinstance(packed, bytes) and not theirs:
                self._reader.times(what, players, packed)
                of_seats = (usual.bots, usual.ranks, usual.scores, usual.retired)
                found.append(GameResult(game, index, players, block, *of_seats, [], packed, teams))
                continue
            at = self._rows("SELECT bot, rank, scores FROM seats WHERE game = ? ORDER BY seat", (game,))
            self._reader.complete(what, players, at)
            data = {"id": game, "index": index, "players": players, "block": block, **self._reader.by_seat(what, at)}
            data |= {"retired": self._reader.loaded(what, retired), "faults": theirs, "packed_times": packed}
            data["teams"] = teams
            self._reader.times(what, players, packed)
            found.append(self._reader.typed(what, data, GameResult))
        return found

    def _all_seats(self) -> dict[str, _Seats | None]:
        with ledger_errors(self.folder):
            return _gather_seats(self._db.execute("SELECT game, bot, rank, scores FROM seats ORDER BY game, seat"))

    def outcomes(self, damaged: list[str] | None = None) -> list[Outcome]:
        """Return what the schedule needs of every game, in its order.

        Args:
            damaged: gets the ids of games that cannot be read. None: then raise `LedgerError`.
        """
        all_seats = self._all_seats()
        found = []
        for head in self._rows("SELECT id, ord, players, seed, retired FROM games ORDER BY ord"):
            try:
                found.append(_usual_outcome(head, all_seats.pop(head[0], None)) or self._outcome(head))
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

    def retired_by(self, codes: Iterable[str]) -> dict[str, list[int]]:
        """Return by game the seats that retired and have a fault with one of these codes."""
        wanted = list(codes)
        marks = ", ".join("?" * len(wanted))
        rows = self._rows(
            "SELECT DISTINCT f.game, f.seat, g.retired FROM faults f JOIN games g ON g.id = f.game"
            f" WHERE f.seat IS NOT NULL AND f.code IN ({marks}) ORDER BY f.game, f.seat",
            wanted,
        )
        found: dict[str, list[int]] = {}
        for game, seat, retired in rows:
            if seat in (self._reader.loaded(f"game {game}", retired) or ()):
                found.setdefault(game, []).append(seat)
        return found

    def idle(self) -> dict[str, list[int]]:
        """Return by game in which a seat retired the other seats that were asked for nothing.

        A game whose times cannot be read is left out: `outcomes` says what is damaged.
        """
        found: dict[str, list[int]] = {}
        query = "SELECT g.id, g.players, g.retired, t.data FROM games g JOIN times t ON t.game = g.id"
        for game, players, retired, data in self._rows(f"{query} WHERE g.retired != '[]' ORDER BY g.ord"):
            with suppress(LedgerError):
                what = f"game {game}"
                seats = idle_seats(self._reader.loaded(what, retired) or (), self._reader.times(what, players, data))
                if seats:
                    found[game] = seats
        return found

    def games_with_fault(self, code: str) -> list[str]:
        """Return the ids of games in which a bot has a fault with that code."""
        rows = self._rows("SELECT DISTINCT game FROM faults WHERE code = ? AND seat IS NOT NULL ORDER BY game", (code,))
        return [str(game) for (game,) in rows]

    def engines(self) -> dict[str, int]:
        """Return by name and version of the rules how many games were played by them."""
        return dict(self._rows("SELECT engine, COUNT(*) FROM games GROUP BY engine ORDER BY engine"))

    def score_names(self) -> list[str]:
        """Return the names of the scores in the recorded games, sorted."""
        found: set[str] = set()
        for game, text in self._rows("SELECT MIN(game), scores FROM seats GROUP BY scores"):
            scores = self._reader.loaded(f"game {game}", text)
            if not isinstance(scores, dict):
                raise DamagedLedger(f"{self.folder / FILE}: game {game} cannot be read: its scores are {text}")
            found.update(scores)
        return sorted(found)

    def each_fault_of(self, bot: str) -> Iterator[tuple[str, FaultRecord]]:
        """Yield a bot's faults, each with its game's id, in the order of the schedule.

        One after the other, as a bot may have many, with many last lines.
        """
        with ledger_errors(self.folder):
            for game, *fault in self._db.execute(
                "SELECT f.game, f.seat, f.turn, f.code, f.text, f.stderr FROM faults f"
                " JOIN seats s ON s.game = f.game AND s.seat = f.seat JOIN games g ON g.id = f.game"
                " WHERE s.bot = ? ORDER BY g.ord, f.n",
                (bot,),
            ):
                yield game, FaultRecord(*fault)

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


class _Seats(NamedTuple):
    """Of one game, as lists by seat."""

    bots: list[str]
    ranks: list[int]
    scores: list[dict[str, int | float]]


def _gather_seats(rows: Iterable[Row]) -> dict[str, _Seats | None]:
    """Return the seats of all games by id, each text read once. None: something in them is to be looked at.

    `rows`: game, bot, rank and scores, by game and seat.
    """
    found: defaultdict[str, _Seats | None] = defaultdict(lambda: _Seats([], [], []))
    names: dict[str, str] = {}
    read: dict[str, dict[str, int | float]] = {}
    for game, bot, rank, scores in rows:
        seats = found[game]
        if seats is None:
            continue
        if scores not in read:
            with suppress(msgspec.DecodeError, TypeError):
                read[scores] = _SCORES.decode(scores)
        if type(bot) is str and type(rank) is int and scores in read:
            seats.bots.append(names.setdefault(bot, bot))
            seats.ranks.append(rank)
            seats.scores.append(read[scores])
        else:
            found[game] = None
    return found


def _usual_outcome(head: Row, seats: _Seats | None) -> Outcome | None:
    """Return the outcome of a game that is as usual, without a query of its own. None: it is to be looked at.

    `head`: id, place, number of players, seed and retired seats.
    """
    game, index, players, seed, retired = head
    if seats is None or len(seats.bots) != players or type(index) is not int or type(seed) is not str:
        return None
    try:
        return Outcome(game, index, seed, *seats, [] if retired == "[]" else _RETIRED.decode(retired))
    except (msgspec.DecodeError, TypeError):
        return None


class BriefFault(NamedTuple):
    """A fault, without the last words of its bot."""

    game: str
    bot: str
    code: str
    text: str


class NewResults(NamedTuple):
    """What was recorded since an earlier look."""

    entry: int
    """The number of the last entry of the chain that was looked at."""
    results: list[BriefResult]
    faults: list[BriefFault]
    """In the order in which their games were recorded."""


def brief_results(folder: Path, begin: int, end: int) -> list[BriefResult]:
    """Return the games at the places from `begin` up to, and without, `end`, in the order of the schedule.

    The ledger is open for a moment only, so that who writes it is not kept from closing it. Raises `LedgerError`.
    """
    with closing(database.open_to_read(folder)) as db, ledger_errors(folder):
        return _brief(db, folder, "g.ord >= ? AND g.ord < ?", (begin, end))


def results_since(folder: Path, entry: int, most: int) -> NewResults:
    """Return the games of the next `most` entries of the chain behind `entry`, with their faults.

    The ledger is open for a moment only. Raises `LedgerError`.
    """
    with closing(database.open_to_read(folder)) as db, ledger_errors(folder):
        rows = db.execute("SELECT n, entry FROM chain WHERE n > ? ORDER BY n LIMIT ?", (entry, most)).fetchall()
        games = [game for _, text in rows for game in _game_of(text)]
        results: list[BriefResult] = []
        faults: list[BriefFault] = []
        if games:
            marks = ", ".join("?" * len(games))
            results = _brief(db, folder, f"g.id IN ({marks})", games)
            query = (
                "SELECT f.game, s.bot, f.code, f.text FROM faults f "
                "JOIN seats s ON s.game = f.game AND s.seat = f.seat "
                f"WHERE f.game IN ({marks}) ORDER BY f.n"
            )
            found = [BriefFault(*map(str, row)) for row in db.execute(query, games)]
            order = {game: place for place, game in enumerate(games)}
            faults = sorted(found, key=lambda fault: order[fault.game])
    return NewResults(rows[-1][0] if rows else entry, results, faults)


def _game_of(text: str) -> list[str]:
    """Return the game that an entry of the chain records, if it records one."""
    try:
        entry = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return []
    return [entry[1]] if isinstance(entry, list) and entry[:1] == ["game"] and isinstance(entry[1], str) else []


def _brief(db: sqlite3.Connection, folder: Path, within: str, values: Sequence[object]) -> list[BriefResult]:
    """Return the games that a condition chooses, in the order of the schedule."""
    seats: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    faults: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    # Games first: one that is recorded meanwhile is whole or not among them.
    heads = f"SELECT g.id, g.ord, g.retired FROM games g WHERE {within} ORDER BY g.ord"
    games = db.execute(heads, values).fetchall()
    joined = f"JOIN seats s ON s.game = g.id WHERE {within} ORDER BY s.seat"
    for game, *seat in db.execute(f"SELECT g.id, s.bot, s.rank, s.scores FROM games g {joined}", values):
        seats[game].append(tuple(seat))
    joined = f"JOIN faults f ON f.game = g.id WHERE {within} AND f.seat IS NOT NULL ORDER BY f.n"
    for game, *fault in db.execute(f"SELECT g.id, f.seat, f.code FROM games g {joined}", values):
        faults[game].append(tuple(fault))
    found = []
    said = db.execute("SELECT value FROM meta WHERE key = 'dealing'").fetchone()
    said = b"{}" if said is None else said[0]
    for game, index, retired in games:
        bots, ranks, scores = zip(*seats[game], strict=True) if seats[game] else ((), (), ())
        data = {"id": game, "index": index, "bots": bots, "ranks": ranks, "faults": faults[game]}
        try:
            data["teams"] = msgspec.json.decode(said, type=Dealing).teams_of(len(bots))
            data |= {"retired": msgspec.json.decode(retired), "scores": [*map(msgspec.json.decode, scores)]}
            found.append(msgspec.convert(data, BriefResult))
        except (msgspec.MsgspecError, TypeError) as error:
            raise DamagedLedger(f"{folder / FILE}: game {game} cannot be read: {in_words(error)}") from None
    return found
