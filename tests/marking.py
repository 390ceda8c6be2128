"""Which tests start processes: the marker `process` says it, and here it is looked at while they run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

FIXTURES = frozenset({"arena", "fresh", "played", "shell"})
"""A test that uses one of these starts processes, or is the first to need what processes made."""

_started: list[str] = []


def mark(item: pytest.Item) -> None:
    """Add the markers that follow from what a test asks for."""
    elsewhere = any(item.get_closest_marker(name) for name in ("browser", "toolchains"))
    if elsewhere or FIXTURES & set(getattr(item, "fixturenames", ())):
        item.add_marker("process")
    if elsewhere:
        item.add_marker("slow")


def mostly_slow(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """The values of a parameter, or tuples of some; all but the first few are marked as slow."""
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*row, marks=[pytest.mark.slow] * (at >= quick)) for at, row in enumerate(rows)]


@contextmanager
def without_processes(name: str) -> Iterator[None]:
    """Assert that no Python is started meanwhile, as bots, workers and commands are."""
    before = len(_started)
    yield
    assert len(_started) == before, f"{name} starts a process: mark it `@pytest.mark.process` ({_started[-1]})"


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if event == "subprocess.Popen":
        _, command, *_ = arguments
        words = list(map(os.fsdecode, command)) if isinstance(command, (list, tuple)) else [str(command)]
        if words and words[0] == sys.executable:
            _started.append(" ".join(words))


sys.addaudithook(_audit)
