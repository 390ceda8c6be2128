"""Keep what a library in C++ prints off people's terminals."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet() -> Iterator[None]:
    """Throw away what is printed to stdout and stderr, past Python too; errors come as exceptions all the same."""
    kept = []
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            kept.append((number, os.dup(number)))
            os.dup2(nowhere, number)
        os.close(nowhere)
    except OSError:
        pass  # closed: nothing is shown then
    try:
        yield
    finally:
        for number, before in kept:
            os.dup2(before, number)
            os.close(before)
