"""The cache of page data: nothing depends on it, whatever becomes of its file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.ledger import GameRecord, Ledger, PageDataRecord
from arena.ledger.page_data_cache import CACHE
from tests.arena.ledger.test_ledger import META

MakeGame = Callable[..., GameRecord]
PAGE = PageDataRecord("game and arena", b"\x00told" * 200)


@pytest.fixture
def folder(tmp_path: Path, a_game: MakeGame) -> Path:
    """The folder of a ledger with a game and its page data."""
    with Ledger.create(tmp_path / "t", META) as ledger:
        ledger.record(a_game(0), PAGE)
    return tmp_path / "t"


def found(folder: Path) -> PageDataRecord | None:
    with Ledger.open(folder) as ledger:
        return ledger.page_data("2-0-0")


def alter(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / CACHE)) as database, database:
        database.execute(sql)


def test_page_data_lie_beside_the_ledger(folder: Path) -> None:
    assert found(folder) == PAGE
    assert sorted(file.name for file in folder.iterdir()) == ["ledger.sqlite", CACHE]
    assert PAGE.data not in (folder / "ledger.sqlite").read_bytes()


def test_a_ledger_without_page_data_has_no_cache(tmp_path: Path, a_game: MakeGame) -> None:
    with Ledger.create(tmp_path, META) as ledger:
        ledger.record(a_game(0))
        assert ledger.page_data("2-0-0") is None
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.sqlite"]


def test_it_may_be_removed(folder: Path, a_game: MakeGame) -> None:
    (folder / CACHE).unlink()
    assert found(folder) is None
    with Ledger.open(folder, writing=True) as ledger:
        ledger.record(a_game(1), PAGE)
        assert ledger.page_data(a_game(1).id) == PAGE
        assert ledger.page_data("2-0-0") is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"no database"),
        lambda file: file.write_bytes(file.read_bytes()[:5000]),
        lambda file: alter(file.parent, "CREATE VIEW more AS SELECT 1"),
        lambda file: alter(file.parent, "DROP TABLE page_data"),
        lambda file: alter(file.parent, "CREATE TRIGGER t AFTER INSERT ON page_data BEGIN DELETE FROM page_data; END"),
    ],
    ids=["empty", "no database", "cut off", "more", "less", "a trigger"],
)
def test_one_that_cannot_be_used_is_none_and_is_made_anew(
    folder: Path, a_game: MakeGame, spoil: Callable[[Path], object]
) -> None:
    spoil(folder / CACHE)
    assert found(folder) is None
    with Ledger.open(folder, writing=True) as ledger:
        ledger.record(a_game(1), PAGE)
    with Ledger.open(folder) as ledger:
        assert ledger.ids() == ["2-0-0", a_game(1).id]
        assert ledger.page_data(a_game(1).id) == PAGE


@pytest.mark.parametrize("sql", ["UPDATE page_data SET data = 7", "UPDATE page_data SET key = x'00'"])
def test_what_cannot_be_read_is_none(folder: Path, sql: str) -> None:
    alter(folder, sql)
    assert found(folder) is None


def test_a_folder_in_its_place_is_no_error(tmp_path: Path, a_game: MakeGame) -> None:
    (tmp_path / CACHE).mkdir()
    with Ledger.create(tmp_path, META) as ledger:
        ledger.record(a_game(0), PAGE)
        assert ledger.page_data("2-0-0") is None
        assert ledger.ids() == ["2-0-0"]


def test_a_game_counts_while_another_process_holds_the_cache(
    folder: Path, a_game: MakeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.ledger.page_data_cache._PATIENCE", 0.0)
    with closing(sqlite3.connect(folder / CACHE)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with Ledger.open(folder, writing=True) as ledger:
            ledger.record(a_game(1), PAGE)
            assert ledger.ids() == ["2-0-0", a_game(1).id]
    assert found(folder) == PAGE


def test_who_reads_sees_what_is_written_together(tmp_path: Path, a_game: MakeGame) -> None:
    with Ledger.create(tmp_path, META) as ledger:
        for number in range(64):
            ledger.record(a_game(number), PAGE)
        with Ledger.open(tmp_path) as reader:
            assert reader.page_data(a_game(0).id) == PAGE
