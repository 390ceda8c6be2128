"""Write files atomically: nobody ever reads half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_atomic(file: Path, data: bytes) -> None:
    """Write a file atomically. Raises `OSError` with the file's name."""
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
    """Add the file's name to an `OSError` that has none, as one of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(file)
        raise


def finish_atomic(beside: Path, file: Path) -> None:
    """Move the file `beside` into the place of `file`, with the permissions of any new file."""
    mask = os.umask(0)
    os.umask(mask)
    beside.chmod(0o666 & ~mask)
    beside.replace(file)
