"""Show what is known while games are played: on a terminal a display that renews itself, elsewhere a line now and then.

The display is drawn in a thread of its own, a few times a second at most and less often on a busy machine. Who plays
only leaves a note of what happened, so a slow terminal, or one that was stopped with Ctrl-S, holds up no game.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from arena.cli import log
from arena.cli.progress import ProgressLines, drawn_bar, is_quiet
from arena.cli.terminal import can_draw, console, warn
from arena.common.printable import printable_lines
from arena.ledger import BriefResult, Dealing, GameSummary, Ledger, LedgerError, RatedGames, brief_results
from arena.rating import rating_system
from arena.standings.lead import running_lead_in_words
from arena.standings.running import RunningTable
from arena.tournament.observer import RunObserver, RunStart

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

    def __init__(self, view: LiveView, most: int | None = None) -> None:
        """Use the terminal, if stderr is one that can be drawn on and nothing is logged there.

        `most`: games after which play ends if it does not before, so that no total says how far it is.
        """
        self._most = most
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
            self._before.stage(name, None if self._playing and self._most else total)
        self._began, self._total = time.monotonic(), self._most or total
        if self._playing and self._draws:
            self._before.__exit__(None, None, None)
            self._display = _Display(self._view, self._pace)
            self._display.start()

    def expect(self, total: int) -> None:
        """Use another total from now on."""
        self._total = self._most or total
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
        step = max(1, (1000 if self._total is None or self._most else self._total) // 10)
        if self._played % step == 0 or now - self._spoke > _SILENCE:
            self._view.update(_LINE_SECONDS)
            self._spoke = now
            of = "" if self._total is None else f" of {self._total}" + (" at most" if self._most else "")
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


LOOK_SECONDS: Final = 2.0
"""How often a terminal shows what is looked up."""
SELDOM: Final = 10.0
"""The same off a terminal."""
_LOOK_SHARE: Final = 20
"""It is looked up less often if that takes long: a pause is so many times as long."""


class LookupView:
    """What is known so far of the one thing that is asked, in a line, as it is looked up now and then."""

    def __init__(self, look: Callable[[], str], ends: str) -> None:
        """Begin with nothing known.

        Args:
            look: Returns what is known; empty if nothing is.
            ends: When play ends, in words.
        """
        self._look = look
        self._ends = ends
        self._seconds = LOOK_SECONDS if can_draw() else SELDOM
        self._not_before = time.monotonic() + self._seconds
        self._known = ""

    def update(self, seconds: float) -> None:
        """Look up what is known, if that was not done a moment ago."""
        began = time.monotonic()
        if began < self._not_before:
            return
        self._known = self._look()
        ended = time.monotonic()
        self._not_before = ended + max(self._seconds, _LOOK_SHARE * (ended - began))

    def line(self) -> str:
        """Return what is known."""
        return self._known

    def draw(self, pace: Pace, width: int, height: int) -> RenderableType:
        """Return the games so far, what is known, and when it ends."""
        from arena.cli.progress_bar import Group, text_line  # only on a terminal: it loads rich

        of = f" of {pace.total} at most" if pace.total is not None else ""
        games = "  ".join([f"{pace.played} games{of}", *rate_in_words(pace)])
        return Group(*map(text_line, [games, self.line() or "nothing is known yet", self._ends]))


_MOST_ROWS: Final = 10
_OTHER_LINES: Final = 11
"""Lines of the screen that are not rows of the table: progress, headings, news, and some of what was said before."""
_NEWS: Final = 3
_CHUNK: Final = 200
"""Games of earlier runs that are read at once."""


class TournamentView(RunObserver):
    """The best bots so far, how fast games are played, and what is new."""

    def __init__(self, minutes: float | None = None) -> None:
        """Begin without a bot. `minutes`: how long is played, if that is what was asked for."""
        self._seconds = None if minutes is None else 60 * minutes
        self._table = RunningTable(())
        self._arrived: deque[BriefResult] = deque()
        self._start: RunStart | None = None
        self._unread = 0
        """Games of earlier runs before this place of the schedule have not been read."""
        self._rated = RatedGames()
        self._retired: Counter[str] = Counter()
        self._dealing = Dealing()
        self._news: deque[str] = deque(maxlen=_NEWS)

    def on_begin(self, start: RunStart) -> None:
        """Prepare a table of the field."""
        self._table = RunningTable(start.field, rating_system(game=start.game))
        self._start = start
        self._dealing = start.dealing
        self._unread = start.end if start.recorded else 0

    def on_game(self, game: GameSummary) -> None:
        """Keep what the table needs."""
        faults = [(fault.seat, fault.code) for fault in game.faults if fault.seat is not None]
        teams = self._dealing.teams_of(len(game.bots))
        self._arrived.append(
            BriefResult(game.id, game.index, game.bots, game.ranks, game.retired, faults, teams, game.scores)
        )

    def on_suspended(self, bot: str) -> None:
        """Take the bot out of the field."""
        self._table.suspend([bot])

    # The view

    def update(self, seconds: float) -> None:
        """Count the games that have ended, and rate some; if there is time left, read games of earlier runs."""
        ends = time.perf_counter() + seconds
        while self._arrived:
            game = self._arrived.popleft()
            self._table.add(game)
            self._note_retirements(game)
        self._table.rate(ends - time.perf_counter())
        while self._unread and time.perf_counter() < ends:
            self._read_earlier()
            self._table.rate(ends - time.perf_counter())

    def line(self) -> str:
        """Return who leads."""
        return running_lead_in_words(self._table.rows(), str) if self._table.rated else ""

    def draw(self, pace: Pace, width: int, height: int) -> RenderableType:
        """Return progress, the best ten bots and the latest news."""
        from arena.cli.progress_bar import Group, bar, standings, text_line  # only on a terminal: it loads rich

        rows = self._table.rows()
        shown = rows[: max(1, min(_MOST_ROWS, height - _OTHER_LINES))]
        parts: list[RenderableType] = []
        if pace.total is not None:
            parts.append(bar(pace.total, pace.played))
        elif self._seconds is not None:
            parts.append(bar(self._seconds, pace.elapsed))
        parts += [text_line(self._progress(pace)), standings(shown, self._table.columns)]
        if len(rows) > len(shown):
            parts.append(text_line(f"and {len(rows) - len(shown)} more"))
        if (behind := self._behind()) > 0:
            parts.append(text_line(f"ratings are those of {self._table.rated} games so far, {behind} are to be rated"))
        parts += [text_line(text) for text in self._news]
        return Group(*parts)

    def _behind(self) -> int:
        """Return how many games are not rated, if that is more than one expects from one moment to the next."""
        earlier = 0 if self._start is None else self._start.recorded
        waiting = self._table.games - self._table.rated
        return waiting if waiting > _CHUNK or (self._unread and earlier) else 0

    def _progress(self, pace: Pace) -> str:
        parts = [f"{pace.played} games" if pace.total is None else f"{pace.played} of {pace.total} games"]
        parts += rate_in_words(pace)
        left = self._seconds_left(pace)
        if left is not None:
            parts.append(f"{timedelta(seconds=round(left))} left")
        return "  ".join(parts)

    def _seconds_left(self, pace: Pace) -> float | None:
        if self._seconds is not None:
            return max(0.0, self._seconds - pace.elapsed)
        if pace.total is None or not pace.per_second:
            return None
        return max(0, pace.total - pace.played) / pace.per_second

    # What is read

    def _note_retirements(self, game: BriefResult) -> None:
        for seat in game.retired:
            bot = game.bots[seat]
            self._retired[bot] += 1
            codes = [code for at, code in game.faults if at == seat]
            before = [text for text in self._news if not text.startswith(f"{bot} ")]
            often = f", {self._retired[bot]} times by now" if self._retired[bot] > 1 else ""
            self._news.clear()
            self._news.extend([*before, f"{bot} retired in {game.id}: {codes[-1] if codes else 'fault'}{often}"])

    def _read_earlier(self) -> None:
        assert self._start is not None
        begin = max(0, self._unread - _CHUNK)
        folder = self._start.folder
        try:
            if self._unread == self._start.end:
                with Ledger.open(folder) as ledger:
                    self._rated = ledger.settings.rated
                self._table.suspend(self._rated.suspended)
            games = brief_results(folder, begin, self._unread)
        except (LedgerError, OSError):  # the process that plays will say what is wrong with it
            begin, games = 0, []
        self._table.add_earlier(game for game in games if self._rated.counts(game.bots, game.index))
        self._unread = begin


def rate_in_words(pace: Pace) -> list[str]:
    """Return how many games are played in a second, if that is known."""
    rate = pace.per_second
    return [] if rate is None else [f"{rate:.{0 if rate >= 100 else 1}f} a second"]
