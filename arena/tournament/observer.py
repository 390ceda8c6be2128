"""Follow a run from within the process that plays it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from arena.ledger import GameSummary
from arena.tournament.run_outcome import RunOutcome


class RunStart(NamedTuple):
    """A run that is about to play."""

    folder: Path
    """Of the ledger."""
    field: Sequence[str]
    """The labels of the bots that take part."""
    end: int
    """Behind the last place of the schedule that was drawn before."""
    complete: int
    """Behind the last place of the rounds that were complete before."""
    recorded: int
    """Games that were played before."""
    expected: int | None
    """About how many games will have been played at the end; None: that is not known."""


class PublishedHead(NamedTuple):
    """A head of the chain that is published while games are played."""

    head: str
    moment: str
    """When, in UTC, as text that sorts."""
    entries: int
    """Of the chain up to it."""
    games: int
    """Games that it stands for."""


class RunObserver:
    """Is called while a run plays, in the thread that plays: a method must return at once. It does nothing."""

    def on_begin(self, start: RunStart) -> None:
        """Take note that play begins."""

    def on_game(self, game: GameSummary) -> None:
        """Take note of a game that is in the ledger now."""

    def on_suspended(self, bot: str) -> None:
        """Take note that a bot is suspended."""

    def on_round(self, number: int, end: int) -> None:
        """Take note that all games of a round, counted from 0, are known; it ends before the place `end`."""

    def on_head(self, head: PublishedHead) -> None:
        """Publish a head."""

    def on_end(self, outcome: RunOutcome) -> None:
        """Take note that the run has come to its end and was not interrupted; the ledger says which games count."""
