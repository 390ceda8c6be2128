"""Plays games with bot processes: one loop that waits for answers, watches clocks and asks the next bot."""

from __future__ import annotations

import errno
import logging
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Final

from arena.entrants.shortage import is_shortage
from arena.ledger.records import MatchRecord
from arena.match.faults import FLOOD_CONNECTIONS, FLOOD_FRAMES
from arena.match.match import Match, OnFault, OnStep, void_record
from arena.match.spec import MatchSpec
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT, Malformed, decode, encode, incompatible
from arena.protocol.messages import PROTOCOL, Act, Fault, FromReferee, Hello, ProtocolLimits, Welcome
from arena.referee.config import RefereeConfig, StartReport
from arena.referee.peer import shut_down
from arena.referee.roster import Announce, Roster
from arena.referee.run_queue import RunQueueReading
from arena.referee.session import BotSession, OpenMatch, SessionState, has_room
from arena.referee.trace import MatchTrace, OnMessage
from arena.referee.transport import ReceivedMessage, RouterTransport
from engine.catalog import game

_log = logging.getLogger(__name__)

_DRAIN: Final = 64
"""Frames taken in a row before clocks are looked at again."""


class Referee:
    """The referee of one worker. Bots are started when a game needs them and play on from game to game."""

    def __init__(
        self,
        config: RefereeConfig,
        pin: bool = True,
        announce: Announce | None = None,
        on_message: OnMessage | None = None,
    ) -> None:
        """`pin`: take a core for this referee and its bots if one is free. `overhear`: told what is traced."""
        self._config = config
        self._on_message = on_message
        self._rules = game(config.game)
        self._transport = RouterTransport(any(built.entrant.transport == "tcp" for built in config.bots.values()))
        self._roster = Roster(config, self._transport, pin, announce)
        self._sessions = self._roster.sessions
        self._open_matches: list[OpenMatch] = []
        self._room = True
        """Whether another table might be opened: looked at again when a game ends or a bot is ready."""
        self._opened = 0
        """Games so far."""
        self._records: dict[str, MatchRecord] = {}
        self._failures: dict[str, str] = {}
        self._shortages: dict[str, tuple[int, str]] = {}
        self._last_words = ""
        self._on_step: OnStep | None = None
        self._on_fault: OnFault | None = None

    def play(
        self, specs: Sequence[MatchSpec], on_step: OnStep | None = None, on_fault: OnFault | None = None
    ) -> list[MatchRecord]:
        """Play these games and return their records in the same order.

        `watch` and `on_fault` are called with every step and every fault as it happens.
        """
        self._on_step, self._on_fault = on_step, on_fault
        self._room = True
        waiting = deque(specs)
        while waiting or self._open_matches:
            while self._room and waiting:
                spec = waiting[0]
                self._room = has_room(self._open_matches, spec, [self._sessions[bot] for bot in spec.bots])
                if self._room:
                    self._open(waiting.popleft())
            if self._open_matches:
                self._cycle()
        self._roster.hold_back()
        return [self._records.pop(spec.id) for spec in specs]

    def check(self, name: str) -> StartReport:
        """Start one bot and wait for its `hello`: whether it can take part."""
        session = self._sessions[name]
        self._failures.pop(name, None)
        self._shortages.pop(name, None)
        self._start(session)
        while session.stage is SessionState.STARTING:
            self._cycle()
        hello = session.hello
        if name in self._shortages:
            number, text = self._shortages[name]
            return StartReport(name, False, text, shortage=number)
        if session.stage is SessionState.DOWN or hello is None:
            return StartReport(name, False, self._failures.get(name, ""), hello, self._last_words)
        return StartReport(name, True, "", hello)

    def close(self) -> None:
        """Say `bye` to the bots, end them, and leave nothing behind."""
        try:
            self._roster.close()
        finally:
            self._transport.close()

    def __enter__(self) -> Referee:
        """Itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close."""
        self.close()

    # Opening and ending games

    def _open(self, spec: MatchSpec) -> None:
        sessions = [self._sessions[bot] for bot in spec.bots]
        unlimited = frozenset(seat for seat, session in enumerate(sessions) if session.manual)
        try:
            match = Match(
                self._rules, self._config.edition, spec, self._config.time, unlimited, self._on_step, self._on_fault
            )
            trace = None if self._config.trace is None else MatchTrace(self._config.trace, spec.id, self._on_message)
        except Exception:
            self._records[spec.id] = void_record(spec, traceback.format_exc())
            return
        _log.info("%s begins: %s", spec.id, ", ".join(spec.bots))
        open_match = OpenMatch(match, sessions, trace)
        self._open_matches.append(open_match)
        self._opened += 1
        for seat, session in enumerate(sessions):
            session.seats[spec.id] = (open_match, seat)
            session.last_opened = self._opened
        self._roster.make_room(sum(session.stage is SessionState.DOWN for session in sessions))
        for session in sessions:
            if session.stage is SessionState.DOWN and spec.id in session.seats:
                self._start(session)
        self._go_on(open_match)

    def _start(self, session: BotSession) -> None:
        try:
            self._roster.start(session)
        except (OSError, MemoryError) as error:
            if not is_shortage(error):  # the bot's folder could not be put back as it was
                self._fail(session, "crash", f"could not be started: {error}")
                return
            number = getattr(error, "errno", None) or errno.ENOMEM
            self._lack(session, number, f"no process could be started: {getattr(error, 'strerror', None) or error}")

    def _finish(self, open_match: OpenMatch) -> None:
        self._open_matches.remove(open_match)
        self._room = True
        if open_match.asked is not None:
            # Over for reasons of others: the answer that this bot may be sending is none of its faults.
            asked = open_match.asked
            self._no_longer_waiting(open_match)
            asked.excused[open_match.match.spec.id] = max(0.0, open_match.due - self._transport.waited)
        match = open_match.match
        self._records[match.spec.id] = record = match.record()
        _log.info("%s ends: %s, ranks %s", record.id, record.ending, record.ranks)
        for seat, session in enumerate(open_match.sessions):
            if session.seats.pop(match.spec.id, None) is None:
                continue
            if record.ending != "void" and not open_match.gathering:
                self._send(session, match.end(), open_match, seat)
            if not session.seats:
                self._roster.rest(session)
        if open_match.trace is not None:
            open_match.trace.close()

    # The loop

    def _cycle(self) -> None:
        """Wait for the next thing to happen, and deal with it."""
        due = self._next_due()
        hold_back = self._roster.next_hold_back()
        ready = self._transport.wait_until(due if due < hold_back else hold_back)
        if self._transport.waited >= hold_back:
            self._roster.hold_back()
            for open_match in self._open_matches:
                open_match.look(self._transport.waited)
        if ready.connection:
            self._count_connections()
        if ready.message:
            received = self._roster.receive()
            if received is not None:
                self._take(received)
        if ready.report:
            self._hear_of_ends()
        if self._transport.waited >= due:
            self._drain()
            self._call_time()

    def _next_due(self) -> float:
        """When somebody is late or mute next, on the wire's clock; infinite when nobody can be."""
        due = self._roster.next_mute
        for open_match in self._open_matches:
            if not open_match.gathering and open_match.due < due:
                due = open_match.due
        return due

    def _drain(self) -> None:
        left = _DRAIN
        while left and (received := self._roster.receive()) is not None:
            # Messages of strangers hide no answer that lies behind them.
            left -= not self._take(received)

    def _call_time(self) -> None:
        """Who has not answered by now is late, who has not said hello is mute."""
        now = self._transport.waited
        for session in self._roster.mute():
            self._fail(session, "mute", f"no hello within {self._config.time.start:g} s")
        for open_match in list(self._open_matches):
            if (
                not open_match.gathering
                and not open_match.match.over
                and now >= open_match.due
                and open_match.is_late(now)
            ):
                seat = open_match.match.awaited
                assert seat is not None
                session = open_match.sessions[seat]
                self._no_longer_waiting(open_match)
                stderr = session.stderr()
                self._tell(open_match, seat, partial(open_match.match.late, self._spent(open_match), stderr))

    def _count_connections(self) -> None:
        """Charge each connection to the bot whose process made it, whatever is sent there: ZeroMQ itself drops what is
        far too long, and nobody learns whose it was."""
        for session in self._roster.connected():
            session.connections += 1
            if session.connections > FLOOD_CONNECTIONS:
                self._fail(session, "flood", f"more than {FLOOD_CONNECTIONS} connections between two decisions")

    def _hear_of_ends(self) -> None:
        """Some bot's process has news: its number, or its end."""
        for session, process, ended in self._roster.ended():
            self._drain()  # it may have answered before it ended
            if session.process is not process:
                continue
            if ended.shortage:
                self._lack(session, ended.shortage, ended.reason)
            else:
                early = "" if session.stage is SessionState.READY else " before it said hello"
                self._fail(session, "crash", ended.reason + early)

    # What bots send

    def _take(self, received: ReceivedMessage) -> bool:
        """Deal with a message; whether it took nobody's time."""
        session = self._roster.sender(received)
        if session is not None:
            self._hear(session, received)
            return False
        stranger = self._roster.stranger(received)
        if stranger.owner is not None:
            # Before its hello it may just not have set its token: it is told so.
            is_start = stranger.owner.stage is SessionState.STARTING and stranger.is_mistaken
            self._fail(stranger.owner, "mute" if is_start else "impostor", stranger.text)
        if stranger.owner is not None or stranger.is_ended:
            return True
        if not stranger.is_leftover:
            if received.source is not None:
                shut_down(received.source)
            for open_match in self._open_matches:
                open_match.match.count_stranger()
        return self._transport.pass_over(received)

    def _hear(self, session: BotSession, received: ReceivedMessage) -> None:
        session.frames += received.frames
        frame = received.frame
        if self._config.trace is not None:
            self._trace_received(session, frame or b"")
        if session.frames > FLOOD_FRAMES:
            self._fail(session, "flood", f"more than {FLOOD_FRAMES} frames between two decisions")
        elif frame is None:
            self._malformed(session, "a message of several frames")
        elif len(frame) > FRAME_LIMIT:
            self._fail(session, "oversize", f"a frame of {len(frame)} bytes, allowed are {FRAME_LIMIT}")
        else:
            try:
                message = decode(frame)
            except Malformed as error:
                self._malformed(session, str(error))
                return
            if isinstance(message, Act):
                self._act(session, message)
            else:
                self._hello(session, received.address, message)

    def _hello(self, session: BotSession, address: bytes, hello: Hello) -> None:
        self._roster.move(session, address)
        session.hello = hello
        reason = incompatible(hello)
        if reason is None and hello.games and self._config.game not in hello.games:
            reason = f"does not play {self._config.game}, only {', '.join(hello.games)}"
        if reason is not None:
            self._fail(session, "mute", reason)
            return
        again = session.stage is SessionState.READY
        limits = ProtocolLimits(FRAME_LIMIT, DECIDE_LIMIT, self._config.time.strikes)
        self._send(session, Welcome(PROTOCOL, limits))
        if not again:
            self._roster.ready(session)
            self._room = True
            for open_match in list(self._open_matches):
                if session in open_match.sessions:
                    self._go_on(open_match)
            return
        for open_match, seat in list(session.seats.values()):
            match = open_match.match
            if open_match.gathering:
                continue
            self._send(session, match.start(seat), open_match, seat)
            asked = match.asked(seat)
            if asked is not None:
                self._send(session, asked, open_match, seat)

    def _act(self, session: BotSession, act: Act) -> None:
        if session.stage is not SessionState.READY:
            self._fail(session, "mute", "an act before hello")
            return
        if act.game_id in session.excused:
            self._excuse(session, act.game_id)
            return
        place = session.seats.get(act.game_id)
        if place is None:
            self._stale_elsewhere(session)
            return
        open_match, seat = place
        match = open_match.match
        if open_match.gathering:
            self._tell(open_match, seat, partial(match.fault, seat, "stale", "an answer before the game began"))
            return
        asked = match.asked(seat)
        if asked is not None and asked.turn == act.turn:
            self._no_longer_waiting(open_match)
        try:
            told = match.answer(seat, act, self._spent(open_match))
        except Exception:
            self._void(open_match)
            return
        if told is not None:
            self._send(session, told, open_match, seat)
        self._go_on(open_match)

    def _excuse(self, session: BotSession, game_id: str) -> None:
        """The answer to a game that ended meanwhile: only now the bot can turn to what it was asked since."""
        del session.excused[game_id]
        for open_match in self._open_matches:
            if open_match.asked is session:
                open_match.ask(session, self._transport.waited, self._look(session))

    def _stale_elsewhere(self, session: BotSession) -> None:
        """An answer for a game that this bot does not play: counted in one that it plays."""
        for open_match, seat in session.seats.values():
            self._tell(open_match, seat, partial(open_match.match.fault, seat, "stale", "an answer for another game"))
            return

    def _malformed(self, session: BotSession, text: str) -> None:
        """Charged to the game that waits for this bot, or else to one that it plays."""
        if session.stage is not SessionState.READY:
            self._fail(session, "mute", f"instead of hello: {text}")
            return
        places = sorted(session.seats.values(), key=lambda place: place[0].match.asked(place[1]) is None)
        for open_match, seat in places:
            match = open_match.match
            spent = None
            if match.asked(seat) is not None:
                self._no_longer_waiting(open_match)
                spent = self._spent(open_match)
            self._tell(open_match, seat, partial(match.malformed, seat, text, spent, session.stderr()))
            return

    def _fail(self, session: BotSession, code: str, text: str) -> None:
        """The bot's process is beyond help: its seats retire, it is ended, and started again for a later game."""
        _log.info("%s fails: %s, %s", session.name, code, text)
        stderr = self._last_words = session.stderr()
        self._failures[session.name] = text
        places = list(session.seats.values())
        session.seats.clear()
        for open_match, seat in places:
            self._tell(open_match, seat, partial(open_match.match.fault, seat, code, text, stderr), go_on=False)
        for open_match in self._open_matches:
            if open_match.asked is session:
                open_match.asked = None
        session.waiting = 0
        self._roster.end(session)
        for open_match in [each for each in self._open_matches if session in each.sessions]:
            self._go_on(open_match)

    def _lack(self, session: BotSession, number: int, text: str) -> None:
        """We could not start this bot: nobody is to blame, and its games are lost. `number`: the system's error."""
        _log.warning("%s cannot be started, which is no fault of the bot: %s", session.name, text)
        self._shortages[session.name] = (number, text)
        for open_match, _ in list(session.seats.values()):
            self._void(open_match, f"{session.name}: {text}")
        self._roster.end(session)

    # What bots are sent

    def _go_on(self, open_match: OpenMatch) -> None:
        """Bring a game to the next question, or to its end."""
        if open_match not in self._open_matches:
            return
        match = open_match.match
        try:
            if open_match.gathering and not match.over:
                if any(session.stage is SessionState.STARTING for session in open_match.sessions):
                    return
                open_match.gathering = False
                self._roster.see_off()  # before anybody is asked who would have to share the core with them
                for seat, session in enumerate(open_match.sessions):
                    self._send(session, match.start(seat), open_match, seat)
                    if self._config.time.ponder:
                        self._roster.wake(session)
            awaited = match.awaited
            if awaited is not None:
                if match.asked(awaited) is None:
                    self._ask(open_match, awaited)
                return
        except Exception:
            self._void(open_match)
            return
        self._finish(open_match)

    def _ask(self, open_match: OpenMatch, seat: int) -> None:
        session = open_match.sessions[seat]
        message = open_match.match.decide()
        frame = encode(message)
        if len(frame) > DECIDE_LIMIT:
            raise RuntimeError(f"a decide of {len(frame)} bytes, the protocol allows {DECIDE_LIMIT}")
        session.frames = session.connections = 0
        session.waiting += 1
        look = self._look(session)
        self._roster.wake(session)
        if session.address is not None:
            self._transport.send(session.address, frame)
        open_match.ask(session, self._transport.waited, look)
        if open_match.trace is not None:
            open_match.trace.sent(seat, message)

    def _tell(self, open_match: OpenMatch, seat: int, judge: Callable[[], Fault | None], go_on: bool = True) -> None:
        """Let the table judge something, tell the bot of the fault if it was one, and go on with the game."""
        try:
            told = judge()
        except Exception:
            self._void(open_match)
            return
        if told is not None:
            self._send(open_match.sessions[seat], told, open_match, seat)
        if go_on:
            self._go_on(open_match)

    def _void(self, open_match: OpenMatch, error: str | None = None) -> None:
        """An error of our own, by default the one that is being handled: this game is lost, the others go on."""
        if open_match not in self._open_matches:
            return
        open_match.match.void(error or traceback.format_exc())
        self._finish(open_match)

    def _send(
        self, session: BotSession, message: FromReferee, open_match: OpenMatch | None = None, seat: int = 0
    ) -> None:
        if session.address is None:
            return
        self._roster.send(session, message)
        if open_match is not None and open_match.trace is not None:
            open_match.trace.sent(seat, message)

    def _no_longer_waiting(self, open_match: OpenMatch) -> None:
        """The bot that was asked has answered, or need not answer any more."""
        session, open_match.asked = open_match.asked, None
        if session is None or session.stage is not SessionState.READY:
            return
        session.waiting -= 1
        if session.excused:
            session.excused = dict.fromkeys(session.excused, 0.0)
        if not session.waiting:
            self._roster.rest(session)

    def _spent(self, open_match: OpenMatch) -> float:
        """Seconds that the awaited bot has had: only time in which the referee was waiting counts, less what the bot
        waited for a core."""
        return open_match.spent(self._transport.waited)

    def _look(self, session: BotSession) -> RunQueueReading | None:
        return None if session.queue is None else session.queue.ask(self._transport.waited)

    def _trace_received(self, session: BotSession, frame: bytes) -> None:
        for open_match, seat in session.seats.values():
            if open_match.trace is not None:
                open_match.trace.received(seat, frame)
