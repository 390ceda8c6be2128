"""A leaderboard as typed rows, and as data for JSON and scripts."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import msgspec

from arena.common.authors import Author
from arena.common.printable import counted, printable
from arena.ledger import Placing, Resolution
from arena.rating import RankBand, RatingColumns, SkillDifferences
from arena.rating.base import Bound, Ends
from arena.standings.game_counts import UncontestedGames

_ISOLATION: Final = {"none": "none (bots could read and change everything that their user can)"}


_LIMITS: Final = {"cgroup": "a control group", "systemd": "systemd"}
"""What holds the limits of bots exactly."""


def _in_words(recorded: str) -> str:
    """Say how bots were kept apart, what held their limits, and what was opened to them, from `Isolation.recorded`."""
    first, *opened = recorded.split("; ")
    level, _, way = first.partition("+")
    limits = f", limits held by {_LIMITS.get(way, printable(way))}" if way else ""
    return ", ".join([_ISOLATION.get(level, printable(level)) + limits, *map(printable, opened)])


ONE_SIDED: Final = (
    "A rating behind > or < is known on one side alone: no game bounds how far ahead of the others, or behind "
    "them, that bot is."
)
"""What is said below tables in which a rating is shown so."""
NO_PLACE: Final = "–"
"""What stands in the place of a place if a bot has none."""


def place_in_words(order: int, band: RankBand | None) -> str:
    """Return a place as a table shows it: the rank band, or the place in the order if no bands are known."""
    return str(order if band is None else band)


class DecisionTimes(msgspec.Struct, frozen=True):
    """How long a bot's decisions took, in milliseconds; None if it made none."""

    median_ms: float | None
    p99_ms: float | None


class LeaderboardRow(msgspec.Struct, frozen=True):
    """A bot's row in a table. Figures are None without a game."""

    bot: str
    values: dict[str, float]
    """By column of the rating system, in the order of `RatingColumns.names`."""
    games: int
    mean_finish: float | None
    """0: always first, 1: always last."""
    mean_finish_error: float | None
    wins: float | None
    """Share of games won; tied firsts share a win."""
    scores: dict[str, float]
    """Means of the game's scores."""
    faults: dict[str, int]
    """By code."""
    retired: int
    """Games in which it was retired."""
    suspended: bool
    times: DecisionTimes
    version: int = 1
    """Which version of the bot it is."""
    joined: int = 0
    """The place in the schedule at which it joined the field last."""
    left: int | None = None
    """The place at which it left it; None: it is in the field."""
    band: RankBand | None = None
    """Between which places of the table it stands, with 95 % confidence for all bots at once.

    None: the rating system knows no bands, or the bot is not in the field.
    """
    bound: Bound | None = None
    """On which side its rating is known, if on one side alone, as it only won or only lost."""
    interval: Ends | None = None
    """The interval of its rating. None: the rating system knows no errors."""

    @property
    def in_field(self) -> bool:
        """Whether it has a place and may be named in a claim: it has not left and is not suspended."""
        return self.left is None and not self.suspended

    def place(self, order: int) -> str:
        """Return its place as a table shows it, such as 1–3. `order`: its place in the order of the rows."""
        return place_in_words(order, self.band) if self.in_field else NO_PLACE

    def data(self) -> dict[str, Any]:
        """Return the row as plain data, with the values of the rating system after the name."""
        found = msgspec.to_builtins(self)
        bot, values = found.pop("bot"), found.pop("values")
        placed = {name: found.pop(name) for name in ("band", "bound", "interval")}
        return {"bot": bot, **placed, **values, **found}


class Lead(msgspec.Struct, frozen=True):
    """Who leads a table: the first, and the others that may be best too. Nobody does if each bot may be the best."""

    bots: list[str]
    """All that may be the best, best rating first; bots without a rated game only if nobody leads."""
    of: int
    """How many bots are in the field."""

    @property
    def is_open(self) -> bool:
        """Whether nobody leads, because no bot is ahead of any other for certain."""
        return self.of > 1 and len(self.bots) == self.of


class LeftOut(msgspec.Struct, frozen=True):
    """A bot that takes no part, and why."""

    bot: str
    reason: str

    @property
    def gist(self) -> str:
        """Return the first line of the reason, which has the cause; a page or `arena show --faults` has the rest."""
        return self.reason.strip().partition("\n")[0].strip() or "no reason is known"


class ScoreAgainst(msgspec.Struct, frozen=True):
    """How a challenger of a gauntlet did in the games with one opponent."""

    bot: str
    games: int
    ahead: int
    ties: int
    behind: int


class Leaderboard(msgspec.Struct, frozen=True):
    """The tables of a tournament, rows best first."""

    columns: RatingColumns
    overall: list[LeaderboardRow] | None
    """None if only one number of players was asked for."""
    players: dict[str, list[LeaderboardRow]]
    """By player count."""
    overall_lead: Lead | None
    """None without a game of a bot of the field."""
    players_lead: dict[str, Lead | None]
    suspended_games: int
    """Games that were drawn and are left out because of suspended bots, whether they were played or not."""
    uncontested: UncontestedGames
    left_out: list[LeftOut]
    failures: dict[str, int] = {}
    """By bot: how many games failed in which it was, with those bots first that were in most of them."""
    former: list[LeaderboardRow] = []
    """Versions of bots that left the field, best first; their games count for the others' ratings."""
    differences: SkillDifferences | None = None
    """By how much each bot is better than each other: overall, or in the only table.

    None: the rating system knows no errors.
    """
    placings: list[Placing] = []
    """Of a knockout, best first, once the results are final: they decide it."""
    against: dict[str, list[ScoreAgainst]] = {}
    """By challenger of a gauntlet: how it did against each opponent that it met."""
    resolution: Resolution | None = None
    """What is known of the order, of a tournament that went on until that was known."""
    isolation: list[str] = []
    """How bots were kept apart from each other, as `box`; several if that changed."""
    void_by_crash: dict[str, int] = {}
    """By bot: games that are void because it crashed there, if crashes make games void."""
    without_machines: dict[str, int] = {}
    """By machine of a cluster that is left out: its games, which do not count."""
    authors: dict[str, Author] = {}
    """By bot, of those that say who made them; also of those that left or were left out."""

    @property
    def isolation_words(self) -> str:
        """Return how bots were kept apart, in words to print as they are. Empty: no game was played yet."""
        return "; ".join(map(_in_words, self.isolation))

    @property
    def suspended_words(self) -> str:
        """Say how many games of suspended bots do not count; nothing if all do."""
        games = self.suspended_games
        were = "was drawn and is" if games == 1 else "were drawn and are"
        return f"{counted(games, 'game')} of suspended bots {were} left out" if games else ""

    @property
    def void_words(self) -> str:
        """Say how many games do not count because bots crashed there; nothing if all do."""
        counts = ", ".join(f"{printable(bot)} {games}" for bot, games in self.void_by_crash.items())
        return f"games that do not count, by the bots that crashed there: {counts}" if counts else ""

    @property
    def machine_words(self) -> str:
        """Say how many games do not count because their machine is left out; nothing if all do."""
        counts = ", ".join(f"{printable(name)} {games}" for name, games in self.without_machines.items())
        return f"games that do not count, by the machine that is left out: {counts}" if counts else ""

    @property
    def note(self) -> str:
        """Say what places and ratings mean."""
        is_bounded = any(row.bound for _, rows in self.tables() for row in rows)
        return " ".join(filter(None, [self.columns.note, ONE_SIDED if is_bounded else "", self._disagreement]))

    @property
    def _disagreement(self) -> str:
        """Say which two bots ranks would put the other way round, if they are ranked by how much they win; or nothing.

        Both must be certain: that the one wins more, and that the other finishes ahead more often.
        """
        known = self.differences
        if known is None or not self.columns.is_amount:
            return ""
        for better, other in combinations([row for row in self.overall or [] if row.in_field], 2):
            found = known.difference(better.bot, other.bot)
            finishes = (better.mean_finish, better.mean_finish_error, other.mean_finish, other.mean_finish_error)
            behind, error, ahead, its_error = (0.0 if each is None else each for each in finishes)
            if None not in finishes and found.mean > 2 * found.error and behind - ahead > 2 * (error + its_error):
                one, two = printable(other.bot), printable(better.bot)
                how = f"it finishes ahead more often (mean finish {ahead:.3f}, not {behind:.3f}), but wins less"
                return f"By ranks alone {one} would stand before {two}: {how}."
        return ""

    def tables(self) -> list[tuple[str, list[LeaderboardRow]]]:
        """Return the tables with their names: `overall`, or a number of players."""
        return [*([] if self.overall is None else [("overall", self.overall)]), *self.players.items()]

    def data(self) -> dict[str, Any]:
        """Return everything as plain data, ready for JSON."""
        overall = {} if self.overall is None else {"overall": [row.data() for row in self.overall]}
        lead = {} if self.overall is None else {"overall": self.overall_lead}
        return {
            **({"placing": msgspec.to_builtins(self.placings)} if self.placings else {}),
            **overall,
            "players": {count: [row.data() for row in rows] for count, rows in self.players.items()},
            "lead": msgspec.to_builtins({**lead, "players": self.players_lead}),
            "suspended_games": self.suspended_games,
            "uncontested": msgspec.to_builtins(self.uncontested),
            "left_out": msgspec.to_builtins(self.left_out),
            "failures": self.failures,
            **({"without_machines": self.without_machines} if self.without_machines else {}),
            **({"void_by_crash": self.void_by_crash} if self.void_by_crash else {}),
            **({"against": msgspec.to_builtins(self.against)} if self.against else {}),
            "former": [row.data() for row in self.former],
            **({} if self.resolution is None else {"resolution": self.resolution.data()}),
            **({"isolation": self.isolation} if self.isolation else {}),
            "authors": msgspec.to_builtins(self.authors),
        }
