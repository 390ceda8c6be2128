"""The bots of a referee: started when a game needs them, stopped while nobody waits for them, ended at last."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from typing import Final

from arena.entrants import ProcessExit
from arena.match.clock import TimeControl
from arena.protocol.codec import encode
from arena.protocol.messages import Bye, FromReferee
from arena.referee.placement import Placement
from arena.referee.routing_ids import RoutingIds, UnknownSender
from arena.referee.run_queue import RunQueue, SchedThread, own_threads
from arena.referee.session import BotSession, FrameFault, SessionState
from arena.referee.source import BotSource, RunningBot
from arena.referee.transport import ReceivedMessage, RefereeTransport

_log = logging.getLogger(__name__)

_BYE_SECONDS: Final = 0.5
_NEVER: Final = float("inf")
AWAKE_SECONDS: Final = 0.001
"""Bots that nobody waits for are stopped when a decision takes longer than that: most need no signal at all, and a busy
rival takes no more than that from the one that is asked."""


class Roster:
    """All bots of one referee by name."""

    def __init__(
        self,
        sources: Mapping[str, BotSource],
        time_control: TimeControl,
        transport: RefereeTransport,
        pin: bool,
        kept: int,
    ) -> None:
        """Start nothing yet. `pin`: take a core for this process and its bots if one is free; `kept` as configured."""
        self._transport = transport
        self._start_seconds = time_control.start
        self._ponder = time_control.ponder
        self._own: list[SchedThread] = []
        """Of this process, where bots' answers have to wait, too: found with the first bot that is ready."""
        self._placement = Placement(pin and not time_control.ponder)
        self._addresses = RoutingIds(transport.tcp)
        self.sessions = {name: BotSession(name, source) for name, source in sources.items()}
        self._most = kept
        self._leaving: list[tuple[BotSession, RunningBot, float]] = []
        """Those that were said goodbye to, with the moment at which they are ended."""
        self._lingering: set[BotSession] = set()
        """Bots that did not end when they were said goodbye to: they are not waited for again."""
        self._starting: dict[BotSession, None] = {}
        """In the order of their starts, in which they are found mute: a set's would be chance."""
        self.next_mute = _NEVER
        """When somebody is mute next, on the transport's clock; infinite when nobody is starting."""
        self._awake: set[BotSession] = set()
        """Bots that nobody waits for any more since bots were last stopped."""
        self._hold_back_at = 0.0
        """When those are stopped, on the transport's clock."""

    # Life

    def start(self, session: BotSession) -> None:
        """Start a bot; it is ready when it says hello. Raises `OSError` if the system has not what that takes."""
        token = session.starting()
        self._addresses.expect(session)
        self._starting[session] = None
        source = session.source
        endpoint = self._transport.endpoint(source.transport)
        process = source.start(session.name, endpoint, token, self._transport.folder, self._placement.cores())
        limit = self._transport.waited + self._start_seconds if source.has_start_limit else _NEVER
        session.started(process, limit)
        if process is not None:
            self._transport.attend(process)
            self._addresses.attend(session, process)
        self._look_at_starts()

    def ready(self, session: BotSession) -> None:
        """Let a bot play that has said its first hello."""
        queue = None
        if session.process is not None:
            self._own = self._own or own_threads()
            queue = RunQueue(session.process.supervisor_pid, self._own)
        session.ready(queue)
        _log.info("%s is ready", session.name)
        self._starting.pop(session, None)
        self._look_at_starts()
        self.rest(session)

    def end(self, session: BotSession) -> None:
        """End a bot's process at once, with everything that it started."""
        self._addresses.forget(session)
        self._starting.pop(session, None)
        self._look_at_starts()
        if session.process is not None:
            self._transport.forget(session.process)
        session.end()
        _log.info("%s is ended", session.name)

    def make_room(self, starts: int) -> None:
        """Say goodbye to the bots that rest longest, so that not too many run once `starts` more are started."""
        running = [session for session in self.sessions.values() if session.process is not None]
        resting = [session for session in running if not session.seats and session.stage is SessionState.READY]
        resting.sort(key=lambda session: session.last_opened)
        for session in resting[: max(0, len(running) + starts - self._most)]:
            assert session.process is not None
            _log.info("%s rests longest and is ended to make room", session.name)
            self.send(session, Bye())
            session.process.resume()
            grace = 0.0 if session in self._lingering else _BYE_SECONDS
            self._leaving.append((session, session.process, time.monotonic() + grace))
            self._addresses.forget(session)
            self._transport.forget(session.process)
            session.detach()

    def see_off(self) -> None:
        """End the bots that were said goodbye to; most have ended by then, while others were starting."""
        for session, process, limit in self._leaving:
            if process.wait(max(0.0, limit - time.monotonic())) is None:
                self._lingering.add(session)
            process.end()
        self._leaving.clear()

    def mute(self) -> list[BotSession]:
        """List the bots that should have said hello by now."""
        return [session for session in self._starting if self._transport.waited >= session.hello_by]

    def _look_at_starts(self) -> None:
        self.next_mute = min((session.hello_by for session in self._starting), default=_NEVER)

    def ended(self) -> Iterator[tuple[BotSession, RunningBot, ProcessExit]]:
        """Yield the bots whose processes have ended by themselves, and how."""
        for session in self.sessions.values():
            process = session.process
            if process is not None and (ended := process.poll()) is not None:
                yield session, process, ended

    def close(self) -> None:
        """Say `bye` to the bots, and end them."""
        try:
            self.see_off()
            for session in self.sessions.values():
                if session.stage is SessionState.READY:
                    self.send(session, Bye())
                    if session.process is not None:
                        session.process.resume()
            _log.info("all bots are ended")
            limit = time.monotonic() + _BYE_SECONDS
            for session in self.sessions.values():
                session.end(max(0.0, limit - time.monotonic()) if session.stage is SessionState.READY else 0.0)
        finally:
            self._placement.release()

    # Messages

    def send(self, session: BotSession, message: FromReferee) -> None:
        """Send a message to a bot that is there."""
        if session.address is not None:
            self._transport.send(session.address, encode(message))

    def crowding(self) -> Iterator[tuple[BotSession, FrameFault]]:
        """Count each connection made since the last call for the bot whose process made it, and yield those at fault.

        They are counted whatever is sent there: ZeroMQ itself drops what is far too long, and says not whose it was.
        """
        for peer in self._transport.accepted():
            session = self._addresses.owner(peer)
            fault = None if session is None else session.connected()
            if session is not None and fault is not None:
                yield session, fault

    def receive(self) -> ReceivedMessage | None:
        """Take the next message from anybody."""
        return self._transport.receive(self._addresses.known)

    def sender(self, received: ReceivedMessage) -> BotSession | None:
        """Find the bot that a message came from, under its own token. None: it did not come like that."""
        return self._addresses.known.get(received.address) or self._addresses.admit(received)

    def stranger(self, received: ReceivedMessage) -> UnknownSender:
        """Find out who sent a message of which `sender` knows nothing."""
        return self._addresses.stranger(received)

    def move(self, session: BotSession, address: bytes) -> None:
        """Send a bot everything where it said hello from."""
        self._addresses.move(session, address)

    # Who may run

    def wake(self, session: BotSession) -> None:
        """Let a bot go on: a match waits for it."""
        if (process := session.process) is not None:
            process.resume()
        self._transport.forget_strangers()
        self._hold_back_at = self._transport.waited + AWAKE_SECONDS

    def rest(self, session: BotSession) -> None:
        """Have a bot stopped soon that nobody waits for any more."""
        session.rest()
        if self._may_rest(session):
            self._awake.add(session)

    def next_hold_back(self) -> float:
        """Return when `hold_back` is due next, on the transport's clock."""
        return self._hold_back_at if self._awake else _NEVER

    def hold_back(self) -> None:
        """Stop the bots that nobody waits for: the one that is asked gets the core to itself."""
        for session in self._awake:
            if session.process is not None and session.stage is SessionState.READY and self._may_rest(session):
                session.process.stop()
        self._awake.clear()

    def _may_rest(self, session: BotSession) -> bool:
        """Return whether a bot may be stopped: pondering is for those that have something to ponder."""
        return not session.seats if self._ponder else not session.waiting
