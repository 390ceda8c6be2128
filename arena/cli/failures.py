"""Turn errors into the line that the user reads: bad input, a full disk, or a limit of the machine."""

from __future__ import annotations

import errno
from typing import Final

from arena.common.allowed_words import suggested
from arena.common.errors import ArenaError
from arena.common.regular_files import why_unread
from arena.referee.trace import TraceError
from engine.catalog import UnknownRules
from engine.rules import EditionError

USER_ERRORS: Final = (ArenaError, EditionError, TraceError, UnknownRules)
"""Errors whose text is for the user. `engine` does not know our base class, and a `TraceError` is no Exception."""

_DISK: Final = "make room and type the same command again, what was recorded is kept"
_TO_DO: Final = {
    errno.ENOSPC: _DISK,
    errno.EDQUOT: _DISK,
    errno.EFBIG: "raise the limit of a file's size (ulimit -f)",
    errno.EIO: "look at the disk or the terminal",
    errno.EBADF: "it is closed",
    errno.EEXIST: "name another, or make room for it",
    errno.ENOTDIR: "name another, or make room for it",
    errno.EACCES: "name another, or change who may use it (chmod)",
    errno.EROFS: "name a folder that can be written",
    errno.EMFILE: "raise the limit of open files (ulimit -n), or take fewer --jobs",
    errno.ENFILE: "too many files are open on this machine: take fewer --jobs",
    errno.EAGAIN: "raise the limit of processes (ulimit -u), or take fewer --jobs",
    errno.ENOMEM: "make room in memory, or take fewer --jobs",
}
"""What the user can do, by the kind of failure, whatever file it happened with."""
_LIMITS: Final = {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM}
"""Limits of the machine. Which file was being opened when one was reached is chance, so it is not named."""


def message_for(error: BaseException) -> str | None:
    """Return what failed and what to do about it. Return None if the fault is neither the user's nor the machine's."""
    if isinstance(error, UnknownRules):
        return str(error) + suggested(error.wanted, error.known)
    if isinstance(error, USER_ERRORS):
        return str(error)
    return _message_for_system_error(error) if isinstance(error, OSError) else None


def _message_for_system_error(error: OSError) -> str | None:
    to_do = _TO_DO.get(error.errno or 0)
    if error.filename is not None and error.errno not in _LIMITS:
        return f"{error.filename} cannot be used: {why_unread(error)}. {_sentence(to_do or 'name another')}"
    if error.errno == errno.ENOENT and error.strerror:  # so says Python of folders for temporary files
        return f"{error.strerror}. Make room there, or name another folder by TMPDIR"
    return None if to_do is None else f"{error.strerror}. {_sentence(to_do)}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
