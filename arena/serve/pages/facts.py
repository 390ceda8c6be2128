"""What the pages of a league know: plain facts, which the league replaces as a whole whenever something has changed.

They are kept apart by who may see them. A page, an address of the API or an event is made of one of these parts alone.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from arena.common.labels import bot_name, version_label
from arena.serve.store import (
    Kind,
    LeagueRound,
    Member,
    State,
    Submission,
    SubmissionStep,
    Via,
    secret_hash,
)
from arena.site.names import slugs

Replays = Literal["at once", "1 day", "after the season"]
_DAY: Final = 86_400.0


class LeagueState(msgspec.Struct, frozen=True):
    """How a league stands. Moments are seconds since 1970."""

    name: str
    game: str
    season: str
    season_ends: float | None = None
    is_season_over: bool = False
    is_hidden: bool = False
    """Whether standings are shown to organisers alone."""
    has_final: bool = False
    """Whether a final was played, of which the pages are at `/final/`."""
    is_paused: bool = False
    next_round: float | None = None
    played: int | None = None
    """How many games of the round under way have been played. None: there is none."""
    expected: int | None = None
    """About how many it will have."""
    waits_for: list[int] = []
    """Submissions on their way that the round that is due waits for."""
    takes_uploads: bool = True
    replays: Replays = "1 day"
    """When games are shown to others than those whose bots played them."""


class LeagueStanding(msgspec.Struct, frozen=True):
    """A line of the standings: a submitter's bot, or a reference bot."""

    place: str
    bot: str
    rating: float
    error: float | None = None
    games: int = 0
    is_reference: bool = False
    """Reference bots have no place."""
    versions: list[int] = []
    """Those that count, by number: the last one plays."""


class LeagueBot(msgspec.Struct, frozen=True):
    """A bot in the field."""

    name: str
    is_reference: bool
    submission: int | None = None
    """None: it is a reference bot."""
    is_remote: bool = False


class LeagueGame(msgspec.Struct, frozen=True):
    """A game that was played."""

    id: str
    bots: tuple[str, ...]
    """By seat, with their versions."""
    ended: float

    def is_of(self, name: str) -> bool:
        """Return whether a submitter's bot played it."""
        return name in map(bot_name, self.bots)


class PublicSubmission(msgspec.Struct, frozen=True):
    """What everybody may know of a submission."""

    id: int
    submitter: str
    via: Via
    received: float
    state: State


class PublicRound(msgspec.Struct, frozen=True):
    """What everybody may know of a round."""

    season: str
    number: int
    due: float
    bots: tuple[str, ...]
    state: Literal["playing", "complete", "not complete"]
    ended: float | None = None


def _said(text: str) -> msgspec.Meta:
    return msgspec.Meta(description=text)


class PublicFacts(msgspec.Struct, frozen=True):
    """What everybody may know: each field is an address of the interface for programs."""

    league: Annotated[LeagueState, _said("How the league stands")]
    standings: Annotated[tuple[LeagueStanding, ...], _said("The standings, best first; empty while hidden")] = ()
    bots: Annotated[tuple[LeagueBot, ...], _said("The bots in the field")] = ()
    rounds: Annotated[tuple[PublicRound, ...], _said("The rounds of the season")] = ()
    games: Annotated[tuple[LeagueGame, ...], _said("The games of the season")] = ()
    submissions: Annotated[tuple[PublicSubmission, ...], _said("The submissions")] = ()
    marks: Annotated[Mapping[str, list[str]], _said("By bot, the marks that it has; empty while hidden")] = {}


class MemberFacts(msgspec.Struct, frozen=True):
    """What a submitter may know beside what everybody may."""

    submissions: tuple[Submission, ...] = ()
    """The newest first."""
    steps: Mapping[int, list[SubmissionStep]] = {}
    """By submission."""
    trial: str = ""
    """How the trial stands that is under way."""
    trials_left: int | None = None
    """In this hour. None: it is not known."""
    versions_left: int | None = None
    """On this day."""
    waits_for: str = ""
    """Why their newest submission does not go on at once, or does not play."""
    logs: Mapping[str, Path] = {}
    """Files with the output of their own bot, by name."""
    report: Path | None = None
    """A page about their bot, as `arena report` writes it. None while standings are hidden."""


class OrganiserFacts(msgspec.Struct, frozen=True):
    """What organisers may know beside what everybody may."""

    standings: tuple[LeagueStanding, ...] = ()
    members: tuple[Member, ...] = ()
    queue: tuple[Submission, ...] = ()
    """Submissions on their way: of each submitter a few."""
    unlisted: int = 0
    """How many more there are."""
    refused: tuple[Submission, ...] = ()
    """The latest that were refused."""
    waits: tuple[str, ...] = ()
    """Who waits for what."""
    faults: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    """What was found of copies and favours: facts of files and games, which accuse nobody."""
    marks: Mapping[str, list[str]] = {}
    disk_bytes: int = 0
    quota_bytes: int = 0
    lacks: str = ""
    """Why nothing new is begun; empty: it is."""


class LeagueFacts(msgspec.Struct, frozen=True):
    """All that the pages know."""

    public: PublicFacts
    members: Mapping[str, MemberFacts] = {}
    organiser: OrganiserFacts = OrganiserFacts()
    secrets: Mapping[str, tuple[str, Kind]] = {}
    """By the hash of each secret that lets somebody in: who, and as what."""
    site: Path | None = None
    """The published site of the season; None: there is none yet."""
    archive: Mapping[str, Path] = {}
    """The sites of earlier seasons, by name."""
    ranks: Mapping[str, list[int]] = {}
    """By game, the places by seat: a submitter is told those of their own games."""

    def known(self, secret: str) -> tuple[str, str]:
        """Return whose secret this is, and as what it lets in; nobody's: two empty texts.

        All are compared, each in constant time.
        """
        wanted, found = secret_hash(secret), ("", "")
        for kept, who in self.secrets.items():
            if hmac.compare_digest(wanted, kept):
                found = who
        return found

    def page_of(self, line: LeagueStanding) -> str:
        """Return the address of a bot's page in the site of the season. Empty: there is none yet."""
        label = version_label(line.bot, (line.versions or [1])[-1])
        page = f"bots/{slugs([label])[label]}.html"
        return f"/{page}" if self.site is not None and (self.site / page).is_file() else ""

    def place(self, game: LeagueGame, name: str) -> str:
        """Return in words how a game ended for a submitter. Empty: it is not known."""
        ranks = self.ranks.get(game.id)
        return "" if ranks is None else f"place {ranks[list(map(bot_name, game.bots)).index(name)]} of {len(ranks)}"


def is_shown(game: LeagueGame, league: LeagueState, now: float) -> bool:
    """Return whether everybody may see the course of a game."""
    if league.replays == "at once" or league.is_season_over:
        return True
    return league.replays == "1 day" and now >= game.ended + _DAY


def public_round(each: LeagueRound) -> PublicRound:
    """Return what everybody may know of a round: not why it is not complete, which can be what a bot said."""
    state: Literal["playing", "complete", "not complete"] = "playing"
    if each.outcome is not None:
        state = "complete" if each.outcome == "complete" else "not complete"
    return PublicRound(each.season, each.number, each.due, tuple(sorted(each.field)), state, each.ended)
