"""What is shown while two bots are compared: how many games were played, and what is known of the difference."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from arena.cli.live import Pace
from arena.cli.live_table import rate_in_words
from arena.ledger import Ledger, LedgerError
from arena.tournament.comparison.question import Question
from arena.tournament.comparison.verdict import Comparison, comparison

if TYPE_CHECKING:
    from arena.cli.live_drawing import RenderableType

LOOK_SECONDS: Final = 2.0
"""How often a terminal shows what is known."""
SELDOM: Final = 10.0
"""The same off a terminal."""
_SHARE: Final = 20
"""It is looked up less often if that takes long: a pause is so many times as long."""


class ComparisonView:
    """The difference of two bots so far, with its range."""

    def __init__(self, question: Question, look_seconds: float = SELDOM) -> None:
        """Begin with nothing known. `look_seconds`: how often what is known is looked up."""
        self._question = question
        self._look_seconds = look_seconds
        self._not_before = time.monotonic() + look_seconds
        self._found: Comparison | None = None

    def update(self, seconds: float) -> None:
        """Look up what is known, if that was not done a moment ago."""
        began = time.monotonic()
        if began < self._not_before:
            return
        try:
            with Ledger.open(self._question.folder) as ledger:
                self._found = comparison(ledger)
        except (LedgerError, OSError):
            pass  # the process that plays will say what is wrong with it
        ended = time.monotonic()
        self._not_before = ended + max(self._look_seconds, _SHARE * (ended - began))

    def line(self) -> str:
        """Return the difference with its range."""
        if self._found is None or self._found.difference is None:
            return ""
        return f"{self._question.sides.new.typed} is better by {difference_in_words(self._found)}"

    def draw(self, pace: Pace, width: int, height: int) -> RenderableType:
        """Return the games so far, the difference, and when it ends."""
        from arena.cli.live_drawing import Group, text_line  # only on a terminal: it loads rich

        margin = self._question.identity.options.margin
        ends = f"it ends when the range is above 0, below 0 or within ±{margin:g}"
        of = f" of {pace.total} at most" if pace.total is not None else ""
        games = "  ".join([f"{pace.played} games{of}", *rate_in_words(pace)])
        return Group(*map(text_line, [games, self.line() or "nothing is known yet", ends]))


def difference_in_words(found: Comparison) -> str:
    """Return by how much the new bot is better, with the range of the true difference."""
    if found.difference is None:
        return "-"
    difference, low, high = (f"{round(each, 3) + 0.0:+.3f}" for each in (found.difference, found.low, found.high))
    return f"{difference} ({low} to {high})"
