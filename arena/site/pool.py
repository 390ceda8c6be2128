"""Worker processes: each reads the ledger itself and writes games' data, or makes one table; nothing is shared."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, TypeVar

from arena.common.processes import BrokenProcess, ProcessPool
from arena.ledger import Ledger
from arena.match.replay import ReplayError
from arena.replays.cache import load_page_data
from arena.replays.export import Columns, cells, rows
from arena.site.folder import GAMES, script, write_folder
from arena.site.names import is_file_name
from arena.site.results import SiteError
from engine import catalog

T = TypeVar("T")
CHUNK: Final = 20
"""Games a call: some tenths of a second."""
_LOST: Final = "a process that made pages was ended from outside, for lack of memory perhaps: try fewer --jobs"
NO_FILE: Final = "its id is no name for a file"


class Made(NamedTuple):
    """A game that was made."""

    id: str
    rows: list[list[str]]
    """Of games.csv."""
    problem: str
    """Why there is no replay; empty: there is one."""
    written: int
    """Files that changed."""


def make_games(folder: Path, site: Path, table: Columns, ids: Sequence[str]) -> list[Made]:
    """Write the data of these games below `site`, and give what the table of games says of them."""
    with Ledger.open(folder) as ledger:
        meta = ledger.meta
        rules = catalog.game(meta["game"])
        made = []
        for game_id in ids:
            record, cached = ledger.game(game_id), ledger.page_data(game_id)
            found = [cells(row, table) for row in rows(record, table)]
            if not is_file_name(game_id):
                made.append(Made(game_id, found, NO_FILE, 0))
                continue
            try:
                public, *seats = load_page_data(record, rules, meta["edition"], cached)
                files = {"public.js": script("public", public)}
                files |= {f"seat-{seat}.js": script("seat", part) for seat, part in enumerate(seats)}
            except Exception as error:  # an altered record, or a plug-in's fault: the other games are still told
                why = str(error) if isinstance(error, ReplayError) else repr(error)
                made.append(Made(game_id, found, why[:500], 0))
                continue
            written = write_folder(site / GAMES / game_id, files)
            made.append(Made(game_id, found, "", written))
    return made


class PagePool:
    """Does calls in worker processes, or at once if there is only one job. Use as a context manager."""

    def __init__(self, jobs: int) -> None:
        """With so many processes, which start at once."""
        self._pool = ProcessPool(jobs, begin=_begin) if jobs > 1 else None

    def __enter__(self) -> PagePool:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End at once: what was waited for is done, and after an error nobody wants the rest."""
        if self._pool is not None:
            self._pool.kill()
            self._pool.shutdown()

    def ask(self, call: Callable[..., T], *values: Any) -> Callable[[], T]:
        """Begin a call; what is given back waits for it. Raises `SiteError`: a process was ended from outside."""
        if self._pool is None:
            return lambda: call(*values)
        try:
            future: Future[T] = self._pool.submit(call, *values)
        except BrokenProcess:
            raise SiteError(_LOST) from None
        return lambda: _result(future)


def chunks(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The values, so many at a time."""
    for first in range(0, len(values), size):
        yield values[first : first + size]


def _result(future: Future[T]) -> T:
    try:
        return future.result()
    except BrokenProcess:
        raise SiteError(_LOST) from None


def _begin() -> None:
    """Games leave hardly any cycles; what is loaded by now stays."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
