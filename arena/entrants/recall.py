"""Find the source of a version of a bot again: where it was, or in the copy that was kept when it was built."""

from __future__ import annotations

from pathlib import Path

from arena.entrants.build import kept_copy
from arena.entrants.expand import Entrant, expand
from arena.entrants.manifest import EntrantError


def recall(name: str, fingerprint: str, path: str) -> Entrant:
    """Return the bot of that name whose source has that fingerprint.

    Args:
        name: Of the bot, without the number of its version.
        fingerprint: Of the source.
        path: Where it was when it took part. It may hold something else by now.

    Raises:
        EntrantError: neither the path nor the cache of built bots has that source.
    """
    for place in (Path(path), kept_copy(name, fingerprint, Path(path).name)):
        try:
            found = expand([place]).found
        except (EntrantError, OSError):
            continue
        if len(found) == 1 and found[0].fingerprint == fingerprint:
            return found[0]
    raise EntrantError(f"{path} is gone or has changed, and no copy of that version of {name} was kept")
