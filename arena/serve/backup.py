"""Copy all of a league that cannot be made again, also while it runs."""

from __future__ import annotations

import re
import shutil
import stat
from pathlib import Path
from typing import Final

from arena.ledger import Ledger
from arena.ledger.commitment import FILE as SEED
from arena.ledger.database import FILE as LEDGER
from arena.serve import LeagueError
from arena.serve.intake import SUBMISSIONS
from arena.serve.league import GATEWAY, League, path_of
from arena.serve.league_hooks import FILE as HOOKS
from arena.serve.store import copy_state

_ELSEWHERE: Final = ("submitters.csv", GATEWAY)
"""What else lies in a league's folder and cannot be made again: addresses, and keys of bots elsewhere."""
_MADE: Final = re.compile(r"trial|\..*|(unpack|build|check|trial)\.(log|json)")
"""In the folder of a submission, what its steps make again."""


def back_up(league: League, to: Path) -> Path:
    """Write the league's file, its state, what was submitted, keys, and the ledgers of all seasons into a new folder.

    Copied into the place of a league's folder, it goes on from there.

    Raises:
        LeagueError: The folder is there already.
        OSError: It cannot be written.
    """
    if to.exists():
        raise LeagueError(f"{to} is there already: name a new folder")
    beside = to.with_name(f".{to.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True, mode=0o700)
    _copy(league.folder / HOOKS, beside / HOOKS, league.folder)  # before the state: rather sent twice than never
    copy_state(league.folder, beside)  # first: what it names is there, and is not removed
    shutil.copy2(league.file, beside / league.file.name)
    own = [path for path in map(path_of, league.settings.references) if not path.startswith(("@", "/"))]
    parts = (league.folder / SUBMISSIONS).glob("[0-9]*/*")
    kept = [part.relative_to(league.folder) for part in parts if not _MADE.fullmatch(part.name)]
    for each in [*_ELSEWHERE, *own, *map(str, kept)]:
        _copy(league.folder / each, beside / each, league.folder)
    for file in sorted((league.folder / "seasons").rglob(LEDGER)):
        copy = beside / file.parent.relative_to(league.folder)
        copy.mkdir(parents=True, exist_ok=True)
        with Ledger.open(file.parent) as ledger:
            ledger.copy_to(copy)
        _copy(file.with_name(SEED), copy / SEED, league.folder)
    beside.rename(to)
    return to


def _copy(source: Path, to: Path, folder: Path) -> None:
    """Copy what is there and in the folder: it may be gone meanwhile."""
    if not source.resolve().is_relative_to(folder.resolve()):
        return  # a reference bot elsewhere
    to.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, to, symlinks=True, ignore=_sockets, dirs_exist_ok=True)
    elif source.is_file():
        shutil.copy2(source, to)


def _sockets(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if stat.S_ISSOCK(Path(folder, name).lstat().st_mode)]
