"""The result and the error of publishing."""

from __future__ import annotations

from typing import NamedTuple

from arena.common.errors import ArenaError


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
