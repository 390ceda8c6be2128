"""What the machine lacks, in a line for whoever can help: a full disk, or a limit that was reached."""

from __future__ import annotations

import errno
from typing import Final

_WHY: Final = {
    errno.EEXIST: "it is there and is no folder",
    errno.ENOTDIR: "what it should lie in is no folder",
}
_DISK: Final = "make room and type the same command again, what was recorded is kept"
_TO_DO: Final = {
    errno.ENOSPC: _DISK,
    errno.EDQUOT: _DISK,
    errno.EFBIG: "raise the limit of a file's size (ulimit -f)",
    errno.EIO: "look at the disk or the terminal",
    errno.EBADF: "it is closed",
    errno.EROFS: "name a folder that can be written",
    errno.EMFILE: "raise the limit of open files (ulimit -n), or take fewer --jobs",
    errno.ENFILE: "too many files are open on this machine: take fewer --jobs",
    errno.EAGAIN: "raise the limit of processes (ulimit -u), or take fewer --jobs",
    errno.ENOMEM: "make room in memory, or take fewer --jobs",
}
"""By what failed, whatever it failed over."""
_LIMITS: Final = {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM}
"""Over which file they were reached is chance."""


def in_words(error: OSError) -> str | None:
    """What failed and what to do; None: neither a file that the user named nor the machine, but ourselves."""
    to_do = _TO_DO.get(error.errno or 0)
    if error.filename is not None and error.errno not in _LIMITS:
        why = _WHY.get(error.errno or 0, error.strerror)
        return f"{error.filename} cannot be used: {why}. {_sentence(to_do or 'name another, or make room for it')}"
    if error.errno == errno.ENOENT and error.strerror:  # so says Python of folders for temporary files
        return f"{error.strerror}. Make room there, or name another folder by TMPDIR"
    return None if to_do is None else f"{error.strerror}. {_sentence(to_do)}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
