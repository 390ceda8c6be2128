"""Keep a built bot as its build left it: read-only, compared at every start, and restored if it differs.

In the cache, next to the folder NAME, are NAME.tar, from which it is restored, NAME.built, by which later commands
recognize it, and NAME.lock, which the process that changes any of them locks. Permissions stop a careless bot. Changes
made in spite of them, as root can make, are undone before the next start. A bot that also forges these files is not
noticed here; `arena.entrants.build` compares a copy that needs no build with its source.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
import stat
import tarfile
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from arena.common import removal

_log = logging.getLogger(__name__)

_WRITE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_LOCK_SECONDS: Final = 0.05
_stamps: Final[dict[Path, str]] = {}
"""The stamp of each folder when this process last found it unchanged."""


@dataclass(frozen=True)
class Snapshot:
    """What a folder held when the snapshot was taken."""

    folder: Path
    digest: str
    """A hash over everything in it: names, kinds, permissions, bytes."""
    shape: str
    """A hash over the same with sizes instead of bytes."""
    stamp: str
    """A hash over the same with times, which differs after anything was written."""
    entries: int
    """The number of files, folders and links."""

    def restore(self) -> None:
        """Restore the folder if it has changed. Raises `OSError`. Takes some milliseconds if it has not."""
        if self._is_whole():
            return
        with locked(self.folder):
            if not self._is_whole():  # another process may have been here
                _log.warning("%s was changed and is made anew", self.folder)
                _unpack(self.folder, self.digest)
                _stamps[self.folder] = _looks(self.folder)[1]

    def changes(self) -> list[str]:
        """Return what has changed, in words such as `added log.txt`. Raises `OSError`."""
        if self._is_whole():
            return []
        now, then = _contents(self.folder), _packed(self.folder)
        words = [f"added {name}" for name in now.keys() - then.keys()]
        words += [f"removed {name}" for name in then.keys() - now.keys()]
        words += [f"changed {name}" for name in now.keys() & then.keys() if now[name] != then[name]]
        return sorted("changed the folder's permissions" if word == "changed ." else word for word in words)

    def _is_whole(self) -> bool:
        try:
            shape, stamp, _ = _looks(self.folder, self.entries)
            if stamp == _stamps.get(self.folder, self.stamp):
                return True
            # Times also differ after another process has restored it. If the shape differs, the bytes are not read,
            # because a bot could make that take long.
            if shape != self.shape or _digest(_contents(self.folder)) != self.digest:
                return False
        except OSError:
            return False
        _stamps[self.folder] = stamp
        return True


def take_snapshot(folder: Path) -> Snapshot:
    """Make a folder read-only, and take a snapshot of it. Raises `OSError`."""
    _make_read_only(folder)
    _archive(folder).unlink(missing_ok=True)
    with tarfile.open(_archive(folder), "w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname=".")
    _archive(folder).chmod(0o400)
    return _recorded(folder, _digest(_contents(folder)))


def find(folder: Path, on_changed: Callable[[], object] = lambda: None) -> Snapshot | None:
    """Return the snapshot of this folder, after restoring the folder if needed. Return None if there is none.

    `on_changed` is called if it has to be restored.
    """
    try:
        digest, shape, stamp, entries = _record(folder).read_text("ascii").split()
        snapshot = Snapshot(folder, digest, shape, stamp, int(entries))
        if not snapshot._is_whole():
            on_changed()
            _unpack(folder, snapshot.digest)
        return _recorded(folder, snapshot.digest)
    except (OSError, ValueError):
        return None


def _recorded(folder: Path, digest: str) -> Snapshot:
    snapshot = Snapshot(folder, digest, *_looks(folder))
    _stamps[folder] = snapshot.stamp
    _record(folder).write_text(f"{digest} {snapshot.shape} {snapshot.stamp} {snapshot.entries}\n", "ascii")
    return snapshot


def is_taken(folder: Path) -> bool:
    """Return whether there is a finished snapshot of this folder."""
    return _record(folder).is_file() and folder.is_dir()


def remove(folder: Path) -> None:
    """Delete a folder and its snapshot."""
    _record(folder).unlink(missing_ok=True)
    _archive(folder).unlink(missing_ok=True)
    removal.remove(str(folder))


def files_in(folder: Path) -> set[str] | None:
    """Return the files in a folder, by their names from there. Return None if there is anything but files and folders.

    Raises `OSError`.
    """
    found = _entries(folder)
    if any(not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode) for _, status in found):
        return None
    return {name for name, status in found if stat.S_ISREG(status.st_mode)}


@contextmanager
def locked(folder: Path, stop: threading.Event | None = None) -> Iterator[None]:
    """Keep other processes from changing this folder of the cache.

    Raises `OSError`, also if `stop` is set meanwhile.
    """
    stop = stop or threading.Event()
    with _beside(folder, ".lock").open("w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if stop.wait(_LOCK_SECONDS):
                    raise InterruptedError("interrupted while it waited for another build of the same bot") from None
        yield


def _beside(folder: Path, suffix: str) -> Path:
    return folder.with_name(folder.name + suffix)


def _archive(folder: Path) -> Path:
    return _beside(folder, ".tar")


def _record(folder: Path) -> Path:
    return _beside(folder, ".built")


def _entries(folder: Path, most: int | None = None) -> list[tuple[str, os.stat_result]]:
    """Return the folder and everything below it, sorted by name, each with its `lstat`. Links are not followed.

    Raises `OSError`, also if there are more than `most`.
    """
    found, left = [(".", folder.lstat())], [""]
    while left:
        prefix = left.pop()
        with os.scandir(f"{folder}/{prefix}") as entries:  # quicker than a Path
            for entry in entries:
                found.append((prefix + entry.name, entry.stat(follow_symlinks=False)))
                if most is not None and len(found) > most:
                    raise OSError(f"{folder} holds more than it did")
                if entry.is_dir(follow_symlinks=False):
                    left.append(f"{prefix}{entry.name}/")
    return sorted(found, key=lambda each: each[0])


def _looks(folder: Path, most: int | None = None) -> tuple[str, str, int]:
    """Return the shape, the stamp and the number of entries of a folder.

    Raises `OSError`, also for more than `most`.
    """
    shape, stamp = hashlib.blake2b(digest_size=16), hashlib.blake2b(digest_size=16)
    found = _entries(folder, most)
    for name, status in found:
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        line = os.fsencode(f"{name}\0{_described(status.st_mode, '')}\0{size}\n")
        shape.update(line)
        stamp.update(b"%s%d %d\n" % (line, status.st_mtime_ns, status.st_ctime_ns))
    return shape.hexdigest(), stamp.hexdigest(), len(found)


def _contents(folder: Path) -> dict[str, str]:
    """Return for each entry its kind and permissions, with a hash of the bytes or the target of a link."""
    found = {}
    for name, status in _entries(folder):
        what = str((folder / name).readlink()) if stat.S_ISLNK(status.st_mode) else ""
        if stat.S_ISREG(status.st_mode):
            with (folder / name).open("rb") as file:
                what = _hash(file)
        found[name] = _described(status.st_mode, what)
    return found


def _packed(folder: Path) -> dict[str, str]:
    """Return the same for the archive."""
    kinds = {tarfile.DIRTYPE: stat.S_IFDIR, tarfile.SYMTYPE: stat.S_IFLNK, tarfile.FIFOTYPE: stat.S_IFIFO}
    found = {}
    with tarfile.open(_archive(folder)) as archive:
        for member in archive:
            mode = kinds.get(member.type, stat.S_IFREG) | member.mode
            file = archive.extractfile(member) if member.isreg() else None
            found[member.name.removeprefix("./")] = _described(mode, member.linkname if file is None else _hash(file))
    return found


def _described(mode: int, what: str) -> str:
    return f"link {what}" if stat.S_ISLNK(mode) else f"{stat.filemode(mode)} {what}"


def _hash(file: IO[bytes]) -> str:
    return hashlib.file_digest(cast(Any, file), lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _digest(contents: dict[str, str]) -> str:
    total = hashlib.blake2b(digest_size=16)
    for name, what in contents.items():
        total.update(os.fsencode(f"{name}\0{what}\n"))
    return total.hexdigest()


def _make_read_only(folder: Path) -> None:
    """Make a folder read-only. Files that share their bytes with others elsewhere (hard links) are copied first."""
    for where, _, names in os.walk(folder, topdown=False):
        for path in [Path(where, name) for name in names]:
            status = path.lstat()
            if stat.S_ISSOCK(status.st_mode):
                path.unlink()
            elif not stat.S_ISLNK(status.st_mode):
                # As package managers' stores and compilers' caches have them.
                if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
                    own = path.with_name(f"{path.name}.arena-own")
                    shutil.copy2(path, own)
                    own.replace(path)
                path.chmod((stat.S_IMODE(status.st_mode) & ~_WRITE) | stat.S_IRUSR)
        found = Path(where).stat()
        Path(where).chmod((stat.S_IMODE(found.st_mode) & ~_WRITE) | stat.S_IRUSR | stat.S_IXUSR)


def _unpack(folder: Path, digest: str) -> None:
    """Restore the folder from its archive, atomically. Raises `OSError`."""
    fresh, old = _beside(folder, ".new"), _beside(folder, ".old")
    removal.remove(str(fresh))
    removal.remove(str(old))
    try:
        fresh.mkdir()
        with tarfile.open(_archive(folder)) as archive:
            archive.extraction_filter = lambda member, _: member  # it is our own
            archive.extractall(fresh)
        if _digest(_contents(fresh)) != digest:
            raise OSError(f"{folder} was changed, and so was {_archive(folder).name}: run the command again")
        if os.path.lexists(folder):
            folder.rename(old)
        fresh.rename(folder)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise OSError(
            f"{folder} was changed, and {_archive(folder).name} cannot be read ({error}): run the command again"
        ) from None
    finally:
        removal.remove(str(fresh))
        removal.remove(str(old))
