"""Find what a program must be able to read: the system's folders, its interpreter, and the libraries beside that."""

from __future__ import annotations

import contextlib
import functools
import os
import pwd
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import arena
from arena.isolation.settings import IsolationError, own_home

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
SETTINGS: Final = (
    *("alternatives", "ca-certificates", "ca-certificates.conf", "crypto-policies", "fonts", "gai.conf", "hosts"),
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "maven", "mime.types", "nsswitch.conf", "os-release"),
    *("pki/ca-trust", "pki/java", "pki/tls/certs", "protocols", "services", "ssl/certs", "ssl/openssl.cnf", "timezone"),
    *("static",),  # of NixOS
)
"""What programs need of `/etc`, in which there is also what others must not see. With `java*` and `jvm*`."""
_ENVIRONMENTS: Final = ("pyvenv.cfg", "conda-meta")
_ENV: Final = ("/usr/bin/env", "/bin/env")
_FIRST_LINE: Final = 256
"""Bytes of it that the kernel reads."""
_INTERPRETERS: Final = 2
"""So many scripts may be one another's interpreters."""
_DEEP: Final = 2
"""So many levels below the home folder, a program's own folder holds nothing else."""


def check_no_home(readable: Iterable[str]) -> None:
    """Raise `IsolationError` if one of these paths is the user's home folder, or holds it."""
    known = [os.environ.get("HOME", "")]
    with contextlib.suppress(KeyError):  # a user whom the system does not know
        known.append(pwd.getpwuid(os.getuid()).pw_dir)
    homes = {Path(each).resolve() for each in known if each}
    for each in readable:
        if any(home.is_relative_to(Path(each).resolve()) for home in homes):
            raise IsolationError(
                f"readable: {each} would show bots all of your home folder, keys and passwords too: name what they need"
            )


@functools.cache
def system_paths() -> tuple[str, ...]:
    """Return the system's folders and settings that are there and that every program may read."""
    etc = Path("/etc")
    found = [*SYSTEM, *(str(etc / name) for name in SETTINGS)]
    found += [str(path) for pattern in ("java*", "jvm*") for path in sorted(etc.glob(pattern))]
    return tuple(path for path in (*found, *_libraries()) if os.path.lexists(path))


def _libraries() -> Iterator[str]:
    """Generate the folders in which the loader looks for libraries that are not the system's, as some of `/opt`."""
    with contextlib.suppress(OSError):
        for file in sorted(Path("/etc/ld.so.conf.d").glob("*.conf")):
            for line in file.read_text("utf-8", "replace").splitlines():
                if line.startswith("/") and len(Path(line).parts) > _DEEP and not is_below(line, SYSTEM):
                    yield line.strip()


def program_paths(command: Sequence[str], folder: Path) -> list[str]:
    """Return what a bot's command needs besides the system's folders and its own one.

    The bot chose the command, and brings the files in its folder: neither makes anything of the host readable but the
    programs of our own `PATH` and this Python. `.venv/bin/python` may lead to one of these.

    Args:
        command: The command.
        folder: Where it runs: all that the bot brings.
    """
    path = os.environ.get("PATH", os.defpath)
    return list(_program_paths(command[0], sys.executable in command, folder, path))


@functools.lru_cache(maxsize=1024)
def _program_paths(program: str, is_python: bool, folder: Path, path: str) -> tuple[str, ...]:
    # What is relative would lead to files of the bot.
    path = os.pathsep.join(each for each in path.split(os.pathsep) if each.startswith("/"))
    found = dict.fromkeys(_of_word(program, folder.resolve(), path))
    if is_python:
        found |= dict.fromkeys(_of_python())
    return tuple(each for each in found if not is_below(each, SYSTEM))


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path is one of these folders or lies in one."""
    return any(Path(path).is_relative_to(folder) for folder in folders)


def package_folders(command: Sequence[str]) -> list[str]:
    """Return the folder in which this Python looks for the arena, to be listed but not read, if it is not installed."""
    folder = str(Path(arena.__file__).parents[1])
    return [folder] if sys.executable in command and not is_below(folder, (sys.prefix, sys.base_prefix)) else []


def _of_python() -> Iterator[str]:
    """Generate what this Python needs, and the packages that bots import."""
    yield from (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    for folder in package_folders([sys.executable]):
        yield from (f"{folder}/arena", f"{folder}/engine")


def _of_word(name: str, folder: Path, path: str, depth: int = _INTERPRETERS) -> Iterator[str]:
    """Generate what a program needs that a bot names, in its command or in the first line of a file of its own."""
    if "/" not in name:
        yield from _of_installed(name, path, depth)
        return
    file = _resolved(folder / name)
    if file is None:
        return
    # Step by step: the Python of a virtual environment is a link, which may lead to the system's.
    places = _chain(folder / name)
    places += [place.parent.resolve() / place.name for place in places]
    python = [each for each in _of_python() if not is_below(each, SYSTEM)]
    if any(is_below(str(place), python) for place in places):
        yield from python
    elif file.is_relative_to(folder) or is_below(str(file), SYSTEM):
        for word in _interpreter(file) if depth else ():
            yield from _of_word(word, folder, path, depth - 1)
    for each in dict.fromkeys(place.name for place in places):  # it counts only as far as the bare name would
        found = list(_of_installed(each, path, depth))
        if any(is_below(str(place), found) for place in places):
            yield from found


def _of_installed(name: str, path: str, depth: int) -> Iterator[str]:
    """Generate what a program needs that we installed: one in `PATH`, or what the first line of such a one names."""
    place = name if name.startswith("/") else shutil.which(name, path=path) if "/" not in name else None
    file = None if place is None else _resolved(Path(place))
    if place is None or file is None or not _is_program(file):
        return
    # The program where it is called, what that is a link to, and what that is.
    for each in _chain(Path(place)):
        if not is_below(str(each), ("/etc", *SYSTEM)):
            yield _own_folder(each)
    for word in _interpreter(file) if depth else ():
        yield from _of_installed(word, path, depth - 1)


def _resolved(file: Path) -> Path | None:
    """Return where a path leads; None: nowhere."""
    try:
        return file.resolve(strict=True)
    except (OSError, RuntimeError):  # not there, not ours to see, or links in a ring
        return None


def _is_program(file: Path) -> bool:
    return file.is_file() and os.access(file, os.X_OK)


def _chain(file: Path) -> list[Path]:
    """Return a file, and those that it leads to as a link."""
    found = [file]
    while os.path.lexists(file) and file.is_symlink() and len(found) < 16:  # not there, if we may not look
        file = Path(os.path.normpath(file.parent / file.readlink()))
        found.append(file)
    return [*found, file.resolve()]


def _own_folder(file: Path) -> str:
    """Return the folder in which a program was installed, or only that of the file if more is in it than a program."""
    folder = file.parent
    if folder.name == "shims":
        return str(folder.parent)
    prefix = folder.parent
    if folder.name in ("bin", "sbin") and _is_own(prefix):
        return str(prefix)
    return str(folder) if folder.name in ("bin", "sbin") else str(file)


def _is_own(prefix: Path) -> bool:
    if any(os.access(prefix / name, os.F_OK) for name in _ENVIRONMENTS):
        return True
    home = own_home()
    if home is None:
        return len(prefix.parts) > _DEEP
    if prefix.is_relative_to(home):
        return len(prefix.relative_to(home).parts) >= _DEEP and prefix.relative_to(home).parts[0] != ".local"
    return len(prefix.parts) > _DEEP and not home.is_relative_to(prefix)


def _interpreter(file: Path) -> list[str]:
    """Return the program that a script's first line names; for the system's `env`, what that runs too."""
    line = first_bytes(file)
    if not line.startswith(b"#!"):
        return []
    words = os.fsdecode(line[2:].split(b"\n")[0]).split()
    if not words or _resolved(Path(words[0])) not in _resolved_env():
        return words[:1]
    runs = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return [words[0], *runs[:1]]


@functools.cache
def _resolved_env() -> tuple[Path, ...]:
    return tuple(file for file in map(_resolved, map(Path, _ENV)) if file is not None)


def first_bytes(file: Path) -> bytes:
    """Return the beginning of a program, or nothing: a bot may put a pipe or a link in the place of a file."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return b""
    try:
        how = os.fstat(handle).st_mode
        return os.read(handle, _FIRST_LINE) if stat.S_ISREG(how) and how & 0o111 else b""
    except OSError:
        return b""
    finally:
        os.close(handle)
