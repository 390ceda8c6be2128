"""Publish heads of the chain while a tournament is played, so that it cannot be played again until it suits.

An organiser who plays the same start several times, and shows the run that suits, has published the heads of all of
them, or of none. Each date stands in the chain, behind the head that it is about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from arena.common.printable import counted
from arena.common.regular_files import read_regular, why_unread
from arena.ledger import Ledger
from arena.ledger.dates import now
from arena.tournament.observer import PublishedHead, RunObserver
from arena.tournament.plan import Plan, PlanError

_HEAD: Final = re.compile("[0-9a-f]{64}")
MINUTES: Final = 10.0
"""Between two heads, if nothing else is asked for."""
_MOST: Final = 1 << 24
"""Bytes of a file with heads."""


def check_heads_file(plan: Plan) -> None:
    """Raise `PlanError` if no line can be added to the file for heads, or if it holds something else."""
    if plan.heads is None:
        return
    file = Path(plan.heads)
    try:
        with file.open("a", encoding="utf-8"):
            begun = file.stat().st_size > 0
    except OSError as error:
        raise PlanError(f"heads: {file} cannot be written: {why_unread(error)}", "heads") from None
    if begun and not _has_heads(file):
        raise PlanError(f"heads: {file} holds something else, which would be spoilt: name another file", "heads")


def _has_heads(file: Path) -> bool:
    try:
        return all(map(_HEAD.fullmatch, heads_in(file)))
    except PlanError:
        return False


class HeadPublisher:
    """Publishes heads of a ledger: as lines of a file, and to the observers of a run."""

    def __init__(
        self,
        plan: Plan,
        ledger: Ledger,
        observers: Sequence[RunObserver],
        say: Callable[[str], None],
        clock: Callable[[], float],
    ) -> None:
        """Publish nothing yet.

        Args:
            plan: Says where heads are published and how often.
            ledger: Open to write.
            observers: Get each head.
            say: Gets why a head could not be written.
            clock: In seconds.
        """
        self._file = None if plan.heads is None else Path(plan.heads)
        self._is_wanted = plan.heads is not None or (plan.hooks is not None and plan.hooks.head is not None)
        self._seconds = 60 * (MINUTES if plan.heads_minutes is None else plan.heads_minutes)
        self._ledger = ledger
        self._observers = observers
        self._say = say
        self._clock = clock
        self._due: float | None = None

    def begin(self) -> None:
        """Publish the head of a run that begins, and others from time to time from now on."""
        if self._is_wanted:
            self._publish(is_dated=True)

    def go_on(self) -> None:
        """Publish a head if the time has come. Call it when games were recorded."""
        if self._due is not None and self._clock() >= self._due:
            self._publish(is_dated=True)

    def end(self) -> None:
        """Publish the last head of a run, behind which nothing is recorded, its date neither."""
        if self._due is not None:
            self._publish(is_dated=False)

    def _publish(self, is_dated: bool) -> None:
        self._due = self._clock() + self._seconds
        chain = self._ledger.chain
        head = PublishedHead(chain.head(), now(), chain.length(), self._ledger.played())
        written = append_head(self._file, head, self._say)
        for observer in self._observers:
            observer.on_head(head)
        if is_dated and written:
            self._ledger.note_published_head(head.moment)


def append_head(file: Path | None, head: PublishedHead, say: Callable[[str], None]) -> bool:
    """Add the line of a head to a file, and return whether nothing failed. `file`: None, if there is none."""
    if file is None:
        return True
    try:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"{head.moment} {head.head} {head.entries} entries, {counted(head.games, 'game')}\n")
    except OSError as error:
        say(f"a head could not be added to {file}: {error.strerror}")
        return False
    return True


def heads_in(file: Path) -> list[str]:
    """Return the heads in a file that `append_head` wrote, in their order. Raises `PlanError` if it is no such file."""
    try:
        lines = read_regular(file, _MOST).decode("utf-8").splitlines()
        return [line.split()[1] for line in lines if line.strip()]
    except OSError as error:
        raise PlanError(f"{file} cannot be read: {why_unread(error)}") from None
    except (ValueError, IndexError):
        raise PlanError(f"{file} is no file that --heads wrote: a line has a date and a head") from None
