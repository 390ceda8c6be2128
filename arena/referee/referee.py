"""The referee, which plays games with bots: one loop that waits for answers, checks clocks and asks the next bot."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from types import TracebackType
from typing import Final

from arena.game.game import LEFT, OnFault, OnStep
from arena.game.spec import GameSpec
from arena.ledger.records import GameRecord
from arena.referee.config import RefereeConfig, StartReport
from arena.referee.games import Failure, OnThinking, OpenGames
from arena.referee.inbox import Inbox
from arena.referee.roster import Roster
from arena.referee.session import SessionState
from arena.referee.source import Announce, BotSource, ByHand, LocalProcess
from arena.referee.time.timer import Exactness
from arena.referee.trace import OnMessage
from arena.referee.transport import RefereeTransport
from arena.referee.zmtp_transport import ZmtpTransport
from engine import catalog

_LOOK: Final = 0.5
"""Seconds between two looks at whether the games are to end."""
_DRAIN: Final = 64
"""Frames received in a row before clocks are checked again."""


class Referee:
    """The referee of one worker. Bots are started when a game needs them and are reused in later games."""

    def __init__(
        self,
        config: RefereeConfig,
        pin: bool = True,
        announce: Announce | None = None,
        on_message: OnMessage | None = None,
        *,
        transport: RefereeTransport | None = None,
        sources: Mapping[str, BotSource] | None = None,
    ) -> None:
        """Make a referee that has started nothing yet.

        Args:
            config: What all games share.
            pin: Whether to take a core for the referee and its bots if one is free.
            announce: Called with a bot that somebody must start by hand, and again when it has gone.
            on_message: Called with every line of a trace.
            transport: Carries the messages, and is closed with the referee; by default sockets of its own.
            sources: Where further bots come from, by name.

        Raises:
            OSError: The system lacks the resources to listen.
        """
        bots: dict[str, BotSource] = {
            name: LocalProcess(built, config.game, config.trace) for name, built in config.bots.items()
        }
        bots |= {name: ByHand(announce, config.manual_seconds) for name in config.manual}
        bots |= sources or {}
        self._config = config
        self._transport = transport or ZmtpTransport()
        self._roster = Roster(bots, config.time, self._transport, pin, config.kept)
        self._games = OpenGames(config, catalog.rules(config.game), self._roster, self._transport, on_message)
        self._inbox = Inbox(config.game, self._roster, self._games, config.trace is not None)

    def play(
        self,
        specs: Sequence[GameSpec],
        on_step: OnStep | None = None,
        on_fault: OnFault | None = None,
        on_thinking: OnThinking | None = None,
        is_left: Callable[[], bool] | None = None,
    ) -> list[GameRecord]:
        """Play these games.

        Args:
            specs: The games.
            on_step: Called with every step as it happens.
            on_fault: Called with every fault as it happens.
            on_thinking: Called with every seat that is asked, or for which a game pauses as if it were, and how many
                events of the game came before that; None: all so far.
            is_left: Whether the games are to end now, without results. It is called whenever anything comes, and
                every half second; what it raises ends `play`.

        Returns:
            The records, in the order of `specs`.
        """
        self._games.listen(on_step, on_fault, on_thinking)
        games, waiting = self._games, deque(specs)
        while waiting or games.open:
            if is_left is not None and is_left():
                games.leave(waiting, LEFT)
                break
            while waiting and games.room and games.open_if_room(waiting[0]):
                waiting.popleft()
            if games.open:
                self._cycle(inf if is_left is None else _LOOK)
        self._roster.hold_back()
        return [games.records.pop(spec.id) for spec in specs]

    def check(self, name: str) -> StartReport:
        """Start one bot, wait for its `hello`, and report whether it can take part."""
        session = self._roster.sessions[name]
        failures = self._games.failures
        failures.pop(name, None)
        self._games.start(session)
        while session.stage is SessionState.STARTING:
            self._cycle()
        failure = failures.get(name, Failure(""))
        if failure.shortage:
            return StartReport(name, False, failure.text, shortage=failure.shortage)
        if session.stage is SessionState.DOWN or session.hello is None:
            return StartReport(name, False, failure.text, session.hello, failure.stderr, why=failure.why)
        return StartReport(name, True, "", session.hello)

    def close(self) -> None:
        """Send `bye` to the bots, end them, and clean up."""
        try:
            self._roster.close()
        finally:
            self._transport.close()

    def __enter__(self) -> Referee:
        """Return this referee."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close the referee."""
        self.close()

    def _cycle(self, most: float = inf) -> None:
        """Wait for the next thing to happen, at most so many seconds, and handle it."""
        transport = self._transport
        due, exactness = self._next_due()
        hold_back = self._roster.next_hold_back()
        until = min(hold_back, transport.waited + most)
        ready = transport.wait_until(due, exactness) if due < until else transport.wait_until(until)
        message, report, connection, desertion = ready
        waited = transport.waited
        if waited >= hold_back:
            self._roster.hold_back()
            for open_game in self._games.open.values():
                if open_game.asked is not None:
                    open_game.stopwatch.take_reading(waited)
            self._roster.note_readings()
        if connection:
            self._admit()
        if message and (received := transport.receive()) is not None:
            self._inbox.handle_message(received)
        if report:
            self._handle_ends()
        if desertion and (departed := self._roster.departed()):
            self._drain()  # it may have answered before it went
            for session in departed:
                self._roster.note_absence(session)
        if transport.waited >= due:
            self._drain()
            self._check_deadlines()
            self._games.resume()

    def _next_due(self) -> tuple[float, Exactness]:
        """Return when the next bot is late or mute, or a pause ends, and how exactly it is to be waited for.

        It is a time on the waiting clock, infinite if nothing of that can happen.
        """
        due, is_pause, is_free = self._roster.next_mute, False, True
        for open_game in self._games.open.values():
            resume_at = open_game.pauses.resume_at
            if resume_at is not None:
                end = self._transport.waited + (resume_at - self._transport.now())
                if end < due:
                    due, is_pause = end, True
                continue
            is_free = False  # a bot starts or is asked
            if not open_game.gathering and open_game.stopwatch.due < due:
                due, is_pause = open_game.stopwatch.due, False
        if not is_pause:
            return due, Exactness.COARSE
        return due, Exactness.BUSY if is_free else Exactness.TIMER

    def _admit(self) -> None:
        """Admit new connections, and charge the bots that make too many, or one to another bot's endpoint."""
        for session, fault in self._roster.admit():
            if session is not None:
                self._games.fail(session, fault.code, fault.text)
            else:
                for open_game in self._games.open.values():
                    open_game.game.count_unknown_sender()

    def _drain(self) -> None:
        left = _DRAIN
        while left and (received := self._transport.receive()) is not None:
            left -= 1
            self._inbox.handle_message(received)

    def _check_deadlines(self) -> None:
        """Charge the bots that have not answered by now as late, and those that have not said hello as mute."""
        waited, games = self._transport.waited, self._games
        for session, fault in self._roster.mute_bots():
            games.fail(session, fault.code, fault.text)
        for open_game in list(games.open.values()):
            game, stopwatch = open_game.game, open_game.stopwatch
            if not open_game.gathering and not game.over and waited >= stopwatch.due and stopwatch.check_late(waited):
                seat = game.awaited
                assert seat is not None
                session = open_game.sessions[seat]
                self._roster.continue_late(session)
                games.no_longer_waiting(open_game)
                games.judge(open_game, seat, partial(game.late, games.charged(open_game), session.stderr()))

    def _handle_ends(self) -> None:
        """Handle reports about bots' processes: their process ids, or their ends."""
        for session, process, ended in self._roster.exits():
            self._drain()  # it may have answered before it ended
            if session.process is not process:
                continue
            if ended.shortage:
                self._games.void_for_shortage(session, ended.shortage, ended.reason)
            else:
                is_ready, text, why = session.stage is SessionState.READY, ended.reason, ""
                if not is_ready:
                    text += "" if ended.is_unstarted else " before it said hello"
                if not is_ready or ended.code:
                    why = session.source.explain(ended, session.stderr(), session.has_connected)
                self._games.fail(session, "crash", text, why)
