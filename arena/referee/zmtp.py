"""ZMTP 3, the protocol of ZeroMQ sockets, as the accepting side of a connection speaks it: bytes in, events out.

There is no socket here: `arena.referee.connection.BotConnection` reads and writes. The security mechanism is NULL. What
the peer announces is compared with the limits before anything is kept: a frame that is too large is refused at its
header, and of a message of several parts only the number of parts is kept.

The bytes are those of ZMTP 3.0 and 3.1 (https://rfc.zeromq.org/spec/23/ and /spec/37/). We announce 3.0, to which a
peer of any later version adapts.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final, NamedTuple

GREETING: Final = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
"""What each side sends first: signature, version, mechanism, and that we are no server of a mechanism."""
COMMAND_LIMIT: Final = 1024
"""Bytes of the largest command, `READY` included; an identity and a socket type need some 300."""
IDENTITY_LIMIT: Final = 255
"""Bytes of the longest routing id."""

_MORE, _LONG, _COMMAND = 1, 2, 4
_ANNOUNCED: Final = struct.Struct(">Q")
_LONG_HEADER: Final = struct.Struct(">BQ")
_PROPERTY: Final = struct.Struct(">I")
_MAJOR: Final = 3
_VERSION_AT, _MECHANISM_AT, _MECHANISM_END = 10, 12, 32
_PING_CONTEXT: Final = 16
"""Bytes of a ping that are sent back."""


class ZmtpError(ValueError):
    """The peer sent what is no ZMTP 3, or what we do not speak; the text says what. Nothing more can be read."""


class Handshake(NamedTuple):
    """The peer has introduced itself: frames follow."""

    socket_type: str
    identity: bytes
    """Its routing id; empty if it has set none."""


class Parts(NamedTuple):
    """A message of several parts, which were skipped. If it has more than are allowed, nothing more is read."""

    number: int


class Oversized(NamedTuple):
    """A frame that is larger than allowed, refused at its header. Nothing more is read."""

    size: int


class Command(NamedTuple):
    """A command that came between messages; `answer` is what to send back, if anything."""

    answer: bytes


Event = bytes | Handshake | Parts | Oversized | Command
"""What came; bytes are a message of one frame."""


class ZmtpReceiver:
    """Reads what one peer sends. `feed` takes bytes as they come, `next` returns the events that they make up.

    Its caller feeds it only when `next` has returned None. Then what it keeps is less than one frame of the largest
    size, its header, and what was fed last.
    """

    __slots__ = ("_buffer", "_frame_limit", "_in_traffic", "_parts", "_parts_limit", "_skip", "_step")

    def __init__(self, frame_limit: int, parts_limit: int) -> None:
        """Expect a greeting.

        Args:
            frame_limit: Bytes of the largest frame.
            parts_limit: The most parts of a message that are skipped before nothing more is read.
        """
        self._frame_limit = frame_limit
        self._parts_limit = parts_limit
        self._buffer = bytearray()
        self._step: Callable[[], Event | None] = self._greeting
        self._in_traffic = False
        """Whether the handshake is done, and nothing was wrong since."""
        self._skip = 0
        """Bytes to come of a part that is skipped."""
        self._parts = 0
        """How many parts of a message of several parts have come."""

    @property
    def kept(self) -> int:
        """How many bytes wait for more."""
        return len(self._buffer)

    def feed(self, data: bytes | memoryview) -> None:
        """Take more bytes."""
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        self._buffer += data

    def take_short(self, data: memoryview) -> bytes | None:
        """Take more bytes if they are one short message, as they mostly are, and return it; else take nothing."""
        if self._in_traffic and not (self._buffer or self._skip or self._parts):
            size = len(data)
            if size > 1 and data[0] == 0 and data[1] == size - 2 <= self._frame_limit:
                return bytes(data[2:])
        return None

    def take_bytes(self, data: memoryview) -> Event | None:
        """Take more bytes and return the first event."""
        self.feed(data)
        return self.next()

    def next(self) -> Event | None:
        """Return the next event; None: more bytes are needed for it. Raises `ZmtpError`, and then returns None."""
        try:
            return self._step()
        except ZmtpError:
            self._end()
            raise

    # The steps: each takes one event off the buffer, or returns None.

    def _greeting(self) -> Event | None:
        came = self._buffer
        if came and (came[0] != GREETING[0] or (len(came) > 9 and not came[9] & 1)):
            raise ZmtpError("the connection does not begin with the signature of ZMTP")
        if len(came) > _VERSION_AT and came[_VERSION_AT] < _MAJOR:
            raise ZmtpError(f"a ZMTP of before version {_MAJOR}")
        if len(came) < len(GREETING):
            return None
        mechanism = bytes(came[_MECHANISM_AT:_MECHANISM_END])
        if mechanism != GREETING[_MECHANISM_AT:_MECHANISM_END]:
            name = mechanism.rstrip(b"\0").decode("ascii", "replace")
            raise ZmtpError(f"the security mechanism {name!r} instead of 'NULL'")
        del came[: len(GREETING)]
        self._step = self._ready
        return self._ready()

    def _ready(self) -> Event | None:
        if self._buffer and not self._buffer[0] & _COMMAND:
            raise ZmtpError("a frame before the command READY")
        body = self._take_command()
        if body is None:
            return None
        name, properties = _split_command(body)
        if name != b"READY":
            raise ZmtpError(f"the command {_printable(name)} instead of READY")
        found = _properties(properties)
        identity = found.get(b"identity", b"")
        if len(identity) > IDENTITY_LIMIT:
            raise ZmtpError(f"a routing id of {len(identity)} bytes (limit {IDENTITY_LIMIT})")
        self._step = self._traffic
        self._in_traffic = True
        return Handshake(found.get(b"socket-type", b"").decode("ascii", "replace"), identity)

    def _traffic(self) -> Event | None:
        while not self._skip:
            if self._buffer and self._buffer[0] & _COMMAND:
                body = self._take_command()
                return None if body is None else _answered(body)
            header = self._header()
            if header is None:
                return None
            flags, begin, size = header
            if size > self._frame_limit:
                self._end()
                return Oversized(size)
            if not flags & _MORE and not self._parts:
                return self._take_frame(begin, begin + size)
            parts = self._skip_part(begin, size, bool(flags & _MORE))
            if parts is not None:
                return parts
        return None

    def _take_frame(self, begin: int, end: int) -> bytes | None:
        buffer = self._buffer
        if len(buffer) < end:
            return None
        frame = bytes(buffer[begin:end])
        del buffer[:end]
        return frame

    def _skip_part(self, begin: int, size: int, more: bool) -> Parts | None:
        """Skip a part of which the header is there. Return the message if it was the last part, or one too many."""
        self._parts += 1
        here = min(len(self._buffer), begin + size)
        self._skip = begin + size - here
        del self._buffer[:here]
        if more and self._parts <= self._parts_limit:
            return None
        parts, self._parts = Parts(self._parts), 0
        if parts.number > self._parts_limit:
            self._end()
        return parts

    def _take_command(self) -> bytes | None:
        """Return the body of the command with which the buffer begins; None: it is not all there."""
        header = self._header()
        if header is None:
            return None
        flags, begin, size = header
        if flags & _MORE:
            raise ZmtpError("a command that claims to have more parts")
        if size > COMMAND_LIMIT:
            raise ZmtpError(f"a command of {size} bytes (limit {COMMAND_LIMIT})")
        return self._take_frame(begin, begin + size)

    def _header(self) -> tuple[int, int, int] | None:
        """Return the flags of the next frame, where its body begins, and how long that is; None: more is needed."""
        buffer = self._buffer
        if not buffer:
            return None
        flags = buffer[0]
        if flags > _MORE | _LONG | _COMMAND:
            raise ZmtpError(f"a frame with the flags {flags:#04x}")
        if flags & _LONG:
            return None if len(buffer) < 9 else (flags, 9, _ANNOUNCED.unpack_from(buffer, 1)[0])
        return None if len(buffer) < 2 else (flags, 2, buffer[1])

    def _end(self) -> None:
        self._buffer = bytearray()
        self._in_traffic = False
        self._step = self._ended

    def _ended(self) -> Event | None:
        self._buffer.clear()
        return None


def message(frame: bytes) -> bytes:
    """Return the bytes that carry a message of one frame."""
    size = len(frame)
    return (bytes((0, size)) if size < 256 else _LONG_HEADER.pack(_LONG, size)) + frame


def command(name: bytes, data: bytes) -> bytes:
    """Return the bytes that carry a command. Name and data together must be shorter than 255 bytes."""
    return bytes((_COMMAND, 1 + len(name) + len(data), len(name))) + name + data


def ready(socket_type: bytes, identity: bytes = b"") -> bytes:
    """Return the command that ends a handshake."""
    named = ((b"Socket-Type", socket_type), (b"Identity", identity))
    data = b"".join(bytes((len(key),)) + key + _PROPERTY.pack(len(value)) + value for key, value in named)
    return command(b"READY", data)


def _split_command(body: bytes) -> tuple[bytes, bytes]:
    """Return the name of a command and its data."""
    end = 1 + body[0] if body else 0
    if not 1 < end <= len(body):
        raise ZmtpError("a command without a name")
    return body[1:end], body[end:]


def _properties(data: bytes) -> dict[bytes, bytes]:
    """Return the properties of a `READY` by their names in small letters."""
    found: dict[bytes, bytes] = {}
    at = 0
    while at < len(data):
        begin = at + 1 + data[at]
        if begin + 4 > len(data):
            raise ZmtpError("a property of READY without a value")
        end = begin + 4 + _PROPERTY.unpack_from(data, begin)[0]
        if end > len(data):
            raise ZmtpError("a property of READY that is longer than the command")
        found[data[at + 1 : begin].lower()] = data[begin + 4 : end]
        at = end
    return found


def _answered(body: bytes) -> Command:
    """Answer a `PING` by a `PONG` with its context; every other command is ignored, as later versions may have more."""
    name, data = _split_command(body)
    if name == b"ERROR":
        raise ZmtpError("the peer reports an error")
    return Command(command(b"PONG", data[2 : 2 + _PING_CONTEXT]) if name == b"PING" else b"")


def _printable(name: bytes) -> str:
    return repr(name[:20].decode("ascii", "replace"))
