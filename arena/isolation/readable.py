"""Find what a program must be able to read: the system's folders, its interpreter, and the libraries beside that."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import arena

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
SETTINGS: Final = (
    *("alternatives", "ca-certificates", "ca-certificates.conf", "crypto-policies", "fonts", "gai.conf", "hosts"),
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "maven", "mime.types", "nsswitch.conf", "os-release"),
    *("pki/ca-trust", "pki/java", "pki/tls/certs", "protocols", "services", "ssl/certs", "ssl/openssl.cnf", "timezone"),
    *("static",),  # of NixOS
)
"""What programs need of `/etc`, in which there is also what others must not see. With `java*` and `jvm*`."""
_ENVIRONMENTS: Final = ("pyvenv.cfg", "conda-meta")
_DEEP: Final = 2
"""So many levels below the home folder, a program's own folder holds nothing else."""


@functools.cache
def system_paths() -> tuple[str, ...]:
    """Return the system's folders and settings that are there and that every program may read."""
    etc = Path("/etc")
    found = [*SYSTEM, *(str(etc / name) for name in SETTINGS)]
    found += [str(path) for pattern in ("java*", "jvm*") for path in sorted(etc.glob(pattern))]
    return tuple(path for path in found if os.path.lexists(path))


def program_paths(command: Sequence[str], folder: Path, path: str) -> list[str]:
    """Return what a command needs besides the system's folders and its own one.

    Args:
        command: The command.
        folder: Where it runs.
        path: The variable `PATH`.
    """
    return list(_program_paths(command[0], sys.executable in command, folder, path))


@functools.lru_cache(maxsize=1024)
def _program_paths(program: str, is_python: bool, folder: Path, path: str) -> tuple[str, ...]:
    found = dict.fromkeys(_of_program(program, folder, path))
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


def _of_program(name: str, folder: Path, path: str, depth: int = 2) -> Iterator[str]:
    place = folder / name if "/" in name else shutil.which(name, path=path)
    if place is None or not os.path.lexists(place):
        return
    # The program where it is called, what that is a link to, and what that is.
    for file in _chain(Path(place)):
        if not is_below(str(file), (str(folder), "/etc", *SYSTEM)):
            yield _own_folder(file)
    if depth:
        for word in _interpreter(Path(place)):
            yield from _of_program(word, folder, path, depth - 1)


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
    home = Path.home()
    if prefix.is_relative_to(home):
        return len(prefix.relative_to(home).parts) >= _DEEP and prefix.relative_to(home).parts[0] != ".local"
    return len(prefix.parts) > _DEEP and not home.is_relative_to(prefix)


def _interpreter(file: Path) -> list[str]:
    """Return the program that the first line of a script names, if it is one; with `env`, that and the next word."""
    try:
        with file.open("rb") as script:
            line = script.readline(256)
    except OSError:
        return []
    if not line.startswith(b"#!"):
        return []
    words = os.fsdecode(line[2:]).split()
    if words[:1] and Path(words[0]).name == "env":
        return [words[0], *(word for word in words[1:2] if not word.startswith("-"))]
    return words[:1]
