"""Name the arena's package in an index and its version, and say how to install an optional part of it.

`arena` belongs to somebody else in the index. The command and the imported packages keep that name.

The build reads the version from here too (`tool.hatch.version` in `pyproject.toml`), so this module imports nothing of
the arena's.
"""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

NAME: Final = "bot-arena"
RELEASE: Final = "1.0.0"
"""The release that the sources lead to. A commit with the tag `v1.0.0` is it, every other one comes before it."""
_ROOT: Final = Path(__file__).parents[1]
_GIT_SECONDS: Final = 10.0
_UNKNOWN: Final = f"{RELEASE}.dev0+unknown"


@cache
def version() -> str:
    """Return the version of what is running.

    A checkout has the version that git describes: `1.0.0` at that tag, elsewhere `1.0.0.dev685+g1a2b3c4d5e`, with
    the number of commits and the commit, and `.dirty` at the end if files differ from it. An installed package has the
    version that it was built as.
    """
    if (_ROOT / ".git").exists():
        return version_from_git(_ROOT)
    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return _UNKNOWN


def version_from_git(root: Path) -> str:
    """Return the version of a checkout as `version` describes it; `1.0.0.dev0+unknown` where git gives no answer."""
    try:
        said = _ask_git(root, "describe", "--tags", "--match=v[0-9]*", "--long", "--always", "--dirty", "--abbrev=10")
        count = int(_ask_git(root, "rev-list", "--count", "HEAD"))
    except (OSError, subprocess.SubprocessError, ValueError):
        return _UNKNOWN
    found = re.fullmatch(r"(?:v([0-9.]+)-(\d+)-g)?([0-9a-f]+)(-dirty)?", said)
    if found is None:
        return _UNKNOWN
    tag, since, commit, dirty = found.groups()
    if since == "0" and not dirty:
        return str(tag)
    return f"{RELEASE}.dev{count}+g{commit}{'.dirty' if dirty else ''}"


def _ask_git(root: Path, *words: str) -> str:
    # A hook of git has variables that name another repository.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", "--no-optional-locks", "-C", str(root), *words]
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=_GIT_SECONDS,
        check=True,
    )
    return done.stdout.decode().strip()


def requirement(extra: str, version: str = "") -> str:
    """Return a pip requirement for this package with an extra.

    `version` is as pip writes it (`==1.0`, ` @ git+...`).
    """
    return f"{NAME}[{extra}]{version}"


def how_to_install(extra: str) -> str:
    """Return the text that says how to install an extra."""
    return f"pip install '{requirement(extra)}', from a checkout pip install -e '.[{extra}]'"
