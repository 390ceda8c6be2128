"""Find the source of a version of a bot again: where it was, or in the copy that was kept when it was built."""

from __future__ import annotations

from dataclasses import replace
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
    if (found := _found(Path(path))) is not None and found.fingerprint == fingerprint:
        return replace(found, name=name)
    kept = kept_copy(name, fingerprint, Path(path).name)
    # A build may have added files to the copy, so its content has another fingerprint.
    if kept is not None and (found := _found(kept)) is not None:
        return replace(found, name=name, fingerprint=fingerprint)
    raise EntrantError(f"{path} is gone or has changed, and no copy of that version of {name} was kept")


def _found(place: Path) -> Entrant | None:
    """Return the bot at a place, if there is one."""
    try:
        found = expand([place]).found
    except (EntrantError, OSError):
        return None
    return found[0] if len(found) == 1 else None
