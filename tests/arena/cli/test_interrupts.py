"""Ctrl-C, SIGTERM and SIGHUP at any moment: exit code 130, no traceback, nothing that lives on or is left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from arena.cli import interrupts
from tests.arena.cli.conftest import ROOT, read_until

pytestmark = [pytest.mark.process, pytest.mark.slow]

ALL = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
HANGS = 60
"""Seconds after which a command has not ended. It ends itself within a few, also by force."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells which signals a process listens to")


def listens(pid: int, number: signal.Signals) -> bool:
    """Whether a process has a handler of its own for a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=HANGS)
    assert process.returncode == 130, err
    assert "Traceback" not in out + err
    assert "Exception ignored" not in err
    return out, err


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_while_the_program_is_loading_it_ends_at_once(shell, number):
    # However slow this test is, the program is still loading: its first module of others is found here.
    (shell.folder / "typer.py").write_text("import threading\nthreading.Event().wait()\n")
    with shell.start("games") as process:
        while process.poll() is None and not listens(process.pid, number):
            time.sleep(0.001)
        process.send_signal(number)
        assert ended(process) == ("", interrupts.MESSAGE)


def test_what_was_ignored_at_the_start_stays_so(shell):
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with shell.start("tournament", *bots(shell.folder, 1), "--start", 600, preexec_fn=ignore) as process:
        read_until(process.stderr, "starting each bot once: 1")
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        ended(process)


PROGRAM = """
import signal, sys, threading, time, weakref

from arena.cli import interrupts

{before}

def run():
{run}

interrupts.listen()
interrupts.guard(run)
"""
SWALLOWED = """
    class Thing:
        def __del__(self):
            signal.raise_signal(signal.SIGTERM)
    def gone(_):
        signal.raise_signal(signal.SIGTERM)
    thing = Thing()
    reference = weakref.ref(thing, gone)
    del thing
    threading.Event().wait()
"""
HANGING = """
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        threading.Event().wait()
"""
TWICE = """
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
        print("tidied up")
"""
ON_THE_WAY_OUT = """
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise RuntimeError("what was cut short")
"""
ELSEWHERE = """
    def take():
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
    threading.Timer(0.2, take).start()
    threading.Event().wait()
"""
AT_THE_END = """
    import atexit
    atexit.register(signal.raise_signal, signal.SIGINT)
"""


@pytest.mark.parametrize(
    ("run", "said"),
    [(SWALLOWED, ""), (HANGING, ""), (TWICE, "tidied up\n"), (ON_THE_WAY_OUT, ""), (ELSEWHERE, ""), (AT_THE_END, "")],
    ids=["swallowed", "hanging", "twice", "error", "another thread", "at the end"],
)
def test_wherever_it_comes_the_program_ends_with_its_exit_code(run, said):
    before = "interrupts.PATIENCE = 0.2" if run is HANGING else ""
    program = PROGRAM.format(before=before, run=run)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HANGS, check=False)
    assert (done.returncode, done.stdout) == (130, said), done.stderr
    assert "Traceback" not in done.stderr


def bots(folder: Path, number: int) -> list[Path]:
    """Bots that have to be built for a while, and say nothing."""
    made = []
    for each in range(number):
        made.append(folder / f"bot{each}")
        made[-1].mkdir()
        (made[-1] / "bot.py").write_text("import time\nprint('here', flush=True)\ntime.sleep(600)\n")
        (made[-1] / "bot.toml").write_text('command = "{python} bot.py"\nbuild = "sleep 0.3"\n')
    return made


@pytest.mark.parametrize("stage", ["building", "starting each bot once"])
def test_at_a_random_moment_of_admission_with_more_bots_than_cores(shell, stage):
    """Half of them are built, or started, when it comes; none of the others may begin."""
    chance = random.Random(stage)
    number = chance.choice(ALL)
    found = bots(shell.folder, 2 * (os.cpu_count() or 1) + 3)
    with shell.start("tournament", *found, "--start", 600, start_new_session=True) as process:
        read_until(process.stderr, f"{stage}: {len(found)}")
        threading.Event().wait(chance.uniform(0, 0.6))
        os.killpg(process.pid, number)
        out, _ = ended(process)
    assert out == ""
    shell.assert_nothing_lives()
    assert not list((shell.folder / "cache").glob("*.build-*"))
    assert not list(shell.folder.rglob("ledger.sqlite"))


def test_while_another_arena_builds_the_same_bot(shell):
    """To wait for a lock is nothing that the death of a child ends."""
    [bot] = bots(shell.folder, 1)
    (bot / "bot.toml").write_text('command = "true"\nbuild = "sleep 600"\n')
    with shell.start("tournament", bot) as first:
        read_until(first.stderr, "building")
        while not list((shell.folder / "cache").glob("*.build-*")):
            assert first.poll() is None
            time.sleep(0.01)
        with shell.start("tournament", bot, ROOT / "bots" / "greedy.py", "--out", "other") as second:
            read_until(second.stderr, f"building: 1 of 2, {bot.name} ...")
            second.send_signal(signal.SIGINT)
            ended(second)
        assert first.poll() is None
        first.send_signal(signal.SIGINT)
        ended(first)
