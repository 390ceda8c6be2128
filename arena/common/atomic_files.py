"""Write files so that nobody ever reads half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_atomic(file: Path, data: bytes) -> None:
    """Write a file so that nobody ever reads half of it. Raises `OSError`, which names it."""
    handle, beside = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with named(file):
            with os.fdopen(handle, "wb") as out:
                out.write(data)
            finish_atomic(Path(beside), file)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


@contextmanager
def named(file: Path) -> Iterator[None]:
    """Have an `OSError` name this file, which one that comes of writing (a full disk) does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(file)
        raise


def finish_atomic(beside: Path, file: Path) -> None:
    """Put what was written beside a file in its place, readable as any new file is."""
    mask = os.umask(0)
    os.umask(mask)
    beside.chmod(0o666 & ~mask)
    beside.replace(file)
