"""The table that is shown on a terminal while a tournament plays."""

from __future__ import annotations

import time
from collections import Counter, deque
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.cli.live import Pace
from arena.ledger import BriefResult, Dealing, GameSummary, Ledger, LedgerError, RatedGames, brief_results
from arena.rating import rating_system
from arena.standings.lead import running_lead_in_words
from arena.standings.running import RunningTable
from arena.tournament.observer import RunObserver, RunStart

if TYPE_CHECKING:
    from arena.cli.live_drawing import RenderableType

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
        from arena.cli.live_drawing import Group, bar, standings, text_line  # only on a terminal: it loads rich

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
