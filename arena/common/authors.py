"""Who made a bot: what its author says, which anybody may have written.

Nothing here is known to be true: it is what the bot's `bot.toml` says. It is printed as text alone, its link is
followed only if it is a plain address of the web, and its picture is shown only if its bytes are those that its name
stands for.

Pictures are told from other files by how their bytes are arranged, whatever a file is called. Only kinds are shown that
every browser shows and that cannot hold a script: so no SVG. Animations are refused, since a page that moves is hard to
read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from hashlib import blake2b
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

MOST_AVATAR_BYTES: Final = 64 << 10
"""The largest file of an avatar."""
MOST_AVATAR_SIDE: Final = 512
"""Its largest width and height in pixels. Hundreds may be on a page, and each is unpacked in memory."""
_MOST_LINK: Final = 200
_LINK: Final = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?#][A-Za-z0-9._~:/?#@!$&()*+,;=%-]*)?")
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_FRAMES: Final = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""The markers of JPEG behind which the size stands."""
_ALONE: Final = {0x01, *range(0xD0, 0xD8)}
"""The markers of JPEG that nothing belongs to."""


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


class _Size(NamedTuple):
    width: int
    height: int


def image_kind(data: bytes, most: int) -> str:
    """Return what kind of picture this is: a key of `KINDS`.

    Args:
        data: All bytes of a file.
        most: The most pixels across and down.

    Raises:
        ValueError: It is none of these, a damaged or an animated one, or too large; the text says which.
    """
    for kind, size_of in KINDS.items():
        try:
            size = size_of(data)
        except (IndexError, ValueError) as error:
            raise ValueError(f"it is a damaged picture: {error}") from None
        if size is not None:
            if not 0 < min(size) <= max(size) <= most:
                raise ValueError(f"it has {size.width} × {size.height} pixels, at most {most} × {most} are shown")
            return kind
    raise ValueError("it is neither PNG nor JPEG nor WebP")


def _png(data: bytes) -> _Size | None:
    """Return the size of a PNG, None for something else. Raises `ValueError` for one with a wrong part."""
    if not data.startswith(_PNG):
        return None
    at, size, painted = len(_PNG), None, False
    while at + 12 <= len(data):
        length, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        part = data[at + 4 : at + 8 + length]
        at += 12 + length
        if at > len(data) or zlib.crc32(part) != int.from_bytes(data[at - 4 : at]):
            break
        if (kind == b"IHDR") != (size is None):
            raise ValueError("it does not begin with its size")
        if kind == b"IHDR":
            size = _Size(int.from_bytes(part[4:8]), int.from_bytes(part[8:12]))
        if kind == b"acTL":
            raise ValueError("it is animated")
        painted = painted or kind == b"IDAT"
        if kind == b"IEND":
            if painted and at == len(data):
                return size
            break
    raise ValueError("its parts do not fit together")


def _jpeg(data: bytes) -> _Size | None:
    """Return the size of a JPEG, None for something else. Raises `ValueError` for one with a wrong part."""
    if not data.startswith(b"\xff\xd8\xff"):
        return None
    at, size = 2, None
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in _ALONE:  # a byte that fills, or one that stands alone
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _FRAMES:
            size = _Size(int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7]))
        if marker == 0xDA:  # what is painted, up to the end
            if size is None or not data.endswith(b"\xff\xd9"):
                break
            return size
        length = int.from_bytes(data[at + 2 : at + 4])
        if length < 2:
            break
        at += 2 + length
    raise ValueError("its parts do not fit together")


def _webp(data: bytes) -> _Size | None:
    """Return the size of a WebP, None for something else. Raises `ValueError` for one with a wrong part."""
    if not (data.startswith(b"RIFF") and data[8:12] == b"WEBP"):
        return None
    little = data[20:30]
    if int.from_bytes(data[4:8], "little") + 8 != len(data) or len(little) < 10:
        raise ValueError("its length is not the one that it names")
    match data[12:16]:
        case b"VP8 " if little[3:6] == b"\x9d\x01\x2a":
            sides = int.from_bytes(little[6:8], "little"), int.from_bytes(little[8:10], "little")
            return _Size(sides[0] & 0x3FFF, sides[1] & 0x3FFF)
        case b"VP8L" if little[0] == 0x2F:
            bits = int.from_bytes(little[1:5], "little")
            return _Size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8X" if not little[0] & 0x02:
            return _Size(int.from_bytes(little[4:7], "little") + 1, int.from_bytes(little[7:10], "little") + 1)
        case b"VP8X":
            raise ValueError("it is animated")
    raise ValueError("its parts do not fit together")


KINDS: Final[dict[str, Callable[[bytes], _Size | None]]] = {"png": _png, "jpg": _jpeg, "webp": _webp}
"""What can be shown, by the ending of its file's name."""
_AVATAR: Final = re.compile(rf"[0-9a-f]{{32}}\.({'|'.join(KINDS)})")
