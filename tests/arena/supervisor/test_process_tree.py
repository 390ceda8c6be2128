"""Whatever is below the supervisor is found and killed, also while its parents end."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from contextlib import nullcontext, suppress

import psutil
import pytest

from arena.supervisor import process_tree

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do")]

ORPHANED_WHILE_LOOKED_FOR = """
import os, signal, subprocess, sys
from arena.supervisor import process_tree, start

start.prctl(start.PR_SET_CHILD_SUBREAPER, 1)
command = ["sh", "-c", "setsid sleep 1000 & wait"]
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
bot = subprocess.Popen(command, start_new_session=True, **quiet)
while not (below := process_tree._children(bot.pid)) or os.getsid(below[0]) != below[0]:
    pass
resident = process_tree._resident

def late(pid):
    # The bot has been killed, and is gone just before it is asked for its children.
    if pid == bot.pid:
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    return resident(pid)

process_tree._resident = late
print(below[0], process_tree.kill_all(bot.pid))
"""


def test_what_is_orphaned_while_it_is_looked_for_is_killed_too() -> None:
    command = [sys.executable, "-c", ORPHANED_WHILE_LOOKED_FOR]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    pid, gone = done.stdout.split()
    with suppress(psutil.NoSuchProcess):
        assert psutil.Process(int(pid)).status() == psutil.STATUS_ZOMBIE, "it outlived who had to end it"
    assert gone == "True"


def test_maps_that_a_process_shares_with_its_children_count_though_nothing_is_resident() -> None:
    shared = [mmap.mmap(-1, 4096) for _ in range(3)]
    assert process_tree.shared_memory([os.getpid(), os.getpid()]) >= 3 << 20
    before = process_tree.shared_memory([os.getpid()])
    shared.pop().close()
    assert process_tree.shared_memory([os.getpid(), 2**30]) == before - (1 << 20)


@pytest.mark.parametrize("others", [True, False])
def test_who_does_not_let_its_maps_be_seen_is_told_from_a_system_that_shows_none(
    monkeypatch: pytest.MonkeyPatch, others: bool
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    uid = os.getuid() + others
    monkeypatch.setattr(process_tree, "open", refuse, raising=False)
    monkeypatch.setattr("arena.supervisor.process_tree.os.getuid", lambda: uid)
    with pytest.raises(PermissionError) if others else nullcontext():
        assert process_tree.shared_memory([os.getpid()]) == 0
