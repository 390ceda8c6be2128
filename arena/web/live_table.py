"""The table and the faults of a live page, which go on with every game as it ends."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any, Final

from arena.ledger import Ledger, results_since
from arena.site.names import shown, slugs
from arena.standings.lead import running_lead_in_words
from arena.standings.running import RunningTable
from arena.standings.running_cells import faults_cell, rating_cells, rating_headings, wins_cell

_AT_ONCE: Final = 400
"""Entries of the ledger's chain that are read at once."""
_SECONDS: Final = 0.1
"""How long games are rated at once: the bots need the cores more."""
_FAULTS: Final = 20
"""The most faults that are shown, the latest ones."""


class LiveTable:
    """The bots as they stand, as values by key of a `Feed`.

    `columns` are the headings of ratings, `lead` says who leads, `unrated` is the number of games that are still to be
    rated. `row/BOT` is `[order, place, bot, cells of ratings, games, wins, faults, page]`, in which the place of a bot
    that is not in the field is `–`, and `fault/N` `[game, bot, code, text]`. Only games that have
    ended count: what was wrong may tell of a hand.
    """

    def __init__(self, folder: Path) -> None:
        """Read nothing yet."""
        self._folder = folder
        self._entry = 0
        self._bots: list[str] = []
        self._pages: dict[str, str] = {}
        self._table = RunningTable(())
        self._faults: deque[int] = deque()
        self._fault = 0

    def keys(self) -> list[str]:
        """List the keys that the feed may have of it."""
        rows = [f"row/{bot}" for bot in self._bots]
        return ["columns", "lead", "unrated", *rows, *(f"fault/{number}" for number in self._faults)]

    def changes(self) -> dict[str, object]:
        """Read on, and return the values of all that may have changed. Raises `LedgerError` or `OSError`."""
        found: dict[str, object] = {}
        with Ledger.open(self._folder) as ledger:
            bots = ledger.field()
            suspended = ledger.settings.rated.suspended
            if bots != self._bots:  # at first, and when the field changes
                found |= {f"row/{bot}": None for bot in set(self._bots) - set(bots)}
                self._bots = bots
                self._pages = slugs(each.name for each in ledger.entrants())
                self._table, self._entry = RunningTable(bots), 0
                found |= dict.fromkeys(f"fault/{number}" for number in self._faults)
                self._faults.clear()
        self._table.suspend(suspended)
        new = results_since(self._folder, self._entry, _AT_ONCE)
        self._entry = new.entry
        for game in new.results:
            self._table.add(game)
        self._table.rate(_SECONDS)
        for fault in new.faults:
            found |= self._add_fault([fault.game, shown(fault.bot), fault.code, shown(fault.text, 200)])
        found["columns"] = rating_headings(self._table.columns, in_page=True)
        found["unrated"] = self._table.games - self._table.rated
        return found | self._rows()

    def _rows(self) -> dict[str, object]:
        columns, rows = self._table.columns, self._table.rows()
        return {"lead": running_lead_in_words(rows, shown) if self._table.rated else ""} | {
            f"row/{row.bot}": [
                order, row.place(order), shown(row.bot), rating_cells(row, columns, in_page=True), row.games,
                wins_cell(row), faults_cell(row), self._pages.get(row.bot),
            ]
            for order, row in enumerate(rows, start=1)
        }  # fmt: skip

    def _add_fault(self, fault: list[Any]) -> dict[str, object]:
        self._fault += 1
        self._faults.append(self._fault)
        found: dict[str, object] = {f"fault/{self._fault}": fault}
        while len(self._faults) > _FAULTS:
            found[f"fault/{self._faults.popleft()}"] = None
        return found
