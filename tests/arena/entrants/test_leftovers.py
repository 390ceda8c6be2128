"""Whatever a bot starts is gone after it, however it hides and however the end comes."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

pytestmark = pytest.mark.process

linux = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do")

DAEMON = """
import os, time
def daemon():
    "A process that has left its parent, its group and its session."
    if os.fork():
        return os.wait()
    os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(0, 3)
    with open(NOTE + ".new", "w") as file:
        file.write(f"{os.getpid()}\\n")
    os.rename(NOTE + ".new", NOTE)
    work()
def work():
    time.sleep(1000)
"""
STAY = "time.sleep(1000)\n"

WORKER = """
import pathlib, pickle, sys, time
from arena.entrants import launch
built, folder, token = pickle.load(sys.stdin.buffer)
process = launch(built, "ipc://nowhere", token, run_dir=pathlib.Path(folder))
while process.pid is None:
    process.poll()
    time.sleep(0.01)
if sys.argv[1] == "stopped":
    process.stop()
print("started", flush=True)
time.sleep(1000)
"""


def _gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@linux
def test_a_daemon_ends_with_its_bot(yard: Any) -> None:
    process = yard.start(DAEMON + "daemon()\n" + STAY)
    daemon = int(yard.noted())
    assert not _gone(daemon)
    process.end()
    assert _gone(daemon)


@linux
def test_a_daemon_ends_when_its_bot_ends_by_itself(yard: Any) -> None:
    process = yard.start(DAEMON + "daemon()\nwhile not os.path.exists(NOTE): time.sleep(0.01)\nraise SystemExit(3)")
    ended = process.wait(60)
    assert ended is not None
    assert ended.code == 3
    assert _gone(int(yard.noted()))


@linux
def test_a_daemon_without_its_environment_ends_too(yard: Any) -> None:
    source = DAEMON + "def work(): os.execve('/bin/sleep', ['sleep', '1000'], {})\ndaemon()\n" + STAY
    process = yard.start(source)
    daemon = int(yard.noted())
    process.end()
    assert _gone(daemon)


def test_a_group_that_ignores_signals_ends(yard: Any, living: Any) -> None:
    source = "import os, signal, time\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nos.fork()\n"
    process = yard.start(source + "open(NOTE, 'w').write('here\\n')\n" + STAY)
    yard.noted()
    process.end()
    assert living(yard.token) == []


@linux
def test_processes_that_keep_forking_away_end(yard: Any, living: Any) -> None:
    source = DAEMON + "def work():\n    while not os.fork(): os.setsid()\n    time.sleep(0.001)\ndaemon()\n" + STAY
    process = yard.start(source)
    yard.noted()
    process.end()
    assert living(yard.token) == []


@pytest.mark.slow
@linux
def test_a_daemon_stands_still_with_its_bot(yard: Any, until: Any) -> None:
    count = "def work():\n    while True: pass\ndaemon()\n"
    process = yard.start(DAEMON + count + STAY)
    daemon = psutil.Process(int(yard.noted()))
    until(lambda: process.pid or process.poll())
    process.stop()
    # It is not in the bot's group; the supervisor finds it and reports it, as the referee's loop would hear.
    until(lambda: process.poll() or daemon.status() == psutil.STATUS_STOPPED)
    process.resume()
    until(lambda: daemon.status() != psutil.STATUS_STOPPED)
    process.stop()
    until(lambda: daemon.status() == psutil.STATUS_STOPPED)


@pytest.mark.parametrize("state", ["running", "stopped"])
def test_all_ends_with_a_worker_that_is_killed(
    yard: Any, until: Any, living: Any, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    built = yard.built(DAEMON + ("daemon()\n" if sys.platform == "linux" else "open(NOTE, 'w').write('0\\n')\n") + STAY)
    run_dir = yard.folder / "killed"
    run_dir.mkdir()
    monkeypatch.chdir(run_dir)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("r")
    token = f"killed-{state}-{os.getpid()}"
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, state], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(pickle.dumps((built, str(run_dir), token)))
        worker.stdin.close()
        assert worker.stdout.readline() == b"started\n"
        if state == "running":
            yard.noted()
        assert living(token)
        worker.kill()
    until(lambda: not living(token))
    until(lambda: not run_dir.exists())


def test_a_bot_that_kills_its_supervisor_ends_with_it(yard: Any, living: Any) -> None:
    source = (
        "import os, signal, time\nsupervisor = os.getppid()\nif not os.fork():\n    os.setsid()\n"
        "    os.kill(supervisor, signal.SIGKILL)\ntime.sleep(1000)\n"
    )
    process = yard.start(source)
    ended = process.wait(60)
    assert ended is not None
    assert ended.reason.startswith("its supervisor was ended")
    assert living(yard.token)  # the child, which nobody watches now
    process.end()
    assert living(yard.token) == []


def test_a_bot_that_stops_its_starter_ends(yard: Any, until: Any, living: Any) -> None:
    process = yard.start("import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(1000)\n")
    supervisor = psutil.Process().children()
    until(lambda: any(each.status() == psutil.STATUS_STOPPED for each in supervisor))
    process.end()
    assert living(yard.token) == []


def test_nobody_can_speak_for_a_starter(yard: Any) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("nobody can open what another process has open here")
    source = """
import os, time
found = []
for name in ("fd/0", "fd/1"):
    try:
        open(f"/proc/{os.getppid()}/{name}", "w").write('{"limit": "4711 MiB of memory"}\\n')
        found.append(name)
    except OSError as error:
        found.append(error.errno)
open(NOTE, "w").write(f"{found}\\n")
time.sleep(1000)
"""
    process = yard.start(source)
    # Root is refused too, because it is no pipe but a socket.
    assert yard.noted() in (f"[{errno.ENXIO}, {errno.ENXIO}]", f"[{errno.EACCES}, {errno.EACCES}]")
    assert process.poll() is None


def test_a_bot_that_stops_its_starter_is_found_when_it_is_stopped_or_asked(yard: Any, until: Any) -> None:
    process = yard.start("import os, signal, time\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(1000)\n")
    until(lambda: process.pid or process.poll())
    until(lambda: psutil.Process(process.supervisor_pid).status() == psutil.STATUS_STOPPED)
    process.stop()
    ended = process.wait(60)
    assert ended is not None
    assert ended.reason == "its supervisor was stopped from outside"


def test_a_supervisor_that_is_asked_to_end_ends_everything_it_started(yard: Any, living: Any) -> None:
    process = yard.start("open(NOTE, 'w').write('here\\n')\nimport time\ntime.sleep(1000)\n")
    yard.noted()
    children = psutil.Process().children()
    (supervisor,) = (each for each in children if any(process.owns(child.pid) for child in each.children()))
    supervisor.send_signal(signal.SIGTERM)
    assert process.wait(60) is not None
    assert living(yard.token) == []
