"""Read files that may come from anybody, and write files so that nobody ever reads half of one.

Only regular files of a bounded size are read, and nothing that waits or never ends.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

MOST_TOML_BYTES: Final = 64 << 10
"""The largest size of a TOML file."""
_MOST_DOTS: Final = 100
"""In a line. Reading a key of many parts takes time that grows with the cube of their number."""
_WHY: Final = {
    errno.ENOENT: "there is no such file",
    errno.ENOTDIR: "what it should lie in is no folder",
    errno.EEXIST: "it is there and is no folder",
    errno.EISDIR: "it is a folder",
    errno.EACCES: "permission is denied",
    errno.ELOOP: "it is a link that leads round in a circle",
    errno.ENAMETOOLONG: "its name is too long",
}


def read_regular(file: Path, most: int) -> bytes:
    """Return a file's contents.

    Args:
        file: The file.
        most: The largest size in bytes.

    Raises:
        OSError: It cannot be read, or is no regular file.
        ValueError: It is larger; the text says how large it may be.
    """
    with _opened(file) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {shown_size(most)}")
    return data


def read_end(file: Path, most: int) -> bytes:
    """Return the last bytes of a file to which no link leads. Raises `OSError`."""
    with _opened(file, os.O_NOFOLLOW) as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - most))
        return stream.read(most)


def _opened(file: Path, more: int = 0) -> BinaryIO:
    # Without O_NONBLOCK a named pipe would wait for a writer.
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | more)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
        raise OSError(errno.EINVAL, "it is no regular file", str(file))
    return os.fdopen(handle, "rb")


def why_unread(error: OSError | ValueError) -> str:
    """Say in words why a file could not be read or used, without its name, which the message has anyway."""
    if isinstance(error, OSError):
        return _WHY.get(error.errno or 0) or error.strerror or str(error)
    return "it is no text in UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)


def shown_size(size: int) -> str:
    """Return a size in bytes in words."""
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def read_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        OSError: It cannot be read, or is no regular file.
        ValueError: It is too large, or no TOML.
    """
    return parse_toml(read_regular(file, MOST_TOML_BYTES).decode("utf-8"))


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a text says. Raises `ValueError` if it is no TOML, or one that takes too long to read."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"line {number} has more than {_MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its values are nested too deep") from None


def write_atomic(file: Path, data: bytes) -> None:
    """Write a file atomically. Raises `OSError` with the file's name."""
    _write_atomic(file, data)


def write_private(file: Path, data: bytes) -> None:
    """Write a file atomically that nobody but this user can read. Raises `OSError` with the file's name."""
    _write_atomic(file, data, 0o600)


def _write_atomic(file: Path, data: bytes, mode: int | None = None) -> None:
    handle, beside = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with named(file):
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                # Not by its name, in whose place others may have put a link.
                os.fchmod(handle, _usual_mode() if mode is None else mode)
            Path(beside).replace(file)
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
    beside.chmod(_usual_mode())
    beside.replace(file)


def _usual_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
