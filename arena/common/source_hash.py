"""Hash the source files of packages, so that what is kept of their results is told from that of other versions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

_LARGE: Final = 1 << 20
"""Bytes. Of a larger file only the size is hashed: it is taken to hold data."""


def source_hash(packages: Iterable[str], *versions: object, pattern: str = "*") -> str:
    """Hash the files of packages and single modules, which are loaded, together with versions of what has no files.

    `pattern`: what the names of a package's files are like.
    """
    digest = blake2b(repr(versions).encode(), digest_size=16)
    for package in packages:
        for file in _files(package, pattern):
            with suppress(OSError):  # it is gone, or not ours to read
                size = file.stat().st_size
                digest.update(f"{package} {file.name} {size} ".encode("utf-8", "backslashreplace"))
                digest.update(file.read_bytes() if size <= _LARGE else b"")
    return digest.hexdigest()


def _files(module: str, pattern: str) -> Iterator[Path]:
    """Yield the files of a package or a single module. One inside a zip archive has none: only its version counts."""
    loaded = sys.modules[module]
    if not hasattr(loaded, "__path__"):
        file = Path(str(loaded.__file__))
        yield from [file] if file.is_file() else []
        return
    for folder in sorted(map(Path, loaded.__path__)):
        yield from sorted(file for file in folder.rglob(pattern) if file.is_file() and not _is_compiled(file))


def _is_compiled(file: Path) -> bool:
    """Return whether a file was made from another one, so that both builds of the engine have the same hash."""
    source = file.with_name(f"{file.name.partition('.')[0]}.py")
    return file.parent.name == "__pycache__" or (file.name.endswith(tuple(EXTENSION_SUFFIXES)) and source.exists())
