"""The state of a league, in one SQLite file: whatever ends the process, the same command goes on from here.

Each transition is one transaction, with its entry in the chain. Nothing is decided by what only memory knows.
"""

from __future__ import annotations

import hmac
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import inf
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal

import msgspec

from arena.ledger.chain import Chain
from arena.ledger.database import ledger_errors
from arena.serve import STATE_FILE, LeagueError

Via = Literal["drop", "git", "upload", "remote"]
State = Literal["received", "unpacked", "built", "checked", "tried", "joined", "refused", "superseded", "withdrawn"]
"""How far a submission is. The last four are ends."""
ENDS: Final = ("joined", "refused", "superseded", "withdrawn")
Kind = Literal["submitter", "organiser"]
_VERSION: Final = 1
_PATIENCE: Final = 30.0
"""Seconds to wait for another process that writes."""


class Member(msgspec.Struct, frozen=True):
    """Who may submit bots, or organise."""

    name: str
    kind: Kind
    is_paused: bool
    is_removed: bool


class Submission(msgspec.Struct, frozen=True):
    """A bot that came in."""

    id: int
    submitter: str
    via: Via
    received: float
    digest: str
    state: State
    reason: str | None
    fingerprint: str | None


class SubmissionStep(msgspec.Struct, frozen=True):
    """Something that happened to a submission."""

    submission: int
    moment: float
    state: State
    text: str


class LeagueRound(msgspec.Struct, frozen=True):
    """A round of a season."""

    season: str
    number: int
    due: float
    field: dict[str, int]
    """By submitter, the submission that plays."""
    games: int = 0
    """How many games the season had when it ended, or before it."""
    outcome: str | None = None
    """None: it is being played."""
    ended: float | None = None
    blocks: int = 1
    """Of each bot at each number of players, in this round."""
    target: int = 1
    """How many of these there are with those of earlier rounds since a bot joined, if none joins in this one."""


def secret_hash(secret: str) -> str:
    """Return what is kept of a secret. It has 192 random bits, so one hash is enough."""
    return sha256(secret.encode()).hexdigest()


class LeagueStore(AbstractContextManager["LeagueStore"]):
    """The open file. It may be used by one thread at a time; close it, or use it as a context manager."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        """Open the file of a folder, and create it if there is none. Raises `LedgerError`."""
        self.folder = folder
        self._clock = clock
        with ledger_errors(folder, STATE_FILE):
            self._db = sqlite3.connect(folder / STATE_FILE, timeout=_PATIENCE, check_same_thread=False)
            (folder / STATE_FILE).chmod(0o600)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")  # a power cut loses nothing that was said
            [version] = self._db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                schema = (files("arena.serve") / "schema.sql").read_text("utf-8")
                self._db.executescript(f"BEGIN IMMEDIATE;\n{schema}\nPRAGMA user_version = {_VERSION};\nCOMMIT;")
            elif version != _VERSION:
                raise LeagueError(f"{folder / STATE_FILE} has version {version}, and this arena reads {_VERSION}")
        self.chain = Chain(folder, self._db, STATE_FILE)

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close the file."""
        self._db.close()

    def now(self) -> float:
        """Return the present moment."""
        return self._clock()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with ledger_errors(self.folder, STATE_FILE), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with ledger_errors(self.folder, STATE_FILE), closing(self._db.execute(query, values)) as rows:
            return rows.fetchall()

    def act(self, who: str, what: str, **facts: Any) -> None:
        """Record something that was done, by an organiser or by the league itself, in the chain."""
        with self._transaction():
            self.chain.append([what, who, self._clock(), facts])

    # Members

    def add_member(self, name: str, kind: Kind = "submitter") -> str:
        """Let somebody take part, or give them a new secret, and return the secret, which is kept as a hash alone."""
        secret = secrets.token_urlsafe(24)
        with self._transaction() as db:
            db.execute(
                "INSERT INTO members VALUES (?, ?, ?, 0, 0) ON CONFLICT (name) DO UPDATE SET secret = excluded.secret",
                (name, kind, secret_hash(secret)),
            )
            self.chain.append(["member", name, self._clock(), {"kind": kind}])
        return secret

    def members(self) -> list[Member]:
        """Return all who take part or took part, by name."""
        rows = self._rows("SELECT name, kind, is_paused, is_removed FROM members ORDER BY name")
        return [Member(name, kind, bool(paused), bool(removed)) for name, kind, paused, removed in rows]

    def member_of(self, secret: str) -> Member | None:
        """Return the member with this secret. None: nobody has it, or one who was removed."""
        wanted, found = secret_hash(secret), None
        for name, kept in self._rows("SELECT name, secret FROM members WHERE NOT is_removed"):
            if hmac.compare_digest(wanted, kept):  # all are compared, so the time says nothing
                found = name
        return next((each for each in self.members() if each.name == found), None)

    def secret_hashes(self) -> dict[str, tuple[str, Kind]]:
        """Return by the hash of each secret that lets somebody in who that is."""
        rows = self._rows("SELECT secret, name, kind FROM members WHERE NOT is_removed")
        return {secret: (name, kind) for secret, name, kind in rows}

    def set_member(self, who: str, name: str, *, paused: bool | None = None, removed: bool | None = None) -> None:
        """Pause or remove a member, or take that back. Raises `LeagueError` if there is no such member."""
        changes = {
            key: value for key, value in {"is_paused": paused, "is_removed": removed}.items() if value is not None
        }
        with self._transaction() as db:
            for key, value in changes.items():
                if db.execute(f"UPDATE members SET {key} = ? WHERE name = ?", (int(value), name)).rowcount == 0:
                    raise LeagueError(f"there is no {name!r} in this league")
            self.chain.append(["set", who, self._clock(), {"name": name, **changes}])

    # Submissions

    def receive(self, submitter: str, via: Via, digest: str, text: str = "") -> Submission:
        """Record that a submission has come, with all of its files in place."""
        now = self._clock()
        with self._transaction() as db:
            number = db.execute(
                "INSERT INTO submissions (submitter, via, received, digest, state) VALUES (?, ?, ?, ?, 'received')",
                (submitter, via, now, digest),
            ).lastrowid
            assert number is not None
            self._step(number, now, "received", text)
            self.chain.append(["submission", submitter, now, {"id": number, "via": via, "digest": digest}])
        return Submission(number, submitter, via, now, digest, "received", None, None)

    def move(
        self, number: int, state: State, text: str = "", *, reason: str | None = None, fingerprint: str | None = None
    ) -> None:
        """Record the next step of a submission."""
        now = self._clock()
        with self._transaction() as db:
            db.execute(
                "UPDATE submissions SET state = ?, reason = coalesce(?, reason), "
                "fingerprint = coalesce(?, fingerprint) WHERE id = ?",
                (state, reason, fingerprint, number),
            )
            self._step(number, now, state, text or reason or "")
            if state in ENDS:
                facts = {"id": number, "reason": reason, "fingerprint": fingerprint}
                self.chain.append([state, "league", now, {key: value for key, value in facts.items() if value}])

    def _step(self, number: int, now: float, state: State, text: str) -> None:
        self._db.execute(
            "INSERT INTO steps (submission, moment, state, text) VALUES (?, ?, ?, ?)", (number, now, state, text)
        )

    def submissions(self, submitter: str | None = None, *, is_open: bool = False) -> list[Submission]:
        """Return the submissions, in the order in which they came."""
        where, values = ["1"], list[Any]()
        if submitter is not None:
            where, values = [*where, "submitter = ?"], [submitter]
        if is_open:
            where, values = [*where, f"state NOT IN ({', '.join('?' * len(ENDS))})"], [*values, *ENDS]
        columns = ", ".join(Submission.__struct_fields__)
        query = f"SELECT {columns} FROM submissions WHERE {' AND '.join(where)} ORDER BY id"
        return [Submission(*row) for row in self._rows(query, *values)]

    def steps(self, number: int) -> list[SubmissionStep]:
        """Return what happened to a submission, in order."""
        query = "SELECT submission, moment, state, text FROM steps WHERE submission = ? ORDER BY n"
        return [SubmissionStep(*row) for row in self._rows(query, number)]

    # What happened since, for hooks

    def counts(self) -> dict[str, int]:
        """Return how many steps of submissions, and how many entries of the chain there are."""
        [[steps]] = self._rows("SELECT COALESCE(MAX(n), 0) FROM steps")
        return {"steps": steps, "entries": self.chain.length()}

    def steps_since(self, number: int, most: int) -> list[tuple[int, SubmissionStep]]:
        """Return the steps of submissions behind so many, each with its number, up to `most` of them."""
        query = "SELECT n, submission, moment, state, text FROM steps WHERE n > ? ORDER BY n LIMIT ?"
        return [(n, SubmissionStep(*row)) for n, *row in self._rows(query, number, most)]

    def entries_since(self, number: int, most: int) -> list[tuple[int, list[Any]]]:
        """Return the entries of the chain behind so many, in the same way."""
        query = "SELECT n, entry FROM chain WHERE n > ? ORDER BY n LIMIT ?"
        return [(n, json.loads(entry)) for n, entry in self._rows(query, number, most)]

    # Rounds

    def begin_round(self, what: LeagueRound, before: Mapping[str, list[str]] = {}) -> None:
        """Record a round before it is played, and who has which marks then: they stay if it never ends."""
        with self._transaction() as db:
            field = json.dumps(what.field, sort_keys=True)
            row = (what.season, what.number, what.due, field, what.games, what.blocks, what.target)
            db.execute("INSERT INTO rounds VALUES (?, ?, ?, ?, ?, NULL, NULL, ?, ?)", row)
            self._keep_marks(what.season, what.number, before)
            self.chain.append(["round", "league", self._clock(), msgspec.to_builtins(what)])

    def end_round(
        self,
        season: str,
        number: int,
        outcome: str,
        games: int,
        marks: Mapping[str, list[str]],
        before: Mapping[str, list[str]] = {},
    ) -> None:
        """Record how a round ended, and who has which marks after it and had before: the chain has what changed."""
        now = self._clock()
        both = {name: (set(marks.get(name, ())), set(before.get(name, ()))) for name in sorted({*marks, *before})}
        changes = {name: [sorted(new - old), sorted(old - new)] for name, (new, old) in both.items() if new != old}
        facts = {"season": season, "number": number, "outcome": outcome, "marks": changes}
        with self._transaction() as db:
            db.execute(
                "UPDATE rounds SET outcome = ?, games = ?, ended = ? WHERE season = ? AND number = ?",
                (outcome, games, now, season, number),
            )
            self._keep_marks(season, number, marks)
            self.chain.append(["round ended", "league", now, facts])

    def _keep_marks(self, season: str, number: int, marks: Mapping[str, list[str]]) -> None:
        rows = [(season, number, submitter, json.dumps(sorted(found))) for submitter, found in marks.items()]
        self._db.executemany("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)", rows)

    def reopen_round(self, season: str, number: int, who: str) -> None:
        """Have a round played again that could not be completed, as `who` asks for."""
        with self._transaction() as db:
            db.execute(
                "UPDATE rounds SET outcome = NULL, ended = NULL WHERE season = ? AND number = ?", (season, number)
            )
            self.chain.append(["play again", who, self._clock(), {"round": number}])

    def rounds(self, season: str, since: int = 0) -> list[LeagueRound]:
        """Return the rounds of a season in order, from a number on."""
        return self._found_rounds("season = ? AND number >= ? ORDER BY number", season, since)

    def last_round(self, season: str, before: float = inf) -> LeagueRound | None:
        """Return the last round of a season, or the last before a number. None: there is none."""
        found = self._found_rounds("season = ? AND number < ? ORDER BY number DESC LIMIT 1", season, before)
        return found[0] if found else None

    def _found_rounds(self, where: str, *values: Any) -> list[LeagueRound]:
        columns, field_of = ", ".join(LeagueRound.__struct_fields__), cache(json.loads)  # most rounds have the same
        rows = self._rows(f"SELECT {columns} FROM rounds WHERE {where}", *values)
        return [LeagueRound(name, number, due, field_of(field), *rest) for name, number, due, field, *rest in rows]

    def marks(self, season: str, number: int) -> dict[str, list[str]]:
        """Return who had which marks after a round; as long as it is played, before it."""
        rows = self._rows("SELECT submitter, marks FROM marks WHERE season = ? AND round = ?", season, number)
        return {submitter: json.loads(found) for submitter, found in rows}

    # What else is kept

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value that was kept under a key."""
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return json.loads(rows[0][0]) if rows else default

    def put(self, key: str, value: Any, who: str = "league") -> None:
        """Keep a value under a key, and note it in the chain."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))
            self.chain.append(["put", who, self._clock(), {key: value}])


def copy_state(folder: Path, to: Path) -> None:
    """Copy the state of a league as it is at one moment, also while it is written. Raises `LedgerError`."""
    with (
        ledger_errors(folder, STATE_FILE),
        closing(sqlite3.connect(folder / STATE_FILE, timeout=_PATIENCE)) as source,
        closing(sqlite3.connect(to / STATE_FILE)) as copy,
    ):
        source.backup(copy)
    (to / STATE_FILE).chmod(0o600)
