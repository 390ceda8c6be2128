"""Who made a bot: which links may be followed, and which bytes are pictures."""

from __future__ import annotations

import base64
import zlib

import pytest

from arena.common.authors import MOST_AVATAR_BYTES, Author, avatar_name, is_avatar, link_fault

WEBP = {
    "lossy": "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
    "lossless": "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
    "animated": "UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAA"
    "AAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA",
}
"""Pictures of one pixel."""


def png(width: int = 2, height: int = 2, extra: bytes = b"", end: bytes = b"") -> bytes:
    def part(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    head = width.to_bytes(4) + height.to_bytes(4) + bytes((8, 2, 0, 0, 0))
    rows = zlib.compress(b"".join(b"\0" + b"\x9c\x2f\x22" * width for _ in range(height)))
    parts = [part(b"IHDR", head), part(extra, b"\0" * 8) if extra else b"", part(b"IDAT", rows), part(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + end


def jpeg(width: int = 2, height: int = 2, end: bytes = b"\xff\xd9") -> bytes:
    size = b"\xff\xc2\x00\x0b\x08" + height.to_bytes(2) + width.to_bytes(2) + b"\x01\x01\x11\x00"
    return b"\xff\xd8\xff\xe0\x00\x04ab" + size + b"\xff\xda\x00\x02painted" + end


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png(), "png"),
        (png(512, 512), "png"),
        (jpeg(), "jpg"),
        (base64.b64decode(WEBP["lossy"]), "webp"),
        (base64.b64decode(WEBP["lossless"]), "webp"),
    ],
)
def test_a_picture_is_named_by_its_bytes(data: bytes, kind: str) -> None:
    name = avatar_name(data)
    assert name.endswith(f".{kind}")
    assert is_avatar(name, data)
    assert not is_avatar(name, data + b" ")
    assert not is_avatar(f"../{name}", data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "neither PNG"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "neither PNG"),
        (b"GIF89a" + b"\0" * 20, "neither PNG"),
        (png(513), "513 × 2 pixels"),
        (png(0), "0 × 2 pixels"),
        (jpeg(height=9999), "2 × 9999 pixels"),
        (png(end=b"<script>"), "do not fit"),
        (png()[:-1], "do not fit"),
        (png().replace(b"\x9c", b"\x9d"), "do not fit"),
        (png(extra=b"acTL"), "animated"),
        (b"\x89PNG\r\n\x1a\n", "do not fit"),
        (jpeg(end=b""), "do not fit"),
        (b"\xff\xd8\xff\xe0", "damaged"),
        (b"\xff\xd8\xff\xc0\x00\x00", "damaged"),
        (base64.b64decode(WEBP["animated"]), "animated"),
        (base64.b64decode(WEBP["lossy"]) + b"!", "length"),
        (b"RIFF\x04\x00\x00\x00WEBP", "length"),
        (png() + b"\0" * MOST_AVATAR_BYTES, "64 KiB"),
    ],
)
def test_what_is_no_picture_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        avatar_name(data)


@pytest.mark.parametrize(
    "address", ["https://example.org", "https://example.org:8443/a-b/~c?d=e&f=%20#g", "https://xn--bcher-kva.example/"]
)
def test_a_plain_address_may_be_followed(address: str) -> None:
    assert link_fault(address) == ""
    assert Author("a", link=address).address == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://example.org",
        "javascript:alert(1)",
        "HTTPS://example.org",
        "https://",
        "https://localhost/",
        "https://bank.example@evil.example/",
        "https://example.org:99999/",
        "https://example.org:0x1/",
        "https://exämple.org/",
        "https://example.org/\u202egpj.exe",
        "https://example.org/ a",
        'https://example.org/"onclick="alert(1)',
        "https://example.org/<script>",
        "https://example.org\\@evil.example/",
        "https://example.org/\n",
        f"https://example.org/{'a' * 200}",
    ],
)
def test_any_other_address_is_no_link(address: str) -> None:
    assert link_fault(address)
    assert Author("a", link=address).address == ""
