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
"""Where tournaments begin without `--out`, seen from the present folder."""


def folders(home: Path | None = None) -> list[Path]:
    """List `home` and the folders in it, by name, of those that hold a ledger. One that is closed to us holds nothing.

    If it is None, those in `HOME`, and the present folder and those in it: there lies most of what `--out` names.
    """
    found = [home, *_inside(home)] if home is not None else [*_inside(HOME), HOME.parent, *_inside(HOME.parent)]
    # `Path.is_file` raises an error for a folder that may not be entered.
    return [each for each in found if os.path.isfile(each / LEDGER_FILE) and not each.name.startswith(".")]  # noqa: PTH113


def _inside(home: Path) -> list[Path]:
    try:
        return sorted(home.iterdir())
    except OSError:  # it is none, or closed to us
        return []


def has_ledger(folder: Path) -> bool:
    """Whether this is the folder of a tournament."""
    return (folder / LEDGER_FILE).exists()


def last_run() -> Path:
    """Return the folder of the tournament last run, as its ledger says. Raises `LedgerError` if there is none.

    A table for persons at which no game was played to its end is nobody's last tournament, if there is another one.
    """
    latest, chosen, wrong = "", None, None
    for folder in folders():
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
            f"there is no tournament here or in {HOME}: begin one with `arena tournament`,"
            " or name the folder given as --out"
        )
    return chosen
