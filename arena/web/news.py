"""Tell once a second how a tournament goes on: apart from the publishing of its pages, which may take longer.

With every game that ends, the table and the faults of a live page go on.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from arena.common.printable import percent
from arena.ledger import Ledger, results_since
from arena.ledger.database import FILE as LEDGER_FILE
from arena.ledger.ledger import Standing, standing
from arena.site.names import short, shown, slugs
from arena.standings.compute import own_system
from arena.standings.lead import running_lead_in_words
from arena.standings.running import RunningTable, faults_cell, rating_cells, rating_headings
from arena.web.feed import Feed
from arena.web.running_games import RunningGames
from engine import catalog

PACE: Final = 1.0
"""Seconds between two looks."""
_WINDOW: Final = 60.0
"""The rate of games is that of so many seconds."""
_FEW: Final = 5
"""Or of the time in which so many changes were seen, if games last long."""
_AT_LEAST: Final = 3.0
"""Seconds after which a rate is told."""
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
                self._table = RunningTable(bots, own_system(ledger))
                self._entry = 0
                found |= dict.fromkeys(f"fault/{number}" for number in self._faults)
                self._faults.clear()
        self._table.suspend(suspended)
        new = results_since(self._folder, self._entry, _AT_ONCE)
        self._entry = new.entry
        for game in new.results:
            self._table.add(game)
        self._table.rate(_SECONDS)
        for fault in new.faults:
            found |= self._add_fault([fault.game, short(fault.bot), fault.code, shown(fault.text, 200)])
        found["columns"] = rating_headings(self._table.columns)
        found["unrated"] = self._table.games - self._table.rated
        return found | self._rows()

    def _rows(self) -> dict[str, object]:
        columns, rows = self._table.columns, self._table.rows()
        return {"lead": running_lead_in_words(rows, short) if self._table.rated else ""} | {
            f"row/{row.bot}": [
                order, row.place(order), short(row.bot), rating_cells(row, columns), row.games,
                percent(row.wins), faults_cell(row), self._pages.get(row.bot),
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


class TournamentNews:
    """Looks at a tournament, and updates a feed with what has changed.

    Besides the keys of `LiveTable` and `RunningGames` these are `tournament`, `{"state", "played", "expected"}`, and
    `pace`, `{"per_second", "left"}`: games a second and the seconds until the end, each null if that is not known.
    """

    def __init__(self, folder: Path, feed: Feed, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the folder of the ledger."""
        self._folder = folder
        self._feed = feed
        self._clock = clock
        self._samples: deque[tuple[float, int]] = deque()
        self._table: LiveTable | None = None
        self._games: RunningGames | None = None
        self._file = 0
        """By which the system knows the ledger's file."""

    def step(self) -> None:
        """Look once. Tables and boards are not looked at while nobody has a live page open."""
        found: dict[str, Any] = self._forget_replaced()
        now = standing(self._folder)
        found |= {"tournament": now.data(), "pace": self._pace(now)}
        watched = self._feed.watching > 0
        if watched:
            self._table = self._table or LiveTable(self._folder)
            found |= self._table.changes()
            self._games = self._games or self._made()
        if self._games is not None:
            found |= self._games.changes(watched and now.state == "playing")
        self._feed.update(found)

    def close(self) -> None:
        """Let the workers know that nobody watches any more."""
        if self._games is not None:
            self._games.close()

    def end(self) -> None:
        """Close, and remove from the feed what was told: it is about something else, or hidden, from now on."""
        self._feed.update({"tournament": None, "pace": None, **self._forget()})

    def _forget_replaced(self) -> dict[str, object]:
        """Forget a tournament in whose place another one lies now, and return what is gone with it."""
        file = (self._folder / LEDGER_FILE).stat().st_ino
        if file == self._file:
            return {}
        self._file = file
        return self._forget()

    def _forget(self) -> dict[str, object]:
        found: dict[str, object] = {} if self._table is None else dict.fromkeys(self._table.keys())
        if self._games is not None:
            found |= self._games.changes(watched=False)
        self._table = self._games = None
        self._samples.clear()
        return found

    def _made(self) -> RunningGames:
        with Ledger.open(self._folder) as ledger:
            settings = ledger.settings
        return RunningGames(self._folder, catalog.rules(settings.game), settings.edition, self._clock)

    def _pace(self, now: Standing) -> dict[str, float | None]:
        """Return how fast it goes on, from what was played in the last minute."""
        moment = self._clock()
        if now.state != "playing" or (self._samples and now.played < self._samples[-1][1]):
            self._samples.clear()
        if not self._samples or now.played != self._samples[-1][1]:
            self._samples.append((moment, now.played))
        while len(self._samples) > _FEW and self._samples[1][0] < moment - _WINDOW:
            self._samples.popleft()
        since, before = self._samples[0]
        if moment - since < _AT_LEAST or now.played == before:
            return {"per_second": None, "left": None}
        rate = (now.played - before) / (moment - since)
        left = None if now.expected is None else round(max(0, now.expected - now.played) / rate)
        return {"per_second": float(f"{rate:.2g}"), "left": left}


@contextmanager
def stepping(news: TournamentNews) -> Iterator[None]:
    """Look at a tournament again and again in a thread. At the end, a look that is under way is not waited for."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(PACE):
            with suppress(Exception):  # the ledger was moved aside, perhaps: who publishes it says so
                news.step()
        news.close()

    threading.Thread(target=run, name="news", daemon=True).start()
    try:
        yield
    finally:
        ended.set()
