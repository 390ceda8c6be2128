"""The supervisor learns of the bot's end, and does not wake up when the bot is stopped and continued."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do")]

WOKEN = """
import os, select, signal, subprocess, sys
from arena.supervisor import process_tree

def refuse(pid):
    raise PermissionError

if sys.argv[1] == "signals":
    os.pidfd_open = refuse
child = subprocess.Popen(["sleep", "1000"])
end = process_tree.end_descriptor(child.pid)
if sys.argv[1] == "signals":
    os.read(end, 100)
woken = []
for number, state in ((signal.SIGSTOP, os.WSTOPPED), (signal.SIGCONT, os.WCONTINUED), (signal.SIGKILL, os.WEXITED)):
    child.send_signal(number)
    os.waitid(os.P_PID, child.pid, state | os.WNOWAIT)
    if select.select([end], [], [], 60 if state == os.WEXITED else 0)[0]:
        woken.append(number.name)
print(*woken)
"""


@pytest.mark.parametrize(("way", "signals"), [("process", ["SIGKILL"]), ("signals", ["SIGSTOP", "SIGCONT", "SIGKILL"])])
def test_it_wakes_up_when_its_child_ends_and_only_without_a_process_descriptor_before(
    way: str, signals: list[str]
) -> None:
    done = subprocess.run([sys.executable, "-c", WOKEN, way], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == signals
