"""The local server: the pages of a tournament while it is played, to this machine alone.

Routes stand in `app`, who may ask in `guard`, files in `files`, news in `feed` and `events`; `server` begins and ends,
and `live` keeps the pages new. This module loads none of them: they need the libraries of an extra.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Final

from arena.common.errors import ArenaError
from arena.distribution import how_to_install

__all__ = ["PORT", "WebError", "show_live"]

PORT: Final = 8765
"""Asked for by default, so that a page that stayed open finds a server that was started again."""
_LIBRARIES: Final = ("starlette", "uvicorn")


class WebError(ArenaError):
    """Pages that cannot be served; the text says why and what to do."""


def show_live(
    folder: Path,
    publish: Callable[[Path, Path], object],
    say: Callable[[str], None],
    warn: Callable[[str], None],
    port: int | None = None,
    opened: Callable[[str], object] | None = None,
) -> None:
    """Serve the pages of the tournament in `folder` until `KeyboardInterrupt`; nothing is left then.

    Args:
        folder: holds the ledger.
        publish: makes the pages of the ledger in its first argument in the folder of its second one, or brings those
            that are there up to date.
        say: gets the address once the first page is there.
        warn: gets what goes wrong on the way.
        port: None: `PORT`, or any other if that is taken.
        opened: is called with the address, too.

    Raises:
        WebError: the libraries are missing, or the port cannot be had.
        LedgerError: there is no tournament in `folder`, or none that can be read.
    """
    if missing := [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]:
        raise WebError(f"serving pages needs {' and '.join(missing)}: {how_to_install('site')}")
    from arena.web.live import follow

    follow(folder, publish, say, warn, port, opened)
