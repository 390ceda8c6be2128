"""What publishing gives back, and what goes wrong with it."""

from __future__ import annotations

from typing import NamedTuple

from arena.common.errors import ArenaError


class SiteError(ArenaError):
    """A site that cannot be made; the text says why and what to do."""


class Published(NamedTuple):
    """What was done."""

    games: int
    """Games in the site."""
    made: int
    """Games whose pages' data were made now; the others were there already."""
    written: int
    """Files written, the others were as they are already."""
    removed: int
    """Files removed."""
    problems: dict[str, str]
    """By game: why it cannot be played again, so that the site lists it without a replay."""
