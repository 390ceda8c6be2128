"""The conversation with one bot: how far it is, what the bot may send, which games it plays, and its process.

Other classes read a session's fields and call the method for what happened; only the session writes its fields.
"""

from __future__ import annotations

import secrets
from enum import Enum
from typing import Final, NamedTuple

from arena.game.faults import FLOOD_CONNECTIONS, FLOOD_FRAMES
from arena.protocol.codec import Malformed, decode
from arena.protocol.messages import Act, Hello
from arena.referee.source import BotSource, LocalProcess, RunningBot
from arena.referee.time.run_queue import RunQueue, RunQueueReading
from arena.referee.transport import Address, ReceivedMessage

_NEVER: Final = float("inf")


class SessionState(Enum):
    """How far a bot has come."""

    DOWN = "not started"
    STARTING = "started, has not said hello"
    READY = "has said hello"


class FrameFault(NamedTuple):
    """What is wrong with a frame, regardless of its game."""

    code: str
    """As in `arena.game.faults`."""
    text: str
    error: str = ""
    """For a frame that is no message: the decoder's error."""


class BotSession:
    """One bot, or one of its seats in a team. It is started when a game needs it, and again if it failed earlier."""

    def __init__(self, name: str, source: BotSource) -> None:
        """Start nothing yet."""
        self.name: Final = name
        self.source: Final = source
        self.stage = SessionState.DOWN
        """How far it is."""
        self.token = ""
        """What its routing ids must begin with in this start."""
        self.endpoint: str | None = None
        """Where it connects in this start; None: it is not started."""
        self.process: RunningBot | None = None
        """Its processes; None: it does not run, or was not started by us."""
        self.queue: RunQueue | None = None
        """How long its processes wait for a core; None: it is not ready, or has no processes of ours."""
        self.address: Address | None = None
        """The endpoint, and the routing id of the last hello, to which messages for this bot are sent."""
        self.hello: Hello | None = None
        """Its `hello`, even if that is the reason why it cannot take part; None before it."""
        self.hello_by = _NEVER
        """When a starting bot becomes `mute`, on the waiting clock."""
        self._frames = 0
        self._connections = 0
        self.seats: dict[str, int] = {}
        """By the id under which it knows a game: its seat there."""
        self.has_played = False
        """Whether its process, as it runs now, has been in a game that is over."""
        self.last_opened = 0
        """When its last game was opened, counted in games of this referee."""
        self.excused: dict[str, float] = {}
        """Games that ended while it was asked, with the seconds that it had left: an answer may still come."""
        self.waiting = 0
        """How many of its games wait for its decision."""

    @property
    def has_connected(self) -> bool:
        """Whether its process has connected since it was started, or last asked."""
        return self._connections > 0

    @property
    def excused_seconds(self) -> float:
        """How long answers to ended games may keep it busy."""
        return sum(self.excused.values()) if self.excused else 0.0

    @property
    def parallel(self) -> int:
        """How many games it plays at once; one before its `hello`."""
        return 1 if self.hello is None else self.hello.parallel

    @property
    def spare(self) -> bool:
        """Whether it can take another game."""
        return self.stage is SessionState.READY and len(self.seats) < self.parallel

    def stderr(self) -> str:
        """Return the last lines that the bot wrote to standard error."""
        return "" if self.process is None else self.process.stderr_tail()

    def take_reading(self, waited: float, is_slow: bool = False) -> RunQueueReading | None:
        """Take a reading of its processes before it is asked. None: it is not needed or not possible.

        `is_slow`: whether no other reading is taken when the answer has not come at once.
        """
        if self.queue is None:
            return None
        return self.queue.take_reading(waited) if is_slow else self.queue.reading_before_question(waited)

    def latency(self) -> float:
        """Return the seconds of a decision that are not charged, as the bot is elsewhere."""
        return self.source.latency() if isinstance(self.source, LocalProcess) else 0.0

    # Its start and end

    def starting(self, endpoint: str) -> str:
        """Begin a new conversation at an endpoint of its own, and return the token of this start."""
        self.token = secrets.token_hex(16)
        self.endpoint = endpoint
        self.stage = SessionState.STARTING
        self.address = None
        self.hello = None
        self.hello_by = _NEVER
        self._frames = self._connections = 0
        self.has_played = False
        self.excused.clear()
        return self.token

    def started(self, process: RunningBot | None, hello_by: float) -> None:
        """Note its processes, and when it becomes `mute`."""
        self.process = process
        self.hello_by = hello_by

    def said_hello(self, hello: Hello) -> None:
        """Note what its `hello` says."""
        self.hello = hello

    def ready(self, queue: RunQueue | None) -> None:
        """Note that it may play: its first `hello` was accepted. `queue`: how long its processes wait for a core."""
        self.stage = SessionState.READY
        self.queue = queue

    def moved(self, address: Address) -> None:
        """Send everything to this routing id from now on."""
        self.address = address

    def detach(self) -> None:
        """End the conversation without ending the process."""
        self.stage = SessionState.DOWN
        self.endpoint = None
        self.address = None
        self.process = None
        self.waiting = 0
        if self.queue is not None:
            self.queue.close()
            self.queue = None

    def end(self, grace: float = 0.0) -> None:
        """End the conversation and the bot's process, if it has one, after at most `grace` seconds."""
        process = self.process
        self.detach()
        if process is not None:
            process.end(grace)

    # What it sends

    def receive(self, received: ReceivedMessage) -> Hello | Act | FrameFault:
        """Count a message and decode its frame: return a message of the protocol, or what is wrong with it."""
        self._frames += received.frames
        if self._frames > FLOOD_FRAMES:
            return FrameFault("flood", f"more than {FLOOD_FRAMES} frames between two decisions")
        if received.refusal is not None:
            code, text = received.refusal
            return self._malformed(text) if code == "malformed" else FrameFault(code, text)
        assert received.frame is not None
        try:
            message = decode(received.frame)
        except Malformed as error:
            return self._malformed(str(error))
        if self.hello is None and isinstance(message, Act):
            return FrameFault("mute", "an act before hello")
        return message

    def _malformed(self, error: str) -> FrameFault:
        if self.hello is None:
            return FrameFault("mute", f"instead of hello: {error}", error)
        return FrameFault("malformed", error, error)

    def connected(self, at_once: int) -> FrameFault | None:
        """Count a connection made by its process, and return the fault if there are too many.

        `at_once`: how many are open now, with those of earlier decisions.
        """
        self._connections += 1
        if self._connections > FLOOD_CONNECTIONS:
            return FrameFault("flood", f"more than {FLOOD_CONNECTIONS} connections between two decisions")
        if at_once > FLOOD_CONNECTIONS:
            return FrameFault("flood", f"more than {FLOOD_CONNECTIONS} connections at once")
        return None

    # Its games

    def join_game(self, game_id: str, seat: int, opened: int) -> None:
        """Note that it plays a game. `opened`: the game's number, counted in games of this referee."""
        self.seats[game_id] = seat
        self.last_opened = opened
        if self.process is not None:
            self.process.begin_game()

    def leave(self, game_id: str) -> bool:
        """Note that a game is over for it. Return whether it still played in it."""
        self.has_played = True
        return self.seats.pop(game_id, None) is not None

    def leave_all(self) -> None:
        """Note that all its games are over for it."""
        self.seats.clear()

    def asked(self) -> None:
        """Note that it is asked for a decision: frames and connections are counted from here."""
        self._frames = self._connections = 0
        self.waiting += 1

    def answered(self) -> bool:
        """Note that a decision is no longer waited for, so the bot is done with earlier questions of ended games too.

        Returns:
            Whether no game waits for the bot now.
        """
        if self.stage is not SessionState.READY:
            return False
        self.waiting -= 1
        if self.excused:
            self.excused = dict.fromkeys(self.excused, 0.0)
        return not self.waiting

    def excuse(self, game_id: str, seconds: float) -> None:
        """Expect an answer to a game that has ended. `seconds`: the time that was left for it."""
        self.excused[game_id] = seconds

    def rest(self) -> None:
        """Close the files of a bot that plays no game."""
        if self.queue is not None and not self.seats:
            self.queue.close()

    def take_excuse(self, game_id: str) -> float | None:
        """Return the seconds that were left for an answer to an ended game, and expect it no longer.

        Return 0 if the bot has answered something else since, and None if no such answer was expected.
        """
        return self.excused.pop(game_id, None)
