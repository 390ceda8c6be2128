"""The drop folder: what is put into a submitter's folder in it is a submission, as soon as it is whole."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

from arena.common.printable import printable
from arena.common.regular_files import read_end, write_atomic
from arena.common.removal import remove
from arena.serve.intake import UnpackError
from arena.serve.intake.archives import UnpackBounds, copy, entries, settle
from arena.serve.intake.incoming import Say, arrival, coming, size_of

NOTE: Final = "received.txt"
"""In a submitter's folder: what became of what was put there."""
_UNFINISHED: Final = (".part", ".tmp", ".crdownload", ".filepart", "~")
_QUIET_SECONDS: Final = 2.0
"""How long something must have stayed as it is: it may be still on its way."""
_MOST_ENTRIES: Final = 20_000
"""How many files and folders of one submission are looked at, at each look."""
_NOTE_BYTES: Final = 16 << 10
_ONE_BY_ONE: Final = 1000
"""How many files and folders are written to the disk one by one; of more, all that waits for it is."""
_COPIED: Final = (errno.EXDEV, errno.EACCES, errno.EPERM)
"""Why something may not be movable but copied: another file system, or a folder that belongs to another user."""


class DropFolder:
    """The drop folder of a league."""

    def __init__(self, folder: Path, league: Path, bounds: UnpackBounds, say: Say) -> None:
        """Take the folder, that of the league, and the most of what is received."""
        self._folder, self._league, self._bounds, self._say = folder, league, bounds, say
        self._seen: dict[Path, tuple[str, float]] = {}
        self._said: set[str] = set()

    def look(self, submitters: Mapping[str, int], now: float) -> None:
        """Make a folder for each submitter, and take what lies whole in one.

        Args:
            submitters: The submitters, and how much may be taken of each; the rest stays where it is.
            now: Seconds of any clock.
        """
        seen, self._seen = self._seen, {}
        for name in sorted(submitters):
            folder = self._folder / name
            try:
                folder.mkdir(parents=True, exist_ok=True)
                found = [] if folder.is_symlink() else sorted(folder.iterdir())
            except OSError as error:
                self._say_once(f"{printable(str(folder))} cannot be looked into: {error.strerror}")
                continue
            whole = [each for each in found if each.name != NOTE and not each.name.startswith(".")]
            whole = [each for each in whole if not each.name.endswith(_UNFINISHED)]
            for entry in whole[: max(0, submitters[name])]:
                self._look_at(entry, seen.get(entry), now)
        for folder in self._folder.iterdir() if self._folder.is_dir() else ():
            if (folder.name not in submitters or folder.is_symlink()) and not folder.name.startswith("."):
                self._say_once(f"{printable(str(folder))} is not received: it is no folder of a submitter")

    def _look_at(self, entry: Path, before: tuple[str, float] | None, now: float) -> None:
        try:
            looks = _looks(entry)
            if before is None or before[0] != looks:
                self._seen[entry] = (looks, now)
            elif now - before[1] < _QUIET_SECONDS:
                self._seen[entry] = before
            else:
                self._take(entry, looks)
        except FileNotFoundError:  # it was taken away again
            return
        except (UnpackError, OSError) as error:
            why = f"cannot be received: {getattr(error, 'strerror', None) or error}"
            if self._say_once(f"{printable(str(entry))} {why}"):
                note(entry.parent, f"{entry.name} {why}", time.time())

    def _take(self, entry: Path, looks: str) -> None:
        submitter = entry.parent.name
        place = arrival(self._league, submitter, "drop")
        place.mkdir()
        try:
            entry.rename(place / entry.name)
        except OSError as error:
            place.rmdir()
            if error.errno not in _COPIED:
                raise
        else:
            self._settle(place)
            return
        with coming(self._league, submitter, "drop") as folder:
            copy(entry, folder, self._bounds)
            if _looks(entry) != looks:
                raise OSError(errno.EBUSY, "it changed while it was copied")
        remove(str(entry))
        if os.path.lexists(entry):  # a folder of another user can be emptied by nobody else, but moved within its own
            entry.rename(entry.with_name(f".{place.name}"))

    def _settle(self, place: Path) -> None:
        """Write what was moved to the disk, without a long wait for what somebody put there to that end."""
        if size_of(place, self._bounds.bytes) > self._bounds.bytes:
            return  # it will be refused
        if sum(1 for _ in islice(entries(place), _ONE_BY_ONE)) < _ONE_BY_ONE:
            settle(place)
        else:
            os.sync()

    def _say_once(self, text: str) -> bool:
        """Say something, and return whether it is new."""
        is_new = text not in self._said
        if is_new:
            self._said.add(text)
            self._say(text)
        return is_new


def _looks(entry: Path) -> str:
    """Return a hash over names, sizes and times in a file or folder, which differs after anything was written."""
    entry.lstat()  # it may be gone
    total = sha256()
    for name, status in islice(entries(entry), _MOST_ENTRIES):
        total.update(f"{name}\0{status.st_mode}\0{status.st_size}\0{status.st_mtime_ns}\n".encode(errors="replace"))
    return total.hexdigest()


def note(folder: Path, text: str, moment: float) -> None:
    """Note for a submitter what became of something that was put into their folder."""
    when = datetime.fromtimestamp(moment, UTC).isoformat(" ", "seconds")
    before = b""
    with suppress(OSError):  # a link could lead to what is not the submitter's
        before = read_end(folder / NOTE, _NOTE_BYTES)
    with suppress(OSError):  # it is gone, or not ours to write
        write_atomic(folder / NOTE, before + f"{when}  {printable(text)}\n".encode("utf-8", "replace"))
