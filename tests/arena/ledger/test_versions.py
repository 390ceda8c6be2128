"""Ledgers of other versions are refused, and left as they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.ledger import GameRecord, Ledger, LedgerError
from arena.ledger.database import VERSION
from tests.arena.ledger.test_ledger import META

MakeGame = Callable[..., GameRecord]


def ask(folder: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as database, database:
        return database.execute(sql).fetchall()


def test_a_new_ledger_is_of_the_version_that_this_arena_reads(tmp_path: Path) -> None:
    Ledger.create(tmp_path, META).close()
    assert ask(tmp_path, "PRAGMA user_version") == [(VERSION,)]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (VERSION + 1, "use the arena that wrote it (1.0.0.dev3+g1a2b), or a newer one"),
        (VERSION - 1, "use the arena that wrote it (1.0.0.dev3+g1a2b)"),
    ],
)
def test_a_later_and_an_earlier_ledger_are_refused(tmp_path: Path, a_game: MakeGame, other: int, told: str) -> None:
    with Ledger.create(tmp_path, META) as ledger:
        ledger.record(a_game(0))
    ask(tmp_path, """INSERT OR REPLACE INTO meta VALUES ('machines', '[{"arena": "1.0.0.dev3+g1a2b"}]')""")
    ask(tmp_path, f"PRAGMA user_version = {other}")
    before = (tmp_path / "ledger.sqlite").read_bytes()
    for writing in (True, False):
        with pytest.raises(LedgerError) as refused:
            Ledger.open(tmp_path, writing)
        said = str(refused.value)
        assert said == f"{tmp_path}/ledger.sqlite has ledger version {other}, this arena reads {VERSION}: {told}"
    assert (tmp_path / "ledger.sqlite").read_bytes() == before
