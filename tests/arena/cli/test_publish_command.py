"""`arena publish`."""

from __future__ import annotations

import pytest

from tests.arena.cli.conftest import parsed


@pytest.mark.slow
def test_a_tournament_becomes_a_site(cli, played, tmp_path):
    made = parsed(cli("publish", played, "--to", "site", "--jobs", 1, "--title", "Our cup", "--json"))
    assert (made["games"], made["made"]) == (7, 7)
    assert "Our cup" in (tmp_path / "site" / "index.html").read_text("utf-8")
    again = parsed(cli("publish", played, "--to", "site", "--jobs", 2, "--title", "Our cup", "--json"))
    assert again == {"site": "site", "games": 7, "made": 0, "written": 0, "removed": 0, "problems": {}}


def test_a_hostile_ledger_is_published_and_its_games_are_named_that_have_no_replay(cli, hostile, tmp_path):
    done = cli("publish", hostile, "--to", "site", "--jobs", 1)
    assert "p2-b0000-r0" in done.stderr
    assert not [char for char in done.output if not char.isprintable() and char not in "\n\t"]
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text("utf-8")
        assert "<script>alert" not in text
        assert not [char for char in text if not char.isprintable() and char != "\n"]


def test_what_is_refused_leaves_nothing_behind(cli, played, tmp_path):
    for words in (["--url", "ftp://x"], ["--force"], ["--jobs", 0]):
        cli("publish", played, "--to", "site", *words, code=2)
    cli("publish", "none", "--to", "site", code=2)
    assert not list(tmp_path.iterdir())
