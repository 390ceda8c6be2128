"""Find the files that come with the arena besides its code: bots and documentation.

In a clone they lie where people look for them. A wheel carries copies in this folder, at the same paths (see
`pyproject.toml`).
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

_HERE: Final = Path(__file__).parent
_TOP: Final = _HERE.parents[1]
"""The clone, or the folder where packages are installed."""
_CODE: Final = ("arena", "engine")
STARTER: Final = "starter.toml"
"""The file in the folder of a bot to begin one from: what `arena new` says of it."""


def find(path: str | PurePosixPath) -> Path:
    """Return where the file or folder lies that has this path in a clone. It need not exist."""
    in_wheel = (_HERE / "bots").is_dir() and PurePosixPath(path).parts[0] not in _CODE
    return (_HERE if in_wheel else _TOP) / path


def bots() -> dict[str, Path]:
    """Return the bots to play against, by name: files of Python, and folders that no bot is begun from."""
    folders = [path.parent for path in find("bots").glob("*/bot.toml") if not (path.parent / STARTER).is_file()]
    return {path.stem: path for path in sorted([*find("bots").glob("*.py"), *folders])}
