"""Compile the rules and the referee by mypyc, on request: `ARENA_COMPILE=1 pip install .`.

That needs a C compiler, and takes some minutes. Without that variable, and in an editable install, nothing is compiled,
and the wheel is the same for all platforms. A compiled wheel has the same source files, and beside each compiled one an
extension module, which Python prefers.

The plugin hatch-mypyc would do the same, but has had no release since the beginning of 2023.
"""

from __future__ import annotations

import os
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

REQUEST = "ARENA_COMPILE"
NEEDED = ["mypy>=2.4", "setuptools>=77", "types-psutil>=7"]
"""What compiles, besides a C compiler and what the arena itself depends on, whose types are looked up: mypyc comes with
mypy."""
MODULES = {
    "engine": ("engine/*.py", "engine/kosmos/*.py", "engine/ravensburger/*.py"),
    "arena": ("arena/game/*.py", "arena/protocol/*.py", "arena/referee/*.py", "arena/referee/time/*.py"),
}
"""By library."""
INTERPRETED = {
    # Others inherit from their classes, as nobody can from a compiled one.
    "base", "chance", "picture", "rules",
    # Their classes are made by others: by msgspec, dataclasses or ctypes.
    "clock", "config", "messages", "source", "spec", "trace",
    # They hardly take any time.
    "__init__", "catalog", "consistency", "editions", "faces", "faults", "guide", "peer", "socket_folder",
    "simultaneous", "transport", "words",
    # Tests make up their time.
    "timer",
    # Tests replace their methods and constants, which compiled code does not look up.
    "pause_lengths", "run_queue", "sched_threads",
}  # fmt: skip
"""The names of those that stay as they are."""


class CompilingHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds compiled modules to a wheel."""

    def dependencies(self) -> list[str]:
        """Return what has to be installed before the wheel can be built."""
        return [*NEEDED, *self.metadata.core.dependencies] if _is_requested() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless nobody asked for it or the install is editable."""
        if version != "editable" and _is_requested():
            self._folder = TemporaryDirectory(prefix="arena-compiled-")
            build_data["force_include"].update(compile_modules(Path(self.root), Path(self._folder.name)))
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled, which is in the wheel by now."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _is_requested() -> bool:
    return os.environ.get(REQUEST, "") not in ("", "0")


def compile_modules(root: Path, folder: Path) -> dict[str, str]:
    """Compile into an empty folder, and return each file that results with its place in a wheel."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    libraries = [(_modules(root, patterns), name) for name, patterns in MODULES.items()]
    library = folder / "library"
    with chdir(root):
        words = [f"--cache-dir={folder / 'types'}", *(module for modules, _ in libraries for module in modules)]
        extensions = mypycify(words, separate=libraries, target_dir=str(folder / "c"), opt_level="2", debug_level="0")
        command = Distribution({"name": "arena", "ext_modules": extensions}).get_command_obj("build_ext")
        command.parallel = len(libraries)
        command.build_lib, command.build_temp = str(library), str(folder / "objects")
        command.ensure_finalized()
        command.run()
    return {str(file): file.relative_to(library).as_posix() for file in sorted(library.rglob("*")) if file.is_file()}


def _modules(root: Path, patterns: tuple[str, ...]) -> list[str]:
    """Return the paths of the modules of a library."""
    paths = [path.relative_to(root) for pattern in patterns for path in sorted(root.glob(pattern))]
    return [path.as_posix() for path in paths if path.stem not in INTERPRETED]
