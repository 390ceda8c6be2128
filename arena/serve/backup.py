"""Copy all of a league that cannot be made again, also while it runs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from arena.ledger import Ledger
from arena.ledger.commitment import FILE as SEED
from arena.ledger.database import FILE as LEDGER
from arena.serve import LeagueError
from arena.serve.intake import SUBMISSIONS
from arena.serve.league import League
from arena.serve.league_hooks import FILE as HOOKS
from arena.serve.rounds import FINAL
from arena.serve.store import copy_state

_MADE: Final = shutil.ignore_patterns("*.log", "trial", ".*", "incoming", "*.json")


def back_up(league: League, to: Path) -> Path:
    """Write the league's file, its state, what was submitted and the ledgers of all seasons into a new folder.

    Copied into the place of a league's folder, it goes on from there.

    Raises:
        LeagueError: The folder is there already.
        OSError: It cannot be written.
    """
    if to.exists():
        raise LeagueError(f"{to} is there already: name a new folder")
    beside = to.with_name(f".{to.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    if (league.folder / HOOKS).is_file():  # before the state: what is sent meanwhile is sent twice, and nothing never
        shutil.copy2(league.folder / HOOKS, beside / HOOKS)
    copy_state(league.folder, beside)  # first: what it names is there, and is not removed
    shutil.copy2(league.file, beside / league.file.name)
    if (league.folder / SUBMISSIONS).is_dir():
        shutil.copytree(league.folder / SUBMISSIONS, beside / SUBMISSIONS, ignore=_MADE, symlinks=True)
    seasons = league.folder / "seasons"
    for file in (*seasons.glob(f"*/{LEDGER}"), *seasons.glob(f"*/{FINAL}/{LEDGER}")):
        copy = beside / file.parent.relative_to(league.folder)
        copy.mkdir(parents=True)
        with Ledger.open(file.parent) as ledger:
            ledger.copy_to(copy)
        if (file.parent / SEED).is_file():
            shutil.copy2(file.parent / SEED, copy / SEED)
    beside.rename(to)
    return to
