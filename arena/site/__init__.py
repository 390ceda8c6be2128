"""A tournament as pages that need no server."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from arena.distribution import how_to_install
from arena.site.results import Published, SiteError

__all__ = ["Progress", "Published", "SiteError", "publish"]


class Progress(Protocol):
    """Who is told how far publishing is."""

    def stage(self, name: str, total: int | None) -> None:
        """A stage begins, of so many parts."""

    def advance(self, what: str) -> None:
        """One part of it is done."""


class _Quiet:
    def stage(self, name: str, total: int | None) -> None:
        """Nobody is told."""

    def advance(self, what: str) -> None:
        """Nobody is told."""


def publish(
    folder: Path,
    site: Path,
    *,
    jobs: int | None = None,
    title: str | None = None,
    url: str | None = None,
    live: bool = False,
    replace: bool = False,
    progress: Progress | None = None,
    now: str | None = None,
) -> Published:
    """Make the pages of the tournament in `folder` in `site`, or bring those of an earlier time up to date.

    `jobs`: worker processes; None: one a core; 1: all is done in this process. `url`: where the site will be, for its
    feed. `replace`: also if `site` holds another tournament's pages. `live`: for `arena show --web`, whose pages ask
    their server for news. `now` is the time for the feed (RFC 3339); None: the clock's, or that of the environment
    variable SOURCE_DATE_EPOCH.

    Raises `SiteError`: the libraries are missing, or something else, or another tournament's site, lies in `site`;
    `LedgerError`, `UnknownGame` and `OSError`.
    """
    _check_libraries(("jinja2",))
    from arena.site.site import Wishes, make

    return make(folder, site, Wishes(jobs, title, url, live, replace, now), progress or _Quiet())


def _check_libraries(names: Sequence[str]) -> None:
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise SiteError(f"pages need {' and '.join(missing)}: {how_to_install('site')}")
