"""Read files that may come from anybody: regular ones of a bounded size, and nothing that waits or never ends."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_regular(file: Path, most: int) -> bytes:
    """Return a file's contents.

    Args:
        file: The file.
        most: The largest size in bytes.

    Raises:
        OSError: It cannot be read, or is no regular file.
        ValueError: It is larger; the text says how large it may be.
    """
    # Without O_NONBLOCK a named pipe would wait for somebody who writes into it.
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(file))
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {shown_size(most)}")
    return data


def shown_size(size: int) -> str:
    """Return a size in bytes in words."""
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"
