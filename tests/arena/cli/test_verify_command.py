"""`arena verify`: every game played again and compared; what differs is named."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.arena.cli.conftest import parsed

ALTERED = "p3-b0000-r1"


@pytest.fixture
def alter(played, tmp_path):
    """Runs SQL on a copy of the ledger; the copy's folder."""
    folder = tmp_path / "t"
    shutil.copytree(played, folder)

    def alter(sql: str):
        with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
            assert ledger.execute(sql).rowcount > 0
        return folder

    return alter


def test_all_as_recorded(cli, played):
    done = cli("verify", played)
    assert (done.stdout, done.stderr) == ("7 games verified, all as recorded\n", "")
    assert parsed(cli("verify", played, "--json")) == {"games": 7, "different": {}}


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE steps SET idx = idx + 1 WHERE game = ? AND n = 1", "step 1: action"),
        ("UPDATE steps SET by = 'substitute' WHERE game = ? AND n = 2", ""),
        ("UPDATE steps SET seat = 9 WHERE game = ? AND n = 3", "step 3: seat 9 of 3"),
        ("UPDATE games SET digest = 'x' WHERE id = ?", "the digest over steps and events differs"),
        ("UPDATE games SET ending = 'walkover' WHERE id = ?", "recorded as walkover, played again it is finished"),
        ("UPDATE seats SET rank = 4 - rank WHERE game = ?", "recorded ranks are"),
        ("UPDATE seats SET scores = json_set(scores, '$.days', 1) WHERE game = ?", "recorded scores are"),
        ("DELETE FROM steps WHERE game = ? AND n > 10", "recorded as finished, played again it is not over"),
    ],
)
def test_an_altered_game_is_named_and_the_answer_is_no(cli, alter, sql, words):
    folder = alter(sql.replace("?", f"'{ALTERED}'"))
    lines = cli("verify", folder, code=1).stdout.splitlines()
    assert lines[-1] == "7 games verified, 1 with differences"
    assert all(line.startswith(f"{ALTERED}: ") for line in lines[:-1])
    assert words in "\n".join(lines)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE seats SET scores = '{' WHERE game = ? AND seat = 1",
        "UPDATE seats SET times = 'null' WHERE game = ? AND seat = 1",
        "UPDATE seats SET rank = 'first' WHERE game = ? AND seat = 0",
        "UPDATE games SET retired = '{}' WHERE id = ?",
        "UPDATE games SET players = 'three' WHERE id = ?",
        "UPDATE steps SET kind = 'jump' WHERE game = ? AND n = 1",
        "UPDATE steps SET seat = 'x' WHERE game = ? AND n = 1",
        "UPDATE steps SET action = x'80' WHERE game = ? AND n = 1",
        "DELETE FROM seats WHERE game = ? AND seat = 2",
    ],
)
def test_a_damaged_game_is_named_and_the_others_are_still_verified(cli, alter, sql):
    folder = alter(sql.replace("?", f"'{ALTERED}'"))
    done = parsed(cli("verify", folder, "--json", code=1))
    assert done["games"] == 7
    [difference] = done["different"].pop(ALTERED)
    assert f"game {ALTERED} " in difference
    assert done["different"] == {}


def test_two_altered_games_are_both_named_also_when_one_is_damaged(cli, alter):
    alter("UPDATE games SET digest = 'x' WHERE id = 'p2-b0001-r1'")
    folder = alter("UPDATE seats SET scores = '{' WHERE game = 'p2-b0000-r0'")
    told = cli("verify", folder, code=1).stdout
    assert "p2-b0000-r0: " in told
    assert "p2-b0001-r1: the digest over steps and events differs\n" in told
    assert told.endswith("7 games verified, 2 with differences\n")


def test_a_game_that_the_schedule_does_not_have_is_told_of_the_tournament(cli, alter):
    alter("UPDATE games SET id = 'p2-b0077-r0' WHERE id = 'p2-b0001-r1'")
    for table in ("seats", "steps"):
        folder = alter(f"UPDATE {table} SET game = 'p2-b0077-r0' WHERE game = 'p2-b0001-r1'")
    different = parsed(cli("verify", folder, "--json", code=1))["different"]
    assert different == {"tournament": ["p2-b0077-r0 is not in the schedule"]}


def test_a_lost_seed_is_told_of_the_tournament(cli, alter):
    folder = alter("UPDATE meta SET value = '\"00\"' WHERE key = 'seed'")
    told = cli("verify", folder, code=1).stdout
    assert told.startswith("tournament: ")
    assert "is not the seed that this tournament began with" in told
