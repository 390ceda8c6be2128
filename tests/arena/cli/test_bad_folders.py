"""A folder that holds no tournament, or a damaged one: every reader ends with exit code 2. Why: `wording/show.txt`."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.arena.cli.conftest import parsed
from tests.arena.forging import unpacked

READERS = [["show"], ["show", "--games"], ["show", "--faults", "greedy"], ["leaderboard"], ["verify"], ["replay"]]


def words_for(reader: list[str], folder: str) -> list[str]:
    game = ["p2-b0000-r0"] if reader == ["replay"] else []
    return [reader[0], folder, *game, *reader[1:]]


@pytest.fixture(params=READERS, ids=" ".join)
def refused(request, cli):
    """Runs a reading command on a folder that it must refuse; what it says, which is nothing but one line."""

    def refused(folder: str) -> str:
        for as_json in ([], ["--json"]):
            done = cli(*words_for(request.param, folder), *as_json, code=2)
            assert done.stdout == ""
            assert done.stderr.startswith("arena: ")
            assert done.stderr.count("\n") == 1
        return done.stderr

    return refused


def damage(folder, *statements: str) -> None:
    with unpacked(folder) as ledger:
        for statement in statements:
            ledger.execute(statement)


def test_a_folder_that_is_not_there(refused):
    refused("nowhere")


def test_a_folder_without_a_tournament(refused, tmp_path):
    (tmp_path / "empty").mkdir()
    refused("empty")
    (tmp_path / "empty" / "notes").touch()
    refused("empty")


def test_a_file_for_a_folder(refused, tmp_path):
    (tmp_path / "file").write_text("x")
    refused("file")


@pytest.mark.parametrize("content", [b"not a database, but long enough to be taken for one" * 40, b"short"])
def test_a_ledger_that_is_some_other_file(refused, tmp_path, content):
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "ledger.sqlite").write_bytes(content)
    refused("t")


@pytest.mark.slow
def test_a_ledger_that_is_cut_off(refused, tmp_path, played):
    shutil.copytree(played, tmp_path / "t")
    ledger = tmp_path / "t" / "ledger.sqlite"
    ledger.write_bytes(ledger.read_bytes()[:1000])
    assert "t/ledger.sqlite" in refused("t")


def test_an_empty_ledger(refused, tmp_path):
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "ledger.sqlite").touch()
    refused("t")


def test_a_database_of_something_else(refused, tmp_path):
    (tmp_path / "t").mkdir()
    damage(tmp_path / "t", "CREATE TABLE bookmarks (url TEXT)", "PRAGMA user_version = 2")
    refused("t")


def test_a_ledger_of_a_later_version(refused, tmp_path, played):
    shutil.copytree(played, tmp_path / "t")
    damage(tmp_path / "t", "PRAGMA user_version = 99")
    refused("t")


def test_a_ledger_without_its_tables(refused, tmp_path, played):
    shutil.copytree(played, tmp_path / "t")
    damage(tmp_path / "t", "PRAGMA foreign_keys = OFF", *(f"DROP TABLE {table}" for table in ("faults", "times")))
    refused("t")


@pytest.mark.parametrize("words", [["show"], ["leaderboard"], ["verify"], ["replay", "p2-b0000-r0"]], ids=" ".join)
@pytest.mark.parametrize("sql", ["DELETE FROM meta", "UPDATE meta SET value = '{'"])
def test_a_ledger_that_does_not_say_what_was_played(cli, tmp_path, played, words, sql):
    shutil.copytree(played, tmp_path / "t")
    damage(tmp_path / "t", sql)
    done = cli(words[0], "t", *words[1:], code=2)
    assert done.stdout == ""
    assert "t/ledger.sqlite" in done.stderr


@pytest.mark.parametrize(
    "words", [["show"], ["leaderboard"], ["show", "--games"], ["replay", "p2-b0000-r0"]], ids=" ".join
)
@pytest.mark.parametrize("sql", ["UPDATE seats SET rank = 'x'", "UPDATE seats SET scores = '['", "DELETE FROM seats"])
def test_a_damaged_game_is_named_by_whoever_needs_it(cli, tmp_path, played, words, sql):
    shutil.copytree(played, tmp_path / "t")
    damage(tmp_path / "t", f"{sql} WHERE game = 'p2-b0000-r0'")
    done = cli(words[0], "t", *words[1:], code=2)
    assert done.stdout == ""
    assert "t/ledger.sqlite" in done.stderr
    assert "p2-b0000-r0" in done.stderr


def test_a_game_that_cannot_be_replayed_is_shown_up_to_there_and_not_as_json(cli, tmp_path, played):
    shutil.copytree(played, tmp_path / "t")
    damage(tmp_path / "t", "UPDATE steps SET idx = 99 WHERE game = 'p3-b0000-r0' AND n = 3")
    whole = cli("replay", played, "p3-b0000-r0").stdout
    told = cli("replay", "t", "p3-b0000-r0", code=2).stdout
    assert told
    assert whole.startswith(told)
    assert cli("replay", "t", "p3-b0000-r0", "--json", code=2).stdout == ""


def test_a_game_of_a_plug_in_that_is_not_installed(cli, tmp_path, played):
    shutil.copytree(played, tmp_path / "t")
    damage(tmp_path / "t", "UPDATE meta SET value = '\"chess\"' WHERE key = 'game'")
    for words in (["replay", "t", "p2-b0000-r0"], ["verify", "t"]):
        assert cli(*words, code=2).stdout == ""
    assert parsed(cli("show", "t", "--json"))["game"] == "chess"
    assert parsed(cli("leaderboard", "t", "--json"))["overall"]


def test_an_edition_that_is_none_is_a_difference_of_every_game(cli, tmp_path, played):
    shutil.copytree(played, tmp_path / "t")
    damage(tmp_path / "t", f"UPDATE meta SET value = '{json.dumps({'name': 'x'})}' WHERE key = 'edition'")
    cli("replay", "t", "p2-b0000-r0", code=2)
    different = parsed(cli("verify", "t", "--json", code=1))["different"]
    assert "edition" in str(different.pop("tournament"))
    assert len(different) == 7
