"""Ledgers, plans, editions and games from somebody who means harm: a clear error, no hang and no traceback.

`cli` fails for any exception that is no exit; a test that hangs is ended by its alarm.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli.terminal import ExitCode
from arena.ledger.packing import STEPS_RATIO, TIMES_RATIO, pack
from tests.arena.forging import packed_to, unpacked

pytestmark = pytest.mark.slow

READERS = [
    ("show",),
    ("show", "--games"),
    ("show", "--faults", "greedy"),
    ("show", "--history"),
    ("leaderboard",),
    ("verify",),
    ("replay", "p2-b0000-r0"),
    ("export", "--to", "export"),
]
SECONDS = 60
"""After so long something hangs, however busy the machine is."""
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def words(reader: tuple[str, ...], folder: str) -> list[str]:
    return [reader[0], folder, *reader[1:]]


def change(folder: Path, *statements: str) -> None:
    with unpacked(folder) as ledger:
        ledger.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            ledger.execute(statement)


@pytest.fixture
def ledger(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "t"))


SCHEMAS = {
    "an endless view for games": [
        "ALTER TABLE games RENAME TO old",
        f"CREATE VIEW games AS {ENDLESS} SELECT i id, i ord, 2 players, 0 block, 0 rotation, '' seed, '' ending,"
        " '[]' retired, '' digest, '' engine FROM n",
    ],
    "an endless view for meta": [
        "ALTER TABLE meta RENAME TO old",
        f"CREATE VIEW meta AS {ENDLESS} SELECT i key, i value FROM n",
    ],
    "another view": [f"CREATE VIEW more AS {ENDLESS} SELECT i FROM n"],
    "a trigger": ["CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM games; END"],
    "a computed column": ["ALTER TABLE games ADD COLUMN more AS (hex(zeroblob(900000000)))"],
    "another index": ["CREATE INDEX more ON games (abs(ord))"],
    "a virtual table": ["CREATE VIRTUAL TABLE more USING fts5(x)"],
    "no SQL": ["UPDATE sqlite_master SET sql = 'CREATE TABLE games (id)' WHERE name = 'games'"],
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_no_ledger_of_ours_is_refused_before_it_is_read(cli, ledger, name):
    change(ledger, *SCHEMAS[name])
    for reader in READERS:
        done = cli(*words(reader, "t"), code=ExitCode.BAD_INPUT)
        assert "ledger.sqlite" in done.stderr


def test_pages_linked_in_circles_end(cli, ledger):
    """An inner page of `steps` whose children are all one inner page, and so on: a tree that never ends."""
    file = ledger / "ledger.sqlite"
    with closing(sqlite3.connect(file)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chain'").fetchone()
        database.executemany("INSERT INTO chain (entry) VALUES (?)", [("x" * 900,)] * 400)
        database.commit()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    data = bytearray(file.read_bytes())
    page = (root - 1) * size
    assert data[page] == 5, "an inner page of a table"
    cells = int.from_bytes(data[page + 3 : page + 5])
    assert cells > 10
    for cell in range(cells):
        at = page + int.from_bytes(data[page + 12 + 2 * cell : page + 14 + 2 * cell])
        data[at : at + 4] = root.to_bytes(4)
    file.write_bytes(data)
    cli("verify", "t", code=None)
    cli("show", "t", code=None)


HOSTILE_META = {
    "players": [0, [0], [50], ["abc"], "abc", [], [2] * 1000, {"2": 3}, [10**30]],
    "rated": [[], 7, {"games": "all"}, {"games": -5}, {"games": 10**18}, {"absent": {"x": [[1]]}}, {"absent": 7}],
    "time": [[], {}, {"move": "x"}, {"start": -1}, {"start": 1e300}, {"more": 1}, 7],
    "edition": [[], {}, {"name": [1]}, {"name": "x"}, 7],
    "seed": ["", "zz", "00" * 10000, "00" * 65, 7, "ab" * 16],
    "seed_hash": ["", 7, "ü" * 100],
    "format": ["", "none", 7, "gauntlet", "paired", "knockout"],
    "options": [[], {"error": "x"}, {"groups": 10**9}, {"blocks": -1}, {"challengers": [7]}, {"more": 1}],
    "later_seeds": [7, [7], [{"place": -1, "hash": "", "seed": ""}], [{"place": 10**18, "hash": "ab"}]],
    "finished": ["yes", None],
    "game": [7, "", "../kosmos", "number-race"],
    "last_run": [7, "\x1b[2J"],
}


@pytest.mark.parametrize("key", HOSTILE_META)
def test_settings_that_cannot_be_end_no_command_with_a_traceback(cli, ledger, key):
    for value in HOSTILE_META[key]:  # type: ignore[attr-defined]
        with closing(sqlite3.connect(ledger / "ledger.sqlite")) as database, database:
            database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))
        for reader in ("show",), ("leaderboard",), ("verify",), ("replay", "p2-b0000-r0"):
            cli(*words(reader, "t"), code=None)


CELLS = {
    "an unknown game far away": "UPDATE games SET ord = 9000000000000000000 WHERE id = 'p2-b0001-r1'",
    "a block far away": "UPDATE blocks SET place = 9000000000000000000 WHERE place = 0",
    "a round far away": "UPDATE blocks SET round = 9000000000000000000 WHERE place = 0",
    "an event far away": "UPDATE field_events SET round = 9000000000000000000, place = 7 WHERE bot = 'greedy'",
    "a block of no bots": "UPDATE blocks SET bots = '[]' WHERE place = 0",
    "a block of strangers": 'UPDATE blocks SET bots = \'["x", "y"]\' WHERE place = 0',
    "a block of numbers": "UPDATE blocks SET bots = '[1, 2]' WHERE place = 0",
    "a game of many": "UPDATE games SET players = 9000000000000000000 WHERE id = 'p2-b0000-r0'",
    "a seed of any length": "UPDATE games SET seed = hex(zeroblob(100000)) WHERE id = 'p2-b0000-r0'",
    "packed steps that are cut off": "UPDATE main.steps SET data = substr(data, 1, length(data) - 9)",
    "packed steps that are none": "UPDATE main.steps SET data = zeroblob(999)",
    "packed times that are text": "UPDATE times SET data = 'text'",
    "packed times of nobody": f"UPDATE times SET data = x'{pack([], TIMES_RATIO).hex()}'",
    "no packed steps": "DELETE FROM main.steps",
    "deep JSON": "UPDATE steps SET action = replace(hex(zeroblob(50000)), '00', '[') WHERE game = 'p2-b0000-r0'",
    "a wrong chain": "UPDATE chain SET entry = '[[[' WHERE n = 3",
    "a chain of something else": "UPDATE chain SET entry = '[\"game\", {}, 7]'",
    "bytes for text": "UPDATE chain SET entry = x'ff' WHERE n = 2",
    "a name that is a path": "UPDATE games SET id = '../../x' WHERE id = 'p2-b0000-r0'",
    "a name of any length": "UPDATE entrants SET path = hex(zeroblob(1000000))",
    "a fault that is none": "INSERT INTO faults VALUES ('p2-b0000-r0', 77, 99, -1, 'x', x'ff', 7)",
}


@pytest.mark.parametrize("name", CELLS)
def test_cells_that_cannot_be_end_no_command_with_a_traceback(cli, ledger, name):
    change(ledger, CELLS[name])
    for reader in READERS:
        cli(*words(reader, "t"), code=None)


BOMBS = {
    "times of many seats": ("times", b"[" + b"[]," * 160_000 + b"[]]", TIMES_RATIO),
    "many times": ("times", b"[[" + b"257," * 9000 + b"257],[" + b"257," * 9000 + b"257]]", TIMES_RATIO),
    "steps with many empty lists": ("steps", b'[[],[],[],[],[{"":[' + b"[]," * 160_000 + b"[]]}],[],[]]", STEPS_RATIO),
    "columns without end": ("steps", b"[" + b"[]," * 160_000 + b"[]]", STEPS_RATIO),
}
MOST = 64 << 20
"""Bytes that a command may take with one of these cells, of 500,000 characters, in each game of two."""


@pytest.mark.parametrize("name", BOMBS)
def test_packed_cells_that_grow_take_little_memory(cli, ledger, name):
    table, text, ratio = BOMBS[name]
    with closing(sqlite3.connect(ledger / "ledger.sqlite")) as database, database:
        database.execute(f"UPDATE {table} SET data = ? WHERE game LIKE 'p2-%'", (packed_to(text, ratio),))
    for reader in READERS:
        tracemalloc.start()
        try:
            cli(*words(reader, "t"), code=None)
            assert tracemalloc.get_traced_memory()[1] < MOST, reader
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("file", ["lock", "seed", "ledger.sqlite"])
def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(cli, ledger, file):
    change(ledger, "DELETE FROM meta WHERE key = 'seed'")  # so that it is looked for in its file
    (ledger / file).unlink(missing_ok=True)
    os.mkfifo(ledger / file)
    for reader in READERS:
        cli(*words(reader, "t"), code=None)


def test_six_thousand_entrants_are_verified(cli, ledger):
    change(
        ledger,
        f"INSERT INTO entrants {ENDLESS} SELECT 'x' || i, '', '', '', '', 0, 1, NULL, '[]', NULL FROM n LIMIT 6000",
        f"INSERT INTO field_events (round, place, kind, bot) {ENDLESS} SELECT 0, 0, 'join', 'x' || i FROM n LIMIT 6000",
    )
    cli("verify", "t", code=ExitCode.NO)


def evil_files(folder: Path, ending: str) -> list[Path]:
    pipe, big, deep = (folder / f"{name}{ending}" for name in ("pipe", "big", "deep"))
    os.mkfifo(pipe)
    with big.open("wb") as stream:
        stream.truncate(6 << 30)  # sparse: it takes no room
    deep.write_text("x = " + "[" * 100_000 if ending == ".toml" else "[" * 100_000)
    zero, text, folder_ = (folder / f"{name}{ending}" for name in ("zero", "text", "folder"))
    zero.symlink_to("/dev/zero")
    text.write_bytes(b"\xff\xfe")
    folder_.mkdir()
    return [pipe, big, deep, zero, text, folder_]


def test_what_is_no_exported_game_is_refused(cli, tmp_path):
    for file in evil_files(tmp_path, ".json"):
        cli("replay", file, code=ExitCode.BAD_INPUT)


@pytest.mark.parametrize("field", ["id", "bot", "code"])
def test_a_game_with_a_name_of_five_million_characters_is_refused(cli, played, tmp_path, field):
    cli("export", played, "--to", "export")
    file = tmp_path / "export" / "games" / "p2-b0000-r0.json"
    game = json.loads(file.read_text())
    name = "x" * 5_000_000
    record = game["record"]
    if field == "id":
        record["id"] = name
    elif field == "bot":
        record["bots"][0] = name
    else:
        record["faults"] = [{"seat": 0, "turn": 1, "code": name, "text": "", "stderr": ""}]
    file.write_text(json.dumps(game))
    assert "characters" in cli("replay", file, code=ExitCode.BAD_INPUT).stderr


def test_what_is_no_plan_is_refused(cli, tmp_path):
    for file in evil_files(tmp_path, ".toml"):
        cli("tournament", "--plan", file, code=ExitCode.BAD_INPUT)


@pytest.mark.parametrize(
    "line", [f"seed = {'9' * 5000}", f"seed = {'9' * 4000}.0", "bots = [[[]]]", "games = nan", "out = '\\u0000'"]
)
def test_a_plan_with_values_that_cannot_be_is_refused(cli, tmp_path, line):
    (tmp_path / "p.toml").write_text(line)
    cli("tournament", "--plan", "p.toml", code=ExitCode.BAD_INPUT)


def test_what_is_no_edition_is_refused(cli, tmp_path):
    for file in evil_files(tmp_path, ".toml"):
        cli("games", "kosmos", "--edition", file, code=ExitCode.BAD_INPUT)
