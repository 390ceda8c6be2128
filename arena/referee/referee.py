"""Plays matches with bots: one loop that waits for answers, watches clocks and asks the next bot."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Final

from arena.ledger.records import MatchRecord
from arena.match.match import OnFault, OnStep
from arena.match.spec import MatchSpec
from arena.referee.config import RefereeConfig, StartReport
from arena.referee.inbox import Inbox
from arena.referee.matches import Failure, OpenMatches
from arena.referee.roster import Roster
from arena.referee.session import SessionState
from arena.referee.source import Announce, BotSource, ByHand, LocalProcess
from arena.referee.trace import OnMessage
from arena.referee.transport import RefereeTransport
from arena.referee.zeromq_transport import RouterTransport
from engine.catalog import game

_DRAIN: Final = 64
"""Frames taken in a row before clocks are looked at again."""


class Referee:
    """The referee of one worker. Bots are started when a match needs them and play on from match to match."""

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
            config: what all matches have in common.
            pin: whether to take a core for the referee and its bots if one is free.
            announce: called with name, endpoint and token of a bot that somebody has to start by hand.
            on_message: called with every line of a trace.
            transport: carries the messages, and is closed with the referee; by default a ZeroMQ socket of its own.
            sources: where further bots come from, by name.

        Raises:
            OSError: the system has not what listening takes.
        """
        bots: dict[str, BotSource] = {name: LocalProcess(built) for name, built in config.bots.items()}
        bots |= {name: ByHand(announce) for name in config.manual}
        bots |= sources or {}
        self._config = config
        self._transport = transport or RouterTransport(any(source.transport == "tcp" for source in bots.values()))
        self._roster = Roster(bots, config.time, self._transport, pin, config.kept)
        self._matches = OpenMatches(config, game(config.game), self._roster, self._transport, on_message)
        self._inbox = Inbox(config.game, self._roster, self._matches, self._transport, config.trace is not None)

    def play(
        self, specs: Sequence[MatchSpec], on_step: OnStep | None = None, on_fault: OnFault | None = None
    ) -> list[MatchRecord]:
        """Play these matches and return their records in the same order.

        `on_step` and `on_fault` are called with every step and every fault as it happens.
        """
        self._matches.listen(on_step, on_fault)
        matches, waiting = self._matches, deque(specs)
        while waiting or matches.open:
            while waiting and matches.room and matches.open_if_room(waiting[0]):
                waiting.popleft()
            if matches.open:
                self._cycle()
        self._roster.hold_back()
        return [self._matches.take_record(spec.id) for spec in specs]

    def check(self, name: str) -> StartReport:
        """Start one bot and wait for its `hello`: whether it can take part."""
        session = self._roster.sessions[name]
        failures = self._matches.failures
        failures.pop(name, None)
        self._matches.start(session)
        while session.stage is SessionState.STARTING:
            self._cycle()
        failure = failures.get(name, Failure(""))
        if failure.shortage:
            return StartReport(name, False, failure.text, shortage=failure.shortage)
        if session.stage is SessionState.DOWN or session.hello is None:
            return StartReport(name, False, failure.text, session.hello, failure.stderr)
        return StartReport(name, True, "", session.hello)

    def close(self) -> None:
        """Say `bye` to the bots, end them, and leave nothing behind."""
        try:
            self._roster.close()
        finally:
            self._transport.close()

    def __enter__(self) -> Referee:
        """Return itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close."""
        self.close()

    def _cycle(self) -> None:
        """Wait for the next thing to happen, and deal with it."""
        transport = self._transport
        due = self._next_due()
        hold_back = self._roster.next_hold_back()
        ready = transport.wait_until(due if due < hold_back else hold_back)
        if transport.waited >= hold_back:
            self._roster.hold_back()
            for open_match in self._matches.open.values():
                open_match.look(transport.waited)
        if ready.connection:
            for session, fault in self._roster.crowding():
                self._matches.fail(session, fault.code, fault.text)
        if ready.message:
            received = self._roster.receive()
            if received is not None:
                self._inbox.take(received)
        if ready.report:
            self._hear_of_ends()
        if transport.waited >= due:
            self._drain()
            self._call_time()

    def _next_due(self) -> float:
        """Return when a bot is late or mute next, on the transport's clock; infinite when none can be."""
        due = self._roster.next_mute
        for open_match in self._matches.open.values():
            if not open_match.gathering and open_match.due < due:
                due = open_match.due
        return due

    def _drain(self) -> None:
        left = _DRAIN
        while left and (received := self._roster.receive()) is not None:
            # Messages of strangers hide no answer that lies behind them.
            left -= not self._inbox.take(received)

    def _call_time(self) -> None:
        """Call those late who have not answered by now, and those mute who have not said hello."""
        now = self._transport.waited
        matches = self._matches
        for session in self._roster.mute():
            matches.fail(session, "mute", f"no hello within {self._config.time.start:g} s")
        for open_match in list(matches.open.values()):
            match = open_match.match
            if not open_match.gathering and not match.over and now >= open_match.due and open_match.is_late(now):
                seat = match.awaited
                assert seat is not None
                session = open_match.sessions[seat]
                matches.no_longer_waiting(open_match)
                matches.judge(open_match, seat, partial(match.late, matches.spent(open_match), session.stderr()))

    def _hear_of_ends(self) -> None:
        """Deal with news of bots' processes: their numbers, or their ends."""
        for session, process, ended in self._roster.ended():
            self._drain()  # it may have answered before it ended
            if session.process is not process:
                continue
            if ended.shortage:
                self._matches.lack(session, ended.shortage, ended.reason)
            else:
                early = "" if session.stage is SessionState.READY else " before it said hello"
                self._matches.fail(session, "crash", ended.reason + early)
