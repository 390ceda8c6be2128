"""Analyse a game when its replay page asks for that, one after the other, with all cores.

A page of another site cannot ask: it may not send the header that is required.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.analysis.playouts import Budget
from arena.analysis.run import AnalysisCache, Analyst, cost
from arena.common.errors import ArenaError
from arena.common.processes import ProcessPool, cores
from arena.ledger import Ledger
from engine import catalog

HEADER: Final = "X-Arena"
_WAITING: Final = 20
"""The most games that wait."""
_LEAST_URGENT: Final = 19


class Analyses:
    """Answers what analysis of a game costs, takes requests for it, and says how far it is."""

    def __init__(self, folder: Path, on_done: Callable[[], object]) -> None:
        """Take the ledger's folder. `on_done` is called, in another thread, when a game has been analysed."""
        self._folder = folder
        self._on_done = on_done
        self._games: SimpleQueue[str | None] = SimpleQueue()
        self._states: dict[str, dict[str, Any]] = {}
        self._pool: ProcessPool | None = None
        self._thread = threading.Thread(target=self._work, name="analyses", daemon=True)
        self._thread.start()
        self.routes = [Route("/analyse/{game}", self._answer, methods=["GET", "POST"])]

    def close(self) -> None:
        """Begin no more, and end what goes on: what was found so far is kept."""
        self._games.put(None)
        if self._pool is not None:
            self._pool.kill()

    def _answer(self, request: Request) -> Response:
        """Say how far a game is or what it would cost; if it is posted, begin."""
        game = request.path_params["game"]
        if request.method == "POST":
            if HEADER not in request.headers:
                raise HTTPException(HTTPStatus.FORBIDDEN, "only a page of this server may ask for that")
            if sum("text" in each for each in self._states.values()) >= _WAITING:
                raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "too many games wait for their analysis")
            if "text" not in self._states.get(game, {}):
                self._states[game] = {"text": "waits for its turn"}
                self._games.put(game)
        try:
            return JSONResponse(self._states.get(game) or {"cost": self._cost(game)})
        except ArenaError as error:
            return JSONResponse({"error": str(error)})

    def _cost(self, game: str) -> str:
        with Ledger.open(self._folder) as ledger:
            record = ledger.game(game)
            analyst = self._analyst(ledger)
            return cost(analyst.missing(record, range(record.players)), analyst.budget, cores())

    def _analyst(self, ledger: Ledger, cache: AnalysisCache | None = None) -> Analyst:
        settings = ledger.settings
        return Analyst(catalog.rules(settings.game), settings.edition, Budget(), cache=cache)

    def _work(self) -> None:
        while (game := self._games.get()) is not None:
            try:
                self._analyse(game)
                self._states[game] = {"done": True}
            except Exception as error:  # whatever a plug-in raises, or a pool that was ended
                self._states[game] = {"error": str(error) if isinstance(error, ArenaError) else repr(error)}
            with suppress(Exception):
                self._on_done()

    def _analyse(self, game: str) -> None:
        if self._pool is None:  # bots that play on this machine come first
            self._pool = ProcessPool(cores(), partial(os.nice, _LEAST_URGENT))
        with AnalysisCache(self._folder, writing=True) as cache, Ledger.open(self._folder) as ledger:
            record = ledger.game(game)
            analyst = self._analyst(ledger, cache)
            seats = range(record.players)
            number = len(analyst.missing(record, seats))
            for done, _ in enumerate(analyst.analyse(record, seats, self._pool), start=1):
                self._states[game] = {"text": f"{done} of {number} decisions weighed"}
