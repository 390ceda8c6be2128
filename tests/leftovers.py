"""What a test leaves behind: processes, mounts, sockets and files; nothing must be left after any test.

Each process of pytest has a temporary folder of its own, so that what lies there is of its own tests. A process is of
them if it was not there before a test and has something of that folder, of the tests' files or of their mark: below
them, in its environment, or as its folder.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

SECONDS = 30.0
"""How long something may take to go: on a busy machine the last process of a killed command has to be run, too."""
MARK = "ARENA_TEST_RUN"
_TRIAL = re.compile("[a-z0-9_]{8}")
"""The name of a file by which `tempfile` tries the folder: a process that is killed just then leaves it."""
_PASSING = ("arena-cores-", "pytest-of-")
"""Beginnings of names in a temporary folder that stay: of locks, and of pytest's own folders."""


class LeftoverCheck:
    """Checks that tests leave nothing, with a temporary folder of this process of pytest."""

    def __init__(self) -> None:
        """Make the folder, and let everything use it."""
        # Not within the folder of the process that has started this one.
        parent = Path(os.environ.get("PYTEST_DEBUG_TEMPROOT") or tempfile.gettempdir())
        # A short path: sockets lie in it.
        self.folder = Path(tempfile.mkdtemp(prefix="t", dir=parent)).resolve()
        self.mark = uuid.uuid4().hex
        # Referees of different processes take different cores as long as they see each other's locks.
        cores = parent / f"arena-cores-{os.getuid()}"
        cores.mkdir(mode=0o700, exist_ok=True)
        (self.folder / cores.name).symlink_to(cores)
        self._before = {name: os.environ.get(name) for name in ("TMPDIR", MARK)}
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(parent))  # where pytest keeps the files of its last runs
        os.environ |= {"TMPDIR": str(self.folder), MARK: self.mark}
        tempfile.tempdir = str(self.folder)

    def close(self) -> None:
        """Remove the folder."""
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        tempfile.tempdir = None
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def left_as_found(self, files: Path) -> Iterator[None]:
        """Assert that no process, mount, socket or file is left that was not there before.

        Args:
            files: Where the tests' own files are, which pytest removes.
        """
        processes, mounts, there = set(psutil.pids()), _mounts(), self._entries()
        yield
        looks: dict[str, Callable[[], list[str]]] = {
            "processes": lambda: self._processes(processes, files),
            "mounts": lambda: sorted(_mounts() - mounts),
            "files": lambda: sorted(self._entries() - there),
            "sockets": self._sockets,
        }
        limit = time.monotonic() + SECONDS
        while (left := {what: found for what, look in looks.items() if (found := look())}) and time.monotonic() < limit:
            time.sleep(0.01)
        assert not left, f"left behind: {left}"

    def _entries(self) -> set[str]:
        names = {path.name for path in self.folder.iterdir()}
        return {name for name in names if not name.startswith(_PASSING) and not _TRIAL.fullmatch(name)}

    def _sockets(self) -> list[str]:
        """Paths that a socket listens on. That of a socket which nobody holds is a file alone."""
        if sys.platform != "linux":
            return []
        words = [line.split() for line in Path("/proc/net/unix").read_text("utf-8", "replace").splitlines()[1:]]
        return sorted({each[7] for each in words if len(each) > 7 and each[7].startswith(str(self.folder))})

    def _processes(self, before: set[int], files: Path) -> list[str]:
        found = []
        for pid in set(psutil.pids()) - before:
            try:
                process = psutil.Process(pid)
                if process.status() != psutil.STATUS_ZOMBIE and self._is_of_tests(process, files):
                    found.append(described(process))
            except (psutil.Error, OSError):  # it has ended, or is where a test made the path too long to be read
                continue
        return found

    def _is_of_tests(self, process: psutil.Process, files: Path) -> bool:
        words = process.cmdline()
        if any("resource_tracker" in word for word in words):  # of multiprocessing: it lives as long as pytest does
            return False
        environment = process.environ()
        if environment.get(MARK) == self.mark or os.getpid() in [each.pid for each in process.parents()]:
            return True
        own = (str(self.folder), str(files))
        return process.cwd().startswith(own) or environment.get("HOME", "").startswith(own)


def _mounts() -> set[str]:
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return set()
    return {line.split()[4] for line in lines}


def described(process: psutil.Process) -> str:
    """What a process is and who started it, for a message."""
    try:
        with process.oneshot():
            line = shlex.join(process.cmdline())[:300]
            return f"{process.pid} below {process.ppid()}, {process.status()}: {line or process.name()}"
    except psutil.Error:
        return f"{process.pid}: it has ended meanwhile"
