"""Markers and order, for all tests."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import nullcontext

import pytest

from arena.common.processes import cores
from arena.isolation.control_groups import SWITCH
from tests import isolation_demand
from tests.leftovers import LeftoverCheck
from tests.marking import mark, without_processes

# In many containers nothing that is compiled is kept: each process would compile the tests or the arena anew, which
# takes longer than most tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `arena` does

_leftover_check = pytest.StashKey[LeftoverCheck]()
LONGEST = (
    "tests/arena/cluster/test_dask_cluster.py",
    "tests/test_readme.py",
    "tests/e2e/",
    "tests/package/test_wheel.py",
    "tests/arena/site/test_github_workflow.py",
    "tests/arena/cli/test_compare_command.py",
)
"""They begin first: whatever takes half a minute would leave the other cores idle at the end."""


def pytest_configure(config: pytest.Config) -> None:
    isolation_demand.take_over()
    os.environ[SWITCH] = "off"  # what tables name depends on what the machine offers
    config.stash[_leftover_check] = LeftoverCheck()
    config.add_cleanup(config.stash[_leftover_check].close)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores, because many tests wait for bots, clocks and commands."""
    return cores() + (cores() + 1) // 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare garbage collection what is loaded by then, and most of its rounds: tests leave hardly any cycles."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(10_000, 20, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        mark(item)
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(autouse=True)
def _nothing_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each test that starts processes, no process, mount, socket or file is left. A browser serves many tests."""
    marks = request.node.get_closest_marker
    if marks("process") is None or marks("browser") is not None:
        yield
        return
    files = request.getfixturevalue("tmp_path_factory").getbasetemp()
    with request.config.stash[_leftover_check].left_as_found(files):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    marked = item.get_closest_marker("process")
    with nullcontext() if marked else without_processes(item.nodeid):
        return (yield)
