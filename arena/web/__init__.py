"""Serve the pages of a tournament to this machine while it is played.

`guard` decides who may ask, `files` sends pages, `feed` and `events` send news, `server` starts and ends, and `live`
has the routes and keeps the pages up to date. This module imports none of them, because they need the libraries of an
extra.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Final

from arena.common.errors import ArenaError
from arena.distribution import how_to_install

__all__ = ["PORT", "WebError", "check_libraries", "show_live"]

PORT: Final = 8765
"""The default port. It is fixed so that a page that stayed open finds a server that was restarted."""
_LIBRARIES: Final = ("starlette", "uvicorn", "jinja2", "markdown_it")


class WebError(ArenaError):
    """Pages that cannot be served. The text says why and what to do."""


def show_live(
    folder: Path,
    publish: Callable[[Path, Path], object],
    say: Callable[[str], None],
    warn: Callable[[str], None],
    port: int | None = None,
    on_open: Callable[[str], object] | None = None,
) -> None:
    """Serve the pages of the tournament in `folder` until `KeyboardInterrupt`, then remove them.

    Args:
        folder: Holds the ledger.
        publish: Writes the pages of the ledger in its first argument into the folder of its second, or updates them.
        say: Called with the address once the first page is there.
        warn: Called with each problem while serving.
        port: The port to listen on. None takes `PORT`, or any other if that is taken.
        on_open: Also called with the address, to open a browser.

    Raises:
        WebError: A library is missing, or the port cannot be used.
        LedgerError: There is no tournament in `folder`, or none that can be read.
    """
    check_libraries()
    from arena.web.live import follow

    follow(folder, publish, say, warn, port, on_open)


def check_libraries() -> None:
    """Raise `WebError` if a library is missing that serving pages takes."""
    if missing := [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]:
        raise WebError(f"serving pages needs {' and '.join(missing)}: {how_to_install('site')}")
