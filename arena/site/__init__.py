"""Publish a tournament as pages that need no server."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import NamedTuple

from arena.common.errors import ArenaError
from arena.common.progress import SILENT, Progress
from arena.distribution import how_to_install
from arena.ledger import Ledger
from arena.rating import rating_system

__all__ = ["Published", "SiteError", "check_libraries", "publish"]


class SiteError(ArenaError):
    """A site that cannot be published. The text says why and what to do."""


class Published(NamedTuple):
    """What publishing did."""

    games: int
    """Games in the site."""
    made: int
    """Games whose page data was written now. The others were there already."""
    written: int
    """Files that were written. The others had not changed."""
    removed: int
    """Files removed."""
    problems: dict[str, str]
    """Why a game cannot be replayed, by id. The site lists it without a replay."""


def publish(
    folder: Path,
    site: Path,
    *,
    jobs: int | None = None,
    title: str | None = None,
    url: str | None = None,
    live: bool = False,
    replace: bool = False,
    progress: Progress = SILENT,
    now: str | None = None,
    rating: str | None = None,
    league: str = "",
    later: bool = False,
) -> Published:
    """Write the pages of the tournament in `folder` into `site`, or bring the pages there up to date.

    Args:
        folder: Holds the ledger.
        site: Must be new, empty, or hold an earlier site of this tournament.
        jobs: Worker processes. None is one for each core; with 1 everything is done in this process.
        title: The site's title. None names it after the game.
        url: Where the site will be published. Its feed needs it for full addresses, and each game gets a page of its
            own, which chats and feeds show with a title and a picture.
        live: Write pages for `arena show --web`, which ask their server for news.
        replace: Also overwrite a site of another tournament.
        progress: Receives the progress.
        now: The time that the feed gives for news, as RFC 3339. None takes SOURCE_DATE_EPOCH from the environment, or
            else the clock.
        rating: The name of the rating system, as in `arena.rating.systems.NAMES`. None: the one that follows from
            the rules.
        league: The address of the league's own page, to which pages lead. The last words of bots are left out then: in
            a league they are for the bot's author.
        later: Whether the league shows games later: pages say so, and have no seeds, which give hands away.

    Raises:
        SiteError: A library is missing, or `site` holds something else or another tournament's site.
        LedgerError: There is no tournament in `folder`, or none that can be read.
        UnknownRules: Its rules are not installed.
        RatingError: There is no rating system of that name.
        OSError: A file cannot be written.
    """
    check_libraries("jinja2", "markdown_it", *(["PIL"] if url is not None else []))
    from arena.site.site import PublishOptions, make

    with Ledger.open(folder) as ledger:
        system = rating_system(rating, ledger.settings.game)
    return make(folder, site, PublishOptions(jobs, title, url, live, replace, now, system, league, later), progress)


def check_libraries(*names: str) -> None:
    """Raise `SiteError` if a library is missing, which says how to install it."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise SiteError(f"pages need {' and '.join(missing)}: {how_to_install('site')}")
