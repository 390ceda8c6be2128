"""The tournaments that lie side by side in a folder, and the one of them that was last run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from arena.ledger import Ledger, LedgerError
from arena.ledger.database import FILE as LEDGER_FILE
from arena.ledger.dates import LAST_RUN
from arena.tournament.plan import DEFAULT_OUT

HOME: Final = DEFAULT_OUT.parent
"""Where tournaments begin without `--out`, seen from the present folder. Others are known to those who began them."""


def folders(home: Path = HOME) -> list[Path]:
    """Every folder in `home` that holds a ledger, of whatever kind, by name. One that is closed to us holds nothing."""
    found = sorted(home.iterdir()) if home.is_dir() else []
    # `Path.is_file` raises an error for a folder that may not be entered.
    return [each for each in found if os.path.isfile(each / LEDGER_FILE) and not each.name.startswith(".")]  # noqa: PTH113


def has_ledger(folder: Path) -> bool:
    """Whether this is the folder of a tournament."""
    return (folder / LEDGER_FILE).exists()


def last_run(home: Path = HOME) -> Path:
    """Return the folder of the tournament last run, as its ledger says. Raises `LedgerError` if there is none."""
    latest, chosen, wrong = "", None, None
    for folder in folders(home):
        try:
            with Ledger.open(folder) as ledger:
                moment = str(ledger.meta.get(LAST_RUN, ""))
        except LedgerError as error:
            wrong = error
            continue
        if chosen is None or moment > latest:
            latest, chosen = moment, folder
    if chosen is None:
        raise wrong or LedgerError(
            f"there is no tournament in {home}: begin one with `arena tournament`, or name the folder given as --out"
        )
    return chosen
