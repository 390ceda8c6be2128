"""What a ledger says of its tournament: what was fixed when it began, and how it stands."""

from __future__ import annotations

import math
from bisect import bisect, bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

DEFAULT_FORMAT: Final = "balanced"
"""The format of a tournament whose ledger names none."""

_MOST_PLAYERS: Final = 64

Partners = Literal["own", "drawn"]
"""Whether one entrant holds all seats of a team, by a process each, or other entrants are drawn as its partners."""


class Dealing(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the games of a block are dealt, how they begin, and who holds the seats of a team."""

    is_shared: bool = False
    """Whether all of them have one seed, and so the same deal."""
    is_fresh: bool = False
    """Whether bots begin each game in a new process, so that nobody knows the deal from the game before."""
    has_chance: bool = True
    """Whether the rules have chance. Without it, games with the same actions are the same game."""
    openings: int = 0
    """How many random actions begin a game: see `arena.game.opening`."""
    partners: Partners | None = None
    """None: every seat plays for itself."""
    teams: list[list[list[int]]] = []
    """For each number of players with teams: the seats of each team."""

    def __post_init__(self) -> None:
        """Raise `ValueError` unless each seat is in one team: what somebody wrote into a ledger may be anything."""
        for teams in self.teams:
            seats = sorted(seat for team in teams for seat in team)
            if seats != [*range(len(seats))] or not all(teams) or len(teams) < 2:
                raise ValueError(f"the teams {teams} are not all seats, each once")

    def teams_of(self, players: int) -> list[list[int]]:
        """Return the seats of each team in games of so many players; empty: every seat plays for itself."""
        return next((each for each in self.teams if sum(map(len, each)) == players), [])

    def entrants(self, players: int) -> int:
        """Return how many entrants, and so how many games, a block has whose games have so many players."""
        return (self.partners == "own" and len(self.teams_of(players))) or players

    def players_of(self, bots: int) -> int:
        """Return how many players the games of a block have that has so many entrants."""
        own = self.teams if self.partners == "own" else []
        return next((sum(map(len, each)) for each in own if len(each) == bots), bots)

    def seated(self, bots: Sequence[str]) -> list[str]:
        """Return by seat who plays in a game of these entrants: partners are the same entrant, or sit as they come."""
        players = self.players_of(len(bots))
        if players == len(bots):
            return list(bots)
        found = {seat: bot for bot, team in zip(bots, self.teams_of(players), strict=True) for seat in team}
        return [found[seat] for seat in range(players)]

    def entrants_of(self, seats: Sequence[str]) -> list[str]:
        """Return the entrants of a game by team, or by seat where every seat has its own. `seats`: who plays there."""
        teams = self.teams_of(len(seats)) if self.partners == "own" else []
        return [seats[team[0]] for team in teams] or list(seats)

    @property
    def words(self) -> str:
        """What is special about it, for people; empty: nothing."""
        said = ["shared by the games of a block"] if self.is_shared else []
        said += [f"{self.openings} random actions first"] if self.openings else []
        said += {None: [], "own": ["each bot holds a team"], "drawn": ["partners are drawn"]}[self.partners]
        return "; ".join(said)


PlaceRange = tuple[int, int | None]
"""Places in the schedule from the first up to, and without, the second; None: without end."""


def is_absent(absent: Mapping[str, Sequence[PlaceRange]], bots: Iterable[str], place: int) -> bool:
    """Return whether a game of these bots at that place is left out. `absent`: by bot, where its games are."""
    return bool(absent) and any(
        begin <= place and (end is None or place < end) for bot in bots for begin, end in absent.get(bot, ())
    )


def _holds(places: Sequence[int], place: int) -> bool:
    at = bisect_left(places, place)
    return at < len(places) and places[at] == place


class RatedGames(msgspec.Struct, frozen=True):
    """Which games count."""

    games: int | None = None
    """So many from the beginning of the schedule; None: all that were played."""
    suspended: dict[str, int] = {}
    """By bot that is suspended and has not left: the place of the schedule from which on its games are left out."""
    absent: dict[str, list[PlaceRange]] = {}
    """By version of a bot: ranges of places at which its games are left out, as it was suspended or had left."""
    void: dict[str, list[int]] = {}
    """By version of a bot: places of games that do not count because it crashed there, if crashes make games void."""
    without: dict[str, list[int]] = {}
    """By name of a machine that is left out: places of its games, in order, which do not count."""
    asked: int | None = None
    """The number of games that the last run was asked for; None: not a number of games."""
    expected: int | None = None
    """About how many games will have been played at the end; None: that is not known, or there are no more to come."""

    def in_field(self, joined: Iterable[str]) -> list[str]:
        """Return which of the bots that joined and have not left are in the field: those that are not suspended."""
        return [bot for bot in joined if bot not in self.suspended]

    def counts(self, bots: Iterable[str], place: int) -> bool:
        """Return whether a game of these bots at that place of the schedule counts."""
        if (self.games is not None and place >= self.games) or is_absent(self.absent, bots, place):
            return False
        if self.without and any(_holds(places, place) for places in self.without.values()):
            return False
        return not self.void or not any(place in self.void.get(bot, ()) for bot in bots)

    def uncounted(self) -> set[int]:
        """Return the places of games that do not count because of a crash or of their machine."""
        return {place for places in (*self.void.values(), *self.without.values()) for place in places}


class LaterSeed(msgspec.Struct, frozen=True):
    """A seed for the games from a place on, taken because the seed before it had been published."""

    place: int
    hash: str
    seed: str | None = None
    """In hex, once the results are final."""


class Beacon(msgspec.Struct, frozen=True):
    """A public value that was not known when the tournament was committed to, and what others added to it."""

    value: str
    contributions: list[str]
    """Of the bots' authors, for example."""
    head: str
    """Of the chain before that: it stands for the settings, the bots and the hash of the secret."""


class BegunGame(msgspec.Struct, frozen=True):
    """An attempt at a game with persons that was begun: void if nothing else becomes of it."""

    game: str
    attempt: int
    """From 1."""
    bots: list[str]
    """By seat."""


class Placing(msgspec.Struct, frozen=True):
    """How far a bot has come in a knockout."""

    bot: str
    place: int
    """1 is best; equal numbers share a place."""
    stage: int
    """The stage in which it went out, counted from 0; the winner's is the final."""
    withdrew: bool
    """Whether it went out because it left or was suspended."""


class Measure(msgspec.Struct, frozen=True):
    """By what bots are compared while games are played: the score that is played for, or where they finished."""

    name: str
    """Of the score; empty: finishes."""
    unit: str
    worst: float
    best: float

    def __post_init__(self) -> None:
        """Raise `ValueError` unless one end is worse: what somebody wrote into a ledger may be anything."""
        if not 0 < self.scale < math.inf:
            raise ValueError(f"no score is from {self.worst} to {self.best}")

    @property
    def scale(self) -> float:
        """Return what a difference of finishes, from 0 to 1, is of it."""
        return abs(self.best - self.worst)

    def finish(self, value: float) -> float:
        """Return how far a value is from the best, from 0 to 1 for the worst."""
        return min(1.0, max(0.0, (self.best - value) / (self.best - self.worst)))

    def value(self, finish: float) -> float:
        """Return the value that is so far from the best."""
        return self.best - finish * (self.best - self.worst)


FINISHES: Final = Measure("", "", 1.0, 0.0)


class NeighbourVerdict(msgspec.Struct, frozen=True):
    """What is known of two neighbours in the order."""

    upper: str
    lower: str
    kind: Literal["apart", "tied", "undecided"]
    """`apart`: the upper one is better. `tied`: they differ by less than the margin."""
    games: int
    """Those in which both played, and which were looked at."""
    difference: float | None
    """By how much the upper one finished before the lower one in these, on average. None without a game."""


class Contradiction(msgspec.Struct, frozen=True):
    """Two bots of which the lower one is known to be better: some are better than each other in a circle."""

    upper: str
    lower: str
    games: int
    """Those in which both played, and which were looked at."""
    difference: float | None
    """By how much the upper one finished before the lower one in these, on average: less than 0."""


class Resolution(msgspec.Struct, frozen=True):
    """What is known of an order, all of it at once."""

    error: float
    """The probability that anything of it is wrong, however often one has looked."""
    margin: float
    """The difference of mean finishes, or of scores, below which two bots are tied."""
    verdicts: list[NeighbourVerdict]
    """Of every two neighbours, from the best two down."""
    contradictions: list[Contradiction] = []
    """Of other bots, all that no order can agree with as well. Without a circle there are none."""
    joined: int = 0
    """How many bots and versions joined after the first round, if that is counted."""
    unit: str = ""
    """Of the score in which differences are counted; empty: in mean finishes."""

    @property
    def are_neighbours_known(self) -> bool:
        """Return whether every two neighbours are apart or tied, so that more games would change nothing."""
        return all(verdict.kind != "undecided" for verdict in self.verdicts)

    @property
    def is_resolved(self) -> bool:
        """Return whether every two neighbours are apart or tied, and the order agrees with all that is known."""
        return self.are_neighbours_known and not self.contradictions

    def data(self) -> dict[str, Any]:
        """Return the resolution as plain data, with whether all is resolved."""
        return {"resolved": self.is_resolved, **msgspec.to_builtins(self)}


class TournamentSettings(msgspec.Struct, frozen=True):
    """The `meta` of a ledger."""

    game: str
    edition: dict[str, Any]
    players: Annotated[
        list[Annotated[int, msgspec.Meta(ge=2, le=_MOST_PLAYERS)]], msgspec.Meta(max_length=_MOST_PLAYERS)
    ]
    """The player counts that were asked for."""
    time: dict[str, Any]
    """The fields of a `TimeControl`, which says whether they are right."""
    seed_hash: str
    seed_given: bool
    """Whether the user gave the seed, so that it is no secret."""
    limits: dict[str, int] = {}
    """The most that a bot may ask for as its limits, as in the plan."""
    network: list[str] | None = None
    """Which bots may use the network, each with the names of the variables that it gets, as in the plan."""
    rated: RatedGames = RatedGames()
    finished: bool = False
    dealing: Dealing | None = None
    """None: every game has a deal of its own, and no opening."""
    resolution: Resolution | None = None
    """What is known of the order, in a tournament that goes on until that is known; None: it has not ended yet."""
    placings: list[Placing] = []
    """Of a knockout, best first, once the results are final."""
    format: str = DEFAULT_FORMAT
    options: dict[str, Any] = {}
    """Of the format."""
    beacon_source: str | None = None
    """Where the public value will come from that goes into the seed; None: nothing goes into it."""
    beacon: Beacon | None = None
    seed: str | None = None
    """In hex, once the results are final. With a beacon it is the secret part of it."""
    later_seeds: list[LaterSeed] = []
    """In the order of their places."""
    isolation: list[str] = []
    """How bots were kept apart while games were played, as `box`; several if that changed from run to run."""
    machines: list[dict[str, str]] = []
    """On which machines games were played, as `arena.common.machine` describes them."""
    without_machines: list[str] = []
    """Names of machines of a cluster whose games do not count."""
    tables: dict[str, Literal["elsewhere", "here"]] = {}
    """By label where a bot runs, if the one kind never meets the other. Who is not named here meets both."""
    begun: BegunGame | None = None
    """The attempt at a game with persons that was begun last."""
    last_run: str | None = None
    """When a run last began, ended or played a game, in UTC as text that sorts."""

    @property
    def awaits_beacon(self) -> bool:
        """Whether nothing can be played yet, because the public value is not known that will go into the seed."""
        return self.beacon_source is not None and self.beacon is None

    @property
    def edition_name(self) -> str | None:
        """Return the name of the edition; None if it has none."""
        return self.edition.get("name")

    def seed_of(self, place: int) -> tuple[str, str | None]:
        """Return the hash of the seed from which the game at a place got its own, and that seed if it is published."""
        seeds = [(self.seed_hash, self.seed), *((each.hash, each.seed) for each in self.later_seeds)]
        return seeds[bisect([each.place for each in self.later_seeds], place)]

    def without_seeds(self) -> TournamentSettings:
        """Return the settings without the seeds, which give hands away."""
        later = [msgspec.structs.replace(each, seed=None) for each in self.later_seeds]
        return msgspec.structs.replace(self, seed=None, later_seeds=later)

    @property
    def entrants(self) -> list[int]:
        """Return for each player count how many entrants a block has."""
        dealing = self.dealing or Dealing()
        return [dealing.entrants(count) for count in self.players]

    def counts(self, bots: int) -> list[int]:
        """Return the player counts for which so many bots are enough."""
        return [count for count, needed in zip(self.players, self.entrants, strict=True) if needed <= bots]

    def entries(self) -> dict[str, Any]:
        """Return the entries of `meta`, by key; a key that says nothing is left out."""
        found = msgspec.to_builtins(self)
        return {key: found[key] for key in sorted(found) if found[key] is not None}
