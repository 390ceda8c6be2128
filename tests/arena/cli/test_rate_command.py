"""`arena rate` with real bots: few games, exit codes, JSON, a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.features import Form
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
    assert low < anchors["planner"]["rating"]
    assert high > anchors["random_bot"]["rating"]
    assert (
        anchors["random_bot"]["better"] > 0.5 > anchors["planner"]["better"]
    )  # of 40 games, which a clock decides too
    assert "mine" in (tmp_path / "page.html").read_text()
    shell.run("verify", mine["folder"])
    assert shell.json("rate", *words) == found


def test_saved_policies_of_a_bridged_game_have_a_curve(shell: Shell, tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    form, chance = Form.of("openspiel:tic_tac_toe"), np.random.default_rng(1)
    form.save(tmp_path / "form.json")
    for step in (9, 10):
        weights = chance.normal(size=(form.observation_width, form.actions.count or 0)).astype(np.float32)
        np.savez(tmp_path / f"step-{step}.npz", W0=weights, b0=np.zeros(form.actions.count or 0, np.float32))
    done = shell.run("rate", "step-10.npz", "step-9.npz", "--games", "24", "--to", "c.html", code=4)
    first, second, *_ = (line for line in done.stdout.splitlines() if line.startswith("step-"))
    assert (first.partition(":")[0], second.partition(":")[0]) == ("step-9", "step-10")
    assert "mcts-125" in done.stdout
    page = (tmp_path / "c.html").read_text()
    assert 'class="chart wide"' in page
    assert "Rating by checkpoint" in page
