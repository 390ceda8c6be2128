"""The conversation with one bot: how far it has come, what it may send, which matches it plays, and its process.

Everybody else reads a session's properties and calls the method for what happened; nobody else writes its fields.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from arena.match.faults import FLOOD_CONNECTIONS, FLOOD_FRAMES
from arena.protocol.codec import FRAME_LIMIT, Malformed, decode
from arena.protocol.messages import Act, Hello
from arena.referee.run_queue import RunQueue, RunQueueReading
from arena.referee.source import BotSource, RunningBot
from arena.referee.transport import ReceivedMessage

_NEVER: Final = float("inf")


class SessionState(Enum):
    """How far a bot has come."""

    DOWN = "not started"
    STARTING = "started, has not said hello"
    READY = "has said hello"


class FrameFault(NamedTuple):
    """What is wrong with a frame, whatever the match that it was meant for."""

    code: str
    """As in `arena.match.faults`."""
    text: str
    error: str = ""
    """Of a frame that is no message: what the decoder says."""


class BotSession:
    """A bot by name. It is started when a match needs it, and again when it failed in an earlier one."""

    def __init__(self, name: str, source: BotSource) -> None:
        """Nothing is started yet."""
        self.name: Final = name
        self.source: Final = source
        self._stage = SessionState.DOWN
        self._token = ""
        self._process: RunningBot | None = None
        self._queue: RunQueue | None = None
        self._address: bytes | None = None
        self._hello: Hello | None = None
        self._hello_by = _NEVER
        self._frames = 0
        self._connections = 0
        self._seats: dict[str, int] = {}
        self._last_opened = 0
        self._excused: dict[str, float] = {}
        self._waiting = 0

    # What is known of it

    @property
    def stage(self) -> SessionState:
        """How far it has come."""
        return self._stage

    @property
    def token(self) -> str:
        """What its routing ids must begin with in this start."""
        return self._token

    @property
    def process(self) -> RunningBot | None:
        """Its processes; None: it does not run, or somebody else runs it."""
        return self._process

    @property
    def queue(self) -> RunQueue | None:
        """What its processes wait for; None: it is not ready, or has no processes of ours."""
        return self._queue

    @property
    def address(self) -> bytes | None:
        """The routing id that said hello last: where messages for this bot go."""
        return self._address

    @property
    def hello(self) -> Hello | None:
        """What it said of itself, also if that is why it cannot take part; None before that."""
        return self._hello

    @property
    def hello_by(self) -> float:
        """When a bot that is starting is `mute`, on the transport's clock."""
        return self._hello_by

    @property
    def seats(self) -> Mapping[str, int]:
        """By match id: its seat there."""
        return self._seats

    @property
    def last_opened(self) -> int:
        """When its last match was opened, counted in matches of this referee."""
        return self._last_opened

    @property
    def excused(self) -> Mapping[str, float]:
        """Matches that ended while it was asked: an answer may still come. The seconds that it had left for it."""
        return self._excused

    @property
    def excused_seconds(self) -> float:
        """How long answers to matches that have ended may keep it busy."""
        return sum(self._excused.values()) if self._excused else 0.0

    @property
    def waiting(self) -> int:
        """How many of its matches wait for its decision."""
        return self._waiting

    @property
    def parallel(self) -> int:
        """How many matches it plays at once; before its `hello`, one."""
        return 1 if self._hello is None else self._hello.parallel

    @property
    def spare(self) -> bool:
        """Whether it can take one match more."""
        return self._stage is SessionState.READY and len(self._seats) < self.parallel

    def stderr(self) -> str:
        """Return the last lines of what the bot wrote to standard error."""
        return "" if self._process is None else self._process.stderr_tail()

    def look(self, now: float) -> RunQueueReading | None:
        """Read what its processes have had up to now, before it is asked. None: that need not or cannot be known."""
        return None if self._queue is None else self._queue.ask(now)

    # Its start and end

    def starting(self) -> str:
        """Begin a new conversation, and return the token of this start."""
        self._token = secrets.token_hex(16)
        self._stage = SessionState.STARTING
        self._address = None
        self._hello = None
        self._hello_by = _NEVER
        self._frames = self._connections = 0
        self._excused.clear()
        return self._token

    def started(self, process: RunningBot | None, hello_by: float) -> None:
        """Note its processes, and when it is `mute`."""
        self._process = process
        self._hello_by = hello_by

    def said_hello(self, hello: Hello) -> None:
        """Note what it says of itself."""
        self._hello = hello

    def ready(self, queue: RunQueue | None) -> None:
        """Note that it may play: its first `hello` was taken. `queue`: what its processes wait for."""
        self._stage = SessionState.READY
        self._queue = queue

    def moved(self, address: bytes) -> None:
        """Send it everything there from now on."""
        self._address = address

    def detach(self) -> None:
        """End the conversation; the process is left to the caller."""
        self._stage = SessionState.DOWN
        self._address = None
        self._process = None
        self._waiting = 0
        if self._queue is not None:
            self._queue.close()
            self._queue = None

    def end(self, grace: float = 0.0) -> None:
        """End the conversation and the bot's process, if it has one, after `grace` seconds at most."""
        process = self._process
        self.detach()
        if process is not None:
            process.end(grace)

    # What it sends

    def receive(self, received: ReceivedMessage) -> Hello | Act | FrameFault:
        """Count a message and judge its frame: a message of the protocol, or what is wrong with it."""
        self._frames += received.frames
        if self._frames > FLOOD_FRAMES:
            return FrameFault("flood", f"more than {FLOOD_FRAMES} frames between two decisions")
        frame = received.frame
        if frame is None:
            return self._malformed("a message of several frames")
        if len(frame) > FRAME_LIMIT:
            return FrameFault("oversize", f"a frame of {len(frame)} bytes, allowed are {FRAME_LIMIT}")
        try:
            message = decode(frame)
        except Malformed as error:
            return self._malformed(str(error))
        if self._hello is None and isinstance(message, Act):
            return FrameFault("mute", "an act before hello")
        return message

    def _malformed(self, error: str) -> FrameFault:
        if self._hello is None:
            return FrameFault("mute", f"instead of hello: {error}", error)
        return FrameFault("malformed", error, error)

    def connected(self) -> FrameFault | None:
        """Count a connection that its process made. The fault, if that is one too many."""
        self._connections += 1
        if self._connections <= FLOOD_CONNECTIONS:
            return None
        return FrameFault("flood", f"more than {FLOOD_CONNECTIONS} connections between two decisions")

    # Its matches

    def sit(self, game_id: str, seat: int, opened: int) -> None:
        """Note that it plays a match, the one that is the referee's number `opened`."""
        self._seats[game_id] = seat
        self._last_opened = opened

    def leave(self, game_id: str) -> bool:
        """Note that a match is over for it. False: it did not play there any more."""
        return self._seats.pop(game_id, None) is not None

    def leave_all(self) -> None:
        """Note that all its matches are over for it."""
        self._seats.clear()

    def asked(self) -> None:
        """Note that a decision is asked for: what it may send is counted from here."""
        self._frames = self._connections = 0
        self._waiting += 1

    def answered(self) -> bool:
        """Note that a decision is waited for no more: the bot is done with what it was asked in vain before that.

        Returns whether nobody waits for the bot now.
        """
        if self._stage is not SessionState.READY:
            return False
        self._waiting -= 1
        if self._excused:
            self._excused = dict.fromkeys(self._excused, 0.0)
        return not self._waiting

    def excuse(self, game_id: str, seconds: float) -> None:
        """Expect an answer to a match that has ended; `seconds` were left for it."""
        self._excused[game_id] = seconds

    def rest(self) -> None:
        """Keep no files open for a bot that plays no match."""
        if self._queue is not None and not self._seats:
            self._queue.close()

    def take_excuse(self, game_id: str) -> bool:
        """Return whether an answer to that match was still expected; from now on it is not."""
        return self._excused.pop(game_id, None) is not None
