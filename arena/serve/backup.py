"""Copy all of a league that cannot be made again, also while it runs."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path
from typing import Final

from arena.ledger import Ledger
from arena.ledger.commitment import FILE as SEED
from arena.ledger.database import FILE as LEDGER
from arena.serve import LeagueError
from arena.serve.intake.incoming import submission_folder
from arena.serve.league import GATEWAY, League, path_of
from arena.serve.league_hooks import FILE as HOOKS
from arena.serve.store import LeagueStore, copy_state

_ELSEWHERE: Final = ("submitters.csv", GATEWAY)
"""What else lies in a league's folder and cannot be made again: addresses, and keys of bots elsewhere."""
_MADE: Final = re.compile(r"trial|\..*|.*\.new|(unpack|build|check|trial)\.(log|json)")
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
    with LeagueStore(beside, time.time) as state:  # the number of what comes meanwhile is given again after it
        folders = [submission_folder(league.folder, each.id) for each in state.submissions()]
    for file in sorted((league.folder / "seasons").rglob(LEDGER)):  # soon, for they go on
        copy = beside / file.parent.relative_to(league.folder)
        copy.mkdir(parents=True, exist_ok=True)
        with Ledger.open(file.parent) as ledger:
            ledger.copy_to(copy)
        _copy(file.with_name(SEED), copy / SEED, league.folder)
    shutil.copy2(league.file, beside / league.file.name)
    own = [path for path in map(path_of, league.settings.references) if not path.startswith(("@", "/"))]
    parts = [part for folder in folders for part in folder.glob("*") if not _MADE.fullmatch(part.name)]
    for each in [*_ELSEWHERE, *own, *(str(part.relative_to(league.folder)) for part in parts)]:
        _copy(league.folder / each, beside / each, league.folder)
    beside.rename(to)
    return to


def _copy(source: Path, to: Path, folder: Path) -> None:
    """Copy what is there and in the folder: it may be gone meanwhile."""
    if not source.resolve().is_relative_to(folder.resolve()):
        return  # a reference bot elsewhere
    to.parent.mkdir(parents=True, exist_ok=True)
    try:
        if source.is_dir():
            shutil.copytree(source, to, symlinks=True, ignore=_sockets, dirs_exist_ok=True)
        elif source.is_file():
            shutil.copy2(source, to)
    except (shutil.Error, FileNotFoundError) as error:
        failed = [each[0] for each in error.args[0]] if isinstance(error, shutil.Error) else [source]
        if any(map(os.path.lexists, failed)):
            raise


def _sockets(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if Path(folder, name).is_socket()]
