"""Define which files are a bot's source, and hash them."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from arena import shipped
from arena.entrants.manifest import EntrantError

CACHES: Final = frozenset(
    {"__pycache__", "node_modules", "venv", "target", "build", "dist", "obj", "out", "cmake-build-debug"}
)
"""Folders that tools make beside the source. Names that begin with a dot are no source either."""
MOST_FILES: Final = 10_000
"""The most source files of a bot."""
MOST_BYTES: Final = 1 << 30
"""The most bytes that they may have together. A file with holes counts with them, as it would be written without."""
_MOST_ENTRIES: Final = 100_000
"""The most files and folders that are looked at, also those that are no source."""
_DEEPEST: Final = 64
"""How deep folders may lie in each other: it takes long to follow links from far down."""
_CHUNK: Final = 1 << 20
_KINDS: Final = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def sources(path: Path, outputs: Sequence[str] = ()) -> list[Path]:
    """Return the source files of a bot, relative to its folder; those of a folder come before its subfolders.

    A bot that is a single file is its own source. Nothing is read before it is known to end.

    Raises:
        EntrantError: It has more files or bytes than a bot may have, a link that leaves its folder for anything but a
            bot that comes with the arena, or something that is neither file nor folder.
    """
    if not path.is_dir():
        _check(path, path, path.stat())
        return [Path(path.name)]
    root = os.path.realpath(path)
    left_out = {Path(output) for output in outputs}
    seen: set[str] = set()
    found: list[Path] = []
    entries = size = 0
    left = [Path()]
    while left:
        here = left.pop()
        real = os.path.realpath(path / here)
        if real in seen:  # a link to a folder that has been visited: there may be a circle
            continue
        seen.add(real)
        if len(here.parts) > _DEEPEST:
            raise EntrantError(f"{path} has folders that lie deeper than {_DEEPEST} in each other")
        folders = []
        with os.scandir(path / here) as listed:
            for entry in listed:
                entries += 1
                if entries > _MOST_ENTRIES:
                    raise EntrantError(f"{path} holds more than {_MOST_ENTRIES} files and folders: is it a bot's?")
                if entry.name[0] == "." or here / entry.name in left_out:
                    continue
                status = _status(entry, path, root)
                if status is None:
                    continue
                if stat.S_ISDIR(status.st_mode):
                    folders += [here / entry.name] if entry.name not in CACHES else []
                elif not entry.name.endswith((".pyc", ".pyo")):
                    _check(Path(entry.path), path, status)
                    found.append(here / entry.name)
                    size += status.st_size
        if len(found) > MOST_FILES or size > MOST_BYTES:
            raise EntrantError(
                f"{path} has more than a bot may have, which is {MOST_FILES} files and {MOST_BYTES >> 20} MiB: name in "
                "`outputs` what a build makes"
            )
        left += sorted(folders, reverse=True)
    return sorted(found, key=lambda file: _order(file))


def _order(file: Path) -> tuple[tuple[bool, str], ...]:
    """Return a key that sorts the files of a folder before those of its subfolders."""
    return (*((True, part) for part in file.parts[:-1]), (False, file.name))


def _packaged() -> set[Path]:
    """Return the bots in one file that come with the arena: wherever a bot runs they may be read."""
    return {path.resolve() for path in shipped.bots().values() if path.is_file()}


def _status(entry: os.DirEntry[str], path: Path, root: str) -> os.stat_result | None:
    """Return what an entry is, or what a link leads to; None: to nothing. Raises `EntrantError`."""
    if entry.is_symlink():
        target = os.path.realpath(entry.path)
        if target != root and not target.startswith(root + os.sep) and Path(target) not in _packaged():
            raise EntrantError(f"{entry.path} is a link that leaves the bot's folder {path}: copy what it leads to")
    try:
        return entry.stat()
    except FileNotFoundError:
        return None


def _check(file: Path, path: Path, status: os.stat_result) -> None:
    """Raise `EntrantError` if this is no regular file of a size that a bot may have."""
    if not stat.S_ISREG(status.st_mode):
        raise EntrantError(f"{file} is {_KINDS.get(stat.S_IFMT(status.st_mode), 'no file')}: a bot consists of files")
    if status.st_size > MOST_BYTES:
        raise EntrantError(f"{file} has more than the {MOST_BYTES >> 20} MiB that a bot may have")


def fingerprint(path: Path, outputs: Sequence[str] = ()) -> str:
    """Return a hash in hex over the names, executable bits and bytes of a bot's source.

    Raises `OSError`, and `EntrantError` as `sources` does.
    """
    return hash_of(path if path.is_dir() else path.parent, sources(path, outputs))


def hash_of(base: Path, files: Iterable[Path]) -> str:
    """Return the fingerprint of a bot with these source files. They are relative to `base`. Raises as `digest`."""
    total = hashlib.blake2b(digest_size=16)
    for source in files:
        total.update(f"{source.as_posix()}\0{digest(base / source)}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def digest(file: Path) -> str:
    """Return a hash in hex over the bytes and the executable bit of a file.

    Raises `OSError`, and `EntrantError` if there is more to read than its size says.
    """
    content = hashlib.blake2b(digest_size=16)
    with file.open("rb") as opened:
        status = os.fstat(opened.fileno())
        left = status.st_size + 1
        while left and (data := opened.read(min(left, _CHUNK))):
            content.update(data)
            left -= len(data)
    if not left:
        raise EntrantError(f"{file} has more to read than its size says: a bot's files must stay as they are")
    return content.hexdigest() + ("x" if status.st_mode & 0o100 else "")
