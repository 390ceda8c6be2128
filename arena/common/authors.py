"""Who made a bot: what its author says, which anybody may have written.

Nothing here is known to be true: it is what the bot's `bot.toml` says. It is printed as text alone, its link is
followed only if it is a plain address of the web, and its picture is shown only if its bytes are those that its name
stands for.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

import msgspec

from arena.common.images import KINDS, image_kind

MOST_AVATAR_BYTES: Final = 64 << 10
"""The largest file of an avatar."""
MOST_AVATAR_SIDE: Final = 512
"""Its largest width and height in pixels. Hundreds may be on a page, and each is unpacked in memory."""
_MOST_LINK: Final = 200
_LINK: Final = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?#][A-Za-z0-9._~:/?#@!$&()*+,;=%-]*)?")
_AVATAR: Final = re.compile(rf"[0-9a-f]{{32}}\.({'|'.join(KINDS)})")


class Author(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who made a bot. What is not said is empty."""

    name: str = ""
    team: str = ""
    link: str = ""
    """An address that begins with `https://`."""
    licence: str = ""
    """Of the bot."""
    avatar: str = ""
    """A picture: its name is a hash over its bytes, and their kind, such as `<32 hex digits>.png`."""

    @property
    def words(self) -> str:
        """The name and the team in one line; it may hold anything, as all of it may."""
        return ", ".join(filter(None, (self.name, self.team)))

    @property
    def address(self) -> str:
        """The link if it may be followed, else nothing."""
        return "" if link_fault(self.link) else self.link


def link_fault(text: str) -> str:
    """Say why a text is no address that a page may link to; nothing: it is one.

    A name in other letters than ASCII can look like another one, and a user's name before an `@` like a server's.
    """
    if len(text) > _MOST_LINK:
        return f"it has more than {_MOST_LINK} characters"
    if not text.startswith("https://"):
        return "it does not begin with https://"
    try:
        parts = urlsplit(text)
        server = "" if parts.port == 0 else (parts.hostname or "")
    except ValueError:
        server = ""
    if not _LINK.fullmatch(text) or "." not in server.strip("."):
        return "it is no plain address such as https://example.org/bots"
    return ""


def avatar_name(data: bytes) -> str:
    """Return the name for the bytes of an avatar.

    Raises:
        ValueError: They are no picture that is shown; the text says why.
    """
    if len(data) > MOST_AVATAR_BYTES:
        raise ValueError(f"it has more than {MOST_AVATAR_BYTES >> 10} KiB")
    return f"{blake2b(data, digest_size=16).hexdigest()}.{image_kind(data, MOST_AVATAR_SIDE)}"


def is_avatar(name: str, data: bytes) -> bool:
    """Return whether these bytes are the avatar of that name, and one that may be shown."""
    try:
        return is_avatar_name(name) and avatar_name(data) == name
    except ValueError:
        return False


def is_avatar_name(name: str) -> bool:
    """Return whether a text can be an avatar's name, and so that of a file."""
    return _AVATAR.fullmatch(name) is not None
