"""`arena export`, and `arena replay` of what it wrote. Files that were altered: `wording/replay.py`."""

from __future__ import annotations

import csv
import json
import shutil
from contextlib import suppress

import msgspec
import pytest

from arena.ledger import Ledger
from arena.replays import game_file
from arena.standings.compute import leaderboard
from tests.arena.cli.conftest import ROOT, parsed

WHOLE, CRASHED = "p3-b0000-r0", "p3-b0000-r2"


@pytest.fixture
def exported(cli, played, tmp_path):
    cli("export", played, "--to", "ex")
    return tmp_path / "ex"


def rows(file):
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_table_agrees_with_the_ledger(exported, played):
    found = rows(exported / "games.csv")
    with Ledger.open(played) as ledger:
        records = list(ledger.games())
        board = leaderboard(ledger).data()
    seats = [(record, seat) for record in records for seat in range(record.players)]
    assert len(found) == len(seats)
    for row, (record, seat) in zip(found, seats, strict=True):
        assert (row["game"], row["seed"], row["engine"]) == (record.id, record.seed, record.engine)
        assert (int(row["seat"]), row["bot"], int(row["rank"])) == (seat, record.bots[seat], record.ranks[seat])
        assert {key: int(row[key]) for key in record.scores[seat]} == record.scores[seat]
    for line in board["overall"]:
        mine = [row for row in found if row["bot"] == line["bot"]]
        assert len(mine) == line["games"]
        assert sum(float(row["finish"]) for row in mine) / len(mine) == pytest.approx(line["mean_finish"], abs=1e-6)
        assert {code: sum(int(row[code]) for row in mine) for code in line["faults"]} == line["faults"]
        assert sum(row["retired"] == "true" for row in mine) == line["retired"]


@pytest.mark.slow
def test_a_single_file_is_the_table_alone_in_the_format_of_its_name(cli, exported, played, tmp_path):
    cli("export", played, "--to", "sub/t.csv")
    assert (tmp_path / "sub" / "t.csv").read_bytes() == (exported / "games.csv").read_bytes()
    parquet = pytest.importorskip("pyarrow.parquet")
    cli("export", played, "--to", "t.parquet")
    cli("export", played, "--to", "ex", "--format", "parquet")
    table = parquet.read_table(tmp_path / "t.parquet")
    assert table.equals(parquet.read_table(exported / "games.parquet"))
    assert [row["rank"] for row in table.to_pylist()] == [int(row["rank"]) for row in rows(exported / "games.csv")]


@pytest.mark.parametrize("game", [WHOLE, CRASHED])
@pytest.mark.parametrize("eyes", [[], ["--seat", 1], ["--seat", 2], ["--seat", 3]], ids=str)
@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=str)
def test_a_game_from_its_file_is_shown_as_from_the_ledger(cli, exported, played, game, eyes, as_json):
    told = cli("replay", f"ex/games/{game}.json", *eyes, *as_json).stdout
    assert told == cli("replay", played, game, *eyes, *as_json).stdout
    assert told.count("\n") > 20


@pytest.mark.slow
def test_a_game_of_the_other_rules_too(cli, shell):
    bots = [ROOT / "bots" / name for name in ("strider.py", "navigator.py")]
    words = ["--game", "ravensburger", "--games", 2, "--players", 2, "--start", 60, "--bank", 60, "--jobs", 1]
    shell.run("tournament", *bots, *words, "--out", "r")
    cli("export", "r", "--to", "ex")
    for eyes in ([], ["--seat", 1], ["--seat", 2]):
        told = cli("replay", "ex/games/p2-b0000-r1.json", *eyes).stdout
        assert told == cli("replay", "r", "p2-b0000-r1", *eyes).stdout


@pytest.mark.slow
@pytest.mark.process
def test_a_file_is_asked_again_as_a_game_of_the_ledger_is(cli, exported):
    record = parsed(cli("replay", f"ex/games/{WHOLE}.json", "--json"))
    seat = record["bots"].index("greedy")
    words = ["--seat", seat + 1, "--bot", ROOT / "bots" / "greedy.py", "--json"]
    assert parsed(cli("replay", f"ex/games/{WHOLE}.json", *words))["different"] == []


def altered(exported, change) -> str:
    file = exported / "games" / f"{WHOLE}.json"
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))
    return f"ex/games/{WHOLE}.json"


def test_a_file_that_is_only_written_otherwise_is_the_same(cli, exported, played):
    assert cli("replay", altered(exported, lambda data: None)).stdout == cli("replay", played, WHOLE).stdout


def lied(exported, change) -> str:
    """The file altered by somebody who knows how its checksum is made."""

    def lie(data):
        change(data)
        data["checksum"] = ""
        game = msgspec.json.decode(json.dumps(data), type=game_file.GameFile)
        data["checksum"] = game_file._checksum(game)

    return altered(exported, lie)


@pytest.mark.parametrize("bot", [[], ["--seat", 1, "--bot", ROOT / "bots" / "greedy.py"]], ids=["told", "asked"])
def test_a_time_that_cannot_be_is_refused_before_any_bot_is_started(cli, exported, bot):
    file = lied(exported, lambda data: data["time"].update(move=1e300))
    assert cli("replay", file, *bot, code=2).stdout == ""


@pytest.mark.slow
def test_an_edition_of_boxes_in_boxes_is_refused_however_many_there_are(cli, exported, tmp_path):
    """A few that can be read are still too many for what comes after reading."""
    data = json.loads((exported / "games" / f"{WHOLE}.json").read_text())
    data["record"]["steps"] = []
    for depth in range(1000, 0, -1):
        data["edition"]["more"] = "boxes"
        text = json.dumps(data | {"checksum": ""}).replace('"boxes"', "[" * depth + "]" * depth)
        with suppress(RecursionError):
            game = msgspec.json.decode(text, type=game_file.GameFile)
            text = text.replace('"checksum": ""', f'"checksum": "{game_file._checksum(game)}"')
        (tmp_path / "x.json").write_text(text)
        error = cli("replay", "x.json", code=2).stderr
        assert error.startswith("arena: x.json ")
        if "more" in error:  # the engine has read all of it, and names the key that it does not know
            break
    else:
        pytest.fail("no depth is read to its end")


def test_half_a_file_is_refused(cli, exported):
    file = exported / "games" / f"{WHOLE}.json"
    file.write_bytes(file.read_bytes()[:5000])
    assert cli("replay", f"ex/games/{WHOLE}.json", code=2).stdout == ""


def test_an_export_of_a_hostile_ledger_does_no_harm(cli, hostile, tmp_path):
    with Ledger.open(hostile, writing=True) as ledger:
        ledger.set_meta("time", {})
    cli("export", hostile, "--to", "ex")
    assert rows(tmp_path / "ex" / "games.csv")[0]["bot"].startswith("<script>")


def test_while_it_runs_finished_games_are_exported_and_the_seed_is_not(cli, played, tmp_path):
    shutil.copytree(played, tmp_path / "t")
    with Ledger.open(tmp_path / "t", writing=True) as ledger:
        seed = ledger.meta["seed"]
        ledger.set_meta("seed", None)
        ledger.set_meta("finished", False)
    (tmp_path / "t" / "seed").write_text(seed)
    cli("export", "t", "--to", "ex")
    files = [file for file in (tmp_path / "ex").rglob("*") if file.is_file()]
    assert len(files) == 10
    assert not [file for file in files if seed in file.read_text()]
    assert cli("replay", f"ex/games/{WHOLE}.json").stdout == cli("replay", played, WHOLE).stdout
