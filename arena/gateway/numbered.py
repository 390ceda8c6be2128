"""Number the frames between forwarder and author, and the way in which they travel inside this machine.

A frame is a message between bot and referee, which nobody looks into here. Each end keeps what the other one has not
confirmed, and says it again when a connection has come back. Both are bounded: by `KEPT` frames, and by `MOST_UNSENT`.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

KEPT: Final = 64
"""Frames that are kept for an end that has not confirmed them. A bot that is asked and answers needs two or three."""
MOST_FRAME: Final = (1 << 20) + (1 << 16)
"""Bytes of a frame with what is added to it: the largest `decide` is 1 MiB.

A bot's are at most 64 KiB; what is longer is the referee's to judge, up to this.
"""
MOST_UNSENT: Final = 4 * MOST_FRAME
"""Bytes that wait for somebody inside this machine who does not read."""
_LENGTH: Final = 4
_CHUNK: Final = 1 << 16


class Packet(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A frame on its way, or without a number a question what is missing."""

    run: int
    """Names one process of the author's program."""
    number: int
    """Counts the frames of one direction, from 1. 0: there is none in it."""
    received: int
    """The number of the last frame of the other direction that has come."""
    parts: list[bytes] = []
    """The parts of the message: one, if the bot keeps to the protocol. Without a number: empty if no answer is due."""


_decoder: Final = msgspec.msgpack.Decoder(Packet)
_encode: Final = msgspec.msgpack.Encoder().encode


class NumberedFrames:
    """One end: numbers what is sent, puts in order what comes, and says again what was lost."""

    def __init__(self, run: int | None = None) -> None:
        """Begin. `run`: of the author's program; None: the other end says it, and begins again with each new one."""
        self._follows = run is None
        self._begin(run or 0)

    def _begin(self, run: int) -> None:
        self._run = run
        self._sent = self._received = 0
        self._missed = 0  # frames that came out of order since the last one in order
        self._kept: deque[Packet] = deque(maxlen=KEPT)

    def pack(self, parts: Sequence[bytes]) -> bytes:
        """Return the bytes of a message, and keep it until it is confirmed."""
        self._sent += 1
        packet = Packet(self._run, self._sent, self._received, list(parts))
        self._kept.append(packet)
        return _encode(packet)

    def question(self) -> bytes:
        """Return the bytes that ask for what is missing, after which the other end asks, too."""
        return _encode(Packet(self._run, 0, self._received, [b"?"]))

    def take(self, data: bytes) -> tuple[list[bytes] | None, list[bytes]]:
        """Take what has come. Return the message, if it is the next one, and what is to be sent now.

        Raises `ValueError` for what is no packet.
        """
        try:
            packet = _decoder.decode(data)
        except msgspec.MsgspecError as error:
            raise ValueError(str(error)) from None
        if packet.run != self._run:
            if not self._follows or packet.number:
                return None, []  # of a process that has gone
            self._begin(packet.run)
        while self._kept and self._kept[0].number <= packet.received:
            self._kept.popleft()
        if packet.number == self._received + 1:
            self._received, self._missed = packet.number, 0
            return packet.parts, []
        if not packet.number:
            again = [_encode(each) for each in self._kept]
            return None, [*again, self._state()] if packet.parts else again
        if packet.number > self._received:
            # The first asks, and ever fewer of those that follow: the answer may be lost, too, or only be on its way.
            self._missed += 1
            return None, [] if self._missed & (self._missed - 1) else [self._state()]
        return None, []

    def _state(self) -> bytes:
        return _encode(Packet(self._run, 0, self._received))


class LocalStream:
    """A connection inside this machine, over which pieces go with their lengths. It never waits."""

    def __init__(self, connected: socket.socket) -> None:
        """Take over a connected socket."""
        self.socket = connected
        connected.setblocking(False)
        self._unread = bytearray()
        self._unsent = bytearray()
        self.is_open = True

    def send(self, piece: bytes) -> None:
        """Send a piece, or keep it; what is too much is dropped, as on a connection that is lost."""
        if len(self._unsent) <= MOST_UNSENT:
            self._unsent += len(piece).to_bytes(_LENGTH, "big") + piece
            self.flush()

    def flush(self) -> None:
        """Send what was kept, as far as it goes."""
        try:
            while self._unsent and self.is_open:
                del self._unsent[: self.socket.send(self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.is_open = False

    @property
    def is_full(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self._unsent)

    def pieces(self) -> Iterator[bytes]:
        """Read once, and generate the pieces that are complete. `is_open` says whether more can come."""
        try:
            data = self.socket.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.is_open = self.is_open and bool(data)
        self._unread += data
        while len(self._unread) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._unread[:_LENGTH], "big")
            if end > _LENGTH + MOST_FRAME:
                self.is_open = False
                return
            if len(self._unread) < end:
                return
            piece = bytes(self._unread[_LENGTH:end])
            del self._unread[:end]
            yield piece

    def close(self) -> None:
        """Close the connection."""
        self.is_open = False
        self.socket.close()
