"""Whole tournaments with hostile bots. After each test no process and no folder is left."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.yard import Yard
from tests.shell import Shell


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[Yard]:
    shell = Shell(tmp_path)
    yield Yard(shell)
    shell.assert_nothing_lives()
    shutil.rmtree(shell.temporary, ignore_errors=True)
