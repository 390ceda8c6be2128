"""The open games of a referee: what their bots are sent, and what happens to them when a bot fails."""

from __future__ import annotations

import errno
import logging
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from arena.entrants.shortage import is_shortage
from arena.game.bot_messages import welcome_message
from arena.game.game import Game, OnFault, OnStep, void_record
from arena.game.spec import GameSpec
from arena.ledger.records import GameRecord
from arena.protocol.codec import DECIDE_LIMIT, encode
from arena.protocol.messages import Act, Fault, FromReferee
from arena.referee.config import RefereeConfig
from arena.referee.open_game import OpenGame, has_room
from arena.referee.roster import Roster
from arena.referee.session import BotSession, SessionState
from arena.referee.time.pause_lengths import AnswerTimes
from arena.referee.trace import GameTrace, OnMessage
from arena.referee.transport import RefereeTransport
from engine.rules import Rules

_log = logging.getLogger(__name__)


OnThinking = Callable[[GameSpec, int, int | None], object]
"""Called with the seat that is asked for a decision, or for which the game pauses as if it were."""


class Failure(NamedTuple):
    """Why a bot's process was ended."""

    text: str
    stderr: str = ""
    """The last lines of its standard error."""
    shortage: int = 0
    """The system's error number if the referee lacked the resources to start the bot; 0: the bot is to blame."""
    why: str = ""
    """What is behind it, in words, if that is known."""


class OpenGames:
    """The games being played, and the records of those that have ended."""

    def __init__(
        self,
        config: RefereeConfig,
        rules: Rules,
        roster: Roster,
        transport: RefereeTransport,
        on_message: OnMessage | None,
    ) -> None:
        """Begin without open games. `on_message` is called with every line of a trace."""
        self._config = config
        self._rules = rules
        self._roster = roster
        self._transport = transport
        self._on_message = on_message
        self._on_step: OnStep | None = None
        self._on_fault: OnFault | None = None
        self._on_thinking: OnThinking | None = None
        self.open: dict[str, OpenGame] = {}
        """By the id under which bots know the game. Only this class adds and removes games."""
        self._opened = 0
        self._answer_times = AnswerTimes()
        self.records: dict[str, GameRecord] = {}
        """By id: those of games that have ended and were not taken yet."""
        self.room = True
        """Whether another game might be opened; checked again when a game ends or a bot becomes ready."""
        self.failures: dict[str, Failure] = {}
        """By bot: why it was last ended."""

    def listen(self, on_step: OnStep | None, on_fault: OnFault | None, on_thinking: OnThinking | None) -> None:
        """Set the callbacks for steps, faults and questions of the games opened from now on."""
        self._on_step, self._on_fault, self._on_thinking = on_step, on_fault, on_thinking
        self.room = True

    def of(self, session: BotSession) -> list[tuple[OpenGame, int]]:
        """List the games in which a bot plays, with its seats."""
        return [(self.open[game_id], seat) for game_id, seat in session.seats.items()]

    # Opening and ending

    def open_if_room(self, spec: GameSpec) -> bool:
        """Open a game unless it must wait for an open one to end, and return whether it was opened."""
        self.room = has_room(self.open.values(), spec, self._roster.seated(spec.bots))
        if self.room:
            self._begin(spec)
        return self.room

    def _begin(self, spec: GameSpec) -> None:
        config = self._config
        sessions = self._roster.seated(spec.bots)
        unlimited = frozenset(seat for seat, bot in enumerate(spec.bots) if bot in config.unlimited)
        own_time = {seat: config.own_time[bot] for seat, bot in enumerate(spec.bots) if bot in config.own_time}
        try:
            game = Game(
                *(self._rules, config.edition, spec, config.time, unlimited, self._on_step, self._on_fault),
                own_time=own_time,
            )
            trace = None if config.trace is None else GameTrace(config.trace, spec.id, self._on_message)
        except Exception:
            self.records[spec.id] = void_record(spec, traceback.format_exc())
            return
        _log.info("%s begins: %s", spec.id, ", ".join(spec.bots))
        open_game = OpenGame(game, sessions, trace, [self._answer_times.is_slow(bot) for bot in spec.bots])
        self.open[game.game_id] = open_game
        self._opened += 1
        if spec.is_fresh:
            self._roster.end_played(sessions)
        for seat, session in enumerate(sessions):
            if seat not in spec.forfeits:
                session.join_game(game.game_id, seat, self._opened)
        down = [each for each in sessions if each.stage is SessionState.DOWN and game.game_id in each.seats]
        self._roster.make_room(len(down))
        for session in down:
            if session.stage is SessionState.DOWN and game.game_id in session.seats:
                self.start(session)
        self.go_on(open_game)

    def _finish(self, open_game: OpenGame) -> None:
        del self.open[open_game.game_id]
        self.room = True
        game = open_game.game
        asked = open_game.asked
        if asked is not None:
            # The game is over because of others, so the answer that this bot may be sending is not its fault.
            left = open_game.stopwatch.left(self._transport.waited)
            self.no_longer_waiting(open_game)
            asked.excuse(game.game_id, left)
        self._answer_times.game_ended(game.spec.bots, open_game.pauses.answer_seconds)
        try:
            record = game.record()
            end = None if record.ending == "void" or open_game.gathering else game.end()
        except Exception:  # a plug-in's ranks, scores or events
            record, end = void_record(game.spec, traceback.format_exc()), None
        self.records[game.spec.id] = record
        _log.info("%s ends: %s, ranks %s", record.id, record.ending, record.ranks)
        for seat, session in enumerate(open_game.sessions):
            if not session.leave(game.game_id):
                continue
            if end is not None:
                self.send(session, end, open_game, seat)
            if not session.seats:
                self._roster.rest(session)
        if open_game.trace is not None:
            open_game.trace.close()

    def leave(self, specs: Iterable[GameSpec], error: str) -> None:
        """End all games, and those that were to be opened, without results."""
        for open_game in list(self.open.values()):
            self.void(open_game, error)
        for spec in specs:
            self.records[spec.id] = void_record(spec, error)

    def void(self, open_game: OpenGame, error: str | None = None) -> None:
        """End a game because of an error of our own, by default the one being handled; the other games go on."""
        if self.open.get(open_game.game_id) is not open_game:
            return
        open_game.game.void(error or traceback.format_exc())
        self._finish(open_game)

    # Bots that start, and fail

    def start(self, session: BotSession) -> None:
        """Start a bot. If that is impossible, its games go on without it or are void."""
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
        """Answer a `hello`: begin the games that waited for the bot, or send it the state of its games again."""
        again = session.stage is SessionState.READY
        self.send(session, welcome_message(self._config.time.strikes))
        if not again:
            self._roster.ready(session)
            self.room = True
            for open_game in list(self.open.values()):
                if session in open_game.sessions:
                    self.go_on(open_game)
            return
        for open_game, seat in self.of(session):
            game = open_game.game
            if open_game.gathering:
                continue
            self.send(session, game.start(seat), open_game, seat)
            asked = game.asked(seat)
            if asked is not None:
                self.send(session, asked, open_game, seat)

    def fail(self, session: BotSession, code: str, text: str, why: str = "") -> None:
        """Retire all seats of a bot whose process cannot go on, and end the process; a later game starts it again.

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
        for open_game, seat in places:
            self.judge(open_game, seat, partial(open_game.game.fault, seat, code, text, stderr), go_on=False)
        for open_game in self.open.values():
            if open_game.asked is session:
                open_game.release()
        self._roster.end(session)
        for open_game in [each for each in self.open.values() if session in each.sessions]:
            self.go_on(open_game)

    def void_for_shortage(self, session: BotSession, number: int, text: str) -> None:
        """Void the games of a bot that we could not start, as no bot is to blame.

        Args:
            session: The bot.
            number: The system's error number.
            text: What happened.
        """
        _log.warning("%s cannot be started, which is no fault of the bot: %s", session.name, text)
        self.failures[session.name] = Failure(text, shortage=number)
        for open_game, _ in self.of(session):
            self.void(open_game, f"{session.name}: {text}")
        self._roster.end(session)

    # What bots are sent

    def go_on(self, open_game: OpenGame) -> None:
        """Advance a game to the next question, or to its end."""
        if self.open.get(open_game.game_id) is not open_game:
            return
        game = open_game.game
        try:
            if open_game.gathering and not game.over:
                if any(session.stage is SessionState.STARTING for session in open_game.sessions):
                    return
                self._send_starts(open_game)
            awaited = game.awaited
            if awaited is not None and game.asked(awaited) is not None:
                return
            pauses, now = open_game.pauses, self._transport.now()
            resume_at = pauses.resume_at
            is_paused = not open_game.gathering and pauses.pause(self._answer_times, now, self._config.unlimited_pause)
            seeming = pauses.take_seeming()
            for move in seeming:
                self._note_thinking(game.spec, move.seat, move.events)
            if is_paused:
                if pauses.resume_at != resume_at:  # as when a bot is asked: what comes meanwhile changes nothing
                    self._roster.keep_awake()
                    if seeming and pauses.is_slow[seeming[-1].seat]:
                        self._roster.hold_back()
                return
            if awaited is not None:
                self._ask(open_game, awaited, now)
                return
        except Exception:
            self.void(open_game)
            return
        self._finish(open_game)

    def _send_starts(self, open_game: OpenGame) -> None:
        open_game.gathering = False
        self._roster.end_leaving()  # before a bot is asked that would have to share the core with them
        for seat, session in enumerate(open_game.sessions):
            self.send(session, open_game.game.start(seat), open_game, seat)
            if self._config.time.ponder:
                self._roster.wake(session)

    def _ask(self, open_game: OpenGame, seat: int, now: float) -> None:
        game, session, transport = open_game.game, open_game.sessions[seat], self._transport
        self._note_thinking(game.spec, seat)
        open_game.pauses.asked(seat, now)
        message = game.decide()
        frame = encode(message)
        if len(frame) > DECIDE_LIMIT:
            raise RuntimeError(f"a decide of {len(frame)} bytes, the protocol allows {DECIDE_LIMIT}")
        session.asked()
        is_slow = open_game.pauses.is_slow[seat]
        reading = session.take_reading(transport.waited, is_slow)
        self._roster.wake(session, is_unread=reading is None)
        if (address := session.address) is not None:
            transport.send(address, frame, is_question=True)
        open_game.ask(session, transport.waited, reading)
        if is_slow:
            self._roster.hold_back()
        if open_game.trace is not None:
            open_game.trace.sent(seat, message)

    def _note_thinking(self, spec: GameSpec, seat: int, events: int | None = None) -> None:
        if self._on_thinking is not None:
            self._on_thinking(spec, seat, events)

    def ask_anew(self, session: BotSession) -> None:
        """Restart the clocks of a bot in the games that wait for it, as it can turn to them only now."""
        for open_game in self.open.values():
            if open_game.asked is session:
                waited = self._transport.waited
                open_game.ask(session, waited, session.take_reading(waited))

    def answer(self, open_game: OpenGame, seat: int, act: Act) -> None:
        """Let a game judge an answer, and go on with the game."""
        game = open_game.game
        phase, is_awaited = game.phase, game.is_asked(seat, act.turn)
        if is_awaited:
            self.no_longer_waiting(open_game)

        def judgement() -> Fault | None:
            fault = game.answer(seat, act, self.charged(open_game), open_game.sessions[seat].stderr)
            if is_awaited:
                pauses = open_game.pauses
                # What it waited for a core is part of it: for how long others see nothing.
                seconds = pauses.judged_at - pauses.asked_at
                self._answer_times.add(game.spec.bots[seat], phase, seconds, pauses.answered(seat, seconds))
            return fault

        self.judge(open_game, seat, judgement)

    def judge(self, open_game: OpenGame, seat: int, judgement: Callable[[], Fault | None], go_on: bool = True) -> None:
        """Let a game judge something, send the bot the resulting fault if there is one, and go on with the game."""
        open_game.pauses.judged_at = self._transport.now()
        try:
            fault = judgement()
        except Exception:
            self.void(open_game)
            return
        if fault is not None:
            self.send(open_game.sessions[seat], fault, open_game, seat)
        if go_on:
            self.go_on(open_game)

    def send(self, session: BotSession, message: FromReferee, open_game: OpenGame | None = None, seat: int = 0) -> None:
        """Send a message to a bot if it is connected, and trace it as part of a game."""
        if session.address is None:
            return
        self._roster.send(session, message)
        if open_game is not None and open_game.trace is not None:
            open_game.trace.sent(seat, message)

    # Time

    def resume(self) -> None:
        """Go on with the games whose pauses are over."""
        now = self._transport.now()
        for open_game in list(self.open.values()):
            resume_at = open_game.pauses.resume_at
            if resume_at is not None and resume_at <= now:
                self.go_on(open_game)

    def no_longer_waiting(self, open_game: OpenGame) -> None:
        """Stop waiting for the bot that was asked: it has answered, or need not answer any more."""
        session = open_game.release()
        if session is not None and session.answered():
            self._roster.rest(session)

    def charged(self, open_game: OpenGame) -> float:
        """Return the seconds that the bot that was asked last is charged by now (`arena.referee.time.stopwatch`)."""
        return open_game.stopwatch.charged(self._transport.waited)
