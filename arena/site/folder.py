"""The site's folder: files are written only when they change, whole or not at all, and what is gone is removed.

What was made is noted in `.published.json`, by which a later time knows the folder again. What is going to be made is
noted before: whatever interrupts publishing, the same command goes on, and nothing of it is left behind.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from arena.common.atomic_files import named, write_atomic
from arena.site.names import is_file_name, shown
from arena.site.results import SiteError

MANIFEST: Final = ".published.json"
FORMAT: Final = "arena site"
GAMES: Final = "games"
_OWN: Final = re.compile(
    r"index\.html|leaderboard\.(json|md)|games\.csv|badge\.json|feed\.xml|assets/[\w-]+\.(css|js)|bots/[\w-]+\.html"
    r"|players/\d+\.html|games/((index|play)\.html|(board|bots|list-\d+)\.js)",
    re.ASCII,
)
"""Files of a site but for those of single games: nobody's edit of the note makes us remove others."""
_HOMES: Final = (".", "assets", "bots", "players", GAMES)
_OWN_OF_GAME: Final = re.compile(r"(public|seat-\d+)\.js", re.ASCII)
_BESIDE: Final = re.compile(r"\.(.+)\.[a-z0-9_]{8}", re.ASCII)
"""What is being written beside a file; it is left there only by who was killed meanwhile."""


class Tournament(msgspec.Struct, frozen=True):
    """Whose pages they are."""

    id: str
    """See `Ledger.identity`."""
    game: str
    folder: str
    seed_hash: str
    """Its beginning."""

    def __str__(self) -> str:
        """In words."""
        return f"{shown(self.folder)} ({shown(self.game)}, seed hash {shown(self.seed_hash)}…)"


class Manifest(msgspec.Struct):
    """What an earlier time made, or was about to make."""

    format: str = FORMAT
    made_by: str = ""
    tournament: Tournament | None = None
    """None: nobody can tell any more."""
    files: list[str] = []
    games: dict[str, str] = {}
    """By id: the mark of the game that was made; empty: of one that was about to be."""
    problems: dict[str, str] = {}
    feed: dict[str, list[str]] = {}
    """By entry of the feed: what it told, and since when."""

    def data(self) -> bytes:
        """The file's contents."""
        return msgspec.json.format(msgspec.json.encode(self, order="deterministic"), indent=0) + b"\n"


class SiteFolder:
    """A folder to publish into."""

    def __init__(self, root: Path) -> None:
        """Raises `SiteError` if something else lies there."""
        self.root = root
        self.before = _read(root)
        self.written = 0
        self.removed = 0
        self._wanted: set[str] = set()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from publishing into it. Raises `SiteError`: one does so now."""
        self.root.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.root, os.O_RDONLY)
        try:
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SiteError(f"{self.root} is being published into by another process: wait for it") from None
            self.before = _read(self.root)
            yield
        finally:
            os.close(folder)

    def claim(self, tournament: Tournament, replace: bool) -> None:
        """Take it for a tournament. Raises `SiteError` if it holds another one's site, which is not to be replaced."""
        other = self.before.tournament
        if other is not None and other.id != tournament.id and not replace:
            mine = "one with other bots or settings" if str(other) == str(tournament) else str(tournament)
            raise SiteError(
                f"{self.root} holds the site of another tournament, {other}, not of {mine}: "
                "name another folder, or add --replace"
            )

    def plan(self, manifest: Manifest, files: Iterable[str], games: Iterable[str]) -> None:
        """Remember what is made already and what is going to be."""
        planned = msgspec.structs.replace(
            manifest,
            files=sorted({*self._wanted, *self.before.files, *files}),
            games={**dict.fromkeys([*self.before.games, *games], ""), **manifest.games},
        )
        write_changed(self.root / MANIFEST, planned.data())

    def write(self, path: str, data: bytes) -> bool:
        """Have a file with these contents; whether it had others."""
        self._wanted.add(path)
        if changed := write_changed(self.root / path, data):
            self.written += 1
        return changed

    def finish(self, manifest: Manifest) -> None:
        """Remove what was made earlier and is gone; remember what was made."""
        for path in sorted(set(self.before.files) - self._wanted):
            file = self.root / path
            if _OWN.fullmatch(path) and file.is_file():
                file.unlink()
                self.removed += 1
        for game in sorted(self.before.games.keys() - manifest.games.keys()):
            self.removed += _remove_game(self.root / GAMES / game) if is_file_name(game) else 0
        self._remove_beside()
        manifest.files = sorted(self._wanted)
        write_changed(self.root / MANIFEST, manifest.data())

    def _remove_beside(self) -> None:
        for file in [file for home in _HOMES for file in (self.root / home).glob(".*") if file.is_file()]:
            found = _BESIDE.fullmatch(file.name)
            own = found and (file.parent / found[1]).relative_to(self.root).as_posix()
            if own and (_OWN.fullmatch(own) or own == MANIFEST):
                file.unlink(missing_ok=True)


def _remove_game(folder: Path) -> int:
    """Remove what we wrote of a game; how many files that were."""
    if folder.is_symlink() or not folder.is_dir():
        return 0
    removed = 0
    for file in sorted(folder.iterdir()):
        beside = _BESIDE.fullmatch(file.name)
        if _OWN_OF_GAME.fullmatch(beside[1] if beside else file.name) and file.is_file():
            file.unlink()
            removed += 1
    with suppress(OSError):  # somebody put something else in there
        folder.rmdir()
    return removed


def write_changed(file: Path, data: bytes) -> bool:
    """Write a file if it is not so already; whether it was written."""
    try:
        if file.stat().st_size == len(data) and file.read_bytes() == data:
            return False
    except OSError:
        file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, data)
    return True


def write_folder(folder: Path, files: Mapping[str, bytes]) -> int:
    """Have a folder with these files; how many were written."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return sum(write_changed(folder / name, data) for name, data in files.items())
    for name, data in files.items():  # no page names it yet: nobody reads half of it
        with named(folder / name), (folder / name).open("wb", buffering=0) as file:
            file.write(data)
    return len(files)


def script(kind: str, data: bytes) -> bytes:
    """A file that a page loads without a server: a call with data, which are JSON in ASCII."""
    return b'arenaData("%s",%s);\n' % (kind.encode("ascii"), data)


def _read(root: Path) -> Manifest:
    """What an earlier time made there. Raises `SiteError`."""
    if root.exists() and not root.is_dir():
        raise SiteError(f"{root} is no folder: name a new one, or one of an earlier site")
    try:
        note = (root / MANIFEST).read_bytes()
    except OSError:
        note = b""
    try:
        if msgspec.json.decode(note, type=dict).get("format") == FORMAT:
            with suppress(msgspec.ValidationError):  # whatever it says, this was a site
                return msgspec.json.decode(note, type=Manifest)
            return Manifest()
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    # What begins with a dot is of the host or of git.
    foreign = sorted(each.name for each in root.iterdir() if not each.name.startswith(".")) if root.exists() else []
    if foreign:
        raise SiteError(f"{root} holds something else ({foreign[0]}): name a new folder, or one of an earlier site")
    return Manifest()
