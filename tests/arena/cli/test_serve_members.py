"""`arena serve --add`: who takes part, and their addresses in `submitters.csv`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from arena.serve.store import LeagueStore, Member

LEAGUE = 'name = "Course"\n[rounds]\nevery = "10 min"\n'


def entered(folder: Path, rows: list[list[str]]) -> list[Member | None]:
    """Return who comes in by these addresses."""
    with LeagueStore(folder, lambda: 0.0) as store:
        return [store.member_of(address.rpartition("/")[2]) for _, address in rows]


def test_who_is_added_again_has_one_address_which_is_the_new_one(tmp_path: Path, cli) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    (tmp_path / "class.csv").write_text("submitter,group\nada,1\ngrace,2\n")
    for names in ("class.csv", "ada, linus"):
        assert cli("serve", "--add", names).exit_code == 0
    file = tmp_path / "submitters.csv"
    assert file.stat().st_mode & 0o777 == 0o600
    heading, *rows = csv.reader(file.read_text().splitlines())
    assert heading == ["submitter", "address"]
    assert [name for name, _ in rows] == ["grace", "ada", "linus"]
    assert [member and member.name for member in entered(tmp_path, rows)] == ["grace", "ada", "linus"]


def test_a_name_that_is_written_twice_gets_one_address(tmp_path: Path, cli) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    assert cli("serve", "--add", "ada,grace,ada").output.count("/enter/") == 2
    _, *rows = csv.reader((tmp_path / "submitters.csv").read_text().splitlines())
    assert [name for name, _ in rows] == ["ada", "grace"]
    assert [member and member.name for member in entered(tmp_path, rows)] == ["ada", "grace"]


@pytest.mark.parametrize("words", [("--add", "ada,grace"), ("--organiser", "prof")])
def test_who_was_removed_is_refused_and_nobody_else_gets_an_address(tmp_path: Path, cli, words) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    cli("serve", "--add", "ada,grace", "--organiser", "prof")
    before = (tmp_path / "submitters.csv").read_text()
    with LeagueStore(tmp_path, lambda: 0.0) as store:
        for name in ("grace", "prof"):
            store.set_member("you", name, removed=True)
        hashes = store.secret_hashes()
    gone = words[1].split(",")[-1]
    said = cli("serve", *words, code=2).output
    assert f"{gone} was removed from the league: restore {gone} on an organiser's page first" in said
    assert (tmp_path / "submitters.csv").read_text() == before
    with LeagueStore(tmp_path, lambda: 0.0) as store:
        assert store.secret_hashes() == hashes
