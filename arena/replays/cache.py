"""A story told once, when its game has been played, and kept beside it: publishing a tournament plays nothing again.

What is kept counts only as long as it would be told in the same way: for this very record and edition, by these very
programs. Else the game is told anew, so that pages do not depend on what a ledger keeps.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

import arena
from arena.ledger.records import MatchRecord, PageDataRecord
from arena.match.transcript import MatchStep
from arena.replays.page_data import encode, stories
from engine import catalog
from engine.game import Data, Game

_LONGEST: Final = 8 << 20
"""Bytes of a story that is kept. A game of six bots that talk a lot has some hundred thousand."""
_LARGE: Final = 1 << 20
"""Bytes of a file that holds no program and no text for people: of a larger one the size is enough."""


def tell(
    record: MatchRecord, rules: Game, edition: Data, moments: Iterable[MatchStep] | None = None
) -> PageDataRecord | None:
    """The story of a game, to be kept; None: it is too long. Raises `ReplayError`, and what a plug-in raises.

    `moments`: what the game went through; None: it is played again.
    """
    data = b"[%s]" % b",".join(_told(record, rules, edition, moments))
    return PageDataRecord(_made_of(record, rules, edition), zlib.compress(data)) if len(data) <= _LONGEST else None


def parts(record: MatchRecord, rules: Game, edition: Data, kept: PageDataRecord | None) -> list[bytes]:
    """The public part of the story and that of every seat, as JSON in ASCII. Raises as `tell` does."""
    return _kept(record, rules, edition, kept) or _told(record, rules, edition)


def verify_story(
    record: MatchRecord, rules: Game, edition: Data, kept: PageDataRecord | None, moments: Iterable[MatchStep]
) -> list[str]:
    """What is different when the game, played again with these moments, is told again; nothing when it is as kept."""
    found = _kept(record, rules, edition, kept)
    try:
        if not found or found == _told(record, rules, edition, moments):
            return []
    except Exception as error:  # a plug-in's words and pictures may raise anything
        return [f"it cannot be told any more: {error!r}"]
    return ["what is kept for its page is not what happened"]


def told_by(rules: Game) -> str:
    """A number over the programs that tell this game, as they lay there when first asked: another one for others."""
    modules = {each.__module__ for each in type(rules).__mro__}
    packages = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names
    return _digest(rules.name, ("arena.match", "arena.replays", "engine", *sorted(packages - {"engine"})))


@cache
def _digest(name: str, packages: tuple[str, ...]) -> str:
    digest = blake2b(repr((arena.__version__, catalog.version(name))).encode(), digest_size=16)
    for package in packages:
        for file in _files(package):
            with suppress(OSError):  # it is gone, or not ours to read
                size = file.stat().st_size
                digest.update(f"{package} {file.name} {size} ".encode("utf-8", "backslashreplace"))
                digest.update(file.read_bytes() if size <= _LARGE else b"")
    return digest.hexdigest()


def _files(module: str) -> Iterator[Path]:
    """The files of a package, or of a module by itself; none of what lies in an archive, which has a version."""
    loaded = sys.modules[module]
    if not hasattr(loaded, "__path__"):
        file = Path(str(loaded.__file__))
        yield from [file] if file.is_file() else []
        return
    for folder in sorted(map(Path, loaded.__path__)):
        yield from sorted(file for file in folder.rglob("*") if file.is_file() and file.parent.name != "__pycache__")


def _told(record: MatchRecord, rules: Game, edition: Data, moments: Iterable[MatchStep] | None = None) -> list[bytes]:
    public, seats = stories(record, rules, edition, moments)
    return [encode(part) for part in (public, *seats)]


def _kept(record: MatchRecord, rules: Game, edition: Data, kept: PageDataRecord | None) -> list[bytes]:
    """The parts as they are kept; none if they have to be told anew."""
    if kept is None or kept.made_of != _made_of(record, rules, edition):
        return []
    found = _unpacked(kept.data)
    return found if len(found) == 1 + record.players else []


def _made_of(record: MatchRecord, rules: Game, edition: Data) -> str:
    digest = blake2b(told_by(rules).encode(), digest_size=16)
    digest.update(encode(edition))
    digest.update(encode(record))
    return digest.hexdigest()


def _unpacked(data: bytes) -> list[bytes]:
    """The parts that were packed, or none: a ledger may come from anybody, and a page runs what it loads."""
    try:
        text = zlib.decompressobj().decompress(data, _LONGEST)
        return [bytes(part) for part in msgspec.json.decode(text, type=list[msgspec.Raw])] if text.isascii() else []
    except (zlib.error, msgspec.DecodeError, RecursionError):
        return []
