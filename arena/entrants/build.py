"""A bot's source to something that can be started: a copy in the cache, built once."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from arena.entrants.expand import Entrant
from arena.entrants.fingerprint import fingerprint, sources

BUILD_SECONDS: Final = 900
"""How long a build may take; the first one of a toolchain may have to fetch libraries."""
_TAIL_LINES: Final = 15
_DONE: Final = ".built"


class BuildFailed(Exception):
    """A bot could not be built; the text ends with the last lines that its build printed."""


@dataclass(frozen=True)
class Built:
    """A bot that can be started: `command` in `folder`, a copy of exactly the source that was fingerprinted."""

    entrant: Entrant
    folder: Path
    command: tuple[str, ...]


def build(entrant: Entrant, cache: Path | None = None) -> Built:
    """Copy the bot into the cache and run its build command, unless that has been done before.

    Raises `BuildFailed`. Several processes may build the same bot at once: one does, the others wait for it.
    """
    cache = cache or user_cache_path("arena") / "bots"
    cache.mkdir(parents=True, exist_ok=True)
    key = f"{_file_name(entrant.name)}-{entrant.fingerprint}"
    folder = cache / key
    with _locked(cache / f"{key}.lock"):
        if not (folder / _DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)  # a build that was killed
            try:
                _copy(entrant, folder)
                if entrant.build is not None:
                    _run_build(entrant.build, folder, entrant.env)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            (folder / _DONE).touch()
    return Built(entrant, folder, entrant.command)


def _copy(entrant: Entrant, folder: Path) -> None:
    base = entrant.path if entrant.path.is_dir() else entrant.path.parent
    for source in sources(entrant.path, entrant.outputs):
        (folder / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(base / source, folder / source)
    copied = folder if entrant.path.is_dir() else folder / entrant.path.name
    if fingerprint(copied, entrant.outputs) != entrant.fingerprint:
        raise BuildFailed(f"{entrant.path} changed while it was read: run the command again")


def _run_build(command: tuple[str, ...], folder: Path, env: dict[str, str]) -> None:
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise BuildFailed(f"{command[0]} is not installed") from None
    except OSError as error:
        raise BuildFailed(f"{command[0]}: {error.strerror}") from None
    with process:
        try:
            output, _ = process.communicate(timeout=BUILD_SECONDS)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise BuildFailed(f"not built within {BUILD_SECONDS} seconds") from None
            raise
    if process.returncode:
        tail = output.decode("utf-8", "replace").splitlines()[-_TAIL_LINES:]
        raise BuildFailed("\n".join([f"{' '.join(command)}: exit code {process.returncode}", *tail]))


def _file_name(name: str) -> str:
    return "".join(char if char.isalnum() or char in "-_." else "_" for char in name)[:40]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
