"""Find who leads a tournament, and keep that in the user's cache: to find out, all of its games have to be rated.

What is kept holds for the very file that the ledger was then, and for the sources that found it. So it is right for
finished tournaments and stopped ones alike, and a person who alters a ledger does not choose who is named.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

import arena
from arena.common.regular_files import read_regular, write_atomic
from arena.common.source_hash import source_hash
from arena.ledger import Ledger
from arena.ledger.database import FILE
from arena.rating import RatingColumns, RatingSystem
from arena.standings.compute import make_table, own_system, rated_results, whole_sheet
from arena.standings.lead import lead
from arena.standings.rows import Lead

_LARGEST: Final = 1 << 20
"""The most bytes that are read of a lead that was kept."""
_LOG: Final = "-wal"
"""What SQLite adds to the name of a ledger for the log of what was not merged into it yet."""


class _Kept(msgspec.Struct, frozen=True):
    """A lead that was found."""

    key: str
    lead: Lead | None


def overall_lead(ledger: Ledger, cache_folder: Path) -> Lead | None:
    """Find who leads a tournament over all numbers of players. None: no game of a bot of the field was rated."""
    system = own_system(ledger)
    return _kept_or_found(ledger.folder, cache_folder, system.columns, lambda: _found(ledger, system))


def keep_overall_lead(folder: Path, cache_folder: Path, columns: RatingColumns, found: Lead | None) -> None:
    """Keep a lead that was found just now, by these columns, in a ledger that nobody has written since."""
    _kept_or_found(folder, cache_folder, columns, lambda: found)


def _kept_or_found(
    folder: Path, cache_folder: Path, columns: RatingColumns, find: Callable[[], Lead | None]
) -> Lead | None:
    key = _key(folder, columns)  # before the games are read: what is recorded meanwhile makes it another one
    if key is None:
        return find()
    place = cache_folder / "leads" / blake2b(str(folder.resolve()).encode(), digest_size=16).hexdigest()
    with suppress(OSError, ValueError):
        kept = msgspec.json.decode(read_regular(place, _LARGEST), type=_Kept)
        if kept.key == key:
            return kept.lead
    found = find()
    with suppress(OSError):  # a cache that cannot be written only costs time
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(place, msgspec.json.encode(_Kept(key, found)))
    return found


def _found(ledger: Ledger, system: RatingSystem) -> Lead | None:
    sheet = whole_sheet(ledger, rated_results(ledger), system)
    return lead([row for row in make_table(sheet).rows if row.left is None], sheet.system.columns)


def _key(folder: Path, columns: RatingColumns) -> str | None:
    """Return what a lead holds for: the ledger's file as it is now, and all that it was found by."""
    digest = blake2b(f"{_sources()} {columns}".encode(), digest_size=16)
    try:
        file = (folder / FILE).stat()
        log = folder / f"{FILE}{_LOG}"
        parts = [file, *([log.stat()] if log.exists() else [])]
    except OSError:
        return None
    for part in parts:
        digest.update(f"{part.st_dev} {part.st_ino} {part.st_size} {part.st_mtime_ns} ".encode())
    return digest.hexdigest()


@cache
def _sources() -> str:
    return source_hash(("arena.rating", "arena.standings", "arena.ledger"), arena.__version__)
