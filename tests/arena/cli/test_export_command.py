"""`arena export`, and `arena replay` of what it wrote."""

from __future__ import annotations

import csv
import json
import shutil
from contextlib import suppress

import pytest

from arena.ledger import Ledger
from arena.replays import game_file
from arena.standings.compute import leaderboard
from tests.arena.cli.conftest import ROOT, parsed

WHOLE, CRASHED = "p3-b0000-r0", "p3-b0000-r2"


@pytest.fixture
def exported(cli, played, tmp_path):
    done = cli("export", played, "--to", "ex")
    assert done.stdout == "7 games written: ex/games.csv and one file a game in ex/games\n"
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
@pytest.mark.parametrize("eyes", [[], ["--seat", 0], ["--seat", 1], ["--seat", 2]], ids=str)
@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=str)
def test_a_game_from_its_file_is_told_as_from_the_ledger(cli, exported, played, game, eyes, as_json):
    told = cli("replay", f"ex/games/{game}.json", *eyes, *as_json).stdout
    assert told == cli("replay", played, game, *eyes, *as_json).stdout
    assert told.count("\n") > 20


@pytest.mark.slow
def test_a_game_of_the_other_rules_too(cli, shell):
    bots = [ROOT / "bots" / name for name in ("strider.py", "navigator.py")]
    words = ["--game", "ravensburger", "--games", 2, "--players", 2, "--start", 60, "--bank", 60, "--jobs", 1]
    shell.run("tournament", *bots, *words, "--out", "r")
    cli("export", "r", "--to", "ex")
    for eyes in ([], ["--seat", 0], ["--seat", 1]):
        told = cli("replay", "ex/games/p2-b0000-r1.json", *eyes).stdout
        assert told == cli("replay", "r", "p2-b0000-r1", *eyes).stdout


@pytest.mark.process
def test_a_file_is_asked_again_as_a_game_of_the_ledger_is(cli, exported):
    record = parsed(cli("replay", f"ex/games/{WHOLE}.json", "--json"))
    seat = record["bots"].index("greedy")
    words = ["--seat", seat, "--bot", ROOT / "bots" / "greedy.py"]
    assert "greedy differs in 0" in cli("replay", f"ex/games/{WHOLE}.json", *words).stdout


def altered(exported, change) -> str:
    file = exported / "games" / f"{WHOLE}.json"
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))
    return f"ex/games/{WHOLE}.json"


def test_a_file_that_is_only_written_otherwise_is_the_same(cli, exported, played):
    assert cli("replay", altered(exported, lambda data: None)).stdout == cli("replay", played, WHOLE).stdout


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda data: data["record"]["bots"].__setitem__(0, "me"), "its checksum is not that of its contents"),
        (lambda data: data["record"]["steps"].pop(), "its checksum is not that of its contents"),
        (lambda data: data["edition"].update(name="mine"), "its checksum is not that of its contents"),
        (lambda data: data["record"].update(ranks="first"), "Expected `array`, got `str` - at `$.record.ranks`"),
        (lambda data: data["record"]["ranks"].pop(), "$.record.ranks: 2 values for 3 players"),
        (lambda data: data["record"]["retired"].append(7), "seat 7 of 3 players"),
        (lambda data: data.pop("edition"), "missing required field `edition`"),
        (lambda data: data.update(more=1), "unknown field `more`"),
    ],
)
def test_an_altered_file_is_refused_with_what_and_where(cli, exported, change, what):
    file = altered(exported, change)
    refused = cli("replay", file, code=2)
    assert refused.stdout == ""
    assert refused.stderr.startswith(f"arena: {file} was altered or is damaged: ")
    assert what in refused.stderr


def lied(exported, change) -> str:
    """The file altered by somebody who knows how its checksum is made."""

    def lie(data):
        change(data)
        data["checksum"] = ""
        game = game_file.msgspec.json.decode(json.dumps(data), type=game_file.GameFile)
        data["checksum"] = game_file._checksum(game)

    return altered(exported, lie)


def test_a_lie_with_a_fresh_checksum_is_found_by_playing_it_again(cli, exported):
    file = lied(exported, lambda data: data["record"]["ranks"].reverse())
    refused = cli("replay", file, code=2).stderr
    assert "is not what its seed and steps give: recorded ranks are" in refused


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda data: data["time"].update(move="x"), "Expected `float`, got `str` - at `$.time.move`"),
        (lambda data: data["time"].update(bank=-1), "Expected `float` >= 0.0 - at `$.time.bank`"),
        (lambda data: data["time"].update(move=1e300), "Expected `float` <= 1000000000.0 - at `$.time.move`"),
        (lambda data: data["time"].update(more=1), "unknown field `more` - at `$.time`"),
        (lambda data: data["record"]["times"][0].append(10**400), "$.record.times: a decision of 1000"),
        (lambda data: data["record"]["times"][0].append(-1), "$.record.times: a decision of -1 microseconds"),
    ],
)
@pytest.mark.parametrize("bot", [[], ["--seat", 0, "--bot", ROOT / "bots" / "greedy.py"]], ids=["told", "asked"])
def test_a_time_that_cannot_be_is_refused_with_what_and_where(cli, exported, change, what, bot):
    file = lied(exported, change)
    refused = cli("replay", file, *bot, code=2)
    assert refused.stdout == ""
    assert refused.stderr.startswith(f"arena: {file} was altered or is damaged: ")
    assert what in refused.stderr


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda data: data["edition"]["events"].update(offer=10**9), "events.offer: allowed is a whole number from 0"),
        (
            lambda data: data["edition"]["parameters"].update(max_rounds=10**9),
            "parameters.max_rounds: allowed is a whole number",
        ),
        (lambda data: data["edition"].pop("chits"), "the game cannot begin: KeyError('chits')"),
        (lambda data: data["edition"].clear(), "the game cannot begin: "),
    ],
)
def test_an_edition_that_cannot_be_is_refused_before_anything_is_built(cli, exported, change, what):
    refused = cli("replay", lied(exported, change), code=2)
    assert refused.stdout == ""
    assert what in refused.stderr


@pytest.mark.slow
def test_an_edition_of_boxes_in_boxes_is_refused_however_many_there_are(cli, exported, tmp_path):
    """A few that can be read are still too many for what comes after reading."""
    data = json.loads((exported / "games" / f"{WHOLE}.json").read_text())
    data["record"]["steps"] = []
    why = set()
    for depth in range(1000, 0, -1):
        data["edition"]["more"] = "boxes"
        text = json.dumps(data | {"checksum": ""}).replace('"boxes"', "[" * depth + "]" * depth)
        with suppress(RecursionError):
            game = game_file.msgspec.json.decode(text, type=game_file.GameFile)
            text = text.replace('"checksum": ""', f'"checksum": "{game_file._checksum(game)}"')
        (tmp_path / "x.json").write_text(text)
        said = cli("replay", "x.json", code=2).stderr
        why |= {words for words in ("unknown key more", "cannot begin: Recursion", "no exported game") if words in said}
        if "unknown key more" in why:
            break
    assert len(why) == 3


def test_a_ledgers_time_control_that_somebody_altered_is_said(cli, played, tmp_path):
    shutil.copytree(played, tmp_path / "t")
    with Ledger.open(tmp_path / "t") as ledger:
        ledger.set_meta("time", {"move": "x"})
    refused = cli("replay", "t", WHOLE, "--seat", 0, "--bot", ROOT / "bots" / "greedy.py", code=2).stderr
    assert (
        refused == "arena: the time control of t was altered or is damaged: Expected `float`, got `str` - at `$.move`\n"
    )


def test_verify_says_of_an_altered_edition_what_is_wrong(cli, played, tmp_path):
    shutil.copytree(played, tmp_path / "t")
    with Ledger.open(tmp_path / "t") as ledger:
        edition = ledger.meta["edition"]
        edition["events"]["offer"] = 10**9
        ledger.set_meta("edition", edition)
    said = cli("verify", "t", code=1).stdout
    assert said.count("the game cannot begin: edition 'standard': events.offer: allowed is") == 7


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is no exported game"),
        (b"\x00\xff", "is no exported game"),
        (b"[" * 100_000, "is no exported game"),
        (b"{}", "`arena export` writes such files"),
        (b'{"format":"arena game","version":99}', "has version 99, this arena reads 1"),
        (b'{"format":"arena game","version":1}', "was altered or is damaged"),
    ],
)
def test_a_file_that_is_something_else_is_refused(cli, tmp_path, content, what):
    (tmp_path / "x.json").write_bytes(content)
    assert what in cli("replay", "x.json", code=2).stderr


def test_half_a_file_is_refused(cli, exported):
    file = exported / "games" / f"{WHOLE}.json"
    file.write_bytes(file.read_bytes()[:5000])
    assert f"ex/games/{WHOLE}.json is no exported game" in cli("replay", f"ex/games/{WHOLE}.json", code=2).stderr


def test_what_does_not_go_together_is_told(cli, exported, played):
    assert "name one of its games too" in cli("replay", played, code=2).stderr
    assert "there is no tournament in" in cli("replay", f"ex/games/{WHOLE}.json", WHOLE, code=2).stderr
    assert "has the seats 0 to 2" in cli("replay", f"ex/games/{WHOLE}.json", "--seat", 3, code=2).stderr
    assert "nowhere.json cannot be used" in cli("replay", "nowhere.json", code=2).stderr
    assert "choose one" in cli("export", played, "--to", "t.csv", "--format", "parquet", code=2).stderr
    assert "is not one of csv, parquet" in cli("export", played, "--to", "t", "--format", "xml", code=2).stderr
    assert "Missing option '--to'" in cli("export", played, code=2).stderr
    assert "there is no tournament in" in cli("export", "nowhere", "--to", "t", code=2).stderr


def test_an_export_of_a_hostile_ledger_does_no_harm(cli, hostile, tmp_path):
    with Ledger.open(hostile) as ledger:
        ledger.set_meta("time", {})
    cli("export", hostile, "--to", "ex")
    assert rows(tmp_path / "ex" / "games.csv")[0]["bot"].startswith("<script>")


def test_while_it_runs_finished_games_are_exported_and_the_seed_is_not(cli, played, tmp_path):
    shutil.copytree(played, tmp_path / "t")
    with Ledger.open(tmp_path / "t") as ledger:
        seed = ledger.meta["seed"]
        ledger.set_meta("seed", None)
        ledger.set_meta("finished", False)
    (tmp_path / "t" / "seed").write_text(seed)
    cli("export", "t", "--to", "ex")
    files = [file for file in (tmp_path / "ex").rglob("*") if file.is_file()]
    assert len(files) == 8
    assert not [file for file in files if seed in file.read_text()]
    assert cli("replay", f"ex/games/{WHOLE}.json").stdout == cli("replay", played, WHOLE).stdout
