"""One connection of a bot: its socket, what was read and not yet handed on, and what the bot has not yet read.

Nothing here waits. Every buffer is bounded: what is read by `arena.referee.zmtp.ZmtpReceiver`, what is sent by
`_UNSENT_LIMIT`. `arena.referee.zmtp_transport.ZmtpTransport` calls these methods when the socket is ready.
"""

from __future__ import annotations

import contextlib
import select
import socket
import time
from typing import Final

from arena.game.faults import FLOOD_FRAMES
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT
from arena.referee import zmtp
from arena.referee.peer import Peer
from arena.referee.time.timer import ShortTimeout
from arena.referee.transport import Address, ReceivedMessage, Refusal
from arena.referee.zmtp import Command, Event, Handshake, Oversized, Parts, ZmtpError, ZmtpReceiver

_UNSENT_LIMIT: Final = 4 * DECIDE_LIMIT
"""Bytes that wait for a bot that does not read; what comes on top is dropped."""
_PIECES: Final = 1024
"""Reads and commands without a message, at most that many at once. A frame takes some ten reads, and a heartbeat one of
each; more are sent only to keep the referee busy."""
_PIECES_PER_SECOND: Final = 1024
"""And so many in each second thereafter."""
_NOT_WAITING: Final = socket.MSG_DONTWAIT | getattr(socket, "MSG_NOSIGNAL", 0)
_HUNG_UP: Final = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)
_LOST: Final = 1.0
"""Seconds after which no timer is waited for that ought to have run out."""
_memory: Final = memoryview(bytearray(1 << 16))
"""What all connections read into, one after the other."""
_NOTHING: Final = memoryview(b"")


class BotConnection:
    """A connection that was accepted. `is_open` and `unsent` change by themselves; then `has_changed` is set."""

    def __init__(self, accepted: socket.socket, endpoint: str, peer: Peer | None) -> None:
        """Read and send nothing yet. `peer`: who made the connection; None: it is closed."""
        self.socket = accepted
        self.endpoint = endpoint
        self.peer = peer
        self.address = Address(endpoint, None)
        """Its routing id is known when the handshake is done."""
        self.is_open = True
        self.has_changed = False
        """Whether a handshake was done, the connection failed, or what is unsent became something or nothing."""
        self.has_more = False
        """Whether `next_message` is to be asked for what was read with the last message."""
        self.is_quick = True
        """Whether the bot answered almost immediately when it was last asked."""
        self.asked_at = 0.0
        """When it was last asked, on the waiting clock."""
        self._receiver = ZmtpReceiver(FRAME_LIMIT, FLOOD_FRAMES)
        self._unsent = bytearray()
        self._is_deaf = False
        """Whether nothing can be sent any more. What the bot sent before is still read."""
        self._pieces = 0.0
        self._pieces_at = time.monotonic()
        self._poll = select.poll()
        self._poll.register(accepted, select.POLLIN)
        self._has_timeout = False

    @property
    def unsent(self) -> int:
        """How many bytes wait for the bot to read."""
        return len(self._unsent)

    @property
    def kept(self) -> int:
        """How many bytes were read and not yet handed on."""
        return self._receiver.kept

    def has_hung_up(self) -> bool:
        """Return whether the other end has closed the connection."""
        if not self.is_open:
            return True
        poll = select.poll()
        poll.register(self.socket, _HUNG_UP)
        return bool(poll.poll(0))

    def wait(self, seconds: float, timeout: ShortTimeout | None) -> bool:
        """Wait for something to read, and return whether there is. `timeout`: one of that many seconds."""
        if timeout is None:
            return bool(self._poll.poll(seconds * 1000))
        if not self._has_timeout:
            self._has_timeout = True
            self._poll.register(timeout.fd, select.POLLIN)
        timeout.begin()
        limit = (seconds + _LOST) * 1000
        # The socket comes first if both are ready.
        while (ready := self._poll.poll(limit)) and ready[0][0] == timeout.fd:
            if timeout.is_over():
                return False
        return bool(ready)

    def greet(self) -> None:
        """Begin the handshake."""
        self._send(zmtp.GREETING)

    def read(self) -> ReceivedMessage | None:
        """Read once, and return a message if one is complete. It is called only when `next_message` returned None."""
        try:
            count = self.socket.recv_into(_memory, 0, socket.MSG_DONTWAIT)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            count = 0
        if count == 0:
            self._fail()
            return None
        data = _memory[:count]
        frame = self._receiver.take_short(data)
        if frame is not None:
            self._pieces = 0.0
            self.has_more = False
            return ReceivedMessage(self.address, frame)
        self.has_more = True
        message = self._message(data)
        return self._too_many_pieces() if message is None else message

    def _too_many_pieces(self) -> ReceivedMessage | None:
        """Count a read or a command without a message, and refuse what comes in too many of them."""
        now = time.monotonic()
        self._pieces = max(0.0, self._pieces - _PIECES_PER_SECOND * (now - self._pieces_at)) + 1
        self._pieces_at = now
        if self._pieces <= _PIECES:
            return None
        return self._refuse("flood", f"more than {_PIECES} pieces of a message, or ZMTP commands, in a second")

    def next_message(self) -> ReceivedMessage | None:
        """Return the next message of what was read. None: more has to be read for it."""
        return self._message(_NOTHING)

    def _message(self, data: memoryview) -> ReceivedMessage | None:
        """Return the next message of what was read before and of these bytes."""
        while True:
            try:
                event = self._receiver.take_bytes(data)
            except ZmtpError as error:
                return self._refuse("malformed", str(error))
            if type(event) is bytes:
                self._pieces = 0.0
                return ReceivedMessage(self.address, event)
            if event is None:
                return None
            data = _NOTHING
            if not isinstance(event, Command):
                self._pieces = 0.0
            message = self._take(event)
            if message is not None:
                return message

    def _take(self, event: Event) -> ReceivedMessage | None:
        """Handle what is no message of one frame."""
        match event:
            case Handshake(socket_type, identity):
                if socket_type != "DEALER":
                    return self._refuse("malformed", f"a socket of type {socket_type[:20]!r} instead of 'DEALER'")
                self.address = Address(self.endpoint, identity)
                self.has_changed = True
                self._send(zmtp.ready(b"ROUTER"))
            case Parts(number):
                refusal = Refusal("malformed", "a message of several frames")
                return ReceivedMessage(self.address, None, number, refusal)
            case Oversized(size):
                return self._refuse("oversize", f"a frame of {size} bytes (limit {FRAME_LIMIT})")
            case Command(answer):
                refused = self._too_many_pieces()
                if refused is not None:
                    return refused
                if answer and len(self._unsent) < FRAME_LIMIT:
                    self._send(answer)
        return None

    def _refuse(self, code: str, text: str) -> ReceivedMessage:
        """Read no more from this connection, and say why; the seat pays by `arena.game.faults`."""
        self._fail()
        return ReceivedMessage(self.address, None, 1, Refusal(code, text))

    def send(self, frame: bytes) -> bool:
        """Send a message, or keep what the bot does not read now. Return False if too much is kept already."""
        if not self.is_open or len(self._unsent) > _UNSENT_LIMIT:
            return False
        self._send(zmtp.message(frame))
        return not self._is_deaf

    def flush(self) -> None:
        """Send more of what was kept."""
        unsent, self._unsent = self._unsent, bytearray()
        self.has_changed = True
        self._send(unsent)

    def close(self) -> None:
        """Close the connection."""
        self.is_open = False
        with contextlib.suppress(OSError):
            self.socket.close()

    def _send(self, data: bytes | bytearray) -> None:
        if self._unsent:
            self._unsent += data
        if self._unsent or self._is_deaf:
            return
        try:
            sent = self.socket.send(data, _NOT_WAITING)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._is_deaf = True
            return
        if sent < len(data):
            self._unsent += data[sent:]
            self.has_changed = True

    def _fail(self) -> None:
        """Note that nothing more can be read or sent; the transport then closes the connection."""
        self.is_open = False
        self.has_changed = True
        self._unsent.clear()
