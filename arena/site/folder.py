"""Keep the folder of a site: write files atomically and only when they change, and remove those that are gone.

`.published.json` lists what was published, by which the next publishing recognizes the folder. It also lists what is
about to be written, before that is written. So when publishing is interrupted, the same command continues it and
nothing is left behind.
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

from arena.common.regular_files import named, write_atomic
from arena.site import SiteError
from arena.site.game_facts import GameFacts
from arena.site.names import is_file_name, shown

MANIFEST: Final = ".published.json"
FORMAT: Final = "arena site"
GAMES: Final = "games"
_OWN: Final = re.compile(
    r"index\.html|statement\.(html|json)|leaderboard\.(json|md)|games\.csv|badge\.json|board\.png|feed\.xml"
    r"|chain\.jsonl|assets/[\w-]+\.(css|js)|avatars/[0-9a-f]{32}\.(png|jpg|webp)"
    r"|bots/[\w-]+\.html|players/\d+\.html|games/((index|replay|rules|live)\.html|(board|bots|list-\d+)\.js|best(-still)?\.webp|best\.(gif|png))",
    re.ASCII,
)
"""A site's files except those of single games. Only these are ever removed, even if somebody edited the list."""
_HOMES: Final = (".", "assets", "avatars", "bots", "players", GAMES)
_OWN_OF_GAME: Final = re.compile(r"(public|seat-\d+)\.js|index\.html|board\.png", re.ASCII)
_BESIDE: Final = re.compile(r"\.(.+)\.[a-z0-9_]{8}", re.ASCII)
"""The temporary file beside a file being written. It stays only if the process was killed meanwhile."""


class PublishedTournament(msgspec.Struct, frozen=True):
    """The tournament that a site is about."""

    id: str
    """See `Ledger.identity`."""
    game: str
    folder: str
    seed_hash: str
    """The first digits of its seed's hash."""

    def __str__(self) -> str:
        """Return a description for the user."""
        return f"{shown(self.folder)} ({shown(self.game)}, seed hash {shown(self.seed_hash)}…)"


class Manifest(msgspec.Struct):
    """What the last publishing wrote, or was about to write."""

    format: str = FORMAT
    made_by: str = ""
    tournament: PublishedTournament | None = None
    """None if it is not known any more."""
    files: list[str] = []
    games: dict[str, str] = {}
    """The mark of each published game by id, empty for one that was about to be written."""
    problems: dict[str, str] = {}
    facts: dict[str, GameFacts] = {}
    """By game that can be played back: what the list of games says of it."""
    best: str = ""
    """The mark of the game that plays itself."""
    feed: dict[str, list[str]] = {}
    """The content of each entry of the feed, and the time since which it has it."""

    def data(self) -> bytes:
        """Return the contents of the file."""
        return msgspec.json.format(msgspec.json.encode(self, order="deterministic"), indent=0) + b"\n"


class SiteFolder:
    """A folder to publish into."""

    def __init__(self, root: Path) -> None:
        """Read what was published there. Raises `SiteError` if the folder holds something else."""
        self.root = root
        self.before = _read(root)
        self.written = 0
        self.removed = 0
        self._wanted: set[str] = set()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from publishing into the folder. Raises `SiteError` if one is doing so."""
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

    def claim(self, tournament: PublishedTournament, replace: bool) -> None:
        """Claim the folder for a tournament.

        Raises `SiteError` if it holds another one's site, unless `replace` is set.
        """
        other = self.before.tournament
        if other is not None and other.id != tournament.id and not replace:
            mine = "one with other bots or settings" if str(other) == str(tournament) else str(tournament)
            raise SiteError(
                f"{self.root} holds the site of another tournament, {other}, not of {mine}: "
                "name another folder, or add --replace"
            )

    def plan(self, manifest: Manifest, files: Iterable[str], games: Iterable[str]) -> None:
        """Save what is published already and what is about to be."""
        planned = msgspec.structs.replace(
            manifest,
            files=sorted({*self._wanted, *self.before.files, *files}),
            games={**dict.fromkeys([*self.before.games, *games], ""), **manifest.games},
        )
        write_changed(self.root / MANIFEST, planned.data())

    def write(self, path: str, data: bytes) -> bool:
        """Write a file if it has other contents. Return whether it had."""
        self._wanted.add(path)
        if changed := write_changed(self.root / path, data):
            self.written += 1
        return changed

    def finish(self, manifest: Manifest) -> None:
        """Remove what was published earlier and is gone now, and save what is published."""
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
    """Remove the files of a game, and return how many there were."""
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
    """Write a file if it has other contents. Return whether it was written."""
    try:
        if file.stat().st_size == len(data) and file.read_bytes() == data:
            return False
    except OSError:
        file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, data)
    return True


def write_folder(folder: Path, files: Mapping[str, bytes]) -> int:
    """Write the files of a folder that changed, and return how many did."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return sum(write_changed(folder / name, data) for name, data in files.items())
    for name, data in files.items():  # no page names it yet: nobody reads half of it
        with named(folder / name), (folder / name).open("wb") as file:
            file.write(data)
    return len(files)


def script(kind: str, data: bytes) -> bytes:
    """Return a script that a page can load without a server: a call with `data`, which is JSON in ASCII."""
    return b'arenaData("%s",%s);\n' % (kind.encode("ascii"), data)


def _read(root: Path) -> Manifest:
    """Return what was published in the folder. Raises `SiteError` if it holds something else."""
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
