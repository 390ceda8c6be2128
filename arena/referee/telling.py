"""A story told once, when its game has been played, and kept beside it: publishing a tournament plays nothing again.

What is kept counts only as long as it would be told in the same way: for this very record and edition, by these very
programs. Else the game is told anew, so that pages do not depend on what a ledger keeps.
"""

from __future__ import annotations

import sys
import zlib
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

import arena
from arena.ledger.records import GameRecord, StoryRecord
from arena.referee.story import encode, stories
from engine.game import Data, Game

_LARGEST: Final = 64 << 20
"""Bytes of a story. A game of six bots has some hundred thousand."""
_TOLD_BY: Final = ("arena.referee.story", "arena.referee.replay", "arena.referee.transcript", "engine.picture")


def tell(record: GameRecord, rules: Game, edition: Data) -> StoryRecord:
    """The story of a game, to be kept. Raises `ReplayError`, and whatever a plug-in's words and pictures raise."""
    data = b"[%s]" % b",".join(_told(record, rules, edition))
    return StoryRecord(_made_of(record, rules, edition), zlib.compress(data))


def parts(record: GameRecord, rules: Game, edition: Data, kept: StoryRecord | None) -> list[bytes]:
    """The public part of the story and that of every seat, as JSON in ASCII. Raises as `tell` does."""
    return _kept(record, rules, edition, kept) or _told(record, rules, edition)


def verify_story(record: GameRecord, rules: Game, edition: Data, kept: StoryRecord | None) -> list[str]:
    """What is different when the game is told again; nothing when it is as kept. Raises as `tell` does."""
    found = _kept(record, rules, edition, kept)
    if not found or found == _told(record, rules, edition):
        return []
    return ["what is kept for its page is not what happened"]


def told_by(rules: Game) -> str:
    """A number over the programs that tell this game: another one when any of them changes."""
    return _digest(type(rules).__module__)


@cache
def _digest(of_rules: str) -> str:
    digest = blake2b(arena.__version__.encode(), digest_size=16)
    for module in _TOLD_BY:
        digest.update(Path(str(sys.modules[module].__file__)).read_bytes())
    file = Path(str(sys.modules[of_rules].__file__))
    whole = (file.parent / "__init__.py").is_file()
    for each in sorted(file.parent.rglob("*.py")) if whole else [file]:
        digest.update(each.read_bytes())
    return digest.hexdigest()


def _told(record: GameRecord, rules: Game, edition: Data) -> list[bytes]:
    public, seats = stories(record, rules, edition)
    return [encode(part) for part in (public, *seats)]


def _kept(record: GameRecord, rules: Game, edition: Data, kept: StoryRecord | None) -> list[bytes]:
    """The parts as they are kept; none if they have to be told anew."""
    if kept is None or kept.made_of != _made_of(record, rules, edition):
        return []
    found = _unpacked(kept.data)
    return found if len(found) == 1 + record.players else []


def _made_of(record: GameRecord, rules: Game, edition: Data) -> str:
    digest = blake2b(told_by(rules).encode(), digest_size=16)
    digest.update(encode(edition))
    digest.update(encode(record))
    return digest.hexdigest()


def _unpacked(data: bytes) -> list[bytes]:
    """The parts that were packed, or none: a ledger may come from anybody, and a page runs what it loads."""
    try:
        text = zlib.decompressobj().decompress(data, _LARGEST)
        return [bytes(part) for part in msgspec.json.decode(text, type=list[msgspec.Raw])] if text.isascii() else []
    except (zlib.error, msgspec.DecodeError, RecursionError):
        return []
