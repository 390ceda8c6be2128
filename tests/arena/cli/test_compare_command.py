"""`arena compare` with real bots, workers and git. Its words: `wording/compare.txt`."""

from __future__ import annotations

import shutil
import signal
import subprocess

import pytest

from tests.arena.cli.conftest import ROOT, read_until
from tests.shell import Shell

pytestmark = [pytest.mark.process, pytest.mark.slow]

CALM = ["--start", 60, "--bank", 60]
"""On a busy machine the limits are not what these tests are about."""
COARSE = ["mine.py", "--better-by", 0.1, "--players", 2, "--against", "@random_bot", "--seed", 1, "--jobs", 2, *CALM]


def commit(shell: Shell) -> None:
    git = ("git", "-C", shell.folder, "-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "mine.py"), ("commit", "-qm", "work")):
        subprocess.run([*git, *words], check=True, stdout=subprocess.DEVNULL)


def changed(shell: Shell) -> None:
    """A bot that was committed at random, and plans now."""
    shutil.copy(ROOT / "bots" / "random_bot.py", shell.folder / "mine.py")
    commit(shell)
    shutil.copy(ROOT / "bots" / "planner.py", shell.folder / "mine.py")


def test_a_better_working_copy_is_told_apart_from_its_last_commit_and_the_games_are_verified(shell):
    changed(shell)
    done = shell.json("compare", *COARSE)
    assert done["verdict"] == "better"
    assert 0 < done["interval"][0] < done["difference"] < done["interval"][1] < 1
    assert (done["old"]["bot"], done["new"]["bot"], done["opponents"]) == ("mine", "mine@2", ["random_bot"])
    assert done["players"].keys() == {"2"}
    shell.run("verify", done["folder"])


def test_ctrl_c_keeps_what_was_played_and_the_same_command_goes_on(shell):
    changed(shell)
    asked = [*COARSE, "--better-by", 0.02]  # it takes some hundred games
    with shell.start("compare", *asked) as process:
        read_until(process.stderr, "playing: 100")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130, err
    assert "To go on, type:" in out
    assert "Traceback" not in out + err
    [folder] = (shell.folder / "tournaments" / "compare").iterdir()
    played = shell.json("show", folder)["games"]["played"]
    assert played >= 100
    done = shell.json("compare", *asked)
    assert done["verdict"] == "better"
    assert shell.json("show", folder)["games"]["played"] > played
