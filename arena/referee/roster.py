"""The bots of a referee: started when a game needs them, stopped while no game waits for them, ended with it.

In a turn-based game only one process has work at a time, and a message to a process on the same core is two to three
times faster than one to another core. So a worker takes one core for itself and its bots. Workers of different runs
coordinate by lock files. Without a free core, or where cores cannot be chosen (macOS), nothing is pinned.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Final

from arena.entrants import ProcessExit
from arena.game.clock import TimeControl
from arena.protocol.codec import encode
from arena.protocol.messages import Bye, FromReferee
from arena.referee.senders import Senders
from arena.referee.session import BotSession, FrameFault, SessionState
from arena.referee.source import BotSource, LocalProcess, RunningBot
from arena.referee.time.run_queue import RunQueue, own_threads
from arena.referee.time.sched_threads import SchedThread
from arena.referee.transport import RefereeTransport

_log = logging.getLogger(__name__)

_BYE_SECONDS: Final = 0.5
_NEVER: Final = float("inf")
AWAKE_SECONDS: Final = 0.001
"""Bots for which no game waits are stopped when a decision takes longer than this.

Most of them need no signal at all, and a busy rival can take no more than this from the bot that is asked.
"""


class Placement:
    """The core of one worker, until it is released."""

    def __init__(self, pin: bool = True) -> None:
        """Take a free core if `pin` is true and there is one."""
        self.core: int | None = None
        self._lock: IO[str] | None = None
        self._before: set[int] = set()
        if not pin or not hasattr(os, "sched_getaffinity"):
            return
        self._before = os.sched_getaffinity(0)
        for core in sorted(self._before):
            lock = _try_lock(core)
            if lock is not None:
                self.core, self._lock = core, lock
                os.sched_setaffinity(0, {core})
                return

    def cores(self) -> list[int] | None:
        """Return the cores for this worker's bots. None: the system chooses."""
        return None if self.core is None else [self.core]

    def release(self) -> None:
        """Give the core back."""
        if self._lock is not None:
            os.sched_setaffinity(0, self._before)
            self._lock.close()
            self._lock = None
            self.core = None


def _try_lock(core: int) -> IO[str] | None:
    """Lock a core until the returned file is closed. None: another worker holds it."""
    folder = Path(tempfile.gettempdir()) / f"arena-cores-{os.getuid()}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        lock = (folder / str(core)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
        else:
            return lock
    return None


class Roster:
    """All bots of one referee, by name and place in a team."""

    def __init__(
        self,
        sources: Mapping[str, BotSource],
        time_control: TimeControl,
        transport: RefereeTransport,
        pin: bool,
        kept: int,
    ) -> None:
        """Prepare the sessions; start nothing yet.

        Args:
            sources: Where each bot comes from, by name.
            time_control: The time limits.
            transport: Carries the messages.
            pin: Take a core for this process and its bots if one is free.
            kept: The most bots to keep running, as in `RefereeConfig`.
        """
        self._transport = transport
        self._start_seconds = time_control.start
        self._ponder = time_control.ponder
        self._own: list[SchedThread] = []
        """Threads of this process through which bots' answers pass; looked up when the first bot is ready."""
        self._placement = Placement(pin and not time_control.ponder)
        self.senders = Senders()
        """Which bot a connection and its frames belong to."""
        self.sessions: dict[str | tuple[str, int], BotSession] = {
            name: BotSession(name, source) for name, source in sources.items()
        }
        """By bot, and those of its further seats in a team by bot and place."""
        self._most = kept
        self._leaving: list[tuple[BotSession, RunningBot, str, float]] = []
        """Bots that were sent `bye`, with their processes, their endpoints and the moment at which these are closed."""
        self._lingering: set[BotSession] = set()
        """Bots that did not end after `bye`; they get no time for it again."""
        self._starting: dict[BotSession, None] = {}
        """In the order of their starts, in which they become mute; a set would have an arbitrary order."""
        self._absent: dict[BotSession, float] = {}
        """Bots without processes of ours that have gone, with the moment at which they are waited for no longer."""
        self.next_mute = _NEVER
        """When the next bot is waited for no longer, on the waiting clock; infinite when all are there."""
        self._awake: set[BotSession] = set()
        """Bots for which no game has waited since bots were last stopped."""
        self._hold_back_at = 0.0
        """When these bots are stopped, on the waiting clock."""
        self._is_unread = False
        """Whether a bot was asked of which no reading was taken, which is made up for at that moment."""

    def seated(self, bots: Sequence[str]) -> list[BotSession]:
        """Return by seat who plays there: a bot that holds several seats has a process for each of them."""
        found = []
        for seat, name in enumerate(bots):
            place = list(bots[:seat]).count(name)
            key = (name, place) if place else name
            if key not in self.sessions:
                self.sessions[key] = BotSession(name, self.sessions[name].source)
            found.append(self.sessions[key])
        return found

    # Life

    def start(self, session: BotSession) -> None:
        """Start a bot, which is ready when it says hello. Raises `OSError` if the system lacks the resources."""
        source = session.source
        endpoint = self._transport.listen(source.transport)
        token = session.starting(endpoint)
        self.senders.expect(session)
        self._starting[session] = None
        process = source.start(session.name, endpoint, token, self._transport.folder, self._placement.cores())
        limit = self._transport.waited + source.hello_seconds(self._start_seconds)
        session.started(process, limit)
        if process is not None:
            self._transport.attend(process)
            self.senders.attend(session, process)
        self._update_next_mute()

    def ready(self, session: BotSession) -> None:
        """Let a bot that has said its first hello play."""
        queue = None
        # Of a bot elsewhere it would be the forwarder's, which its author can keep busy: only latency is credited.
        is_elsewhere = isinstance(session.source, LocalProcess) and session.source.is_elsewhere
        if session.process is not None and not is_elsewhere:
            self._own = self._own or own_threads()
            process = session.process
            queue = RunQueue(process.supervisor_pid, self._own, process.group(), partial(self._others, session))
        session.ready(queue)
        _log.info("%s is ready", session.name)
        self._starting.pop(session, None)
        self._update_next_mute()
        self.rest(session)

    def _others(self, session: BotSession) -> Iterator[int]:
        """Generate the ids of the processes that may compute while a bot is asked: this one, and rivals that ponder."""
        yield os.getpid()
        if self._ponder:
            for each in self.sessions.values():
                if each is not session and each.queue is not None:
                    yield from each.queue.pids()

    def end(self, session: BotSession) -> None:
        """End a bot's process immediately, with everything that it started."""
        self.senders.forget(session)
        self._starting.pop(session, None)
        self._absent.pop(session, None)
        self._update_next_mute()
        if session.process is not None:
            self._transport.forget(session.process)
        if session.endpoint is not None:
            self._transport.close_endpoint(session.endpoint)
        session.end()
        _log.info("%s is ended", session.name)

    def make_room(self, starts: int) -> None:
        """Send `bye` to the bots that have rested longest, so that not too many run after `starts` more are started."""
        running = [session for session in self.sessions.values() if session.process is not None]
        resting = [session for session in running if not session.seats and session.stage is SessionState.READY]
        resting.sort(key=lambda session: session.last_opened)
        for session in resting[: max(0, len(running) + starts - self._most)]:
            _log.info("%s rests longest and is ended to make room", session.name)
            self._send_off(session)

    def end_played(self, sessions: Iterable[BotSession]) -> None:
        """Send `bye` to those of these bots whose process has played before; none of them plays now."""
        for session in sessions:
            if session.stage is SessionState.READY and session.process is not None and session.has_played:
                _log.info("%s is ended: its next game has a deal that it may know", session.name)
                self._send_off(session)

    def _send_off(self, session: BotSession) -> None:
        assert session.process is not None
        assert session.endpoint is not None
        self.send(session, Bye())
        session.process.resume()
        grace = 0.0 if session in self._lingering else _BYE_SECONDS
        self._leaving.append((session, session.process, session.endpoint, time.monotonic() + grace))
        self.senders.forget(session)
        self._transport.forget(session.process)
        session.detach()

    def end_leaving(self) -> None:
        """End the bots that were sent `bye`; most have ended by now, while others were starting."""
        for session, process, endpoint, limit in self._leaving:
            if process.wait(max(0.0, limit - time.monotonic())) is None:
                self._lingering.add(session)
            self._transport.close_endpoint(endpoint)
            process.end()
        self._leaving.clear()

    def mute_bots(self) -> list[tuple[BotSession, FrameFault]]:
        """List the bots that should have said hello by now, or again after they have gone, with their faults."""
        waited = self._transport.waited
        usual = self._start_seconds
        mute = [
            (session, FrameFault("mute", f"no hello within {session.source.hello_seconds(usual):g} s"))
            for session in self._starting
            if waited >= session.hello_by
        ]
        gone = [session for session, limit in self._absent.items() if waited >= limit]
        return mute + [(session, FrameFault("crash", "it has gone, and did not come back in time")) for session in gone]

    def _update_next_mute(self) -> None:
        limits = [session.hello_by for session in self._starting]
        self.next_mute = min([*limits, *self._absent.values()], default=_NEVER)

    def departed(self) -> list[BotSession]:
        """List the bots without processes of ours whose last connection has closed since this was last asked."""
        found = map(self.senders.bot_at, self._transport.deserted())
        return [session for session in found if session is not None and session.process is None]

    def note_absence(self, session: BotSession) -> None:
        """Wait for a bot that has gone in the middle of a game, for a limited time."""
        if session.endpoint is None or not session.seats:
            return
        seconds = session.source.leave(session.name, session.endpoint, session.token)
        if session.stage is SessionState.READY:  # else the limit of its start holds
            self._absent[session] = self._transport.waited + seconds
            self._update_next_mute()

    def note_presence(self, session: BotSession) -> None:
        """Note that a bot says hello: if it had gone, it is back."""
        if self._absent.pop(session, None) is not None:
            _log.info("%s is back", session.name)
            self._update_next_mute()

    def exits(self) -> Iterator[tuple[BotSession, RunningBot, ProcessExit]]:
        """Generate the bots whose processes have ended by themselves, and how."""
        for session in self.sessions.values():
            process = session.process
            if process is not None and (ended := process.poll()) is not None:
                yield session, process, ended

    def close(self) -> None:
        """Send `bye` to the bots, and end them."""
        try:
            self.end_leaving()
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
        """Send a message to a bot if it is connected."""
        if session.address is not None:
            self._transport.send(session.address, encode(message))

    def admit(self) -> Iterator[tuple[BotSession | None, FrameFault]]:
        """Admit or refuse new connections, and yield each offender with its fault.

        An offender is a bot that made too many connections or connected to another bot's endpoint, or None if the
        process belongs to no bot.
        """
        transport = self._transport
        for connection in transport.accepted():
            caller = self.senders.caller(connection)
            if caller is not None and caller.session is not None and caller.is_own:
                fault = caller.session.connected(transport.admit(connection))
                if fault is not None:
                    yield caller.session, fault
                continue
            # Of a connection that is closed by now, nobody can say whose it was.
            is_nobodys = caller is not None and not connection.has_hung_up()
            transport.refuse(connection)
            if caller is not None and caller.session is not None and caller.fault is not None:
                yield caller.session, caller.fault
            elif is_nobodys:
                yield None, FrameFault("impostor", "a connection from a process that is no bot's")

    # Who may run

    def wake(self, session: BotSession, is_unread: bool = False) -> None:
        """Let a bot run on, as a game waits for it.

        `is_unread`: whether no reading was taken before it is asked (`arena.referee.time.run_queue`).
        """
        if (process := session.process) is not None:
            process.resume()
            self._is_unread = self._is_unread or is_unread
        self.keep_awake()

    def continue_late(self, session: BotSession) -> None:
        """Let a late bot run on even if somebody else has stopped it, so that this costs it one game and not two."""
        if (process := session.process) is not None:
            process.stop()  # then it is known to be stopped, and is continued
            process.resume()

    def keep_awake(self) -> None:
        """Let the bots that run now go on for a moment, as when one is asked."""
        self._hold_back_at = self._transport.waited + AWAKE_SECONDS

    def rest(self, session: BotSession) -> None:
        """Stop a bot soon if no game waits for it any more."""
        session.rest()
        if self._may_rest(session):
            self._awake.add(session)

    def next_hold_back(self) -> float:
        """Return when `hold_back` is due next, and a look at the bots that are asked, on the waiting clock."""
        return self._hold_back_at if self._awake or self._is_unread else _NEVER

    def hold_back(self) -> None:
        """Stop the bots for which no game waits, so that the one that is asked has the core to itself.

        It happens some time after the question, or with it if the one that is asked is known to be slow.
        """
        for session in self._awake:
            if session.process is not None and session.stage is SessionState.READY and self._may_rest(session):
                session.process.stop()
        self._awake.clear()

    def note_readings(self) -> None:
        """Note that readings were taken of the bots that are asked."""
        self._is_unread = False

    def _may_rest(self, session: BotSession) -> bool:
        """Return whether a bot may be stopped. With pondering, only a bot that plays no game may be."""
        return not session.seats if self._ponder else not session.waiting
