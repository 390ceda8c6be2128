"""Copy all of a league that cannot be made again, also while it runs."""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from arena.common.removal import remove
from arena.ledger import Ledger
from arena.ledger.commitment import FILE as SEED
from arena.ledger.database import FILE as LEDGER
from arena.serve import LeagueError
from arena.serve.intake import INCOMING, SUBMISSIONS, UnpackError
from arena.serve.intake.archives import UnpackBounds, copy
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.intake import drop_folder
from arena.serve.league import GATEWAY, League, path_of
from arena.serve.league_hooks import FILE as HOOKS
from arena.serve.rounds import FAIRNESS, MARKS
from arena.serve.store import LeagueStore, copy_state
from arena.tournament.hooks.commands import EVENTS, LEAGUE_EVENTS

_ELSEWHERE: Final = ("submitters.csv", GATEWAY)
"""What else lies in a league's folder and cannot be made again: addresses, and keys of bots elsewhere."""
_MADE: Final = re.compile(r"trial|\..*|.*\.new|(unpack|build|check|trial)\.(log|json)")
"""In the folder of a submission, what its steps make again."""


def back_up(league: League, to: Path) -> Path:
    """Write a league's file, with what it names, its state, what came, keys, and the ledgers of all seasons anew.

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
    for name in (SUBMISSIONS, "seasons"):
        (beside / name).mkdir(mode=0o700)
    _copy_waiting(league, beside)  # before the state: what is taken meanwhile is in that
    _copy(league.folder / HOOKS, beside / HOOKS, league.folder)  # before the state: rather sent twice than never
    copy_state(league.folder, beside)  # first: what it names is there, and is not removed
    with LeagueStore(beside, time.time) as state:  # the number of what comes meanwhile is given again after it
        folders = [submission_folder(league.folder, each.id) for each in state.submissions()]
    for file in sorted((league.folder / "seasons").rglob(LEDGER)):  # soon, for they go on
        place = beside / file.parent.relative_to(league.folder)
        place.mkdir(parents=True, exist_ok=True)
        with Ledger.open(file.parent) as ledger:
            ledger.copy_to(place)
        for name in (SEED, MARKS, FAIRNESS):
            _copy(file.with_name(name), place / name, league.folder)
    shutil.copy2(league.file, beside / league.file.name)
    parts = [part for folder in folders for part in folder.glob("*") if not _MADE.fullmatch(part.name)]
    for path in [*(league.folder / name for name in _ELSEWHERE), *_named(league, beside), *parts]:
        path = Path(os.path.normpath(path))
        if path.is_relative_to(league.folder):
            _copy(path, beside / path.relative_to(league.folder), league.folder)
    beside.rename(to)
    return to


def _named(league: League, beside: Path) -> Iterator[Path]:
    """Generate what the league's file names: reference bots, a certificate, and programs of hooks."""
    web, hooks = league.settings.web, league.hooks
    for path in (*map(path_of, league.settings.references), web.tls_cert, web.tls_key):
        if path is not None and not path.startswith("@"):
            yield league.folder / path
    if hooks is None:
        return
    if (place := hooks.place()).is_relative_to(league.folder):
        (beside / place.relative_to(league.folder)).mkdir(parents=True, exist_ok=True)
    for word in (word for event in (*EVENTS, *LEAGUE_EVENTS) for word in hooks.words(event)):
        file = place / word  # an interpreter may stand before the program
        if os.path.isfile(file) and ".sqlite" not in word:  # noqa: PTH113 - a word may be too long for a name
            yield file


def _copy_waiting(league: League, beside: Path) -> None:
    """Copy what has come and is not recorded, or lies untaken in the drop folder, as it would be taken."""
    rules, drop = league.settings.submissions, drop_folder(league)
    bounds = UnpackBounds(int(max(rules.size_mb, rules.unpacked_mb) * 1e6), rules.files)
    for base in (drop, league.folder / SUBMISSIONS / INCOMING):  # in the order of its way
        if base is None or not base.resolve().is_relative_to(league.folder.resolve()):
            continue
        for entry in sorted(base.glob("*/*")):
            if entry.name.startswith(".") or entry.parent.name.startswith(".") or entry.parent.is_symlink():
                continue
            place = beside / Path(os.path.normpath(entry.parent)).relative_to(league.folder)
            place.mkdir(parents=True, exist_ok=True)
            with suppress(UnpackError, FileNotFoundError):  # it would be refused, or is gone
                copy(entry, place, bounds)
                if os.path.lexists(entry):
                    continue
            remove(str(place / entry.name))


def _copy(source: Path, to: Path, folder: Path) -> None:
    """Copy what is there and in the folder: it may be gone meanwhile."""
    if not source.resolve().is_relative_to(folder.resolve()):
        return  # a reference bot elsewhere
    to.parent.mkdir(parents=True, exist_ok=True)
    try:
        if source.is_dir():
            shutil.copytree(source, to, symlinks=True, ignore=_no_source, dirs_exist_ok=True)
        elif source.is_file():
            shutil.copy2(source, to)
    except (shutil.Error, FileNotFoundError) as error:
        failed = [each[0] for each in error.args[0]] if isinstance(error, shutil.Error) else [source]
        if any(map(os.path.lexists, failed)):
            raise


def _no_source(folder: str, names: list[str]) -> list[str]:
    """Return what is no file, folder or link, and what may not be read: a bot cannot be made of it."""
    found = []
    for name in names:
        with suppress(OSError):
            mode = os.lstat(Path(folder, name)).st_mode
            kind, may = stat.S_IFMT(mode), os.access(Path(folder, name), os.R_OK)
            if kind != stat.S_IFLNK and not (may and kind in (stat.S_IFREG, stat.S_IFDIR)):
                found.append(name)
    return found
