"""What a test leaves behind is found and named."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests import leftovers
from tests.leftovers import LeftoverCheck

pytestmark = pytest.mark.process


def detached(folder: Path, environment: dict[str, str] | None = None) -> int:
    """Start a process whose parent has ended, in a session of its own."""
    command = ["sh", "-c", "setsid sleep 1000 >/dev/null 2>&1 & echo $!"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return int(done.stdout)


def end(pid: int) -> None:
    process = psutil.Process(pid)
    process.kill()
    process.wait(60)


def left(check: LeftoverCheck, files: Path, leave: Callable[[], object]) -> str:
    """What is said when something does this."""
    with pytest.raises(AssertionError) as caught, check.left_as_found(files):
        leave()
    return str(caught.value)


@pytest.mark.slow
def test_processes_files_and_sockets_that_are_left_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "SECONDS", 0.0)
    monkeypatch.setattr(tempfile, "tempdir", tempfile.tempdir)
    monkeypatch.setenv("TMPDIR", str(tempfile.tempdir))
    check = LeftoverCheck()
    started: list[int] = []
    try:
        marked = {leftovers.MARK: check.mark, "PATH": os.defpath}
        for folder, environment in ((tmp_path, {"PATH": os.defpath}), (Path("/"), marked)):
            said = left(check, tmp_path, lambda at=folder, env=environment: started.append(detached(at, env)))  # type: ignore[misc]
            assert f"{started[-1]} below" in said
        with socket.socket(socket.AF_UNIX) as listener:
            said = left(check, tmp_path, lambda: listener.bind(str(check.folder / "s")))
        assert "'files': ['s']" in said
        assert leftovers.sys.platform != "linux" or f"'sockets': ['{check.folder}/s']" in said
        with check.left_as_found(tmp_path):
            pass
    finally:
        for pid in started:
            end(pid)
        check.close()
    assert not check.folder.exists()
