"""Define which files are a bot's source, and hash them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

CACHES: Final = frozenset(
    {"__pycache__", "node_modules", "venv", "target", "build", "dist", "obj", "out", "cmake-build-debug"}
)
"""Folders that tools make beside the source. Names that begin with a dot are no source either."""


def sources(path: Path, outputs: Sequence[str] = ()) -> Iterator[Path]:
    """Yield the source files of a bot, relative to its folder, sorted.

    A bot that is a single file is its own source.
    """
    if path.is_file():
        yield Path(path.name)
        return
    left_out = {Path(output) for output in outputs}
    seen: set[str] = set()
    for folder, folders, files in os.walk(path, followlinks=True):
        real = os.path.realpath(folder)
        if real in seen:  # a link to a folder that has been visited: there may be a circle
            folders.clear()
            continue
        seen.add(real)
        here = Path(folder).relative_to(path)
        folders[:] = sorted(
            name for name in folders if name not in CACHES and name[0] != "." and here / name not in left_out
        )
        for name in sorted(files):
            counts = name[0] != "." and here / name not in left_out and not name.endswith((".pyc", ".pyo"))
            if counts and (Path(folder) / name).is_file():
                yield here / name


def fingerprint(path: Path, outputs: Sequence[str] = ()) -> str:
    """Return a hash in hex over the names, executable bits and bytes of a bot's source. Raises `OSError`."""
    total = hashlib.blake2b(digest_size=16)
    base = path if path.is_dir() else path.parent
    for source in sources(path, outputs):
        total.update(f"{source.as_posix()}\0{digest(base / source)}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def digest(file: Path) -> str:
    """Return a hash in hex over the bytes and the executable bit of a file. Raises `OSError`."""
    with file.open("rb") as opened:
        content = hashlib.file_digest(opened, lambda: hashlib.blake2b(digest_size=16))
        executable = os.fstat(opened.fileno()).st_mode & 0o100
    return content.hexdigest() + ("x" if executable else "")
