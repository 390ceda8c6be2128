"""Bots as archives of their sources, which travel to a worker once and stay in its cache by their fingerprints."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from arena.common import removal
from arena.common.regular_files import why_unread
from arena.entrants import Built, Entrant, EntrantError, ResourceLimits, expand
from arena.entrants.build import default_cache
from arena.entrants.fingerprint import sources

_FOLDER = "travelled"


@dataclass(frozen=True)
class TravellingBot:
    """What a worker is told of a bot. All else stands in its sources."""

    name: str
    """Its label in the tournament."""
    file: str
    """The name of its file; empty: it is a folder, whose name is no part of its fingerprint."""
    fingerprint: str
    limits: ResourceLimits


def described(built: Built) -> TravellingBot:
    """Return what a worker is told of a bot that was built here."""
    entrant = built.entrant
    file = "" if entrant.path.is_dir() else entrant.path.name
    return TravellingBot(entrant.name, file, entrant.fingerprint, entrant.limits)


def archive(built: Built) -> bytes:
    """Pack the sources of a bot, as they lie in the cache beside what its build made of them.

    Raises `EntrantError` if they cannot be read any more.
    """
    entrant, packed = built.entrant, io.BytesIO()
    try:
        with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as tar:
            for source in sources(entrant.path, entrant.outputs):
                with (built.folder / source).open("rb") as file:
                    status = os.fstat(file.fileno())
                    member = tarfile.TarInfo(source.as_posix())
                    member.size, member.mode = status.st_size, 0o755 if status.st_mode & 0o100 else 0o644
                    tar.addfile(member, file)
    except OSError as error:
        raise EntrantError(
            f"{entrant.path} changed while it was read: run the command again ({why_unread(error)})"
        ) from None
    return packed.getvalue()


def missing(fingerprints: Iterable[str]) -> list[str]:
    """On a worker: return of which of these bots it has no sources."""
    return [each for each in fingerprints if not _place(each).is_dir()]


def store(fingerprint: str, packed: bytes) -> None:
    """On a worker: keep the sources of a bot. Raises `OSError`, and `tarfile.TarError` for what is no archive."""
    place = _place(fingerprint)
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f"{fingerprint}.", dir=place.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            tar.extractall(fresh, filter="data")
        if not place.is_dir():
            fresh.rename(place)
    except OSError:
        if not place.is_dir():  # else another process was quicker
            raise
    finally:
        removal.remove(str(fresh))


def arrived(bot: TravellingBot) -> Entrant:
    """On a worker: return a bot whose sources are kept here.

    Raises `EntrantError` if they are not those that were announced. They are removed then, and can be sent again.
    """
    place = _place(bot.fingerprint)
    try:
        found = expand([place / bot.file]).found
    except EntrantError:
        found = []
    if [each.fingerprint for each in found] != [bot.fingerprint]:
        removal.remove(str(place))
        raise EntrantError(f"{bot.name}: its sources in {place} had been changed: run the command again")
    return replace(found[0], name=bot.name, limits=bot.limits)


def _place(fingerprint: str) -> Path:
    return default_cache().absolute() / _FOLDER / fingerprint
