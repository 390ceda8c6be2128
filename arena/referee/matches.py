"""The open matches of a referee: what their bots are sent, and what happens to them when a bot fails."""

from __future__ import annotations

import errno
import logging
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from arena.entrants.shortage import is_shortage
from arena.ledger.records import MatchRecord
from arena.match.bot_messages import welcome_message
from arena.match.match import Match, OnFault, OnStep, void_record
from arena.match.spec import MatchSpec
from arena.protocol.codec import DECIDE_LIMIT, encode
from arena.protocol.messages import Act, Fault, FromReferee
from arena.referee.config import RefereeConfig
from arena.referee.open_match import OpenMatch, has_room
from arena.referee.pauses import AnswerTimes
from arena.referee.roster import Roster
from arena.referee.session import BotSession, SessionState
from arena.referee.trace import MatchTrace, OnMessage
from arena.referee.transport import RefereeTransport
from engine.game import Game

_log = logging.getLogger(__name__)


OnThinking = Callable[[MatchSpec, int], object]
"""Called with the seat that is asked for a decision, or for which the match pauses as if it were."""


class Failure(NamedTuple):
    """Why a bot's process was ended."""

    text: str
    stderr: str = ""
    """The last lines of its standard error."""
    shortage: int = 0
    """The system's error number if the referee lacked the resources to start the bot; 0: the bot is to blame."""
    why: str = ""
    """What is behind it, in words, if that is known."""


class OpenMatches:
    """The matches being played, and the records of those that have ended."""

    def __init__(
        self,
        config: RefereeConfig,
        rules: Game,
        roster: Roster,
        transport: RefereeTransport,
        on_message: OnMessage | None,
    ) -> None:
        """Begin without open matches. `on_message` is called with every line of a trace."""
        self._config = config
        self._rules = rules
        self._roster = roster
        self._transport = transport
        self._on_message = on_message
        self._on_step: OnStep | None = None
        self._on_fault: OnFault | None = None
        self._on_thinking: OnThinking | None = None
        self.open: dict[str, OpenMatch] = {}
        """By the id under which bots know the match. Only this class adds and removes matches."""
        self._opened = 0
        self._answer_times = AnswerTimes()
        self._records: dict[str, MatchRecord] = {}
        self.room = True
        """Whether another match might be opened; checked again when a match ends or a bot becomes ready."""
        self.failures: dict[str, Failure] = {}
        """By bot: why it was last ended."""

    def listen(self, on_step: OnStep | None, on_fault: OnFault | None, on_thinking: OnThinking | None) -> None:
        """Set the callbacks for steps, faults and questions of the matches opened from now on."""
        self._on_step, self._on_fault, self._on_thinking = on_step, on_fault, on_thinking
        self.room = True

    def take_record(self, game_id: str) -> MatchRecord:
        """Return and forget the record of a match that has ended."""
        return self._records.pop(game_id)

    def of(self, session: BotSession) -> list[tuple[OpenMatch, int]]:
        """List the matches in which a bot plays, with its seats."""
        return [(self.open[game_id], seat) for game_id, seat in session.seats.items()]

    # Opening and ending

    def open_if_room(self, spec: MatchSpec) -> bool:
        """Open a match unless it must wait for an open one to end, and return whether it was opened."""
        self.room = has_room(self.open.values(), spec, [self._roster.sessions[bot] for bot in spec.bots])
        if self.room:
            self._begin(spec)
        return self.room

    def _begin(self, spec: MatchSpec) -> None:
        config = self._config
        sessions = [self._roster.sessions[bot] for bot in spec.bots]
        unlimited = frozenset(seat for seat, bot in enumerate(spec.bots) if bot in config.unlimited)
        own_time = {seat: config.own_time[bot] for seat, bot in enumerate(spec.bots) if bot in config.own_time}
        try:
            match = Match(
                *(self._rules, config.edition, spec, config.time, unlimited, self._on_step, self._on_fault),
                own_time=own_time,
            )
            trace = None if config.trace is None else MatchTrace(config.trace, spec.id, self._on_message)
        except Exception:
            self._records[spec.id] = void_record(spec, traceback.format_exc())
            return
        _log.info("%s begins: %s", spec.id, ", ".join(spec.bots))
        open_match = OpenMatch(match, sessions, trace, [self._answer_times.is_slow(bot) for bot in spec.bots])
        self.open[match.game_id] = open_match
        self._opened += 1
        for seat, session in enumerate(sessions):
            if seat not in spec.forfeits:
                session.join_match(match.game_id, seat, self._opened)
        down = [each for each in sessions if each.stage is SessionState.DOWN and match.game_id in each.seats]
        self._roster.make_room(len(down))
        for session in down:
            if session.stage is SessionState.DOWN and match.game_id in session.seats:
                self.start(session)
        self.go_on(open_match)

    def _finish(self, open_match: OpenMatch) -> None:
        del self.open[open_match.game_id]
        self.room = True
        match = open_match.match
        asked = open_match.asked
        if asked is not None:
            # The match is over because of others, so the answer that this bot may be sending is not its fault.
            self.no_longer_waiting(open_match)
            asked.excuse(match.game_id, max(0.0, open_match.due - self._transport.waited))
        self._answer_times.match_ended(match.spec.bots, open_match.answer_seconds)
        try:
            record = match.record()
            end = None if record.ending == "void" or open_match.gathering else match.end()
        except Exception:  # a plug-in's ranks, scores or events
            record, end = void_record(match.spec, traceback.format_exc()), None
        self._records[match.spec.id] = record
        _log.info("%s ends: %s, ranks %s", record.id, record.ending, record.ranks)
        for seat, session in enumerate(open_match.sessions):
            if not session.leave(match.game_id):
                continue
            if end is not None:
                self.send(session, end, open_match, seat)
            if not session.seats:
                self._roster.rest(session)
        if open_match.trace is not None:
            open_match.trace.close()

    def leave(self, specs: Iterable[MatchSpec], error: str) -> None:
        """End all matches, and those that were to be opened, without results."""
        for open_match in list(self.open.values()):
            self.void(open_match, error)
        for spec in specs:
            self._records[spec.id] = void_record(spec, error)

    def void(self, open_match: OpenMatch, error: str | None = None) -> None:
        """End a match because of an error of our own, by default the one being handled; the other matches go on."""
        if self.open.get(open_match.game_id) is not open_match:
            return
        open_match.match.void(error or traceback.format_exc())
        self._finish(open_match)

    # Bots that start, and fail

    def start(self, session: BotSession) -> None:
        """Start a bot. If that is impossible, its matches go on without it or are void."""
        try:
            self._roster.start(session)
        except (OSError, MemoryError) as error:
            if not is_shortage(error):  # the bot's folder could not be put back as it was
                self.fail(session, "crash", f"could not be started: {error}")
                return
            number = getattr(error, "errno", None) or errno.ENOMEM
            self.void_for_shortage(
                session, number, f"no process could be started: {getattr(error, 'strerror', None) or error}"
            )

    def welcome(self, session: BotSession) -> None:
        """Answer a `hello`: begin the matches that waited for the bot, or send it the state of its matches again."""
        again = session.stage is SessionState.READY
        self.send(session, welcome_message(self._config.time.strikes))
        if not again:
            self._roster.ready(session)
            self.room = True
            for open_match in list(self.open.values()):
                if session in open_match.sessions:
                    self.go_on(open_match)
            return
        for open_match, seat in self.of(session):
            match = open_match.match
            if open_match.gathering:
                continue
            self.send(session, match.start(seat), open_match, seat)
            asked = match.asked(seat)
            if asked is not None:
                self.send(session, asked, open_match, seat)

    def fail(self, session: BotSession, code: str, text: str, why: str = "") -> None:
        """Retire all seats of a bot whose process cannot go on, and end the process; a later match starts it again.

        Args:
            session: The bot.
            code: The name of the fault.
            text: What happened.
            why: What is behind it, in words, if that is known.
        """
        _log.info("%s fails: %s, %s", session.name, code, text)
        stderr = session.stderr()
        self.failures[session.name] = Failure(text, stderr, why=why)
        text = f"{text}: {why}" if why else text
        places = self.of(session)
        session.leave_all()
        for open_match, seat in places:
            self.judge(open_match, seat, partial(open_match.match.fault, seat, code, text, stderr), go_on=False)
        for open_match in self.open.values():
            if open_match.asked is session:
                open_match.release()
        self._roster.end(session)
        for open_match in [each for each in self.open.values() if session in each.sessions]:
            self.go_on(open_match)

    def void_for_shortage(self, session: BotSession, number: int, text: str) -> None:
        """Void the matches of a bot that we could not start, as no bot is to blame.

        Args:
            session: The bot.
            number: The system's error number.
            text: What happened.
        """
        _log.warning("%s cannot be started, which is no fault of the bot: %s", session.name, text)
        self.failures[session.name] = Failure(text, shortage=number)
        for open_match, _ in self.of(session):
            self.void(open_match, f"{session.name}: {text}")
        self._roster.end(session)

    # What bots are sent

    def go_on(self, open_match: OpenMatch) -> None:
        """Advance a match to the next question, or to its end."""
        if self.open.get(open_match.game_id) is not open_match:
            return
        match = open_match.match
        try:
            if open_match.gathering and not match.over:
                if any(session.stage is SessionState.STARTING for session in open_match.sessions):
                    return
                self._send_starts(open_match)
            awaited = match.awaited
            if awaited is not None and match.asked(awaited) is not None:
                return
            resume_at, now = open_match.resume_at, self._transport.now()
            pauses = not open_match.gathering and open_match.pause(
                self._answer_times, now, self._config.unlimited_pause
            )
            seeming = open_match.take_seeming()
            for seat in seeming:
                self._note_thinking(match.spec, seat)
            if pauses:
                if open_match.resume_at != resume_at:  # as when a bot is asked: what comes meanwhile changes nothing
                    self._roster.keep_awake()
                    if seeming and open_match.is_slow[seeming[-1]]:
                        self._roster.hold_back()
                return
            if awaited is not None:
                self._ask(open_match, awaited, now)
                return
        except Exception:
            self.void(open_match)
            return
        self._finish(open_match)

    def _send_starts(self, open_match: OpenMatch) -> None:
        open_match.begin()
        self._roster.end_leaving()  # before a bot is asked that would have to share the core with them
        for seat, session in enumerate(open_match.sessions):
            self.send(session, open_match.match.start(seat), open_match, seat)
            if self._config.time.ponder:
                self._roster.wake(session)

    def _ask(self, open_match: OpenMatch, seat: int, now: float) -> None:
        match, session, transport = open_match.match, open_match.sessions[seat], self._transport
        self._note_thinking(match.spec, seat)
        open_match.question(seat, now)
        message = match.decide()
        frame = encode(message)
        if len(frame) > DECIDE_LIMIT:
            raise RuntimeError(f"a decide of {len(frame)} bytes, the protocol allows {DECIDE_LIMIT}")
        session.asked()
        is_slow = open_match.is_slow[seat]
        look = session.look(transport.waited, is_slow)
        self._roster.wake(session, is_unread=look is None)
        if (address := session.address) is not None:
            transport.send(address, frame, is_question=True)
        open_match.ask(session, transport.waited, look)
        if is_slow:
            self._roster.hold_back()
        if open_match.trace is not None:
            open_match.trace.sent(seat, message)

    def _note_thinking(self, spec: MatchSpec, seat: int) -> None:
        if self._on_thinking is not None:
            self._on_thinking(spec, seat)

    def ask_anew(self, session: BotSession) -> None:
        """Restart the clocks of a bot in the matches that wait for it, as it can turn to them only now."""
        for open_match in self.open.values():
            if open_match.asked is session:
                open_match.ask(session, self._transport.waited, session.look(self._transport.waited))

    def answer(self, open_match: OpenMatch, seat: int, act: Act) -> None:
        """Let a match judge an answer, and go on with the match."""
        match = open_match.match
        phase, is_awaited = match.phase, match.is_asked(seat, act.turn)
        if is_awaited:
            self.no_longer_waiting(open_match)
        open_match.judged_at = self._transport.now()
        try:
            spent = open_match.spent(self._transport.waited)
            fault = match.answer(seat, act, spent, open_match.sessions[seat].stderr)
        except Exception:
            self.void(open_match)
            return
        if is_awaited:
            # What it waited for a core is part of it: for how long others see nothing.
            seconds = open_match.judged_at - open_match.asked_since
            self._answer_times.add(match.spec.bots[seat], phase, seconds, open_match.answered(seat, seconds))
        if fault is not None:
            self.send(open_match.sessions[seat], fault, open_match, seat)
        self.go_on(open_match)

    def judge(
        self, open_match: OpenMatch, seat: int, judgement: Callable[[], Fault | None], go_on: bool = True
    ) -> None:
        """Let a match judge something, send the bot the resulting fault if there is one, and go on with the match."""
        open_match.judged_at = self._transport.now()
        try:
            fault = judgement()
        except Exception:
            self.void(open_match)
            return
        if fault is not None:
            self.send(open_match.sessions[seat], fault, open_match, seat)
        if go_on:
            self.go_on(open_match)

    def send(
        self, session: BotSession, message: FromReferee, open_match: OpenMatch | None = None, seat: int = 0
    ) -> None:
        """Send a message to a bot if it is connected, and trace it as part of a match."""
        if session.address is None:
            return
        self._roster.send(session, message)
        if open_match is not None and open_match.trace is not None:
            open_match.trace.sent(seat, message)

    # Time

    def resume(self) -> None:
        """Go on with the matches whose pauses are over."""
        now = self._transport.now()
        for open_match in list(self.open.values()):
            if open_match.resume_at is not None and open_match.resume_at <= now:
                self.go_on(open_match)

    def no_longer_waiting(self, open_match: OpenMatch) -> None:
        """Stop waiting for the bot that was asked: it has answered, or need not answer any more."""
        session = open_match.release()
        if session is not None and session.answered():
            self._roster.rest(session)

    def spent(self, open_match: OpenMatch) -> float:
        """Return the seconds that the awaited bot has used.

        Only time in which the referee was waiting counts, minus the time in which the bot waited for a core.
        """
        return open_match.spent(self._transport.waited)
