"""The cache of page data: a worker builds it right after a game, and publishing then need not replay the game.

A cached entry is valid only while its key games: the same record and edition, built by the same source files.
Otherwise the page data is built again, so that pages never depend on what happens to be cached.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from typing import Final

import msgspec

import arena
from arena.common.source_hash import source_hash as hash_of_sources
from arena.game.transcript import GameStep
from arena.ledger.records import GameRecord, PageDataRecord
from arena.replays.page_data import build_page_data, encode
from engine import catalog
from engine.rules import Data, Rules

_LONGEST: Final = 8 << 20
"""The most bytes of one game's page data that are cached. A game of six talkative bots has a few hundred thousand."""


def pack_page_data(
    record: GameRecord, rules: Rules, edition: Data, game_steps: Iterable[GameStep] | None = None
) -> PageDataRecord | None:
    """Build the page data of a game and pack it for the ledger. Return None if it is too long to be cached.

    Args:
        record: The game's record.
        rules: The game.
        edition: Its resolved edition.
        game_steps: The steps of the game. Without them the record is replayed.

    Raises:
        ReplayError: The record cannot be replayed. A plug-in may raise any other error.
    """
    data = b"[%s]" % b",".join(_build(record, rules, edition, game_steps))
    return PageDataRecord(_key(record, rules, edition), zlib.compress(data)) if len(data) <= _LONGEST else None


def load_page_data(record: GameRecord, rules: Rules, edition: Data, cached: PageDataRecord | None) -> list[bytes]:
    """Return the public part and then each seat's part, as JSON in ASCII, from the cache if it is valid, else built.

    Raises what `pack_page_data` raises.
    """
    return _unpack_if_valid(record, rules, edition, cached) or _build(record, rules, edition)


def verify_page_data(
    record: GameRecord, rules: Rules, edition: Data, cached: PageDataRecord | None, game_steps: Iterable[GameStep]
) -> list[str]:
    """Return how the cached page data differs from what `game_steps` give, and nothing if it does not."""
    found = _unpack_if_valid(record, rules, edition, cached)
    try:
        if not found or found == _build(record, rules, edition, game_steps):
            return []
    except Exception as error:  # a plug-in's words and pictures may raise anything
        return [f"its page data cannot be built any more: {error!r}"]
    return ["its cached page data is not what happened"]


def source_hash(rules: Rules) -> str:
    """Hash the source files that render this game; a change invalidates cached page data.

    It is computed once for each process, so it describes the code that was loaded, not what is edited meanwhile.
    """
    return _digest(rules.name, ("arena.game", "arena.replays", *packages_of(rules)))


def packages_of(rules: Rules) -> tuple[str, ...]:
    """Return the packages that these rules come from."""
    modules = {each.__module__ for each in type(rules).__mro__}
    return "engine", *sorted({module.partition(".")[0] for module in modules} - sys.stdlib_module_names - {"engine"})


@cache
def _digest(name: str, packages: tuple[str, ...]) -> str:
    return hash_of_sources(packages, arena.__version__, catalog.version(name))


def _build(
    record: GameRecord, rules: Rules, edition: Data, game_steps: Iterable[GameStep] | None = None
) -> list[bytes]:
    public, seats = build_page_data(record, rules, edition, game_steps)
    return [encode(part) for part in (public, *seats)]


def _unpack_if_valid(record: GameRecord, rules: Rules, edition: Data, cached: PageDataRecord | None) -> list[bytes]:
    """Return the cached parts, or nothing if they have to be built again."""
    if cached is None or cached.key != _key(record, rules, edition):
        return []
    found = _unpack(cached.data)
    return found if len(found) == 1 + record.players else []


def _key(record: GameRecord, rules: Rules, edition: Data) -> str:
    digest = blake2b(source_hash(rules).encode(), digest_size=16)
    digest.update(encode(edition))
    digest.update(encode(record))
    return digest.hexdigest()


def _unpack(data: bytes) -> list[bytes]:
    """Return the packed parts, or nothing if they are malformed.

    A ledger may come from anybody, and a page executes what it loads, so only JSON in ASCII is let through.
    """
    try:
        text = zlib.decompressobj().decompress(data, _LONGEST)
        return [bytes(part) for part in msgspec.json.decode(text, type=list[msgspec.Raw])] if text.isascii() else []
    except (zlib.error, msgspec.DecodeError, RecursionError):
        return []
