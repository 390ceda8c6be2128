"""An environment with nothing in it but the arena, installed as from a wheel. It is made once a run of the tests."""

from __future__ import annotations

import fcntl
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SECONDS = 300


@dataclass
class Fresh:
    """A folder in which commands run, with the programs of an environment."""

    environment: Path
    folder: Path

    def run(self, *words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
        """A line of a shell, or the words of a command."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
        path = f"{self.environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = kept | {"PATH": path, "XDG_CACHE_HOME": str(self.folder / "cache")}
        line = str(words[0]) if len(words) == 1 else shlex.join(map(str, words))
        done = subprocess.run(
            line, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
        return done


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that whichever of pytest's workers comes first fills by `make`; the others wait for it."""
    run, base = os.environ.get("PYTEST_XDIST_TESTRUNUID"), factory.getbasetemp()
    folder = base / name if run is None else base.parent / f"{name}-{run}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            make(folder)
            (folder / "made").touch()
    return folder


def built(factory: pytest.TempPathFactory) -> Path:
    """The folder with what a release uploads, but for compiled wheels: the sources, and the wheel made from them."""

    def make(folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "build", "--outdir", folder / "dist", ROOT], check=True, timeout=SECONDS)

    return once(factory, "built", make) / "dist"


def environment(factory: pytest.TempPathFactory, extras: str = "", source: Path = ROOT) -> Path:
    """The environment. `extras`: in square brackets, if more is installed. `source`: the checkout, or a wheel."""

    def make(folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=SECONDS)
        Fresh(folder, folder).run("pip", "install", "--no-compile", f"{source}{extras}")

    kind = "environment" if source == ROOT else "environment-of-wheel"
    return once(factory, f"{kind}{extras.strip('[]')}", make)
