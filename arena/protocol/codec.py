"""Encoding and decoding messages. Whatever a bot sends, decoding gives a message or raises `Malformed`.

What is larger than `FRAME_LIMIT` does not come so far: the connection refuses it as it is announced, as the fault
`oversize` (`arena.referee.connection`), at which the seat retires.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from arena.common.decoding_words import in_words
from arena.common.printable import printable, shorten
from arena.protocol.messages import PROTOCOL, FromBot, FromReferee, Hello

FRAME_LIMIT: Final = 64 * 1024
"""Bytes of the largest frame that a bot may send."""
DECIDE_LIMIT: Final = 1024 * 1024
"""Bytes of the largest frame that the referee may send to a bot."""

_TEXT_LIMIT: Final = 80
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(FromBot)


class Malformed(ValueError):
    """A frame that is no message of the protocol; the text says why, in a line that is safe to log."""


encode: Final[Callable[[FromReferee], bytes]] = _encoder.encode
"""Encode a message as a frame."""


def decode(frame: bytes) -> FromBot:
    """Decode a bot's frame. Raises `Malformed` and nothing else."""
    if len(frame) > FRAME_LIMIT:
        # Not of a bot at a referee, whose connection has refused it before; traces and vectors are decoded here, too.
        raise Malformed(f"a frame of {len(frame)} bytes (limit {FRAME_LIMIT})")
    try:
        message: FromBot = _decoder.decode(frame)
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except UnicodeDecodeError:
        raise Malformed("a string that is not UTF-8") from None
    except (msgspec.MsgspecError, ValueError, OverflowError) as error:
        raise Malformed(_safe(in_words(error))) from None
    if isinstance(message, Hello):
        _require_plain((message.name, message.version, message.language, *message.games))
    elif message.metrics:
        _require_plain(message.metrics)
        for name, value in message.metrics.items():
            if not math.isfinite(value):
                raise Malformed(f"metric {name} is not a finite number")
    return message


def _require_plain(texts: Iterable[str]) -> None:
    """Raise `Malformed` if a text has control characters, which are commands to the terminals that show it."""
    for text in texts:
        if _CONTROL.search(text):
            raise Malformed(f"a control character in {_safe(text)!r}")


def incompatible(hello: Hello) -> str | None:
    """Return why the referee cannot talk to a bot with this hello; None: it can."""
    major = hello.protocol[0]
    if major == PROTOCOL[0]:
        return None
    return f"speaks protocol {major}.{hello.protocol[1]}, the referee speaks {PROTOCOL[0]}.{PROTOCOL[1]}"


def _safe(text: str) -> str:
    return shorten(printable(text), _TEXT_LIMIT)
