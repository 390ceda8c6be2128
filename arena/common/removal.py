"""Delete folders whatever a bot did to them: without permissions, or deeper than Python or a path can follow.

No other program is run for that, because `arena.supervisor` may do nothing that a bot can alter. It uses this module,
which therefore imports the standard library only.
"""

from __future__ import annotations

import contextlib
import os
import stat


def remove(folder: str) -> None:
    """Delete a folder, or what else lies there. What cannot be deleted is left."""
    try:
        top = _open_folder(folder, None)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(folder)  # noqa: PTH108
        return
    try:
        while any([_remove_entry(name, top) for name in os.listdir(top)]):  # noqa: PTH208, C419 - all of them
            pass
    finally:
        os.close(top)
    with contextlib.suppress(OSError):
        os.rmdir(folder)  # noqa: PTH106


def _remove_entry(name: str, top: int) -> bool:
    """Delete an entry of the open folder `top`, and return whether something was done.

    Folders in the entry are moved up to `top`, so that no path gets long.
    """
    try:
        folder = _open_folder(name, top)
    except OSError:  # it is no folder
        return _unlink(name, top)
    try:
        done = [_unlink(entry, folder) or _move(entry, folder, top) for entry in os.listdir(folder)]  # noqa: PTH208
    finally:
        os.close(folder)
    try:
        os.rmdir(name, dir_fd=top)
    except OSError:
        return any(done)
    return True


def _unlink(name: str, folder: int) -> bool:
    try:
        os.unlink(name, dir_fd=folder)
    except OSError:
        return False
    return True


def _move(name: str, folder: int, top: int) -> bool:
    try:
        _open_up(name, folder)  # a folder that is moved must be writable
        os.rename(name, os.urandom(8).hex(), src_dir_fd=folder, dst_dir_fd=top)
    except OSError:
        return False
    return True


def _open_folder(name: str, parent: int | None) -> int:
    """Open a folder that is no link, and take all permissions in it. Raises `OSError`."""
    _open_up(name, parent)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)


def _open_up(name: str, parent: int | None) -> None:
    if not stat.S_ISDIR(os.lstat(name, dir_fd=parent).st_mode):
        raise NotADirectoryError(name)
    os.chmod(name, 0o700, dir_fd=parent)
