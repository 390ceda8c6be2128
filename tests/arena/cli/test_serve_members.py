"""`arena serve --add`: who takes part, and their addresses in `submitters.csv`."""

from __future__ import annotations

import csv
from pathlib import Path

from arena.serve.store import LeagueStore


def test_who_is_added_again_has_one_address_which_is_the_new_one(tmp_path: Path, cli) -> None:
    (tmp_path / "league.toml").write_text('name = "Course"\n[rounds]\nevery = "10 min"\n')
    (tmp_path / "class.csv").write_text("submitter,group\nada,1\ngrace,2\n")
    for names in ("class.csv", "ada, linus"):
        assert cli("serve", "--add", names).exit_code == 0
    file = tmp_path / "submitters.csv"
    assert file.stat().st_mode & 0o777 == 0o600
    heading, *rows = csv.reader(file.read_text().splitlines())
    assert heading == ["submitter", "address"]
    assert [name for name, _ in rows] == ["grace", "ada", "linus"]
    with LeagueStore(tmp_path, lambda: 0.0) as store:
        whose = [store.member_of(address.rpartition("/")[2]) for _, address in rows]
    assert [member and member.name for member in whose] == ["grace", "ada", "linus"]
