"""The bytes of a connection without a ZeroMQ library, as section 13 of `protocol.md` describes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.referee import zmtp

TOKEN = "00112233445566778899aabbccddeeff"


def stream() -> Iterator[dict[str, Any]]:
    """What both sides send, in order, and frames and commands of every kind."""
    yield _entry("greeting", "bot", zmtp.GREETING)
    yield _entry("greeting-referee", "referee", zmtp.GREETING)
    yield _entry("ready", "bot", zmtp.ready(b"DEALER", TOKEN.encode()), token=TOKEN)
    yield _entry("ready-referee", "referee", zmtp.ready(b"ROUTER"))
    for size in (0, 1, 255, 256, 1000):
        yield _entry(f"message-of-{size}", "bot", zmtp.message(b"x" * size), body=(b"x" * size).hex())
    yield _entry("ping", "bot", zmtp.command(b"PING", b"\0\x64arena"))
    yield _entry("pong", "referee", zmtp.command(b"PONG", b"arena"))


def _entry(name: str, sender: str, data: bytes, **more: str) -> dict[str, Any]:
    return {"name": name, "from": sender, "hex": data.hex()} | more
