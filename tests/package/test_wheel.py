"""A wheel alone is whole: what it needs to play, to be read and to build on comes with it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.shipped.pages import pages
from tests.fresh import Fresh, environment

pytestmark = [pytest.mark.process, pytest.mark.slow]


PAGES = """
import json, sys
from typer.testing import CliRunner
from arena.cli.app import app
print(json.dumps({page: CliRunner().invoke(app, ["docs", page]).stdout for page in sys.argv[1:]}))
"""
"""Prints what `arena docs` does, of many pages in one process."""


@pytest.fixture
def empty(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Fresh:
    return Fresh(environment(tmp_path_factory), tmp_path)


def test_a_new_bot_plays_a_tournament_against_all_that_come_with_it(empty: Fresh) -> None:
    empty.run("arena new fogg --lang python")
    words = "@all --players 2 --games 5 --move 0.01 --strict --json"
    board = json.loads(empty.run(f"arena tournament fogg {words}").stdout)
    names = {row["bot"] for row in board["overall"]}
    assert {"fogg", "explorer", "greedy", "planner", "random_bot"} <= names
    assert "strider" not in names, "it does not play this game"
    assert board["left_out"] == []
    assert json.loads(empty.run("arena match fogg @greedy --json").stdout)["bots"] == ["fogg", "greedy"]


def test_every_page_is_there_and_its_links_lead_somewhere(empty: Fresh) -> None:
    listed = {line.split()[0] for line in empty.run("arena docs").stdout.splitlines()[2:]}
    assert listed == pages().keys()
    texts = json.loads(empty.run("python", "-c", PAGES, *listed).stdout)
    assert texts.keys() == listed
    for page, text in texts.items():
        assert text.startswith("#")
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            assert link.startswith(("https://", "#")), f"{page}: {link}"
        for name in re.findall(r"\(arena docs ([\w-]+)\)", text):
            assert name in listed, page
        for path in re.findall(r" \((/[^)]+)\)", text):
            assert Path(path).is_relative_to(empty.environment), page
            assert Path(path).exists(), page
