"""Whole tournaments with hostile bots. After each test no process, mount, socket or folder is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.yard import Yard
from tests.shell import Shell


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[Yard]:
    shell = Shell(tmp_path)
    yard = Yard(shell)
    yield yard
    shell.assert_nothing_lives()
    yard.assert_nothing_outlived()
    for kept in ("/proc/self/mounts", "/proc/net/unix"):
        assert str(shell.temporary) not in Path(kept).read_text("utf-8"), "a mount or a socket is left"
    shell.close()
