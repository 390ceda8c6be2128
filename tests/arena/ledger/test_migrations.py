"""Ledgers of other versions: a later one is refused, an earlier one is brought up to date, whole or not at all."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.ledger import (
    GameRecord,
    Ledger,
    LedgerError,
    locked,
    migrations,
)
from tests.arena.ledger.test_ledger import META
from tests.shell import obey_modes

MakeGame = Callable[..., GameRecord]
SECOND = """
-- A trivial step; this comment has a semicolon; so has the text.
CREATE TABLE notes (game TEXT NOT NULL, text TEXT NOT NULL DEFAULT 'a; b');
INSERT INTO notes (game) SELECT id FROM games;
ALTER TABLE games ADD COLUMN place TEXT NOT NULL DEFAULT 'here'
"""


def ask(folder: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as database, database:
        return database.execute(sql).fetchall()


def version(folder: Path) -> object:
    return ask(folder, "PRAGMA user_version")[0][0]


def tables(folder: Path) -> list[tuple[object, ...]]:
    return ask(folder, "SELECT name, sql FROM sqlite_master ORDER BY name")


@pytest.fixture
def earlier(tmp_path: Path, a_game: MakeGame) -> Path:
    """A ledger with a game, of the version before the one that tests give the arena."""
    folder = tmp_path / "earlier"
    with Ledger.create(folder, META) as ledger:
        ledger.record(a_game(0))
    return folder


def add(patch: pytest.MonkeyPatch, step: str = SECOND) -> int:
    """The arena of the next release: it has one more step. Which version it makes."""
    patch.setattr(migrations, "STEPS", (*migrations.STEPS, step))
    return migrations.latest()


def test_a_new_ledger_is_of_the_latest_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Ledger.create(tmp_path / "today", META).close()
    assert version(tmp_path / "today") == migrations.latest() == migrations.FIRST + len(migrations.STEPS) - 1
    latest = add(monkeypatch)
    Ledger.create(tmp_path / "next", META).close()
    assert version(tmp_path / "next") == latest
    assert ask(tmp_path / "next", "SELECT COUNT(*) FROM notes") == [(0,)]


@pytest.mark.parametrize("writing", [True, False], ids=["who writes", "who reads"])
def test_an_earlier_ledger_is_brought_up_to_date_with_its_games(
    earlier: Path, tmp_path: Path, a_game: MakeGame, monkeypatch: pytest.MonkeyPatch, writing: bool
) -> None:
    latest = add(monkeypatch)
    with Ledger.open(earlier, writing) as ledger:
        assert ledger.game("2-0-0") == a_game(0)
        assert ledger.meta.items() >= META.items()
    assert version(earlier) == latest
    assert ask(earlier, "SELECT game, text FROM notes") == [("2-0-0", "a; b")]
    assert ask(earlier, "SELECT place FROM games") == [("here",)]
    Ledger.create(tmp_path / "new", META).close()
    assert tables(earlier) == tables(tmp_path / "new")
    with Ledger.open(earlier, writing=True):
        pass  # the step is not applied again, which would fail
    assert [file.name for file in earlier.iterdir()] == ["ledger.sqlite"]


@pytest.mark.parametrize("broken", ["CREATE TABLE games (x)", "no SQL at all"])
def test_a_step_that_fails_changes_nothing(earlier: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    before = version(earlier), tables(earlier), ask(earlier, "SELECT * FROM games")
    with monkeypatch.context() as patch:
        add(patch)
        add(patch, f"CREATE TABLE more (x); {broken};")
        for writing in (True, False):
            with pytest.raises(LedgerError, match=r"ledger\.sqlite"):
                Ledger.open(earlier, writing)
    assert (version(earlier), tables(earlier), ask(earlier, "SELECT * FROM games")) == before
    with Ledger.open(earlier) as ledger:
        assert ledger.ids() == ["2-0-0"]


def test_of_many_who_open_it_at_once_one_brings_it_up_to_date(earlier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    latest = add(monkeypatch)
    errors: list[BaseException] = []

    def read() -> None:
        try:
            Ledger.open(earlier).close()
        except BaseException as error:
            errors.append(error)

    readers = [threading.Thread(target=read) for _ in range(8)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert errors == []
    assert version(earlier) == latest
    assert ask(earlier, "SELECT COUNT(*) FROM notes") == [(1,)]


def test_its_tables_and_its_version_are_read_at_one_moment(earlier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    latest = add(monkeypatch)
    version_of = migrations.version_of
    was_locked: list[bool] = []

    def then_another_migrates(connection: sqlite3.Connection) -> int:
        found = version_of(connection)
        if not was_locked:
            was_locked.append(False)
            with closing(sqlite3.connect(earlier / "ledger.sqlite", timeout=0)) as another:
                try:
                    migrations.migrate(another)
                except sqlite3.OperationalError:
                    was_locked[0] = True
        return found

    monkeypatch.setattr(migrations, "version_of", then_another_migrates)
    with Ledger.open(earlier) as ledger:
        assert ledger.ids() == ["2-0-0"]
    assert was_locked == [True]
    assert version(earlier) == latest


def test_who_reads_leaves_the_ledger_alone_that_an_earlier_arena_is_playing(
    earlier: Path, a_game: MakeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    latest = add(monkeypatch)
    with locked(earlier):
        with Ledger.open(earlier) as ledger:
            assert ledger.game("2-0-0") == a_game(0)
        assert version(earlier) == latest - 1
        Ledger.open(earlier, writing=True).close()  # writing needs the lock
    assert version(earlier) == latest


OPEN_AS_THE_NEXT_ARENA = """
import sys
from pathlib import Path
from arena.ledger import Ledger, LedgerError, migrations
migrations.STEPS = (*migrations.STEPS, "CREATE TABLE notes (x);")
with Ledger.open(Path(sys.argv[1])) as ledger:
    print(*ledger.ids())
try:
    Ledger.open(Path(sys.argv[1]), writing=True)
except LedgerError as error:
    print(error)
"""


@pytest.mark.process
def test_where_nothing_can_be_written_it_can_be_read(earlier: Path) -> None:
    before = (earlier / "ledger.sqlite").read_bytes()
    for path in (earlier / "ledger.sqlite", earlier):
        path.chmod(0o555)
    try:
        script = [sys.executable, "-c", OPEN_AS_THE_NEXT_ARENA, str(earlier)]
        done = subprocess.run(script, preexec_fn=obey_modes, capture_output=True, text=True, check=True)
    finally:
        for path in (earlier, earlier / "ledger.sqlite"):
            path.chmod(0o755)
    games, refused = done.stdout.splitlines()
    assert games == "2-0-0"
    assert refused.startswith(f"{earlier}/ledger.sqlite cannot be used: ")
    assert (earlier / "ledger.sqlite").read_bytes() == before


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (1, "this arena reads {latest}: use the arena that wrote it (1.0.0.dev3+g1a2b), or a newer one"),
        (-1, "which was never released, this arena reads {latest}: use the arena that wrote it (1.0.0.dev3+g1a2b)"),
    ],
)
def test_a_later_ledger_and_one_from_before_the_first_release_are_refused(
    earlier: Path, tmp_path: Path, other: int, told: str
) -> None:
    number = migrations.latest() + 1 if other == 1 else migrations.FIRST - 1
    shutil.copytree(earlier, tmp_path / "other")
    ask(tmp_path / "other", """INSERT OR REPLACE INTO meta VALUES ('machines', '[{"arena": "1.0.0.dev3+g1a2b"}]')""")
    ask(tmp_path / "other", f"PRAGMA user_version = {number}")
    for writing in (True, False):
        with pytest.raises(LedgerError, match=rf"\b{number}\b") as refused:
            Ledger.open(tmp_path / "other", writing)
        assert told.format(latest=migrations.latest()) in str(refused.value)
    assert version(tmp_path / "other") == number
