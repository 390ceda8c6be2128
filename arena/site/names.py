"""Make texts that others wrote fit to be shown, and to name files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from arena.common.printable import printable, printable_lines, shorten

_SLUG: Final = 40
_HASH: Final = 10
_GAME: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
SHORT: Final = 40
"""The most characters of a name in a table."""


def shown(text: str, limit: int = SHORT) -> str:
    """Return `text` made printable and cut to `limit` characters."""
    return shorten(printable(text[: limit + 1]), limit)


def short(name: str, limit: int = SHORT) -> str:
    """Return a name made printable, a long one cut in the middle: versions differ at the end. viewer-data.js too."""
    end = (limit - 1) // 2
    return shown(name if len(name) <= limit else f"{name[: limit - 1 - end]}…{name[-end:]}", limit)


def lines(text: str, limit: int) -> str:
    """Return the same with the text's line breaks and tabs."""
    return shorten(printable_lines(text[: limit + 1]), limit)


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a unique file name for each name, of lower-case letters, digits and hyphens."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(names):
        plain = re.sub(r"[^a-z0-9]+", "-", name[: 2 * _SLUG].lower().encode("ascii", "ignore").decode()).strip("-")
        slug = plain[:_SLUG].strip("-")
        size = _HASH
        whole = slug
        if slug != name or not slug:
            whole = f"{slug}-{_hash(name, size)}".strip("-")
        while whole in taken:
            size += _HASH
            whole = f"{slug}-{_hash(name, size)}".strip("-")
        taken.add(whole)
        found[name] = whole
    return found


def is_file_name(game_id: str) -> bool:
    """Return whether a game's id can be the name of a folder. Those of the arena can."""
    return _GAME.fullmatch(game_id) is not None


def _hash(name: str, size: int) -> str:
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=32, person=b"page of a bot")
    return digest.hexdigest()[:size]
