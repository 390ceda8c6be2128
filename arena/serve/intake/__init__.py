"""How bots come into a league: what is put into a folder, uploaded or committed, and what is done with it then."""

from __future__ import annotations

from typing import Final

from arena.common.errors import ArenaError

INCOMING: Final = "incoming"
"""The folder beside those of submissions in which files are before these are recorded."""
SUBMISSIONS: Final = "submissions"


class UnpackError(ArenaError):
    """What was received cannot become a bot. The text says to its author what is wrong and what to do."""
