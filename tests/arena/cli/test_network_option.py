"""`--network` where a bot is asked again: without leave it is not started."""

from __future__ import annotations

import shutil

import pytest

from tests.arena.cli.conftest import ROOT

GAME = "p3-b0000-r0"
BOT = """
command = "{python} bot.py"
network = true
"""


@pytest.mark.process
@pytest.mark.parametrize(
    "command",
    [
        ("replay", "t", GAME, "--seat", 1, "--bot", "online"),
        pytest.param(
            ("analyse", "t", GAME, "--seat", 1, "--with", "online", "--playouts", 8, "--jobs", 1),
            marks=pytest.mark.slow,
        ),
        ("verify", "t", "--bot", "online"),
    ],
)
def test_a_bot_that_is_asked_again_has_the_network_by_leave_alone(cli, played, tmp_path, command):
    (tmp_path / "online").mkdir()
    (tmp_path / "online" / "bot.toml").write_text(BOT)
    (tmp_path / "online" / "bot.py").write_text((ROOT / "bots" / "random_bot.py").read_text())
    folder = shutil.copytree(played, tmp_path / "t")  # analyses are kept in it
    command = [folder if word == "t" else word for word in command]
    assert "needs the network" in cli(*command, code=2).stderr
    assert "no bot is called other" in cli(*command, "--network", "other", code=2).stderr
    done = cli(*command, "--network", "online", code={"analyse": 0, "replay": 1, "verify": 2}[command[0]])
    assert ("online did not take part" in done.stderr) == ("verify" in command)
