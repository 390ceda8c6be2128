"""`arena rate` with real bots: few games, exit codes, JSON, a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.arena.cli.conftest import ROOT
from tests.shell import Shell

pytestmark = [pytest.mark.process, pytest.mark.slow]
LAST = "from arena.client import run\nrun(lambda game: len(game.actions) - 1)\n"


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text((ROOT / "bots" / "greedy.py").read_text() + "# mine\n")
    (tmp_path / "last.py").write_text(LAST)


def test_a_bot_is_rated_by_the_anchors_that_come_with_the_arena(shell: Shell, tmp_path: Path) -> None:
    words = ("mine.py", "--players", "2,3", "--games", "40", "--error", "9", "--to", "page.html")
    found = shell.json("rate", *words)
    [mine] = found["bots"]
    assert mine["bot"] == "mine"
    assert mine["is_known"]
    assert "come with the arena" in found["anchors"]
    anchors = {each["bot"]: each for each in mine["anchors"]}
    low, high = mine["rows"][0]["interval"]
    assert low < anchors["greedy"]["rating"] + 3
    assert high > anchors["greedy"]["rating"] - 3
    assert anchors["random_bot"]["better"] > 0.9 > 0.1 > anchors["planner"]["better"]
    assert "mine" in (tmp_path / "page.html").read_text()
    shell.run("verify", mine["folder"])
    assert shell.json("rate", *words) == found


def test_checkpoints_of_a_bridged_game_have_a_curve(shell: Shell, tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    words = ("rate", "last.py", "@random_bot", "--game", "openspiel:tic_tac_toe", "--games", "24", "--to", "c.html")
    done = shell.run(*words, code=4)
    assert "mcts-125" in done.stdout
    assert "anchors" in done.stdout
    page = (tmp_path / "c.html").read_text()
    assert 'class="chart wide"' in page
    assert "Rating by checkpoint" in page
