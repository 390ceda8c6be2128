"""A folder of files in the place of the kernel's control groups, and a program in that of `systemd-run`.

The kernel makes a group's files with the group, and removes them with it. Here `os.mkdir` and `os.rmdir` do that, in
the process that calls `imitate`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

FILES = {
    "cgroup.controllers": "cpu memory pids\n",
    "cgroup.kill": "",
    "cgroup.procs": "",
    "cgroup.subtree_control": "",
    "cpu.stat": "usage_usec 0\nuser_usec 0\n",
    "memory.events": "low 0\noom 0\noom_kill 0\n",
    "memory.max": "max\n",
    "memory.oom.group": "0\n",
    "pids.max": "max\n",
}
"""Without `memory.swap.max`, as on a kernel that does not count what is swapped out."""
SYSTEMD_RUN = f"""#!{sys.executable} -IS
import os, sys
with open({{log!r}}, "a") as log:
    print(*sys.argv[1:], os.environ.get("XDG_RUNTIME_DIR"), file=log)
command = sys.argv[sys.argv.index("--") + 1:]
os.execv(command[0], command)
"""


def make_group(path: Path) -> None:
    """Make a group, as the kernel does."""
    path.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (path / name).write_text(text)


def imitate(root: str) -> None:
    """Let groups below this folder be made and removed like those of the kernel."""
    mkdir, rmdir = os.mkdir, os.rmdir

    def make(path: Any, *words: Any, **options: Any) -> None:
        mkdir(path, *words, **options)
        if str(path).startswith(root):
            make_group(Path(path))

    def remove(path: Any, **options: Any) -> None:
        if str(path).startswith(root):
            for each in Path(path).iterdir():
                each.unlink()
        rmdir(path, **options)

    os.mkdir, os.rmdir = make, remove


def systemd_run(folder: Path, log: Path) -> Path:
    """Put a program into a folder that notes how it was called, and runs the command in no scope."""
    folder.mkdir()
    program = folder / "systemd-run"
    program.write_text(SYSTEMD_RUN.format(log=str(log)))
    program.chmod(0o755)
    return program
