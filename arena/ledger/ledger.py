"""Read and write the ledger of one tournament: `ledger.sqlite` in its folder.

Games and void attempts are written by `arena.ledger.recorded_games`, the field by `arena.ledger.field_tables`; results
are looked up by `arena.ledger.result_queries`, and page data are kept beside it by `arena.ledger.page_data_cache`. A
finished game is written whole or not at all, with its entry in the chain, and those that a worker hands over together
are one transaction; so the file is never wrong about what was played. Only the process that holds the tournament's lock
writes: that of a tournament (`arena.tournament.coordinator`), to which workers hand the records of their games and the
page data of replays, or that of `arena play` (`arena.play.recorded`). Reading needs no lock, also while a tournament
runs.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from arena.ledger import database, dates
from arena.ledger.chain import tournament_entry
from arena.ledger.database import FILE
from arena.ledger.errors import LedgerError
from arena.ledger.field_tables import FieldTables
from arena.ledger.lock import is_locked
from arena.ledger.recorded_games import RecordedGames
from arena.ledger.result_queries import ResultQueries


class Ledger(FieldTables, RecordedGames, ResultQueries):
    """The ledger of one tournament. Use it as a context manager, or close it."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, writing: bool) -> None:
        """Wrap an open connection. Call `create` or `open` instead."""
        super().__init__(folder, connection, writing)
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
        self._page_data.close()
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

    # Its runs

    def note_run(self) -> None:
        """Record the time of this run, even if nothing is left to play."""
        self.set_meta(dates.LAST_RUN, dates.now())

    def begin_run(self, budget: Mapping[str, Any]) -> None:
        """Record that a run begins, and how much it is asked for."""
        with self._transaction():
            self.chain.append(["run", dict(budget)])

    def note_isolation(self, level: str) -> None:
        """Record how bots are kept apart from here on."""
        before = self.settings.isolation
        if self.chain.last("isolation") != ["isolation", level]:
            levels = before if level in before else [*before, level]
            self.set_meta("isolation", levels, ["isolation", level])

    def note_machine(self, machine: Mapping[str, str]) -> None:
        """Record on what machine games are played from here on, as `arena.common.machine` describes it."""
        found, before = dict(machine), self.settings.machines
        if self.chain.last("machine") != ["machine", found]:
            self.set_meta("machines", before if found in before else [*before, found], ["machine", found])

    def leave_out_machine(self, name: str) -> None:
        """Record that the games of a machine do not count."""
        before = self.settings.without_machines
        if name not in before:
            self.set_meta("without_machines", [*before, name], ["without", name])

    def keep_apart(self, places: Mapping[str, str]) -> None:
        """Record by label where bots run that joined, so that those elsewhere never meet those here."""
        self.set_meta("tables", {**self.settings.tables, **places}, *(["table", *each] for each in places.items()))

    def named_machines(self) -> list[str]:
        """Return the names of the machines on which games were played, in the order in which they came.

        Only machines of a cluster have names.
        """
        return list(dict.fromkeys(each["name"] for each in self.settings.machines if "name" in each))

    def machines_of_games(self) -> dict[str, str]:
        """Return by game the name of its machine, of those that have one.

        A machine's entry in the chain holds for the games behind it.
        """
        found: dict[str, str] = {}
        name: str | None = None
        for entry in self.chain.entries():
            match entry:
                case ["machine", dict(machine)]:
                    name = str(machine["name"]) if "name" in machine else None
                case ["game", str(game), str()] if name is not None:
                    found[game] = name
        return found

    def games_left_out(self) -> dict[str, str]:
        """Return by game that does not count, because its machine is left out, the name of that machine."""
        without = set(self.settings.without_machines)
        found = self.machines_of_games() if without else {}
        return {game: machine for game, machine in found.items() if machine in without}

    def note_published_head(self, moment: str) -> None:
        """Record that the head as it is now was published at that moment."""
        with self._transaction():
            self.chain.append(["head", moment])

    def end_run(self) -> None:
        """Record that the results are final, after `rated` in `meta` was set."""
        end = ["end", self.settings.rated.games]
        with self._transaction():
            if self.chain.last() != end:
                self.chain.append(end)
            self._put("finished", True)
            self._put(dates.LAST_RUN, dates.now())

    @property
    def identity(self) -> str:
        """Return a hash over all that was fixed when the tournament began, by which tournaments are told apart."""
        meta = self.meta
        fixed = [meta.get(key) for key in ("game", "edition", "players", "time", "seed_hash", "format")]
        text = json.dumps(fixed, sort_keys=True)
        return blake2b(text.encode(), digest_size=16, person=b"tournament").hexdigest()


class Standing(NamedTuple):
    """How far a tournament is, and whether a process is playing it."""

    state: str
    """`playing`, `finished` or `stopped`."""
    played: int
    expected: int | None
    """About how many games will have been played at the end; None: that is not known, or there are no more to come."""
    settings: str
    """Everything else in the settings that can change the pages."""

    def data(self) -> dict[str, str | int | None]:
        """Return how far it is as data for pages."""
        return {"state": self.state, "played": self.played, "expected": self.expected}


def standing(folder: Path) -> Standing:
    """Return the state of the tournament in that folder. Raises `LedgerError` if there is none."""
    playing = is_locked(folder)
    with Ledger.open(folder) as ledger:
        settings = ledger.settings
        played = ledger.played()
    state = "playing" if playing else "finished" if settings.finished else "stopped"
    return Standing(state, played, settings.rated.expected, repr(settings))
