"""What the environment demands of the tests: that a level of isolation works here, so that no skip passes for safety.

The variable is taken out of the environment, because tests also show what bots do with less around them.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

from arena.isolation.probe import REQUIRED, probe
from arena.isolation.settings import LEVELS, Level

KEPT: Final = "ARENA_TESTS_REQUIRE_ISOLATION"
"""Under this name the processes of a run with several workers find it again."""


def take_over() -> None:
    """Move the demand to where commands do not look for it. Raises `pytest.UsageError` if it cannot be met."""
    if REQUIRED not in os.environ:
        return
    os.environ[KEPT] = os.environ.pop(REQUIRED)
    demanded = os.environ[KEPT]
    if demanded not in LEVELS:
        raise pytest.UsageError(f"{REQUIRED} is {demanded!r}: it must be one of {', '.join(LEVELS)}")
    if not (found := probe(demanded)).works:
        raise pytest.UsageError(f"{REQUIRED}={demanded}, and here it does not work: {found.why}. {found.remedy}")


def need(level: Level) -> None:
    """Skip a test where a level does not work, or fail where the environment says that it must."""
    found = probe(level)
    if found.works:
        return
    if os.environ.get(KEPT) == level:
        pytest.fail(f"{REQUIRED}={level}, and here it does not work: {found.why}. {found.remedy}")
    pytest.skip(f"NO ISOLATION BY {level.upper()} HERE: {found.why}. {found.remedy}")
