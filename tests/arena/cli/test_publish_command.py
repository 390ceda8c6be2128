"""`arena publish`."""

from __future__ import annotations

import importlib.util

from tests.arena.cli.conftest import parsed


def test_a_tournament_becomes_a_site(cli, played, tmp_path):
    done = cli("publish", played, "--to", "site", "--jobs", 1, "--title", "Our cup")
    assert done.stdout.splitlines()[0].startswith("7 games, 7 of them new: ")
    assert done.stdout.splitlines()[1] == "site/index.html"
    assert "games: 7" in done.stderr
    assert "Our cup" in (tmp_path / "site" / "index.html").read_text("utf-8")
    again = parsed(cli("publish", played, "--to", "site", "--jobs", 2, "--title", "Our cup", "--json"))
    assert again == {"site": "site", "games": 7, "made": 0, "written": 0, "removed": 0, "problems": {}}


def test_a_hostile_ledger_is_published_and_its_games_are_named_that_have_no_replay(cli, hostile, tmp_path):
    done = cli("publish", hostile, "--to", "site", "--jobs", 1)
    assert "p2-b0000-r0 has no replay: " in done.stderr
    assert not [char for char in done.output if not char.isprintable() and char not in "\n\t"]
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text("utf-8")
        assert "<script>alert" not in text
        assert not [char for char in text if not char.isprintable() and char != "\n"]


def test_what_cannot_be_done_is_said_and_how_it_can(cli, played, tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    assert (
        "other holds something else (file): name a new folder" in cli("publish", played, "--to", "other", code=2).stderr
    )
    assert "there is no tournament in none" in cli("publish", "none", "--to", "site", code=2).stderr
    assert "other/file is no folder: name a new one" in cli("publish", played, "--to", "other/file", code=2).stderr
    assert "begin with http" in cli("publish", played, "--to", "site", "--url", "ftp://x", code=2).stderr
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "jinja2" else real(name))
    assert "pages need jinja2: pip install 'bot-arena[site]'" in cli("publish", played, "--to", "site", code=2).stderr
    assert not (tmp_path / "site").exists()
