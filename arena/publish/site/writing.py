"""The site's folder: files are written only when they change, whole or not at all, and what is gone is removed.

What was made is noted in `.published.json`, by which a later time knows the folder again. It is written before the
first page and after the last one: whatever interrupts publishing, the same command goes on.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from arena.publish.gamefile import write_atomic
from arena.publish.site.results import SiteError

MANIFEST: Final = ".published.json"
FORMAT: Final = "arena site"
GAMES: Final = "games"


class Manifest:
    """What an earlier time made."""

    def __init__(self, data: dict[str, Any]) -> None:
        """From the file's contents; nothing there: nothing was made."""
        self.made_by: str = _typed(data, "made_by", "")
        self.files: list[str] = _typed(data, "files", [])
        self.games: dict[str, str] = _typed(data, "games", {})
        """By id: the mark of the game that was played."""
        self.problems: dict[str, str] = _typed(data, "problems", {})
        self.feed: dict[str, list[str]] = _typed(data, "feed", {})
        """By entry of the feed: what it told, and since when."""

    def data(self) -> bytes:
        """The file's contents."""
        return json.dumps({"format": FORMAT, **vars(self)}, indent=0, sort_keys=True).encode("ascii") + b"\n"


def _typed(data: dict[str, Any], key: str, default: Any) -> Any:
    value = data.get(key)
    return value if type(value) is type(default) else default


class SiteFolder:
    """A folder to publish into."""

    def __init__(self, root: Path) -> None:
        """Raises `SiteError` if something else lies there."""
        self.root = root
        self.before = _read(root)
        self.written = 0
        self.removed = 0
        self._wanted: set[str] = set()

    def write(self, path: str, data: bytes) -> bool:
        """Have a file with these contents; whether it had others."""
        self._wanted.add(path)
        if changed := write_changed(self.root / path, data):
            self.written += 1
        return changed

    def note(self, manifest: Manifest) -> None:
        """Remember what was made."""
        manifest.files = sorted(self._wanted | set(self.before.files))
        self.root.mkdir(parents=True, exist_ok=True)
        write_changed(self.root / MANIFEST, manifest.data())

    def finish(self, manifest: Manifest) -> None:
        """Remove what was made earlier and is gone; remember what was made."""
        for path in sorted(set(self.before.files) - self._wanted):
            file = self.root / path
            if _inside(path) and file.is_file():
                file.unlink()
                self.removed += 1
        self.before.files = []
        self._remove_games(manifest.games)
        self.note(manifest)

    def _remove_games(self, kept: Iterable[str]) -> None:
        games = self.root / GAMES
        wanted = set(kept)
        for folder in games.iterdir() if games.is_dir() else ():
            if folder.is_dir() and not folder.is_symlink() and folder.name not in wanted and _is_game(folder):
                self.removed += sum(1 for _ in folder.iterdir())
                shutil.rmtree(folder)


def write_changed(file: Path, data: bytes) -> bool:
    """Write a file if it is not so already; whether it was written."""
    try:
        if file.stat().st_size == len(data) and file.read_bytes() == data:
            return False
    except OSError:
        file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, data)
    return True


def _read(root: Path) -> Manifest:
    """What an earlier time made there. Raises `SiteError`."""
    if root.exists() and not root.is_dir():
        raise SiteError(f"{root} is no folder: name a new one, or one of an earlier site")
    try:
        found = json.loads((root / MANIFEST).read_bytes())
    except OSError:
        found = None
    except ValueError:
        found = {}
    if isinstance(found, dict) and found.get("format") == FORMAT:
        return Manifest(found)
    # What begins with a dot is of the host or of git.
    foreign = sorted(each.name for each in root.iterdir() if not each.name.startswith(".")) if root.exists() else []
    if foreign:
        raise SiteError(f"{root} holds something else ({foreign[0]}): name a new folder, or one of an earlier site")
    return Manifest({})


def _inside(path: str) -> bool:
    """Whether a noted path is one that we write: nobody's edit of the note makes us remove other files."""
    parts = Path(path).parts
    return bool(parts) and not Path(path).is_absolute() and ".." not in parts


def _is_game(folder: Path) -> bool:
    return all(each.name == "public.js" or each.name.startswith("seat-") for each in folder.iterdir())
