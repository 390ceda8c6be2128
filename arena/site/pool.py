"""Build pages in worker processes, which each read the ledger and write the data of games, or compute a table."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, TypeVar

from arena.analysis.run import AnalysisCache
from arena.common.processes import BrokenProcess, ProcessPool
from arena.game.replay import ReplayError
from arena.ledger import Ledger
from arena.replays.cache import load_page_data
from arena.replays.export import Columns, cells, rows
from arena.reports.analysis_text import with_analysis
from arena.site import SiteError
from arena.site.folder import GAMES, script, write_folder
from arena.site.game_facts import GameFacts, game_facts
from arena.site.names import is_file_name
from arena.site.share_pages import IMAGE, PAGE, Share, share_files
from engine import catalog
from engine.rules import Data

T = TypeVar("T")
CHUNK: Final = 20
"""Games per call, which takes some tenths of a second."""
_LOST: Final = "a process that made pages was ended from outside, for lack of memory perhaps: try fewer --jobs"
NO_FILE: Final = "its id is no name for a file"


class PublishedGame(NamedTuple):
    """What was published of one game."""

    id: str
    rows: list[list[str]]
    """Its rows in games.csv."""
    problem: str
    """Why there is no replay, or an empty text."""
    written: int
    """How many files changed."""
    facts: GameFacts = GameFacts()


def make_games(
    folder: Path, site: Path, table: Columns, share: Share | None, board: Data | None, ids: Sequence[str]
) -> list[PublishedGame]:
    """Write the page data of these games below `site`, and return what was published of each.

    Args:
        folder: Holds the ledger.
        site: The site's folder.
        table: The columns of games.csv.
        share: What the games' own pages need to know; None: they have none.
        board: The board, if the game has one.
        ids: The games.
    """
    with Ledger.open(folder) as ledger:
        settings = ledger.settings
        rules = catalog.rules(settings.game)
        analyses = AnalysisCache(folder)
        made = []
        for game_id in ids:
            record, cached = ledger.game(game_id), ledger.page_data(game_id)
            found = [cells(row, table) for row in rows(record, table)]
            if not is_file_name(game_id):
                made.append(PublishedGame(game_id, found, NO_FILE, 0))
                continue
            try:
                public, *seats = load_page_data(record, rules, settings.edition, cached)
                analysis = analyses.get(record, rules, settings.edition)
                files = {"public.js": script("public", with_analysis(public, analysis))}
                files |= {f"seat-{seat}.js": script("seat", part) for seat, part in enumerate(seats)}
                files |= share_files(share, board, public)
                facts = game_facts(public)
            except Exception as error:  # an altered record, or a plug-in's fault: the other games are still published
                why = str(error) if isinstance(error, ReplayError) else repr(error)
                made.append(PublishedGame(game_id, found, why[:500], 0))
                continue
            written = write_folder(site / GAMES / game_id, files)
            for name in {PAGE, IMAGE} - files.keys():  # of an earlier publishing
                (site / GAMES / game_id / name).unlink(missing_ok=True)
            made.append(PublishedGame(game_id, found, "", written, facts))
    return made


class PagePool(AbstractContextManager["PagePool"]):
    """Runs calls in worker processes, or in this one if there is only one job. Use it as a context manager."""

    def __init__(self, jobs: int) -> None:
        """Start this many processes."""
        self._pool = ProcessPool(jobs, begin=_begin) if jobs > 1 else None

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """End the processes at once. All awaited calls are done, or after an error not needed."""
        if self._pool is not None:
            self._pool.kill()
            self._pool.shutdown()

    def ask(self, call: Callable[..., T], *values: Any) -> Callable[[], T]:
        """Begin a call, and return a function that waits for its result.

        Both raise `SiteError` if a process was ended from outside.
        """
        if self._pool is None:
            return lambda: call(*values)
        try:
            future: Future[T] = self._pool.submit(call, *values)
        except BrokenProcess:
            raise SiteError(_LOST) from None
        return lambda: _result(future)


def _result(future: Future[T]) -> T:
    try:
        return future.result()
    except BrokenProcess:
        raise SiteError(_LOST) from None


def _begin() -> None:
    """Make garbage collection rare: games leave hardly any cycles, and what is loaded by now stays."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
