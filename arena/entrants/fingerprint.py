"""What a bot's source is: which files count, and one number over them all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

CACHES: Final = frozenset(
    {"__pycache__", "node_modules", "venv", "target", "build", "dist", "obj", "out", "cmake-build-debug"}
)
"""Folders that tools make beside the source. Folders and files that begin with a dot count as such too."""


def sources(path: Path, outputs: Sequence[str] = ()) -> Iterator[Path]:
    """The source files of a bot, relative to its folder, in a stable order. A single file is its own source."""
    if path.is_file():
        yield Path(path.name)
        return
    left_out = {Path(output) for output in outputs}
    for folder, folders, files in os.walk(path):
        here = Path(folder).relative_to(path)
        folders[:] = sorted(
            name for name in folders if name not in CACHES and name[0] != "." and here / name not in left_out
        )
        for name in sorted(files):
            if name[0] != "." and here / name not in left_out and not name.endswith((".pyc", ".pyo")):
                yield here / name


def fingerprint(path: Path, outputs: Sequence[str] = ()) -> str:
    """A hash in hex over names, executable bits and bytes of a bot's source."""
    digest = blake2b(digest_size=16)
    base = path if path.is_dir() else path.parent
    for source in sources(path, outputs):
        file = base / source
        content = file.read_bytes()
        executable = os.access(file, os.X_OK)
        digest.update(f"{source.as_posix()}\0{executable:d}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
