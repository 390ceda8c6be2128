"""The bot under test at a referee's socket, over the referee's own sessions, one action at a time."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, NoReturn

import msgspec

from arena.check import echo, requirements
from arena.check.cpu_time import SLICE, CpuMeter, WaitMeter, is_machine_busy
from arena.check.report import Failed, Problem, Requirement, Skipped, shown
from arena.entrants import Built, Entrant, ProcessExit
from arena.entrants.shortage import is_shortage
from arena.entrants.start_diagnosis import explain_end
from arena.game.bot_messages import welcome_message
from arena.game.clock import TimeControl
from arena.protocol.codec import encode
from arena.protocol.messages import Act, FromReferee, Hello
from arena.referee.roster import Roster
from arena.referee.session import FrameFault, SessionState
from arena.referee.source import LocalProcess
from arena.referee.transport import ReceivedMessage
from arena.referee.zmtp_transport import ZmtpTransport

BOT: Final = "bot"
ECHO: Final = "echo"
_SHOWN: Final = 2
"""How many of the frames sent are shown."""
_ECHO_SECONDS: Final = 5.0
_BYE_SECONDS: Final = 5.0
"""For a bot to end by itself: the referee waits half a second, but being slower does no harm."""
_LEAST: Final = 1.0
"""A bot is never judged late before this many seconds: shorter times cannot be distinguished from the machine's."""
_PAUSE: Final = 0.05
_MOST_UNKNOWN: Final = 100

Message = FromReferee | Mapping[str, Any]
"""A message of the referee, or one that it might send in a later version."""


class ReceivedFrame(NamedTuple):
    """A frame of the bot, and the referee's judgement of it."""

    frame: bytes | None
    """None: what came was refused."""
    meaning: Hello | Act | FrameFault
    seconds: float = 0.0
    """The bot's own time that it took."""


class CheckSession:
    """One bot. If it ends unexpectedly or sends something wrong, `Failed` is raised."""

    def __init__(self, built: Built, time: TimeControl, game: str = "") -> None:
        """Listen, but start nothing yet.

        Args:
            built: The bot.
            time: The time limits.
            game: The name of the rules that will be played, if they are the only ones.

        Raises:
            OSError: The system lacks the resources.
        """
        self.time = time
        self._transport = ZmtpTransport()
        helper = Entrant(ECHO, self._transport.folder, "python", (sys.executable, str(Path(echo.__file__))), "")
        self._built = built
        bots = {BOT: built, ECHO: Built(helper, self._transport.folder, helper.command)}
        sources = {name: LocalProcess(each, game) for name, each in bots.items()}
        self._roster = Roster(sources, time, self._transport, pin=False, kept=len(sources))
        self._session = self._roster.sessions[BOT]
        self._echo = self._roster.sessions[ECHO]
        self._came: deque[ReceivedFrame] = deque()
        self._sent: deque[bytes] = deque(maxlen=_SHOWN)
        self._meter = CpuMeter()
        self._ended: ProcessExit | None = None
        self._echoes = 0
        self._games = 0
        self.starts: dict[str, Message] = {}
        """The games being played, each with the message that began it."""
        self.open: dict[str, Message] = {}
        """By game: the decision that waits for an answer."""
        self.has_answered = False
        """Whether the bot has answered a decision since it was last started."""
        self.conduct: Requirement | None = None
        """What is being tried: the likely reason if the bot fails silently or ends."""
        self.unknown: list[ReceivedFrame] = []
        """What came under routing ids that are not the bot's token, or from it at another endpoint."""
        self.changed: list[str] = []
        """What the bot's processes changed in its folder, in words."""
        self._earlier_unknown = 0
        """How many of these came before the bot was last started."""

    # Life

    @property
    def is_ready(self) -> bool:
        """Whether the bot runs and has said hello."""
        return self._session.stage is SessionState.READY and self._ended is None

    def launch(self) -> None:
        """Start the bot's process, and at first the process that measures how slow the machine is. Raises `OSError`."""
        self.end()
        if self._echo.process is None:
            self._roster.start(self._echo)
            self._await_echo()
        self._earlier_unknown = len(self.unknown)
        try:
            self._roster.start(self._session)
        except OSError as error:
            if is_shortage(error):
                raise
            self.fail(f"could not be started: {error}", requirements.ENDED)
        self._meter.watch(self._session.process)

    def welcome(self, hello: Hello, message: Message | None = None) -> None:
        """Accept the bot's first `hello`, and answer it."""
        self._session.said_hello(hello)
        self._roster.ready(self._session)
        self.send(message or welcome_message(self.time.strikes))

    def get_ready(self) -> Hello:
        """Return the bot's `hello`, starting the bot if it does not run."""
        if self._ended is not None:
            self.fail(f"its process ended while nothing was asked of it: {self._ended.reason}", requirements.ENDED)
        if not self.is_ready:
            self.launch()
            first = self.receive_first()
            if not isinstance(first.meaning, Hello):
                what = first.meaning.text if isinstance(first.meaning, FrameFault) else "an act before hello"
                self.fail(what, requirements.NOT_HELLO, first)
            self.welcome(first.meaning)
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
        self.has_answered = False
        self._ended = None

    def _look_at_folder(self) -> None:
        if self._built.snapshot is not None:
            try:
                changes = self._built.snapshot.changes()
            except OSError as error:
                changes = [f"changed so that it cannot be compared: {error}"]
            self.changed += [each for each in changes if each not in self.changed]

    def close(self) -> None:
        """End everything and clean up."""
        try:
            self.end()
            self._roster.close()
        finally:
            self._transport.close()

    def __enter__(self) -> CheckSession:
        """Return this session."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close the session."""
        self.close()

    # What is done to the bot

    def new_game(self) -> str:
        """Return an id that no game has had."""
        self._games += 1
        return f"check-{self._games}"

    def send(self, message: Message) -> None:
        """Send a message, and note which games are being played and what they ask."""
        data = message if isinstance(message, Mapping) else msgspec.to_builtins(message)
        kind, game_id = data["type"], str(data.get("game_id"))
        if kind == "decide":
            self.open[game_id] = message
            self._session.asked()
        elif kind in ("start", "end"):
            if kind == "start":
                self.starts[game_id] = message
            else:
                self.starts.pop(game_id, None)
            if self.open.pop(game_id, None) is not None:
                self._session.answered()
                self._session.excuse(game_id, 0.0)
        self._put(message)

    def answered(self, game_id: str) -> None:
        """Note that the bot has answered the open decision of a game."""
        del self.open[game_id]
        self._session.answered()
        self.has_answered = True

    def take_excuse(self, game_id: str) -> bool:
        """Return whether an answer was still expected to a game that ended while the bot was asked; it no longer is."""
        return self._session.take_excuse(game_id) is not None

    def stop(self) -> None:
        """Suspend the bot."""
        if self._session.process is not None:
            self._session.process.stop()

    def go_on(self) -> None:
        """Let the bot run on."""
        if self._session.process is not None:
            self._session.process.resume()

    def pause(self) -> None:
        """Let some time pass, in which a bot that should be suspended would be noticed if it ran."""
        self._wait(_PAUSE)

    def say_bye(self) -> ProcessExit | None:
        """Send `bye`, wait for the bot's end, and return how it ended. None: it did not end."""
        process = self._session.process
        assert process is not None
        self.send({"type": "bye"})
        watch = self._wait_meter()
        while (ended := process.wait(SLICE)) is None and watch.take_reading() < _BYE_SECONDS:
            pass
        return ended

    def memory(self) -> int:
        """Return the bytes of memory that the bot's processes use."""
        return self._meter.memory()

    @property
    def has_flooded_output(self) -> bool:
        """Whether the bot wrote more than the arena keeps since it was started."""
        return self._session.process is not None and self._session.process.is_output_cut

    # What comes from the bot

    def receive(self, allowed: float) -> ReceivedFrame | None:
        """Wait for the bot's next frame. None: it has had `allowed` seconds of its own time."""
        watch = self._wait_meter()
        allowed = max(allowed, _LEAST)
        mistaken = False
        while True:
            self._take_all()
            if self._came:
                return self._came.popleft()._replace(seconds=watch.stop())
            if self._ended is not None:
                self._fail_ended(self._ended)
            if not mistaken and self._session.address is None and len(self.unknown) > self._earlier_unknown:
                mistaken = True
                allowed = min(allowed, watch.take_reading() + _LEAST)  # under a wrong id it waits in vain for an answer
            if watch.take_reading() >= allowed:
                return None
            if watch.wall > 5 * allowed + 20 * SLICE:
                if is_machine_busy():
                    raise Skipped(f"no answer within {watch.wall:.0f} s, but this machine is too busy to blame the bot")
                return None
            if self._wait(SLICE):
                self._handle_ends()

    def _fail_ended(self, ended: ProcessExit) -> NoReturn:
        """Raise `Failed` for a process that ended, with why it did if that is known."""
        requirement, what = requirements.ended(self.conduct), f"its process ended: {ended.reason}"
        has_spoken = self._session.address is not None or self._session.hello is not None
        found = None
        if not has_spoken or ended.code:
            found = explain_end(self._built, ended, self._session.stderr(), self._session.has_connected)
        if found is not None:
            requirement, what = replace(requirement, advice=found.advice), f"{what}: {found.why}"
        self.fail(what, requirement)

    def receive_first(self) -> ReceivedFrame:
        """Wait for the first frame of a bot that was started."""
        came = self.receive(self.time.start)
        if came is None:
            self.fail_if_strange(self._earlier_unknown)
            self.fail(f"nothing came within {self.time.start:g} s of its own time", requirements.NO_HELLO)
        return came

    def fail_if_strange(self, earlier: int = 0) -> None:
        """Raise `Failed` if anything came under routing ids that are no token. `earlier`: how many frames to ignore."""
        for each in self.unknown[earlier:]:
            assert isinstance(each.meaning, FrameFault)
            self.fail(each.meaning.text, requirements.TOKEN, *([each] if each.frame is not None else []))

    def fail(self, what: str, requirement: Requirement, *came: ReceivedFrame) -> NoReturn:
        """Raise `Failed` with what is wrong and what was sent last."""
        frames = tuple(shown(each.frame) for each in came)
        process, stderr = self._session.process, self._session.stderr()
        stdout = "" if stderr or process is None else process.stdout_tail()
        raise Failed(Problem(what, requirement, tuple(map(shown, self._sent)), frames, stderr, stdout))

    def _wait(self, seconds: float) -> bool:
        """Wait for whatever comes, admit connections, and return whether a process has something to report."""
        ready = self._transport.wait_until(self._transport.waited + seconds)
        if ready.connection:
            for session, fault in self._roster.admit():
                if session is self._session and fault.code == "flood":
                    self.fail(fault.text, requirements.FLOOD)
                elif session is self._session:
                    self.unknown.append(ReceivedFrame(None, fault))
        return ready.report

    def _take_all(self) -> None:
        while (received := self._transport.receive()) is not None:
            session = self._roster.senders.bot_at(received.address.endpoint)
            if session is self._echo:
                self._echoes += 1
                self._echo.moved(received.address)
            elif session is self._session:
                fault = self._roster.senders.token_fault(session, received)
                if fault is None:
                    self._take(received)
                    continue
                self.unknown.append(ReceivedFrame(received.frame, fault))
                if len(self.unknown) > _MOST_UNKNOWN:
                    what = f"more than {_MOST_UNKNOWN} messages under other routing ids than its own"
                    self.fail(what, requirements.TOKEN, self.unknown[-1])

    def _take(self, received: ReceivedMessage) -> None:
        came = ReceivedFrame(received.frame, self._session.receive(received))
        meaning = came.meaning
        if isinstance(meaning, FrameFault) and meaning.code == "flood":
            self.fail(meaning.text, requirements.FLOOD, came)
        is_first = self._session.address is None
        if is_first or isinstance(meaning, Hello):
            self._session.moved(received.address)
        if isinstance(meaning, Hello):
            self._session.said_hello(meaning)
        if is_first or not isinstance(meaning, Hello):
            self._came.append(came)
        elif self.is_ready:  # otherwise it said hello again before `welcome`
            self._restate()

    def _restate(self) -> None:
        """Answer a repeated hello with the state of the bot's games."""
        self._put(welcome_message(self.time.strikes))
        for game_id, message in self.starts.items():
            self._put(message)
            if game_id in self.open:
                self._put(self.open[game_id])

    def _put(self, message: Message) -> None:
        frame = msgspec.msgpack.encode(message) if isinstance(message, Mapping) else encode(message)
        self._sent.append(frame)
        if self._session.address is not None:
            self._transport.send(self._session.address, frame)

    def _handle_ends(self) -> None:
        for session, process, ended in self._roster.exits():
            self._transport.forget(process)
            if ended.shortage:
                raise OSError(ended.shortage, ended.reason)
            if session is self._session:
                self._ended = ended
            else:
                self._roster.end(session)

    # How slow the machine is

    def _wait_meter(self) -> WaitMeter:
        return WaitMeter(self._meter, self._delay)

    def _delay(self) -> float:
        """Measure the seconds that an answer takes here without any thinking."""
        address = self._echo.address
        if address is None or not self._transport.send(address, b""):
            return 0.0
        began = time.perf_counter()
        self._await_echo()
        return time.perf_counter() - began

    def _await_echo(self) -> None:
        before, limit = self._echoes, time.perf_counter() + _ECHO_SECONDS
        while self._echoes == before and time.perf_counter() < limit:
            self._wait(SLICE / 10)
            self._take_all()
