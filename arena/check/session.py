"""The bot under test at a referee's socket: it is started, sent messages and listened to, one thing at a time."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, NoReturn

import msgspec

from arena.check import echo, rules
from arena.check.cpu_time import SLICE, CpuMeter, Stopwatch, is_machine_busy
from arena.check.report import Failed, Problem, Rule, Skipped, shown
from arena.entrants import Built, Entrant, ProcessExit
from arena.entrants.process import LOG_BYTES
from arena.entrants.shortage import is_shortage
from arena.match.clock import TimeControl
from arena.match.faults import FLOOD_CONNECTIONS, FLOOD_FRAMES
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT, Malformed, decode, encode
from arena.protocol.messages import PROTOCOL, FromReferee, Hello, ProtocolLimits, Welcome
from arena.referee.config import RefereeConfig
from arena.referee.roster import Roster
from arena.referee.routing import shown_id
from arena.referee.session import SessionState
from arena.referee.transport import ReceivedMessage, RouterTransport

BOT: Final = "bot"
ECHO: Final = "echo"
_SHOWN: Final = 2
"""Frames that are shown of what was sent."""
_ECHO_SECONDS: Final = 5.0
_BYE_SECONDS: Final = 5.0
"""For a bot to end by itself: the referee waits half a second, but to be slower harms nobody."""
_LEAST: Final = 1.0
"""Nobody is called late before so many seconds: shorter times cannot be told from the machine's."""
_PAUSE: Final = 0.05
_STRANGERS: Final = 100

Message = FromReferee | Mapping[str, Any]
"""A message of the referee, or one that it might send in a later version."""


class ReceivedFrame(NamedTuple):
    """A frame of the bot (None: a message of several parts) and the seconds of its own that it took."""

    frame: bytes | None
    seconds: float


class CheckSession:
    """One bot. Whatever ends it, or comes from it that is no frame, is raised as `Failed`."""

    def __init__(self, built: Built, time: TimeControl) -> None:
        """Nothing is started yet."""
        self.time = time
        self._transport = RouterTransport(tcp=built.entrant.transport == "tcp")
        helper = Entrant(ECHO, self._transport.folder, "python", (sys.executable, str(Path(echo.__file__))), "")
        bots = {BOT: built, ECHO: Built(helper, self._transport.folder, helper.command)}
        self._roster = Roster(RefereeConfig("", {}, time, bots), self._transport, pin=False, announce=None)
        self._session = self._roster.sessions[BOT]
        self._echo = self._roster.sessions[ECHO]
        self._came: deque[bytes | None] = deque()
        self._sent: deque[bytes] = deque(maxlen=_SHOWN)
        self._meter = CpuMeter()
        self._frames = 0
        self._connections = 0
        self._ended: str | None = None
        self._echoes = 0
        self._games = 0
        self.starts: dict[str, Message] = {}
        """The games that are on, with the message that began each."""
        self.open: dict[str, Message] = {}
        """By game: the decision that waits for an answer."""
        self.excused: set[str] = set()
        """Games that ended while they were asked: one answer may still come."""
        self.has_answered = False
        """Whether this start of the bot has answered a decision."""
        self.conduct: Rule | None = None
        """What is being tried: the reason when the bot fails silently or ends."""
        self.strangers: list[ReceivedMessage] = []
        """What came under routing ids that are no token."""
        self.changed: list[str] = []
        """What the bot's processes changed in its folder, in words."""
        self._earlier_strangers = 0
        """How many of them came before the bot was last started."""

    # Life

    @property
    def is_ready(self) -> bool:
        """Whether the bot runs and has said hello."""
        return self._session.stage is SessionState.READY and self._ended is None

    @property
    def hello(self) -> Hello | None:
        """What the bot said of itself."""
        return self._session.hello

    def launch(self) -> None:
        """Start the bot's process, and once the one that tells how slow the machine is. Raises `OSError`."""
        self.end()
        if self._echo.process is None:
            self._roster.start(self._echo)
            self._await_echo()
        self._earlier_strangers = len(self.strangers)
        try:
            self._roster.start(self._session)
        except OSError as error:
            if is_shortage(error):
                raise
            self.fail(f"could not be started: {error}", rules.ENDED)
        self._meter.watch(self._session.process)

    def welcome(self, hello: Hello, message: Message | None = None) -> None:
        """Take the bot's first `hello`, and answer it."""
        self._session.hello = hello
        self._roster.ready(self._session)
        self.send(message or self._welcome())

    def get_ready(self) -> Hello:
        """The bot's `hello`, after starting the bot if it does not run."""
        if self._ended is not None:
            self.fail(f"its process ended while nothing was asked of it: {self._ended}", rules.ENDED)
        if not self.is_ready:
            self.launch()
            first = self.receive_first()
            try:
                hello = decode(first.frame or b"")
            except Malformed as error:
                self.fail(f"instead of hello: {error}", rules.NOT_HELLO, first)
            if not isinstance(hello, Hello):
                self.fail("an act before hello", rules.NOT_HELLO, first)
            self.welcome(hello)
        assert self._session.hello is not None
        return self._session.hello

    def end(self) -> None:
        """End the bot's process, whatever it does."""
        if self._session.process is not None:
            self._roster.end(self._session)
            self._look_at_folder()
        self._meter.watch(None)
        self._came.clear()
        self._sent.clear()
        self.starts.clear()
        self.open.clear()
        self.excused.clear()
        self.has_answered = False
        self._frames = self._connections = 0
        self._ended = None

    def _look_at_folder(self) -> None:
        built = self._session.built
        if built is not None and built.snapshot is not None:
            try:
                changes = built.snapshot.changes()
            except OSError as error:
                changes = [f"changed so that it cannot be compared: {error}"]
            self.changed += [each for each in changes if each not in self.changed]

    def close(self) -> None:
        """End everything and leave nothing behind."""
        try:
            self.end()
            self._roster.close()
        finally:
            self._transport.close()

    def __enter__(self) -> CheckSession:
        """Itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close."""
        self.close()

    # What is done to the bot

    def new_game(self) -> str:
        """An id that no game had."""
        self._games += 1
        return f"check-{self._games}"

    def send(self, message: Message) -> None:
        """Send a message, and keep in mind which games are on and what they ask."""
        data = message if isinstance(message, Mapping) else msgspec.to_builtins(message)
        kind, game_id = data["type"], str(data.get("game_id"))
        if kind == "start":
            self.starts[game_id] = message
            if self.open.pop(game_id, None) is not None:
                self.excused.add(game_id)
        elif kind == "decide":
            self.open[game_id] = message
            self._frames = self._connections = 0
        elif kind == "end":
            self.starts.pop(game_id, None)
            if self.open.pop(game_id, None) is not None:
                self.excused.add(game_id)
        self._put(message)

    def stop(self) -> None:
        """The bot stands still."""
        if self._session.process is not None:
            self._session.process.stop()

    def go_on(self) -> None:
        """It goes on."""
        if self._session.process is not None:
            self._session.process.resume()

    def pause(self) -> None:
        """Let some time pass in which a bot that stands still would be noticed if it did not."""
        self._transport.wait_until(self._transport.waited + _PAUSE)

    def say_bye(self) -> ProcessExit | None:
        """Send `bye` and wait for the bot's end; how it ended, None if it did not."""
        process = self._session.process
        assert process is not None
        self.send({"type": "bye"})
        watch = self._stopwatch()
        while (ended := process.wait(SLICE)) is None and watch.look() < _BYE_SECONDS:
            pass
        return ended

    def memory(self) -> int:
        """Bytes that the bot's processes hold."""
        return self._meter.memory()

    @property
    def output_kept(self) -> int:
        """Bytes of the bot's output that are kept at least."""
        return LOG_BYTES

    @property
    def has_flooded_output(self) -> bool:
        """Whether the bot wrote more than the arena keeps since it was started."""
        return self._session.process is not None and self._session.process.is_output_cut

    # What comes from the bot

    def receive(self, allowed: float) -> ReceivedFrame | None:
        """The bot's next frame; None when it has had `allowed` seconds of its own time."""
        watch = self._stopwatch()
        allowed = max(allowed, _LEAST)
        mistaken = False
        while True:
            self._take_all()
            if self._came:
                return ReceivedFrame(self._came.popleft(), watch.stop())
            if self._ended is not None:
                self.fail(f"its process ended: {self._ended}", rules.ended(self.conduct))
            if not mistaken and self._session.address is None and len(self.strangers) > self._earlier_strangers:
                mistaken = True
                allowed = min(allowed, watch.look() + _LEAST)  # who spoke under a wrong id waits for an answer to it
            if watch.look() >= allowed:
                return None
            if watch.wall > 5 * allowed + 20 * SLICE:
                if is_machine_busy():
                    raise Skipped(f"no answer within {watch.wall:.0f} s, but this machine is too busy to blame the bot")
                return None
            ready = self._transport.wait_until(self._transport.waited + SLICE)
            if ready.connection:
                self._count_connections()
            if ready.report:
                self._hear_of_ends()

    def _count_connections(self) -> None:
        """Raise if the bot makes more of them than it may."""
        self._connections += sum(session is self._session for session in self._roster.connected())
        if self._connections > FLOOD_CONNECTIONS:
            self.fail(f"more than {FLOOD_CONNECTIONS} connections between two decisions", rules.FLOOD)

    def receive_first(self) -> ReceivedFrame:
        """The first frame of a bot that was started."""
        came = self.receive(self.time.start)
        if came is None:
            self.fail_if_strange(self._earlier_strangers)
            self.fail(f"nothing came within {self.time.start:g} s of its own time", rules.NO_HELLO)
        return came

    def fail_if_strange(self, earlier: int = 0) -> None:
        """Raise what came under routing ids that are no token, if anything did beyond so many frames."""
        for stranger in self.strangers[earlier:]:
            what = f"a frame came from routing id {shown_id(stranger.address)}, which is no token"
            self.fail(what, rules.TOKEN, ReceivedFrame(stranger.frame, 0.0))

    def fail(self, what: str, rule: Rule, *came: ReceivedFrame) -> NoReturn:
        """Raise what is wrong, with what was sent last."""
        frames = tuple(shown(each.frame) for each in came)
        process, stderr = self._session.process, self._session.stderr()
        stdout = "" if stderr or process is None else process.stdout_tail()
        raise Failed(Problem(what, rule, tuple(map(shown, self._sent)), frames, stderr, stdout))

    def _take_all(self) -> None:
        while (received := self._roster.receive()) is not None:
            session = self._roster.sender(received)
            if session is self._session:
                self._take(received)
            elif session is self._echo:
                self._echoes += 1
                self._echo.address = received.address
            elif self._is_strange(received):
                self.strangers.append(received)
                if len(self.strangers) > _STRANGERS:
                    what = f"more than {_STRANGERS} messages under other routing ids than its own"
                    self.fail(what, rules.TOKEN, ReceivedFrame(received.frame, 0.0))

    def _is_strange(self, received: ReceivedMessage) -> bool:
        """Whether somebody else spoke. Under the bot's own token it may be a connection that it has closed by now."""
        own = received.address.split(b"/", 1)[0] == self._session.token.encode()
        return not own and not self._roster.stranger(received).is_leftover

    def _take(self, received: ReceivedMessage) -> None:
        self._frames += 1
        if self._frames > FLOOD_FRAMES:
            came = ReceivedFrame(received.frame, 0.0)
            self.fail(f"more than {FLOOD_FRAMES} frames between two decisions", rules.FLOOD, came)
        if self._session.address is None:
            self._roster.move(self._session, received.address)
        elif self._is_hello(received):
            if self.is_ready:
                self._restate(received.address)
            else:
                self._roster.move(self._session, received.address)  # said again before it was welcome
            return
        self._came.append(received.frame)

    def _is_hello(self, received: ReceivedMessage) -> bool:
        try:
            return isinstance(decode(received.frame or b""), Hello)
        except Malformed:
            return False

    def _restate(self, address: bytes) -> None:
        """The bot said hello again: tell it where its games stand."""
        self._roster.move(self._session, address)
        self._put(self._welcome())
        for game_id, message in self.starts.items():
            self._put(message)
            if game_id in self.open:
                self._put(self.open[game_id])

    def _welcome(self) -> Welcome:
        return Welcome(PROTOCOL, ProtocolLimits(FRAME_LIMIT, DECIDE_LIMIT, self.time.strikes))

    def _put(self, message: Message) -> None:
        frame = msgspec.msgpack.encode(message) if isinstance(message, Mapping) else encode(message)
        self._sent.append(frame)
        if self._session.address is not None:
            self._transport.send(self._session.address, frame)

    def _hear_of_ends(self) -> None:
        for session, process, ended in self._roster.ended():
            self._transport.forget(process)
            if ended.shortage:
                raise OSError(ended.shortage, ended.reason)
            if session is self._session:
                self._ended = ended.reason
            else:
                session.address = None

    # How slow the machine is

    def _stopwatch(self) -> Stopwatch:
        return Stopwatch(self._meter, self._delay)

    def _delay(self) -> float:
        """Seconds that an answer takes here without any thinking."""
        address = self._echo.address
        if address is None or not self._transport.send(address, b""):
            return 0.0
        began = time.perf_counter()
        self._await_echo()
        return time.perf_counter() - began

    def _await_echo(self) -> None:
        before, limit = self._echoes, time.perf_counter() + _ECHO_SECONDS
        while self._echoes == before and time.perf_counter() < limit:
            self._transport.wait_until(self._transport.waited + SLICE / 10)
            self._take_all()
