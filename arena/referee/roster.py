"""The bots of a referee: started when a game needs them, stopped while nobody waits for them, ended at last."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final

from arena.entrants import BotProcess, ProcessExit, launch
from arena.protocol.codec import encode
from arena.protocol.messages import Bye, FromReferee
from arena.referee.config import RefereeConfig
from arena.referee.placement import Placement
from arena.referee.routing import RoutingIds, UnknownSender
from arena.referee.run_queue import RunQueue, SchedThread, own_threads
from arena.referee.session import BotSession, SessionState
from arena.referee.transport import ReceivedMessage, RouterTransport

_log = logging.getLogger(__name__)

_BYE_SECONDS: Final = 0.5
_NEVER: Final = float("inf")
AWAKE_SECONDS: Final = 0.001
"""Bots that nobody waits for are stopped when a decision takes longer than that: most need no signal at all, and a busy
rival takes no more than that from whoever is asked."""

Announce = Callable[[str, str, str], None]
"""Told name, endpoint and token of a bot that somebody has to start by hand."""


class Roster:
    """All bots of one referee by name."""

    def __init__(self, config: RefereeConfig, transport: RouterTransport, pin: bool, announce: Announce | None) -> None:
        """`pin`: take a core for this process and its bots if one is free."""
        self._transport = transport
        self._announce = announce
        self._start_seconds = config.time.start
        self._ponder = config.time.ponder
        self._own: list[SchedThread] = []
        """Of this process, where bots' answers have to wait, too: found with the first bot that is ready."""
        self._placement = Placement(pin and not config.time.ponder)
        self._addresses = RoutingIds(transport.tcp)
        self.sessions = {name: BotSession(name, built) for name, built in config.bots.items()}
        self.sessions |= {name: BotSession(name, None) for name in config.manual}
        self._most = config.kept
        self._leaving: list[tuple[BotSession, BotProcess, float]] = []
        """Those that were said goodbye to, with the moment at which they are ended."""
        self._lingering: set[BotSession] = set()
        """Bots that did not end when they were said goodbye to: they are not waited for again."""
        self._starting: dict[BotSession, None] = {}
        """In the order of their starts, in which they are found mute: a set's would be chance."""
        self.next_mute = _NEVER
        """When somebody is mute next, on the wire's clock; infinite when nobody is starting."""
        self._awake: set[BotSession] = set()
        """Bots that nobody waits for any more since bots were last stopped."""
        self._hold_back_at = 0.0
        """When those are stopped, on the wire's clock."""

    # Life

    def start(self, session: BotSession) -> None:
        """Start a bot; it is ready when it says hello. Raises `OSError` if the system has not what that takes."""
        token = session.renew()
        self._addresses.expect(session)
        self._starting[session] = None
        if session.built is None:
            session.hello_by = _NEVER
            _log.info("%s is waited for: somebody starts it", session.name)
            if self._announce is not None:
                self._announce(session.name, self._transport.endpoint("ipc"), token)
            return
        transport = session.built.entrant.transport
        _log.info("%s is started, over %s", session.name, transport)
        endpoint = self._transport.endpoint(transport)
        session.process = launch(
            session.built, endpoint, token, run_dir=self._transport.folder, cores=self._placement.cores()
        )
        self._transport.attend(session.process)
        self._addresses.attend(session, session.process)
        session.hello_by = self._transport.waited + self._start_seconds
        self._look_at_starts()

    def ready(self, session: BotSession) -> None:
        """A bot has said its first hello."""
        session.stage = SessionState.READY
        _log.info("%s is ready", session.name)
        if session.process is not None:
            self._own = self._own or own_threads()
            session.queue = RunQueue(session.process.supervisor_pid, self._own)
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
        """Before so many bots are started: say goodbye to those that rest longest, so that not too many run."""
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
        """End those that were said goodbye to; most have ended by then, while others were starting."""
        for session, process, limit in self._leaving:
            if process.wait(max(0.0, limit - time.monotonic())) is None:
                self._lingering.add(session)
            process.end()
        self._leaving.clear()

    def mute(self) -> list[BotSession]:
        """Those that should have said hello by now."""
        return [session for session in self._starting if self._transport.waited >= session.hello_by]

    def _look_at_starts(self) -> None:
        self.next_mute = min((session.hello_by for session in self._starting), default=_NEVER)

    def ended(self) -> Iterator[tuple[BotSession, BotProcess, ProcessExit]]:
        """The bots whose processes have ended by themselves, and how."""
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

    def connected(self) -> Iterator[BotSession]:
        """Yield the bot that made a connection, for each one since the last call that was a bot's."""
        for peer in self._transport.connections.accepted():
            session = self._addresses.owner(peer)
            if session is not None:
                yield session

    def receive(self) -> ReceivedMessage | None:
        """The next message from anybody."""
        return self._transport.receive(self._addresses.known)

    def sender(self, received: ReceivedMessage) -> BotSession | None:
        """The bot that this came from, under its own token; None: it did not come like that."""
        return self._addresses.known.get(received.address) or self._addresses.admit(received)

    def stranger(self, received: ReceivedMessage) -> UnknownSender:
        """Who sent this, of which `sender` knows nothing."""
        return self._addresses.stranger(received)

    def move(self, session: BotSession, address: bytes) -> None:
        """The bot said hello from there: where it is sent everything from now on."""
        self._addresses.move(session, address)

    # Who may run

    def wake(self, session: BotSession) -> None:
        """Let a bot go on: a game waits for it."""
        if session.process is not None:
            session.process.resume()
        self._transport.forget_strangers()
        self._hold_back_at = self._transport.waited + AWAKE_SECONDS

    def rest(self, session: BotSession) -> None:
        """Nobody waits for this bot any more."""
        if session.queue is not None and not session.seats:
            session.queue.close()
        if self._may_rest(session):
            self._awake.add(session)

    def next_hold_back(self) -> float:
        """When `hold_back` is called for next, on the wire's clock."""
        return self._hold_back_at if self._awake else _NEVER

    def hold_back(self) -> None:
        """Stop the bots that nobody waits for: whoever is asked gets the core to itself."""
        for session in self._awake:
            if session.process is not None and session.stage is SessionState.READY and self._may_rest(session):
                session.process.stop()
        self._awake.clear()

    def _may_rest(self, session: BotSession) -> bool:
        """Whether a bot may be stopped: pondering is for those that have something to ponder."""
        return not session.seats if self._ponder else not session.waiting
