"""The baselines that search, and the one that computes a policy: each becomes a bot that plays, on a tiny budget."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from arena import shipped
from arena.entrants.fingerprint import sources
from tests.shell import Shell

pytest.importorskip("pyspiel")
pytestmark = [pytest.mark.slow, pytest.mark.process]
EXAMPLES = Path(__file__).parents[2] / "examples" / "learn"


@pytest.fixture
def shell(tmp_path):
    shell = Shell(tmp_path)
    yield shell
    shell.close()


def example(name: str, *words: object) -> str:
    """Run an example, and return what it printed."""
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=240).stdout


def result(shell, *words: object) -> dict:
    """Play one game, and return its result."""
    return shell.json("match", *words, "--seed", 1)


def test_a_value_network_searches_any_game_of_a_ledger(shell, tmp_path):
    for game in "kosmos", "openspiel:leduc_poker":
        games, bot = tmp_path / "games", tmp_path / game.partition(":")[0]
        shell.run("tournament", "@random_bot", "@explorer", "--game", game, "--players", 2, "--games", 20,
                    "--seed", 1, "--out", games)  # fmt: skip
        habits = ["--habits", "planner"] if game == "kosmos" else []
        example("value_search", games, "--out", bot, "--minutes", 0.05, "--hidden", 8, 4, *habits)
        assert np.load(bot / "value.npz")["W2"].dtype == np.float16
        assert result(shell, bot, "@random_bot", "--game", game)["faults"] == []
        packaged = shipped.bots()["learned"]
        same = [file for file in sources(packaged) if file.name not in ("value.npz", "about.json")] if habits else []
        assert all((bot / file).read_bytes() == (packaged / file).read_bytes() for file in same), "this made @learned"
        games.rename(tmp_path / f"{bot.name}-games")


def test_the_same_games_and_seed_give_the_same_numbers(shell, tmp_path):
    shell.run("tournament", "@random_bot", "@random_bot", "--game", "kosmos", "--players", 2, "--games", 4,
                "--seed", 1, "--out", tmp_path / "games")  # fmt: skip
    forms = []
    for name in "one", "two":
        example("value_search", tmp_path / "games", "--out", tmp_path / name, "--minutes", 0)
        forms.append([(tmp_path / name / file).read_bytes() for file in ("form.json", "about.json")])
    assert forms[0] == forms[1]


@pytest.mark.parametrize("game", ["openspiel:leduc_poker", "ravensburger"])
def test_a_search_of_openspiel_plays_bridged_games_and_ours(shell, tmp_path, game):
    example("spiel_ismcts", "--out", tmp_path / "ismcts")
    played = result(shell, tmp_path / "ismcts", "@random_bot", "--game", game)
    assert (played["ending"], played["faults"]) == ("finished", [])


def test_regrets_become_a_policy_that_is_hard_to_exploit(shell, tmp_path):
    said = example("leduc_cfr", "--games", 64, "--out", tmp_path / "leduc")
    about = json.loads((tmp_path / "leduc" / "about.json").read_text())
    assert about["exploitability"] < 0.1
    assert "64 iterations" in said
    shell.run("new", tmp_path / "bot", "--from", tmp_path / "leduc" / "policy.pkl")
    assert result(shell, tmp_path / "bot", "@random_bot", "--game", "openspiel:leduc_poker")["faults"] == []
