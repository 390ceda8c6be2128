"""Which tests start processes: the marker `process` says it, and here it is looked at while they run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
