"""Show what is known while games are played: on a terminal a display that renews itself, elsewhere a line now and then.

The display is drawn in a thread of its own, a few times a second at most and less often on a busy machine. Who plays
only leaves a note of what happened, so a slow terminal, or one that was stopped with Ctrl-S, holds up no game.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from arena.cli import log
from arena.cli.progress import ProgressLines, drawn_bar, is_quiet
from arena.cli.terminal import console, warn
from arena.common.printable import printable_lines

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from arena.cli.progress_bar import ProgressBar

PLAYING: Final = "playing"
"""The stage in which games are played."""
PERIOD: Final = 0.5
"""Seconds between two drawings."""
_SHARE: Final = 15
"""A pause is at least this many times as long as the drawing before it, because the bots need the cores more."""
_UPDATE_SECONDS: Final = 0.02
"""How long what is shown may be computed at once."""
_LINE_SECONDS: Final = 0.5
"""The same before a line off a terminal: there are few of them."""
_SILENCE: Final = 300.0
"""Seconds without a line off a terminal after which there is one."""
_WINDOW: Final = 60.0
"""The rate of games is that of so many seconds."""


class Pace(NamedTuple):
    """How far the run is."""

    played: int
    """Games of this run."""
    total: int | None
    per_second: float | None
    """None: not known yet."""
    elapsed: float
    """Seconds since play began."""


class LiveView(Protocol):
    """What is shown. Its methods are called in one thread at a time."""

    def update(self, seconds: float) -> None:
        """Take in what has happened, and stop after about that time."""

    def draw(self, pace: Pace, width: int, height: int) -> RenderableType:
        """Return what stands on a terminal of that size, a few lines less than `height`."""

    def line(self) -> str:
        """Return the same in a few words; empty if nothing is known."""


class LiveProgress:
    """Progress of a run: as that of any work until play begins, then a `LiveView`."""

    def __init__(self, view: LiveView, at_most: bool = False) -> None:
        """Use the terminal, if stderr is one that can be drawn on and nothing is logged there.

        `at_most`: the total is no measure of how far it is, as play may end before.
        """
        self._at_most = at_most
        self._view = view
        bar = drawn_bar() if log.level() is None else None  # lines of workers would tear it
        self._draws = bar is not None
        self._before: ProgressBar | ProgressLines = bar or ProgressLines()
        self._display: _Display | None = None
        self._playing = False
        self._began = self._spoke = self._not_before = time.monotonic()
        self._played = 0
        self._total: int | None = None

    @property
    def is_quiet(self) -> bool:
        """Whether only messages are shown."""
        return is_quiet()

    def say(self, text: str) -> None:
        """Show a message, above the display."""
        if self._display is not None:
            self._display.say(text)
        else:
            self._before.say(text)

    def stage(self, name: str, total: int | None) -> None:
        """Begin a stage: if games are played in it, the view is shown from now on."""
        if self._playing:
            return
        self._playing = name == PLAYING
        if not (self._playing and self._draws):
            self._before.stage(name, None if self._playing and self._at_most else total)
        self._began, self._total = time.monotonic(), total
        if self._playing and self._draws:
            self._before.__exit__(None, None, None)
            self._display = _Display(self._view, self._pace)
            self._display.start()

    def expect(self, total: int) -> None:
        """Use another total from now on."""
        self._total = total
        if not self._playing:
            self._before.expect(total)

    def begin(self, what: str) -> None:
        """Show that a part begins."""
        self._before.begin(what)

    def advance(self, what: str) -> None:
        """Count a part as done."""
        if not self._playing:
            self._before.advance(what)
            return
        self._played += 1
        if not self._draws and not self.is_quiet:
            self._speak_sometimes()

    def _speak_sometimes(self) -> None:
        """Off a terminal: say how it stands after every tenth, and if nothing was said for long."""
        now = time.monotonic()
        step = max(1, (1000 if self._total is None or self._at_most else self._total) // 10)
        if self._played % step == 0 or now - self._spoke > _SILENCE:
            self._view.update(_LINE_SECONDS)
            self._spoke = now
            of = "" if self._total is None else f" of {self._total}" + (" at most" if self._at_most else "")
            known = self._view.line()
            self._before.say(f"{PLAYING}: {self._played}{of}" + (f", {known}" if known else ""))
        elif now >= self._not_before:
            self._view.update(_UPDATE_SECONDS)
            ended = time.monotonic()
            self._not_before = ended + _SHARE * (ended - now)

    def _pace(self) -> tuple[int, int | None, float]:
        return self._played, self._total, time.monotonic() - self._began

    def __enter__(self) -> LiveProgress:
        """Start showing."""
        self._before.__enter__()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Stop showing: what was drawn while games were played is removed, and messages stay."""
        if self._display is not None:
            self._display.stop()
            self._display = None
        elif not (self._playing and self._draws):
            self._before.__exit__(None, None, None)


class _Display:
    """The thread that draws."""

    def __init__(self, view: LiveView, progress: Callable[[], tuple[int, int | None, float]]) -> None:
        self._view = view
        self._progress = progress
        self._messages: deque[str] = deque()
        self._samples: deque[tuple[float, int]] = deque()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()
        while self._messages:  # that came last, or that a lost terminal did not take
            warn(self._messages.popleft())

    def say(self, text: str) -> None:
        self._messages.append(text)

    def _run(self) -> None:
        from rich.live import Live  # only on a terminal, because loading rich takes long

        terminal = console(stderr=True)
        try:
            with Live(console=terminal, auto_refresh=False, transient=True) as live:
                pause = 0.0
                while not self._ended.wait(pause):
                    pause = max(PERIOD, _SHARE * self._step(live))
                self._step(live)
        except OSError:
            pass  # the terminal is gone: the games go on

    def _step(self, live: Live) -> float:
        """Draw once, and return how many seconds it took."""
        began = time.monotonic()
        while self._messages:
            live.console.print(printable_lines(self._messages.popleft()))
        self._view.update(_UPDATE_SECONDS)
        width, height = live.console.size
        live.update(self._view.draw(self._measured(began), width, height), refresh=True)
        return time.monotonic() - began

    def _measured(self, now: float) -> Pace:
        played, total, elapsed = self._progress()
        self._samples.append((now, played))
        while len(self._samples) > 2 and self._samples[0][0] < now - _WINDOW:
            self._samples.popleft()
        since, before = self._samples[0]
        rate = (played - before) / (now - since) if now - since > 2 * PERIOD and played > before else None
        return Pace(played, total, rate, elapsed)
