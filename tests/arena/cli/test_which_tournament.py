"""Which tournament is read when none is named, and the list of those there are."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli.listing import _leader
from arena.ledger import Ledger
from arena.standings import kept_leads
from tests.arena.cli.conftest import ROOT, parsed

SECOND = "tournaments/default-2"
READERS = [
    ["show"],
    ["leaderboard"],
    ["verify"],
    ["replay", "p2-b0000-r0"],
    ["export", "--to", "games.csv"],
    pytest.param(["publish", "--to", "site", "--jobs", "1"], marks=pytest.mark.slow),
]


def run_at(folder: Path, moment: str) -> None:
    """Have a ledger say that it was last run then."""
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
        assert ledger.execute("UPDATE meta SET value = ? WHERE key = 'last_run'", (f'"{moment}"',)).rowcount == 1


@pytest.fixture
def home(tmp_path, played):
    """Two tournaments and what is none; the second was run last, though all files of the first are newer."""
    home = tmp_path / "tournaments"
    for name, moment in (("default", "2026-01-01T10:00:00.000000Z"), ("default-2", "2026-01-01T11:00:00.000000Z")):
        shutil.copytree(played, home / name)
        run_at(home / name, moment)
    for file in (home / "default-2").iterdir():
        os.utime(file, (0, 0))
    (home / "notes").mkdir()
    (home / "damaged").mkdir()
    (home / "damaged" / "ledger.sqlite").touch()
    (home / "quick.toml").touch()
    return home


@pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])
def test_the_tournament_last_run_is_read_and_named(cli, home, words):
    def named(*words):
        return re.findall(r"tournaments/[\w-]+", cli(*words).stderr.splitlines()[0])

    assert named(*words) == [SECOND]
    run_at(home / "default", "2026-01-01T12:00:00.000000Z")
    assert named(*words, *(["--replace"] if words[0] == "publish" else [])) == ["tournaments/default"]


@pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])
def test_a_tournament_beside_the_others_or_here_is_read_and_listed_too(cli, home, words, tmp_path, monkeypatch):
    """It was begun with `--out race`. Inside its folder it is that folder's."""
    shutil.copytree(home / "default", tmp_path / "race")
    run_at(tmp_path / "race", "2026-01-01T12:00:00.000000Z")
    assert cli(*words).stderr.splitlines()[0] == "reading race, the tournament last run here"
    assert [each["folder"] for each in parsed(cli("list", "--json"))] == ["race", SECOND, "tournaments/default"]
    monkeypatch.chdir(tmp_path / "race")
    assert [each["folder"] for each in parsed(cli("list", "--json"))] == ["."]


def test_a_table_at_which_nobody_played_a_game_is_not_the_tournament_last_run(cli, home, tmp_path):
    shutil.rmtree(home / "default-2")
    shutil.copytree(home / "default", home / "play-kosmos")
    with closing(sqlite3.connect(home / "play-kosmos" / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("DELETE FROM meta WHERE key = 'last_run'")
    assert "tournaments/default," in cli("show").stderr
    assert [each["last_run"] for each in parsed(cli("list", "--json"))] == ["2026-01-01T10:00:00.000000Z", None]
    shutil.rmtree(home / "default")
    assert "tournaments/play-kosmos," in cli("show").stderr


def test_a_folder_that_is_named_is_read_in_silence(cli, home):
    assert cli("show", "tournaments/default").stderr == ""
    parsed(cli("show", "--json"))  # where it was named by us, nothing else is on stdout


def test_a_game_that_is_not_there_is_missed_where_it_was_looked_for(cli, home):
    assert SECOND in cli("replay", "p9-b0000-r0", code=2).stderr.splitlines()[-1]
    cli("replay", "tournaments/default", code=2)


@pytest.mark.parametrize("words", READERS, ids=lambda words: words[0])
def test_without_any_tournament_there_is_nothing_to_read(cli, words):
    assert cli(*words, code=2).stdout == ""


def test_the_list_has_them_all_the_last_run_first(cli, home, played):
    done = cli("list", "--json")
    assert "tournaments/damaged/ledger.sqlite" in done.stderr
    assert done.stderr.count("\n") == 1
    first, second = parsed(done)
    assert (first["folder"], second["folder"]) == (SECOND, "tournaments/default")
    with Ledger.open(played) as ledger:
        games = len(ledger.ids())
    assert first["lead"] == parsed(cli("leaderboard", "--json"))["lead"]["overall"]
    del first["lead"]
    assert first.pop("last_run") == "2026-01-01T11:00:00.000000Z"
    assert first == {
        "folder": SECOND,
        "game": "kosmos",
        "edition": "standard",
        "format": "balanced",
        "bots": 3,
        "former": 0,
        "games": games,
        "expected": None,
        "state": "finished",
        "authors": {},
    }


def test_an_empty_list_is_no_error(cli, tmp_path):
    assert parsed(cli("list", "--json")) == []


def test_a_hostile_tournament_is_listed_without_acting(cli, hostile, tmp_path):
    (tmp_path / "tournaments").mkdir()
    hostile.rename(tmp_path / "tournaments" / "hostile")
    done = cli("list")
    assert "hostile" in done.stdout
    assert not [char for char in done.output if not char.isprintable() and char not in "\n\t"]


@pytest.mark.slow
def test_a_site_of_another_tournament_is_replaced_only_if_asked(cli, home, tmp_path):
    cli("publish", "tournaments/default", "--to", "site", "--jobs", 1)
    again = cli("publish", "tournaments/default", "--to", "site", "--jobs", 1, "--json")
    assert parsed(again)["made"] == 0
    with closing(sqlite3.connect(home / "default-2" / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("UPDATE meta SET value = json_set(value, '$.strikes', 9) WHERE key = 'time'")
    before = {file: file.read_bytes() for file in (tmp_path / "site").rglob("*") if file.is_file()}
    cli("publish", SECOND, "--to", "site", "--jobs", 1, code=2)
    assert {file: file.read_bytes() for file in (tmp_path / "site").rglob("*") if file.is_file()} == before
    cli("publish", SECOND, "--to", "site", "--jobs", 1, "--replace")
    cli("publish", "tournaments/default", "--to", "site", "--jobs", 1, code=2)


def test_a_leader_that_was_found_is_kept_until_the_ledger_changes(cli, home, monkeypatch):
    found = parsed(cli("list", "--json"))
    rated = []
    monkeypatch.setattr(kept_leads, "rated_results", lambda ledger: rated.append(ledger.folder.name) or [])
    assert parsed(cli("list", "--json")) == found
    assert rated == []
    run_at(home / "default", "2026-01-01T12:00:00.000000Z")
    altered = parsed(cli("list", "--json"))
    assert rated == ["default"]
    assert [each["lead"] for each in altered] == [None, found[0]["lead"]]
    monkeypatch.setattr(kept_leads, "_sources", lambda: "of a later version")
    cli("list")
    assert sorted(rated) == ["default", "default", "default-2"]


@pytest.mark.parametrize("content", [b"", b"\xff{", b'{"key":1}', b"[]"])
def test_a_kept_leader_that_is_damaged_is_found_again(cli, home, tmp_path, content):
    found = parsed(cli("list", "--json"))
    for kept in (tmp_path / "cache" / "leads").iterdir():
        kept.write_bytes(content)
    assert parsed(cli("list", "--json")) == found


def test_where_nothing_can_be_kept_the_list_is_the_same(cli, home, tmp_path):
    (tmp_path / "cache").write_text("no folder")
    assert parsed(cli("list", "--json"))[0]["lead"] is not None


@pytest.mark.slow
@pytest.mark.process
def test_a_run_that_ends_keeps_who_leads(cli, tmp_path, monkeypatch):
    for name in ("a", "b"):
        shutil.copy(ROOT / "bots" / "random_bot.py", tmp_path / f"{name}.py")
    board = parsed(cli("tournament", "a.py", "b.py", "--games", 2, "--players", 2, "--seed", 1, "--json"))
    monkeypatch.setattr(kept_leads, "rated_results", lambda ledger: pytest.fail(f"{ledger.folder} is rated anew"))
    assert parsed(cli("list", "--json"))[0]["lead"] == board["lead"]["overall"]


def test_a_list_names_who_leads_and_how_many_are_not_ruled_out() -> None:
    def said(*bots: str) -> str:
        return _leader({"bots": list(bots), "of": 4}, {"a": {"name": "Ada"}})

    assert (_leader(None, {}), said("a"), said("b", "a")) == ("-", "a by Ada", "b, or 1 other")
    assert (said("a", "b", "c"), said(*"abcd")) == ("a by Ada, or 2 others", "too early to say")
