"""Run the commands of hooks one after the other, in a thread: who plays never waits for them.

A command runs as builds do, under the supervisor of `arena.entrants`: when it ends, takes too long or the arena is
gone, all that it has started is killed, and what it writes is kept up to a limit.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from arena.common.printable import printable, shorten
from arena.common.removal import remove
from arena.entrants import BotProcess, ProcessExit, new_scratch
from arena.tournament.hooks.events import HookEvent

MOST_WAITING: Final = 100
"""Events that wait for the commands of earlier ones; later ones are dropped."""
_STEP: Final = 0.1
"""Seconds between two looks at whether the run was interrupted."""
_KILL_SECONDS: Final = 3.0
_LAST_WORDS: Final = 200

MakeEvents = Callable[[], Iterable[HookEvent]]
"""Makes what is to be sent, in the thread of the hooks."""

_log = logging.getLogger(__name__)


class _Waiting(NamedTuple):
    make: MakeEvents
    is_last: bool = False


class HookRunner:
    """Sends events to commands, in the order in which they are submitted."""

    def __init__(
        self, commands: Mapping[str, Sequence[str]], folder: Path, timeout: float, say: Callable[[str], None]
    ) -> None:
        """Begin without an event.

        Args:
            commands: By the name of the event. Other events are dropped.
            folder: Where they run.
            timeout: Seconds that each may take.
            say: Gets what goes wrong, each kind of failure of a command once.
        """
        self._commands = commands
        self._folder = folder
        self._timeout = timeout
        self._say = say
        self._waiting: deque[_Waiting] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._drain_until = float("inf")
        self._stop = threading.Event()
        self._failures: Counter[str] = Counter()
        self._dropped = 0
        self._thread = threading.Thread(target=self._run, name="hooks", daemon=True)
        self._thread.start()

    def submit(self, make: MakeEvents) -> bool:
        """Have events made and sent after those that wait. Return False if too many wait, so that these are dropped."""
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                self._dropped += 1
                return False
            self._waiting.append(_Waiting(make))
            self._changed.notify()
        return True

    def pause(self, seconds: float) -> bool:
        """Wait in the thread of the hooks, and return whether there is time to go on."""
        with self._changed:
            if not self._closing:
                self._changed.wait_for(lambda: self._closing, seconds)
            return not self._stop.is_set() and time.monotonic() < self._drain_until

    def close(self, last: MakeEvents | None) -> None:
        """Send what waits for as long as one command may take, then `last`, and end."""
        with self._changed:
            self._closing = True
            self._drain_until = time.monotonic() + self._timeout
            if last is not None:
                self._waiting.append(_Waiting(last, is_last=True))
            self._changed.notify()
        self._thread.join()
        self._sum_up()

    def kill(self) -> None:
        """End the command that runs, and send nothing more."""
        self._stop.set()
        with self._changed:
            self._closing = True
            self._waiting.clear()
            self._changed.notify()
        self._thread.join(_KILL_SECONDS)

    def _run(self) -> None:
        while (waiting := self._next()) is not None:
            try:
                for event in waiting.make():
                    self._send(event, float("inf") if waiting.is_last else self._drain_until)
            except Exception as error:  # whatever it is, the games go on, and the next event is tried
                _log.exception("an event for the hooks")
                self._failed("hooks", f"an event could not be sent: {error!r}", "")

    def _next(self) -> _Waiting | None:
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
            while self._waiting:
                waiting = self._waiting.popleft()
                if waiting.is_last or time.monotonic() < self._drain_until:
                    return waiting
                self._dropped += 1
            return None

    def _send(self, event: HookEvent, until: float) -> None:
        name = str(event.__struct_config__.tag)
        if name not in self._commands or self._stop.is_set():
            return
        if time.monotonic() >= until:
            self._dropped += 1
            return
        began = time.monotonic()
        try:
            ended, words = self._call(self._commands[name], msgspec.json.encode(event) + b"\n", until)
        except OSError as error:
            self._failed(name, f"could not be started: {error.strerror or error}", "")
            return
        took = time.monotonic() - began
        _log.info("hook %s: %s after %.1f s", name, "ended by the arena" if ended is None else ended.reason, took)
        if self._stop.is_set():
            return
        if ended is None:
            limit = self._timeout if took >= self._timeout else took
            self._failed(name, f"was ended after {limit:.3g} s: [hooks] timeout sets how long it may take", words)
        elif ended.code != 0:
            self._failed(name, ended.reason, words)

    def _call(self, command: Sequence[str], data: bytes, until: float) -> tuple[ProcessExit | None, str]:
        """Run a command. Return how it ended, None if it was ended here, and the last line that it wrote."""
        scratch = new_scratch(Path(tempfile.gettempdir()), "arena-hook-")
        given = scratch / "input"
        try:
            given.write_bytes(data)
        except OSError:  # the disk is full
            remove(str(scratch))
            raise
        environment = os.environ | {"PWD": str(self._folder)}
        process = BotProcess(command, self._folder, environment, scratch, limits=None, merge=True, input=given)
        ends = min(time.monotonic() + self._timeout, until)
        ended = None
        try:
            while ended is None and not self._stop.is_set() and (left := ends - time.monotonic()) > 0:
                ended = process.wait(min(_STEP, left))
        finally:
            process.end()
        words = [line for line in process.stderr_tail(5).splitlines() if line.strip()]
        return ended, shorten(printable(words[-1]), _LAST_WORDS) if words else ""

    def _failed(self, name: str, why: str, words: str) -> None:
        kind = f"{name}: {why}"
        self._failures[kind] += 1
        if self._failures[kind] == 1:
            self._say(f"hook {kind}" + (f": {words}" if words else ""))

    def _sum_up(self) -> None:
        for kind, times in self._failures.items():
            if times > 1:
                self._say(f"hook {kind}, {times} times in all")
        if self._dropped:
            some = "1 event was" if self._dropped == 1 else f"{self._dropped} events were"
            self._say(f"hooks: {some} not sent, because the commands took too long")
