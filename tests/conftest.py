"""Markers, for all tests."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import nullcontext

import pytest

from tests.marking import mark, without_processes


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        mark(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    marked = item.get_closest_marker("process")
    with nullcontext() if marked else without_processes(item.nodeid):
        return (yield)
