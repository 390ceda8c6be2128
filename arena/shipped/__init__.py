"""Files that come with the arena and are no part of its code: bots, golden vectors, and the pages that explain it.

In a clone they lie where people look for them; a wheel carries copies in this folder, at the same paths (see
`pyproject.toml`).
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

_HERE: Final = Path(__file__).parent
_TOP: Final = _HERE.parents[1]
"""The clone, or where packages are installed."""
_CODE: Final = ("arena", "engine")


def find(path: str | PurePosixPath) -> Path:
    """Where a file or folder lies that has this path in a clone. Whether it is there at all is not asked."""
    in_wheel = (_HERE / "bots").is_dir() and PurePosixPath(path).parts[0] not in _CODE
    return (_HERE if in_wheel else _TOP) / path


def starters() -> Path:
    """The folder of the bots: each folder in it with a `bot.toml` is a starter."""
    return find("bots")


def bots() -> dict[str, Path]:
    """The bots that are a single Python file, by name."""
    return {path.stem: path for path in sorted(find("bots").glob("*.py"))}


def vectors() -> Path:
    """The folder of the golden vectors."""
    return find("tests/vectors")
