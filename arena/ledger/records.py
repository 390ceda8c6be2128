"""What a ledger keeps of a game: enough to replay it, to rate it, and to say who was to blame.

`arena.game.game.Game.record` makes such a record when a game ends; `arena.ledger.recorded_games` writes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from arena.common.authors import Author
from arena.ledger.packing import unpack_times

Ending = Literal["finished", "walkover", "void"]
"""How a game ended: by the rules, with at most one seat left that can act, or void by the arena's own fault."""


class Step(msgspec.Struct, frozen=True):
    """One step of a game: an action played, a penalty charged or a seat retired."""

    kind: Literal["play", "penalty", "retire"]
    seat: int
    by: Literal["bot", "substitute", "referee"]
    index: int | None = None
    action: Mapping[str, Any] | None = None
    note: str | None = None
    metrics: dict[str, float] | None = None


class FaultRecord(msgspec.Struct, frozen=True):
    """A fault, with the last lines that the bot wrote to stderr.

    `seat` is None if it is charged to nobody, `turn` if it happened outside a decision.
    """

    seat: int | None
    turn: int | None
    code: str
    text: str
    stderr: str = ""


class PlannedGame(msgspec.Struct, frozen=True):
    """A game of a schedule: all that is known of it before it is played."""

    id: str
    index: int
    """Its place in the schedule, from 0."""
    players: int
    block: int
    rotation: int
    seed: str
    """128 bits in hex."""
    bots: list[str]
    """By seat."""

    def planned(self) -> dict[str, Any]:
        """Return these fields, without those that a record or a spec adds."""
        return {name: getattr(self, name) for name in PlannedGame.__struct_fields__}


class GameRecord(PlannedGame, frozen=True):
    """A game as it was played.

    `ranks`, `scores` and `times` are lists by seat. `times` has the microseconds of each of a seat's decisions.
    `retired` has seats in the order in which they retired.
    """

    ending: Ending
    ranks: list[int]
    scores: list[dict[str, int | float]]
    steps: list[Step]
    retired: list[int]
    faults: list[FaultRecord]
    times: list[list[int]]
    digest: str
    engine: str
    error: str = ""

    @property
    def idle(self) -> list[int]:
        """Return the seats whose bots neither retired nor were asked for anything."""
        return idle_seats(self.retired, self.times)


class GameSummary(PlannedGame, frozen=True):
    """A game without its steps and times, which are the bulk of its record: what workers tell of it unpacked."""

    ending: Ending
    ranks: list[int]
    scores: list[dict[str, int | float]]
    retired: list[int]
    idle: list[int]
    faults: list[FaultRecord]
    digest: str
    engine: str
    error: str = ""


def idle_seats(retired: Sequence[int], times: Sequence[Sequence[int]]) -> list[int]:
    """Return the seats whose bots neither retired nor were asked for anything, if others retired.

    A game that ends early because rivals retired says nothing of them. `times`: as in `GameRecord`.
    """
    return [seat for seat, asked in enumerate(times) if retired and not asked and seat not in retired]


def summary_of(record: GameRecord) -> GameSummary:
    """Return the summary of a game."""
    return GameSummary(*(getattr(record, field) for field in GameSummary.__struct_fields__))


class PageDataRecord(msgspec.Struct, frozen=True):
    """A game's page data as the ledger caches it."""

    key: str
    """A hash over all that the data depends on (record, edition, source files); the data is valid while it games."""
    data: bytes
    """Compressed; see `arena.replays.cache`."""


class GameResult(msgspec.Struct, frozen=True):
    """What rating and tables need of a game. Lists are as in `GameRecord`, and `faults` are pairs of seat and code.

    The times stay packed until somebody asks for them, because those of 100,000 games would fill the memory.
    """

    id: str
    index: int
    players: int
    block: int
    bots: list[str]
    ranks: list[int]
    scores: list[dict[str, int | float]]
    retired: list[int]
    faults: list[tuple[int, str]]
    packed_times: bytes
    """See `arena.ledger.packing`."""
    teams: list[list[int]] = []
    """The seats of each team. Empty: every bot plays for itself."""

    def seats(self, bot: str) -> list[int]:
        """Return the seats that a bot has: several if it holds a team."""
        return [seat for seat, each in enumerate(self.bots) if each == bot]

    def rivals(self, bot: str) -> dict[str, int]:
        """Return the ranks of the bots that are not in a bot's team."""
        team = next((team for team in self.teams if self.bots.index(bot) in team), self.seats(bot))
        return {each: self.ranks[seat] for seat, each in enumerate(self.bots) if seat not in team}

    @property
    def times(self) -> list[list[int]]:
        """Unpack the times, as in `GameRecord`."""
        return unpack_times(self.packed_times, len(self.bots))

    @property
    def answered(self) -> list[int]:
        """Return the seats whose bots ever answered in time."""
        late = Counter(seat for seat, code in self.faults if code == "late")
        return [seat for seat, times in enumerate(self.times) if len(times) > late[seat]]

    @property
    def is_uncontested(self) -> bool:
        """Whether all bots but one retired, and at most one bot ever answered."""
        there = {bot for seat, bot in enumerate(self.bots) if seat not in self.retired}
        return len(there) <= 1 and len({self.bots[seat] for seat in self.answered}) <= 1


class BriefResult(msgspec.Struct, frozen=True):
    """What a table needs of a game while games are played. Lists are as in `GameResult`."""

    id: str
    index: int
    bots: list[str]
    ranks: list[int]
    retired: list[int]
    faults: list[tuple[int, str]]
    teams: list[list[int]] = []
    scores: list[dict[str, int | float]] = []


class EntrantRecord(msgspec.Struct, frozen=True):
    """A version of a bot, as its source and its `hello` describe it."""

    name: str
    """Its label: see `arena.common.labels`."""
    path: str
    fingerprint: str
    language: str = ""
    declared_version: str = ""
    """What the bot itself says."""
    deterministic: bool = False
    parallel: int = 1
    left_out: str | None = None
    """Why it took no part when it was last tried; None: it did."""
    builds: list[str] = []
    """Hashes over what its build made, in the order in which the builds played. More than one: they differed."""
    author: Author | None = None
    """Who made it, as its `bot.toml` says; None: it does not say."""


def with_builds(entrant: EntrantRecord, before: list[str]) -> EntrantRecord:
    """Return an entrant with the hashes of builds that were recorded before, in front of its own."""
    return msgspec.structs.replace(entrant, builds=list(dict.fromkeys([*before, *entrant.builds])))


class FieldEvent(msgspec.Struct, frozen=True):
    """A version of a bot joined or left the field."""

    kind: Literal["join", "leave"]
    bot: str
    """A label."""
    round: int = 0
    """The first round for which it holds."""
    place: int = 0
    """Where that round begins in the schedule."""
    stops: int | None = None
    """Of a leave: from which place on the bot's games are left out, also those of rounds that were drawn before."""


class FieldNote(msgspec.Struct, frozen=True):
    """When an event of the field was recorded, and why it came about."""

    moment: str | None = None
    """In UTC, as text that sorts; None: that is not known."""
    note: str = ""
    """What the user said about it."""


class Days(msgspec.Struct, frozen=True):
    """How many games were recorded on each day."""

    games: dict[str, int]
    """By day in UTC, such as `2026-03-01`."""


class BlockRecord(msgspec.Struct, frozen=True):
    """A block of a round that was drawn."""

    place: int
    """In the schedule, of its first game."""
    round: int
    number: int
    """Which block of as many players it is, from 0."""
    bots: list[str]
    """In their base order."""


class Outcome(msgspec.Struct, frozen=True):
    """What the schedule needs of a game. Lists are as in `GameRecord`."""

    id: str
    index: int
    seed: str
    bots: list[str]
    ranks: list[int]
    scores: list[dict[str, int | float]]
    retired: list[int]


ATTEMPTS: Final = 2
"""A game that failed so often by itself (`VoidRecord.lost` at most 1), with nobody to be charged, is set aside.

Others are played in its stead."""


class VoidRecord(msgspec.Struct, frozen=True):
    """An attempt at a game that was void, through no fault that a bot was seen to make.

    An attempt is void when its worker ends, when the referee or the rules fail, when the system lacks what a bot's
    start needs (`arena.referee.games.OpenGames.void`), or when a person leaves the table or ends the arena.
    `arena.tournament.schedule.void_games` decides what becomes of the game.
    """

    game: str
    attempt: int
    """From 1."""
    bots: list[str]
    """By seat."""
    error: str
    lost: int = 0
    """How many games were lost together because their worker ended, this one included; 0: it did not end."""
    charged: str | None = None
    """The bot to which the failure is charged, so that the game is played without it."""


def is_set_aside(voids: Sequence[VoidRecord]) -> bool:
    """Return whether a game of which these attempts were void will not be played any more."""
    return sum(void.lost <= 1 for void in voids) >= ATTEMPTS and voids[-1].charged is None


def set_aside(voids: Iterable[VoidRecord]) -> set[str]:
    """Return the ids of the games that will not be played any more. `voids`: those of a ledger, in their order."""
    games: dict[str, list[VoidRecord]] = {}
    for void in voids:
        games.setdefault(void.game, []).append(void)
    return {game for game, attempts in games.items() if is_set_aside(attempts)}
