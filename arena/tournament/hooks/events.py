"""What a hook gets on standard input: one JSON object, in which nothing of a game that is not over can stand."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

VERSION: Final = 1
MOST_ROWS: Final = 50
"""The best bots that an object lists."""
MOST_FAULTS: Final = 10
"""The faults that an object describes; it counts them all."""


class TournamentFacts(msgspec.Struct, frozen=True):
    """Which tournament it is."""

    folder: str
    """An absolute path."""
    game: str
    """The name of the game that is played."""
    edition: str | None
    """The name of its edition. Null: it has none."""
    format: str
    """The name of the tournament's format."""
    players: list[int]
    """The player counts that were asked for."""
    bots: int
    """How many take part."""


class GamesSoFar(msgspec.Struct, frozen=True):
    """How far the tournament is."""

    played: int
    """Games that are recorded."""
    expected: int | None
    """About how many will be at the end. Null: that is not known."""


class StandingsRow(msgspec.Struct, frozen=True):
    """A bot's place."""

    rank: int | None
    """Its place in the order of the ratings; 1 is best. Null: it is not in the field."""
    band: tuple[int, int] | None
    """Between which places it really stands, with 95 % confidence for all bots at once.

    Null: nothing is known about that, or it is not in the field.
    """
    bot: str
    """Its label."""
    values: dict[str, float]
    """Its rating, by the names of the columns in `arena leaderboard --format json`."""
    bound: Literal["at least", "at most"] | None
    """On which side its rating is known, if on one side alone, as it only won or only lost."""
    games: int
    """Its games that count."""
    mean_finish: float | None
    """0: always first, 1: always last. Null without a game, as for `wins`."""
    wins: float | None
    """The share of games won."""
    faults: dict[str, int]
    """By code."""
    suspended: bool
    """Whether it plays no more, and so is not in the field."""


class Move(msgspec.Struct, frozen=True):
    """A bot that has another rank than before."""

    bot: str
    """Its label."""
    before: int | None
    """Null: it had not played."""
    after: int
    """Its rank now."""


class HookFault(msgspec.Struct, frozen=True):
    """A fault in a game that is over."""

    game: str
    """The id of the game."""
    code: str
    """As in the table of faults in `protocol.md`."""
    turn: int | None
    """At which of the bot's decisions in the game. Null: outside of one."""
    text: str
    """What was wrong, in the referee's words."""


class HookEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """What stands in the object of every event."""

    version: Literal[1] = VERSION
    """Of this form. A later version may bring further fields under the same number."""
    text: str
    """What happened, in one line, ready to be posted."""


class TournamentEvent(HookEvent, frozen=True, kw_only=True):
    """What stands in the object of every event of a tournament."""

    tournament: TournamentFacts
    """Which tournament it is."""
    games: GamesSoFar
    """How far it is."""


class RoundEvent(TournamentEvent, frozen=True, kw_only=True, tag="round"):
    """All games of a round are played."""

    round: int
    """Counted from 1."""
    standings: list[StandingsRow]
    """After this round, best first; 50 rows at most."""


class FaultEvent(TournamentEvent, frozen=True, kw_only=True, tag="fault"):
    """A bot has committed faults."""

    bot: str
    """Its label."""
    count: int
    """How many faults this object is about."""
    faults: list[HookFault]
    """The first ten of them."""


class SuspendedEvent(TournamentEvent, frozen=True, kw_only=True, tag="suspended"):
    """A bot plays no more, as it retired in several games in a row."""

    bot: str
    """Its label."""
    retired_in_a_row: int
    """In so many games in a row."""


class RankChangedEvent(TournamentEvent, frozen=True, kw_only=True, tag="rank_changed"):
    """The order of the bots is another one than a round before."""

    round: int
    """The round after which it changed, counted from 1."""
    leaders: list[str]
    """All that may be the best now, within error, best first; of a large field the one with the best rating."""
    leaders_before: list[str]
    """The same a round before."""
    moves: list[Move]
    """Who has another rank, best first."""
    standings: list[StandingsRow]
    """After this round, best first; 50 rows at most."""


class HeadEvent(TournamentEvent, frozen=True, kw_only=True, tag="head"):
    """A head of the chain is to be published."""

    head: str
    """The head, in hex."""
    moment: str
    """When, in UTC."""
    entries: int
    """How many entries of the chain it stands for."""


class FinishedEvent(TournamentEvent, frozen=True, kw_only=True, tag="finished"):
    """The tournament has ended."""

    rated: int
    """The games that the tables are made of."""
    complete: bool
    """Whether what was asked for was played: else most of it could not be, nobody
    answered in most games, or games were set aside."""
    set_aside: list[str]
    """Ids of games that failed twice through the arena's own fault."""
    suspended: list[str]
    """Bots that play no more."""
    left_out: list[str]
    """Bots that took no part."""
    standings: list[StandingsRow]
    """The final ones, as `arena leaderboard` has them."""


class HookLeague(msgspec.Struct, frozen=True):
    """Which league it is."""

    folder: str
    """An absolute path."""
    name: str
    """What it is called."""
    season: str
    """The name of the season."""


class LeagueEvent(HookEvent, frozen=True, kw_only=True):
    """What stands in the object of every event of a league."""

    league: HookLeague
    """Which league it is."""


class SubmissionEvent(LeagueEvent, frozen=True, kw_only=True, tag="submission"):
    """A submission has come a step further."""

    submission: int
    """Its number."""
    submitter: str
    """Whose it is."""
    state: str
    """How far it is: `received`, `joined` and so on."""
    about: str
    """What there is to say of that: of a trial its games, of what is refused why."""


class MarkEvent(LeagueEvent, frozen=True, kw_only=True, tag="mark"):
    """A submitter has other marks than after the round before."""

    submitter: str
    """Whose marks they are."""
    round: int
    """The round after which they changed."""
    came: list[str]
    """Marks that are new."""
    gone: list[str]
    """Marks that are lost."""


class SeasonEvent(LeagueEvent, frozen=True, kw_only=True, tag="season"):
    """A season has come further."""

    state: Literal["begun", "frozen", "final", "over"]
    """Frozen: submissions wait for the next season from now on. Final: it is being played."""


AnyHookEvent = (
    RoundEvent
    | FaultEvent
    | SuspendedEvent
    | RankChangedEvent
    | HeadEvent
    | FinishedEvent
    | SubmissionEvent
    | MarkEvent
    | SeasonEvent
)
