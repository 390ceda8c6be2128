"""Follow a run from within the process that plays it: what it says as it begins, while it plays and at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from arena.ledger import Dealing, GameSummary, Placing

_ENOUGH: Final = 0.5
"""The share of the games asked for that must count if a run is to be called complete."""


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
    game: str | None = None
    """The name of the rules."""
    dealing: Dealing = Dealing()
    """How games are dealt, and who holds their seats."""


class PublishedHead(NamedTuple):
    """A head of the chain that is published while games are played."""

    head: str
    moment: str
    """When, in UTC, as text that sorts."""
    entries: int
    """Of the chain up to it."""
    games: int
    """Games that it stands for."""


@dataclass
class RunOutcome:
    """How a run ended."""

    folder: Path
    played: int = 0
    """Games played by this run."""
    rated: int = 0
    """How many places from the start of the schedule the tables cover."""
    counting: int = 0
    """Games that count of those that were asked for, which are between bots of the field."""
    asked: int | None = None
    """Games that were asked for; None: not a number of games."""
    set_aside: list[str] = field(default_factory=list)
    """Games that failed twice through our own fault."""
    suspended: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    """Bots that take no part, and why: the cause in the first line."""
    interrupted: bool = False
    commitment: str = ""
    """What has to be published before play can begin; nothing was played."""
    head: str = ""
    """Of the ledger's chain, at the end."""
    conclusions: list[str] = field(default_factory=list)
    """What the format has found out, in a line each."""
    placings: list[Placing] = field(default_factory=list)
    """How far each bot came in a knockout, best first."""

    @property
    def is_short(self) -> bool:
        """Return whether most of the games that were asked for could not be played."""
        return not self.interrupted and self.asked is not None and self.counting < _ENOUGH * self.asked


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
