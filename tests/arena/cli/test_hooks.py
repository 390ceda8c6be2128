"""Hooks of a tournament that is a process: however it ends, nothing of theirs lives on."""

from __future__ import annotations

import json
import signal
import sys
import time

import psutil
import pytest

from tests.arena.cli.conftest import ROOT

pytestmark = [pytest.mark.process, pytest.mark.slow]

PLAN = """
bots = ["{bots}/random_bot.py", "{bots}/greedy.py"]
players = "2"
games = {games}
jobs = 1
out = "t"
start = 60
bank = 60

[hooks]
round = ["sh", "-c", "cat > got; echo $$ > begun.new; mv begun.new begun; {then}"]
finished = "sh -c 'cat > finished'"
timeout = 1000
"""


def plan(shell, then: str, games: int = 4000):
    file = shell.folder / "p.toml"
    file.write_text(PLAN.format(bots=ROOT / "bots", games=games, then=then))
    return file


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_hook_ends_with_the_tournament(shell, number):
    begun = shell.folder / "begun"
    with shell.start("tournament", "--trust-plan", "--plan", plan(shell, "setsid sleep 1000 & sleep 1000")) as run:
        while not begun.exists() and run.poll() is None:
            time.sleep(0.05)
        hook = psutil.Process(int(begun.read_text()))
        run.send_signal(number)
        run.communicate(timeout=60)
    assert run.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 130)
    psutil.wait_procs([hook], timeout=30)
    shell.assert_no_process()
    assert not list(shell.temporary.glob("arena-hook-*"))
    assert not (shell.folder / "finished").exists()


def test_ctrl_c_while_the_last_hook_runs_ends_it(shell):
    begun = shell.folder / "begun"
    file = plan(shell, "exit 0", games=4)
    file.write_text(file.read_text().replace("sh -c 'cat > finished'", "sh -c 'echo > begun.end; sleep 1000'"))
    with shell.start("tournament", "--trust-plan", "--plan", file) as run:
        while not begun.with_suffix(".end").exists() and run.poll() is None:
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "Traceback" not in err
    assert "hook finished" not in err
    shell.assert_no_process()


def test_the_end_is_sent_when_other_commands_may_use_the_tournament(shell):
    file = plan(shell, "exit 0", games=4)
    text = file.read_text().replace("cat > finished", "cat > finished; arena verify t >> verified 2>&1")
    file.write_text(text.replace("arena verify", f"{sys.executable} -m arena verify"))
    done = shell.run("tournament", "--trust-plan", "--plan", file)
    assert "hook finished" not in done.stderr
    event = json.loads((shell.folder / "finished").read_text("utf-8"))
    assert (event["event"], event["games"]["played"]) == ("finished", 4)
    assert "4 games" in (shell.folder / "verified").read_text("utf-8")
