"""Spare Python's collection of garbage the many objects of a large ledger, none of which is garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_SELDOM: Final = (50_000, 20, 100)


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Look for garbage seldom inside the block. Reading 100,000 games takes half the time."""
    before = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
