"""Whole tournaments of the six bots: the same tables whatever happens on the way."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest

from arena.cli.terminal import ExitCode
from tests.arena.cli import runner
from tests.arena.forging import alter
from tests.shell import Shell

pytestmark = [pytest.mark.process, pytest.mark.slow]

SHIPPED = Path(__file__).parents[2] / "bots"
BOTS = [SHIPPED / f"{name}.py" for name in ("greedy", "pairs", "planner", "random_bot", "saboteur", "sprinter")]
"""The deterministic ones."""
PLAIN = Path(__file__).parent / "plain_bot.py"
GAMES = 8
"""A block of games of two and of four players, and more."""
KILLS = 2


def without_times(board: Any) -> Any:
    if isinstance(board, dict):
        return {key: without_times(value) for key, value in board.items() if key != "times"}
    if isinstance(board, list):
        return [without_times(each) for each in board]
    return board


def board(arena, folder) -> str:
    """The leaderboard as JSON text, without the times."""
    data = json.loads(arena.run("leaderboard", folder, "--format", "json").stdout)
    return json.dumps(without_times(data), indent=2)


def games_in(folder: Path) -> int:
    file = folder / "ledger.sqlite"
    if not file.exists():
        return 0
    with closing(sqlite3.connect(file)) as ledger:
        try:
            return ledger.execute("SELECT COUNT(*) FROM games").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


def cached(folder: Path) -> set[tuple[str, int]]:
    """The games with cached page data, each with its length."""
    with closing(sqlite3.connect(folder / "page_data.sqlite")) as cache:
        return set(cache.execute("SELECT game, LENGTH(data) FROM page_data"))


def digests(folder: Path) -> dict[str, str]:
    """By game: the digest over all that happened in it."""
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger:
        return dict(ledger.execute("SELECT id, digest FROM games"))


def test_tables_do_not_depend_on_jobs_nor_on_being_killed(arena):
    asked = ["tournament", *BOTS, "--games", GAMES, "--players", "2,4", "--seed", 1]
    arena.run(*asked, "--jobs", 1, "--out", "one")
    arena.run(*asked, "--jobs", 3, "--out", "three")
    killed = arena.folder / "killed"
    moments = random.Random(7)
    kills = 0
    for kill in range(KILLS):
        goal = min(GAMES - 6 + kill, games_in(killed) + moments.randint(0, 6))
        with arena.start(*asked, "--jobs", 2, "--out", "killed", stdout=DEVNULL, stderr=DEVNULL) as run:
            while run.poll() is None and games_in(killed) < goal:
                time.sleep(0.005)  # what is looked at needs the core that this would take
            kills += run.poll() is None
        arena.assert_no_process()
    assert kills == KILLS
    arena.run(*asked, "--jobs", 2, "--out", "killed")

    expected = board(arena, "one")
    assert board(arena, "three") == expected
    assert board(arena, "killed") == expected
    assert cached(arena.folder / "one") == cached(arena.folder / "three") >= cached(killed)
    assert len(cached(arena.folder / "one")) == games_in(arena.folder / "one")
    assert digests(arena.folder / "one") == digests(arena.folder / "three") == digests(killed)
    arena.run("verify", killed)


def test_another_games_tables_do_not_depend_on_jobs_either(arena):
    """Copies of one bot, told apart by their files; one that does not play this game is left out."""
    copies = [arena.folder / f"random_{number}.py" for number in range(3)]
    for copy in copies:
        copy.write_text(BOTS[3].read_text())
    asked = ["tournament", *copies, BOTS[0], "--game", "ravensburger", "--players", "2,3", "--games", 5, "--seed", 5]
    arena.run(*asked, "--jobs", 1, "--out", "one")
    assert [each["bot"] for each in arena.json("leaderboard", "one")["left_out"]] == ["greedy"]
    arena.run(*asked, "--jobs", 3, "--out", "three")
    expected = board(arena, "one")
    assert {row["bot"] for row in json.loads(expected)["overall"]} == {copy.stem for copy in copies}
    assert board(arena, "three") == expected
    assert digests(arena.folder / "one") == digests(arena.folder / "three")
    assert arena.json("verify", "three")["games"] >= 5


def test_a_finished_tournament_goes_on_and_shrinks_again(arena):
    asked = ["tournament", *BOTS[:3], "--players", "2,3", "--seed", 2, "--out", "t"]
    small = without_times(arena.json(*asked, "--games", 6))
    played = games_in(arena.folder / "t")
    assert without_times(arena.json(*asked, "--games", 6)) == small
    assert games_in(arena.folder / "t") == played >= 6
    assert without_times(arena.json(*asked, "--games", 12)) != small
    assert games_in(arena.folder / "t") >= 12
    assert without_times(arena.json(*asked, "--games", 6)) == small


@pytest.fixture(scope="module")
def four_games(tmp_path_factory) -> Path:
    """A tournament whose games are as recorded."""
    shell = Shell(tmp_path_factory.mktemp("four-games"))
    shell.run("tournament", *BOTS[:2], "--games", 4, "--seed", 3, "--out", "t")
    assert shell.json("verify", "t")["games"] == 4
    shell.close()
    return shell.folder / "t"


@pytest.mark.parametrize(
    "alteration",
    [
        "UPDATE steps SET action = json_set(action, '$.do', 'other') WHERE game = ? AND n = 9",
        "UPDATE steps SET idx = idx + 1 WHERE game = ? AND n = 9",
        "UPDATE steps SET by = 'substitute' WHERE game = ? AND n = (SELECT n FROM steps WHERE game = ?1 AND idx > 0)",
        "UPDATE steps SET by = 'substitute' WHERE game = ? AND n = (SELECT n FROM steps WHERE game = ?1 AND idx = 0)",
        "UPDATE games SET digest = 'x' WHERE id = ?",
        "UPDATE games SET seed = '00000000000000000000000000000001' WHERE id = ?",
        "UPDATE seats SET rank = 3 - rank WHERE game = ?",
        "UPDATE seats SET scores = json_set(scores, '$.days', 1) WHERE game = ? AND seat = 0",
    ],
)
def test_verify_names_an_altered_game(four_games, tmp_path, alteration):
    folder = shutil.copytree(four_games, tmp_path / "t")
    altered = "p2-b0001-r0"
    alter(folder, alteration, values=(altered,))
    result = runner.run("verify", folder, "--json")
    assert result.exit_code == ExitCode.NO, result.output
    assert set(json.loads(result.stdout)["different"]) - {"tournament"} == {altered}


def test_a_bot_from_the_protocol_alone_plays_without_a_fault(arena):
    source = PLAIN.read_text()
    assert re.findall(r"^(?:import|from) (\w+)", source, re.MULTILINE) == ["os", "msgpack", "zmq"]
    arena.run("tournament", PLAIN, PLAIN, *BOTS[:2], "--games", 12, "--seed", 4, "--out", "t")
    for row in arena.json("leaderboard", "t")["overall"]:
        assert row["games"] > 0
        assert not any(row["faults"].values()), row
        assert row["retired"] == 0


def test_an_edited_bot_goes_on_as_its_next_version(arena):
    mine = arena.folder / "mine.py"
    mine.write_text(PLAIN.read_text())
    asked = ["tournament", mine, BOTS[0], "--games", 2, "--players", 2]
    arena.run(*asked)
    mine.write_text(PLAIN.read_text() + "\n# better\n")
    shown = arena.json(*asked)
    assert [path.name for path in (arena.folder / "tournaments").iterdir()] == ["default"]
    assert {row["bot"]: row["version"] for row in shown["overall"]} == {"mine@2": 2, "greedy": 1}
    assert [row["bot"] for row in shown["former"]] == ["mine"]
    pinned = arena.json(*asked, "--pin", "mine@1")
    assert {row["bot"] for row in pinned["overall"]} == {"mine", "mine@2", "greedy"}, "it was kept when it was built"
    assert arena.json("verify")["different"] == {}
    arena.run(*asked, "--fixed", code=2)
    arena.run(*asked, "--fresh")
    assert (arena.folder / "tournaments" / "default.old-1" / "ledger.sqlite").exists()


def test_bots_that_cannot_take_part_are_left_out_with_the_reason(arena):
    broken = arena.folder / "broken.py"
    broken.write_text("raise SystemExit('no such luck')\n")
    notes = arena.folder / "notes.txt"
    notes.write_text("not a bot")
    asked = ["tournament", broken, notes, *BOTS[:2], "--games", 2, "--out", "t"]
    arena.run(*asked)
    reasons = {each["bot"]: each["reason"] for each in arena.json("leaderboard", "t")["left_out"]}
    assert "no such luck" in reasons["broken"]
    arena.run("tournament", broken, *BOTS[:2], "--strict", "--out", "s", code=2)
    assert games_in(arena.folder / "s") == 0
