"""What has come whole but is not recorded yet: one folder for each, which becomes that of a submission.

It is there before it is recorded, so a league that is killed in between finds it again.
"""

from __future__ import annotations

import contextlib
import stat
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, cast

from arena.common.printable import printable
from arena.common.regular_files import read_regular
from arena.common.removal import remove
from arena.serve.intake import INCOMING, SUBMISSIONS
from arena.serve.intake.archives import entries, settle
from arena.serve.league import League
from arena.serve.store import LeagueStore, State, Submission, Via

RECEIVED: Final = "received"
"""The folder in that of a submission with the one file or folder that came."""
_MARK: Final = "~"
"""Between the parts of a folder's name; no submitter is called so."""


def submission_folder(league: Path, number: int) -> Path:
    """Return the folder of a submission in that of a league."""
    return league / SUBMISSIONS / f"{number:06}"


def arrival(league: Path, submitter: str, via: Via) -> Path:
    """Return the place of a folder for what comes now. As long as it is not there, or empty, nothing has come."""
    base = league / SUBMISSIONS / INCOMING
    base.mkdir(parents=True, exist_ok=True)
    return base / _MARK.join([f"{time.time_ns():020}", via, submitter])


@contextlib.contextmanager
def coming(league: Path, submitter: str, via: Via) -> Iterator[Path]:
    """Give a folder for one file or folder that comes from a submitter: it has come when the block has ended.

    Any thread and any process may do that. Raises `OSError`.
    """
    place = arrival(league, submitter, via)
    hidden = place.with_name(f".{place.name}")
    hidden.mkdir()
    try:
        yield hidden
        settle(hidden)
        hidden.rename(place)
    finally:
        remove(str(hidden))


def receive(league: League, store: LeagueStore) -> list[Submission]:
    """Record what has come, in its order, and return it. Raises `OSError`."""
    base = league.folder / SUBMISSIONS / INCOMING
    found = []
    for folder in sorted(base.iterdir()) if base.is_dir() else ():
        _, *said = folder.name.split(_MARK)
        content = next(folder.iterdir(), None) if len(said) == 2 and not folder.name.startswith(".") else None
        if content is None:
            continue
        via, submitter = cast(Via, said[0]), said[1]
        digest = content.stem if via in ("git", "remote") else digest_of(content, league.settings.submissions.size_mb)
        submission = _unfinished(league.folder, store, submitter, digest)
        if submission is None:
            submission = store.receive(submitter, via, digest, f"{printable(content.name)} came by {via}")
        place = submission_folder(league.folder, submission.id)
        place.mkdir(parents=True, exist_ok=True)
        folder.rename(place / RECEIVED)
        found.append(submission)
    return found


def is_coming(league: Path, submitter: str) -> bool:
    """Return whether something of a submitter has come whose files are not in their place yet."""
    return any((league / SUBMISSIONS / INCOMING).glob(f"*{_MARK}{submitter}"))


def clear(league: Path) -> None:
    """Remove what had not come whole when the league ended."""
    base = league / SUBMISSIONS / INCOMING
    for folder in base.iterdir() if base.is_dir() else ():
        if folder.name.startswith(".") or not any(folder.iterdir()):
            remove(str(folder))


def _unfinished(league: Path, store: LeagueStore, submitter: str, digest: str) -> Submission | None:
    """Return the submission that was recorded for this, if its files were not in place before the league ended."""
    for each in store.submissions(submitter, is_open=True):
        is_here = (submission_folder(league, each.id) / RECEIVED).exists()
        if each.digest == digest and each.state == "received" and not is_here:
            return each
    return None


def size_of(path: Path, most: float) -> float:
    """Return the bytes of a file or folder; when they are more than `most`, some number above it."""
    size = 0.0
    for _, status in entries(path):
        size += 512 + (status.st_size if stat.S_ISREG(status.st_mode) else 0)
        if size > most:
            break
    return size


def digest_of(path: Path, size_mb: float) -> str:
    """Return a hash in hex over a file or folder; of one that is too large, only over its name."""
    total = sha256(path.name.encode("utf-8", "surrogateescape"))
    if size_of(path, size_mb * 1e6) <= size_mb * 1e6:
        for name, status in sorted(entries(path), key=lambda each: each[0]):
            total.update(f"{name}\0{status.st_mode}\0{status.st_size}\0".encode("utf-8", "surrogateescape"))
            if stat.S_ISREG(status.st_mode):
                with contextlib.suppress(OSError, ValueError):
                    total.update(read_regular(path / name, status.st_size))
    return total.hexdigest()


Say = Callable[[str], object]
OnState = Callable[[Submission, State, str], object]
"""Gets each state that a submission reaches, with what there is to say about it."""
