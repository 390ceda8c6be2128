"""In a box no file of `/proc` counts what others do: all of them are read twice, while others work."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, Final

import pytest

from arena.isolation.settings import Level
from tests.isolation_demand import need

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do"),
]

READ_TWICE: Final = """
import os
def read(path):
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return os.read(file, 1 << 16)
    except OSError:
        return b""
    finally:
        os.close(file)
def all_files():
    for name in sorted(os.listdir("/proc")):
        path = f"/proc/{name}"
        if name.isdigit() or os.path.islink(path) or name in ("kmsg", "kallsyms"):
            continue
        for folder, _, files in os.walk(path) if os.path.isdir(path) else [("/proc", [], [name])]:
            yield from (f"{folder}/{file}" for file in files)
paths = list(all_files())
before = {path: read(path) for path in paths}
for _ in range(20):  # others work meanwhile
    changed = [path for path in paths if read(path) != before[path]]
print("changed", *changed)
"""
WORK: Final = """
import os, socket
while True:
    files = [open("/proc/self/stat") for _ in range(100)]
    pairs = [socket.socketpair() for _ in range(50)]
    if not os.fork():
        os._exit(0)
    os.wait()
"""
KNOWN: Final = {"/proc/meminfo", "/proc/sys/kernel/random/uuid"}
"""How much memory is free a bot learns anyway; the other one is drawn anew for everybody who reads it."""


@pytest.mark.parametrize(("level", "shows"), [("none", True), ("box", False)])
def test_a_box_does_not_show_when_others_work(cell: Any, level: Level, shows: bool) -> None:
    need(level)
    built = cell.built({"read_twice.py": READ_TWICE}, level)
    with subprocess.Popen([sys.executable, "-c", WORK]) as others:
        try:
            said = cell.said(built)
        finally:
            others.kill()
    [changed] = [line.split()[1:] for line in said.splitlines() if line.startswith("changed")]
    assert bool(set(changed) - KNOWN) is shows, changed
