"""What has to be the same on all machines of a cluster, so that the same games are played everywhere."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from importlib.metadata import version

import arena
from arena.common.source_hash import source_hash
from engine import catalog

Versions = dict[str, str]
"""By what has a version: `arena`, `Python`, `dask distributed`, and the game's plug-in if it comes from one."""


def versions(game: str) -> Versions:
    """Return the versions that this process has of all that decides how a game is played.

    A version of the arena has a hash over its sources behind it: those of a checkout change under one number.
    """
    found = {
        "arena": f"{arena.__version__} (sources {_sources_hash('arena', 'engine')})",
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "dask distributed": version("distributed"),
    }
    try:
        rules = catalog.rules(game)
    except catalog.UnknownRules:
        return {**found, f"the game {game}": "none"}
    package = type(rules).__module__.partition(".")[0]
    if package != "engine":
        found[f"the game {game}"] = f"{catalog.version(game) or 'unknown'} (sources {_sources_hash(package)})"
    return found


def asked_versions(game: str) -> Callable[[], Versions]:
    """Return a function that a worker can run whatever version of the arena it has, even none: it travels whole."""

    def ask() -> Versions:
        try:
            from arena.cluster.versions import versions

            return versions(game)
        except ImportError:
            try:
                import arena

                return {"arena": f"{arena.__version__}, which knows no cluster"}
            except ImportError:
                return {"arena": "none"}

    return ask


def difference(worker: str, theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """Return in words what a worker has otherwise than this machine; empty: nothing."""
    found = [
        f"{what} {theirs.get(what, 'unknown')}, here it is {value}"
        for what, value in ours.items()
        if theirs.get(what) != value
    ]
    return f"the worker {worker} has {'; '.join(found)}" if found else ""


def _sources_hash(*packages: str) -> str:
    """Hash the Python sources of packages that have been imported."""
    return source_hash(packages, pattern="*.py")[:8]
