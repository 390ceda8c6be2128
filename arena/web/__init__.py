"""Serve the pages of a tournament to this machine while it is played.

`guard` decides who may ask, `files` sends pages, `feed` and `events` send news, `server` starts and ends, and `live`
has the routes and keeps the pages up to date. This module imports none of them, because they need the libraries of an
extra.
"""

from __future__ import annotations

import importlib.util
from typing import Final

from arena.common.errors import ArenaError
from arena.distribution import how_to_install

__all__ = ["PORT", "WebError", "check_libraries"]

PORT: Final = 8765
"""The default port. It is fixed so that a page that stayed open finds a server that was restarted."""
_LIBRARIES: Final = ("starlette", "uvicorn", "jinja2", "markdown_it")


class WebError(ArenaError):
    """Pages that cannot be served. The text says why and what to do."""


def check_libraries() -> None:
    """Raise `WebError` if a library is missing that serving pages takes."""
    if missing := [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]:
        raise WebError(f"serving pages needs {' and '.join(missing)}: {how_to_install('site')}")
