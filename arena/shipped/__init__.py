"""Files that come with the arena and are no Python of its own: starter bots and golden vectors.

In a clone they lie where people look for them; a wheel carries copies in this folder (see `pyproject.toml`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
_CLONE: Final = _HERE.parents[1]


def starters() -> Path:
    """The folder of the bots: each folder in it with a `bot.toml` is a starter."""
    return _first(_HERE / "bots", _CLONE / "bots")


def vectors() -> Path:
    """The folder of the golden vectors."""
    return _first(_HERE / "vectors", _CLONE / "tests" / "vectors")


def _first(wheel: Path, clone: Path) -> Path:
    return wheel if wheel.is_dir() else clone
