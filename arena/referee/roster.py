"""The bots of a referee: started when a game needs them, stopped while nobody waits for them, ended at last."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final

from arena.entrants import BotProcess, Exit, launch
from arena.protocol.codec import encode
from arena.protocol.messages import Bye, FromReferee
from arena.referee.config import Setup
from arena.referee.placement import Placement
from arena.referee.routing import Addresses, Stranger
from arena.referee.run_queue import RunQueue, Thread, own_threads
from arena.referee.session import Link, Stage
from arena.referee.transport import Received, Wire

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

    def __init__(self, setup: Setup, wire: Wire, pin: bool, announce: Announce | None) -> None:
        """`pin`: take a core for this process and its bots if one is free."""
        self._wire = wire
        self._announce = announce
        self._start_seconds = setup.time.start
        self._ponder = setup.time.ponder
        self._own: list[Thread] = []
        """Of this process, where bots' answers have to wait, too: found with the first bot that is ready."""
        self._placement = Placement(pin and not setup.time.ponder)
        self._addresses = Addresses(wire.tcp)
        self.links = {name: Link(name, built) for name, built in setup.bots.items()}
        self.links |= {name: Link(name, None) for name in setup.manual}
        self._most = setup.kept
        self._leaving: list[tuple[Link, BotProcess, float]] = []
        """Those that were said goodbye to, with the moment at which they are ended."""
        self._lingering: set[Link] = set()
        """Bots that did not end when they were said goodbye to: they are not waited for again."""
        self._starting: dict[Link, None] = {}
        """In the order of their starts, in which they are found mute: a set's would be chance."""
        self.next_mute = _NEVER
        """When somebody is mute next, on the wire's clock; infinite when nobody is starting."""
        self._awake: set[Link] = set()
        """Bots that nobody waits for any more since bots were last stopped."""
        self._hold_back_at = 0.0
        """When those are stopped, on the wire's clock."""

    # Life

    def start(self, link: Link) -> None:
        """Start a bot; it is ready when it says hello. Raises `OSError` if the system has not what that takes."""
        token = link.renew()
        self._addresses.expect(link)
        self._starting[link] = None
        if link.built is None:
            link.hello_by = _NEVER
            _log.info("%s is waited for: somebody starts it", link.name)
            if self._announce is not None:
                self._announce(link.name, self._wire.endpoint("ipc"), token)
            return
        transport = link.built.entrant.transport
        _log.info("%s is started, over %s", link.name, transport)
        endpoint = self._wire.endpoint(transport)
        link.process = launch(link.built, endpoint, token, run_dir=self._wire.folder, cores=self._placement.cores())
        self._wire.attend(link.process)
        self._addresses.attend(link, link.process)
        link.hello_by = self._wire.waited + self._start_seconds
        self._look_at_starts()

    def ready(self, link: Link) -> None:
        """A bot has said its first hello."""
        link.stage = Stage.READY
        _log.info("%s is ready", link.name)
        if link.process is not None:
            self._own = self._own or own_threads()
            link.queue = RunQueue(link.process.starter_pid, self._own)
        self._starting.pop(link, None)
        self._look_at_starts()
        self.rest(link)

    def end(self, link: Link) -> None:
        """End a bot's process at once, with everything that it started."""
        self._addresses.forget(link)
        self._starting.pop(link, None)
        self._look_at_starts()
        if link.process is not None:
            self._wire.forget(link.process)
        link.end()
        _log.info("%s is ended", link.name)

    def make_room(self, starts: int) -> None:
        """Before so many bots are started: say goodbye to those that rest longest, so that not too many run."""
        running = [link for link in self.links.values() if link.process is not None]
        resting = [link for link in running if not link.seats and link.stage is Stage.READY]
        resting.sort(key=lambda link: link.last_opened)
        for link in resting[: max(0, len(running) + starts - self._most)]:
            assert link.process is not None
            _log.info("%s rests longest and is ended to make room", link.name)
            self.send(link, Bye())
            link.process.resume()
            grace = 0.0 if link in self._lingering else _BYE_SECONDS
            self._leaving.append((link, link.process, time.monotonic() + grace))
            self._addresses.forget(link)
            self._wire.forget(link.process)
            link.detach()

    def see_off(self) -> None:
        """End those that were said goodbye to; most have ended by then, while others were starting."""
        for link, process, limit in self._leaving:
            if process.wait(max(0.0, limit - time.monotonic())) is None:
                self._lingering.add(link)
            process.end()
        self._leaving.clear()

    def mute(self) -> list[Link]:
        """Those that should have said hello by now."""
        return [link for link in self._starting if self._wire.waited >= link.hello_by]

    def _look_at_starts(self) -> None:
        self.next_mute = min((link.hello_by for link in self._starting), default=_NEVER)

    def ended(self) -> Iterator[tuple[Link, BotProcess, Exit]]:
        """The bots whose processes have ended by themselves, and how."""
        for link in self.links.values():
            process = link.process
            if process is not None and (ended := process.poll()) is not None:
                yield link, process, ended

    def close(self) -> None:
        """Say `bye` to the bots, and end them."""
        try:
            self.see_off()
            for link in self.links.values():
                if link.stage is Stage.READY:
                    self.send(link, Bye())
                    if link.process is not None:
                        link.process.resume()
            _log.info("all bots are ended")
            limit = time.monotonic() + _BYE_SECONDS
            for link in self.links.values():
                link.end(max(0.0, limit - time.monotonic()) if link.stage is Stage.READY else 0.0)
        finally:
            self._placement.release()

    # Messages

    def send(self, link: Link, message: FromReferee) -> None:
        """Send a message to a bot that is there."""
        if link.address is not None:
            self._wire.send(link.address, encode(message))

    def connected(self) -> Iterator[Link]:
        """Yield the bot that made a connection, for each one since the last call that was a bot's."""
        for peer in self._wire.connections.accepted():
            link = self._addresses.owner(peer)
            if link is not None:
                yield link

    def receive(self) -> Received | None:
        """The next message from anybody."""
        return self._wire.receive(self._addresses.known)

    def sender(self, received: Received) -> Link | None:
        """The bot that this came from, under its own token; None: it did not come like that."""
        return self._addresses.known.get(received.address) or self._addresses.admit(received)

    def stranger(self, received: Received) -> Stranger:
        """Who sent this, of which `sender` knows nothing."""
        return self._addresses.stranger(received)

    def move(self, link: Link, address: bytes) -> None:
        """The bot said hello from there: where it is sent everything from now on."""
        self._addresses.move(link, address)

    # Who may run

    def wake(self, link: Link) -> None:
        """Let a bot go on: a game waits for it."""
        if link.process is not None:
            link.process.resume()
        self._wire.forget_strangers()
        self._hold_back_at = self._wire.waited + AWAKE_SECONDS

    def rest(self, link: Link) -> None:
        """Nobody waits for this bot any more."""
        if link.queue is not None and not link.seats:
            link.queue.close()
        if self._may_rest(link):
            self._awake.add(link)

    def next_hold_back(self) -> float:
        """When `hold_back` is called for next, on the wire's clock."""
        return self._hold_back_at if self._awake else _NEVER

    def hold_back(self) -> None:
        """Stop the bots that nobody waits for: whoever is asked gets the core to itself."""
        for link in self._awake:
            if link.process is not None and link.stage is Stage.READY and self._may_rest(link):
                link.process.stop()
        self._awake.clear()

    def _may_rest(self, link: Link) -> bool:
        """Whether a bot may be stopped: pondering is for those that have something to ponder."""
        return not link.seats if self._ponder else not link.waiting
