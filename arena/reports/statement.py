"""The statement: what a tournament was, what it shows and how surely, what was left out, and how to verify it.

Everything in it may be published. It can be made of a tournament that is not finished, and says so.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

import arena
from arena.common.labels import spelled_out
from arena.ledger import (
    Beacon,
    EntrantRecord,
    GameResult,
    Ledger,
    TournamentSettings,
    VoidRecord,
    is_locked,
    set_aside,
    text_hash,
)
from arena.ledger.settings import LaterSeed
from arena.rating.base import Bound, Ends
from arena.reports.claims import PairsApart, StatedDifference, claims, differences, pairs_apart
from arena.standings.game_counts import GameCounts, game_counts
from arena.standings.lead import resolution_in_words
from arena.standings.machine_losses import slow_machines_in_words
from arena.standings.rows import Leaderboard, LeaderboardRow, LeftOut
from engine import catalog
from engine.rules import EditionError

if TYPE_CHECKING:
    from arena.rating.held_out import Estimate, HeldOutCalibration

UNFINISHED: Final = "It is computed once the results are final."
TOO_FEW: Final = "There are too few blocks of games to hold some out."


class StatedSettings(msgspec.Struct, frozen=True):
    """What was played, and how much of it."""

    game: str
    edition: str | None
    edition_hash: str
    """Over all of its settings, as in the first entry of the chain."""
    shipped: bool | None
    """Whether the edition is one that comes with the game, unchanged; None: that is not known here."""
    players: list[int]
    format: str
    options: dict[str, Any]
    """Of the format."""
    placing: list[str]
    """Of a knockout: each bot with its place, best first."""
    against: list[str]
    """Of a gauntlet: how each challenger did against each opponent."""
    order: list[str]
    """If it was to go on until its order is known: what is known of that, in a line each."""
    time: dict[str, Any]
    """The fields of the time control, in seconds."""
    limits: dict[str, int]
    """The most that bots might ask for as their limits."""
    deals: str
    """What is special about how games are dealt, in words; empty: nothing."""
    isolation: str
    """How bots were kept apart, in words."""
    state: str
    """`playing`, `finished` or `stopped`."""
    games: GameCounts


class StatedBot(msgspec.Struct, frozen=True):
    """A version of a bot that took part."""

    bot: str
    """Its label."""
    language: str
    declared_version: str
    fingerprint: str
    builds: list[str]
    author: str
    """Name and team; empty if that is not said."""
    games: int
    """Rated ones."""
    former: bool
    """Whether it has left the field."""


class StatedRow(msgspec.Struct, frozen=True):
    """A bot's row in a table."""

    bot: str
    place: str
    """Its rank band, such as `1–3`; `–` if it is not in the field."""
    suspended: bool
    rating: float
    error: float | None
    bound: Bound | None
    """On which side the rating is known, if on one side alone."""
    interval: Ends | None
    """The interval of the rating; an end of which nothing is known is null. Null: the system knows no errors."""
    games: int
    wins: float | None
    mean_finish: float | None
    mean_finish_error: float | None


class StatedTable(msgspec.Struct, frozen=True):
    """A table of ratings, with the suspended last; of bots without a rated game it has no row."""

    players: int | None
    """Of games of so many players; None: of all."""
    rows: list[StatedRow]


class StatedOmissions(msgspec.Struct, frozen=True):
    """What does not count, and why."""

    left_out: list[LeftOut]
    """Bots that could not take part."""
    suspended: dict[str, int]
    """Bots that retired in three games in a row, with the place of the schedule from which on they are left out."""
    uncontested: str
    """How many games are walkovers in which at most one bot answered, in words; empty: none."""
    suspended_games: str
    """How many games were left out because of suspended bots, in words; empty: none."""
    absent: int
    """How many of these were played."""
    void_by_crash: str
    """How many games are void because bots crashed there, in words; empty: none."""
    machines: list[str]
    """Machines of a cluster that are left out, and those that lose games on time far more often than others."""
    set_aside: list[str]
    """Games that failed twice through no bot's fault that was seen."""
    charged: dict[str, int]
    """By bot: games that failed and were charged to it."""
    failed: int
    """Attempts at games that failed and were dealt anew, set aside or charged."""
    beyond: int
    """Games that were played and are in no table, as they lie beyond what was asked for or behind a missing game."""
    unplayed: int
    """Games between bots of the field that were asked for and not played."""
    skipped: list[int]
    """Numbers of players for which there were too few bots."""
    former: list[str]
    """Versions that have left; their games count for the others' ratings."""


class StatedCommitment(msgspec.Struct, frozen=True):
    """What shows that the games were not chosen or altered."""

    seed_hash: str
    seed: str | None
    seed_given: bool
    later_seeds: list[LaterSeed]
    beacon_source: str | None
    beacon: Beacon | None
    head: str
    entries: int
    """Of the chain, over which the head is."""
    days: list[str]
    """The first and the last day on which games were recorded, in UTC; none without a game."""
    verify: str
    """The command that verifies it."""


class StatedVersions(msgspec.Struct, frozen=True):
    """By what and on what it was played, and this statement was made."""

    arena: str
    """That made this statement, as the next two."""
    python: str
    numpy: str
    rules: dict[str, int]
    """By name and version of the rules: how many games were played by them."""
    machines: list[dict[str, str]]
    """On which games were played. Empty: that was not recorded."""


class Statement(msgspec.Struct, frozen=True):
    """The statement of a tournament."""

    folder: str
    """The name of the tournament's folder, without its path."""
    claims: list[str]
    """What may be claimed and what not, in three sentences; in one if no game is rated."""
    settings: StatedSettings
    field: list[StatedBot]
    tables: list[StatedTable]
    """That of all games first."""
    note: str
    """What places and ratings mean."""
    pairs: PairsApart
    differences: list[StatedDifference]
    calibration: dict[str, Any] | None
    """The fields of `arena.rating.held_out.HeldOutCalibration`."""
    uncalibrated: str
    """Why there is no calibration; empty if there is."""
    omissions: StatedOmissions
    commitment: StatedCommitment
    versions: StatedVersions

    def data(self) -> dict[str, Any]:
        """Return the statement as plain data, ready for JSON."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


def make_statement(
    ledger: Ledger,
    board: Leaderboard,
    results: Sequence[GameResult],
    rated: Sequence[GameResult],
    found: HeldOutCalibration | None,
    uncalibrated: str = TOO_FEW,
    settings: TournamentSettings | None = None,
) -> Statement:
    """Make the statement.

    Args:
        ledger: The ledger.
        board: All of its tables.
        results: The results of all games.
        rated: Those that are rated.
        found: How forecasts compared with held-out games, as `arena.standings.compute.calibration` does.
        uncalibrated: Why that is not known, if it is not.
        settings: The settings that are stated. None: those of the ledger.
    """
    if board.columns.is_amount:
        found, uncalibrated = None, "These are ratings of scores, which forecast no ranks: there is nothing to compare."
    settings = settings or ledger.settings
    rows = board.overall or []
    played = [row for row in rows if row.games and row.in_field]
    pairs = pairs_apart(rows)
    head, entries = ledger.chain.head(), ledger.chain.length()
    counts = game_counts(ledger, results, rated)
    return Statement(
        folder=ledger.folder.resolve().name,
        claims=claims(settings, len(rated), len(played), board.overall_lead, pairs, found),
        settings=_settings(ledger, settings, board, counts),
        field=_field(ledger, board),
        tables=[_table(None, rows, board), *(_table(int(count), some, board) for count, some in board.players.items())],
        note=board.note,
        pairs=pairs,
        differences=differences(rows, board.differences),
        calibration=None if found is None else calibration_data(found),
        uncalibrated="" if found is not None else uncalibrated,
        omissions=_omissions(ledger, settings, board, results, counts),
        commitment=_commitment(ledger, settings, head, entries),
        versions=_versions(ledger, settings),
    )


def calibration_data(found: HeldOutCalibration) -> dict[str, Any]:
    """Return the calibration as plain data, with names for all values."""
    return {
        "games": found.games,
        "blocks": found.blocks,
        "pairs": found.pairs,
        "rated": found.rated,
        "brier": _estimate(found.brier),
        "log_loss": _estimate(found.log_loss),
        "forecast": found.forecast,
        "observed": _estimate(found.observed),
        "is_calibrated": found.is_calibrated,
        "bins": [{**each._asdict(), "observed": _estimate(each.observed)} for each in found.bins],
    }


def _estimate(found: Estimate) -> dict[str, float | None]:
    """Return a figure with its error; None if it comes from too few blocks to have one."""
    return {"value": found.value, "error": found.error if math.isfinite(found.error) else None}


def _settings(ledger: Ledger, settings: TournamentSettings, board: Leaderboard, games: GameCounts) -> StatedSettings:
    return StatedSettings(
        game=settings.game,
        edition=settings.edition_name,
        edition_hash=text_hash(json.dumps(settings.edition, sort_keys=True)),
        shipped=_is_shipped(settings),
        players=settings.counts(len(ledger.field())),
        format=settings.format,
        options=settings.options,
        placing=[f"{each.place}. {each.bot}" for each in board.placings],
        against=[
            f"{one} against {each.bot}: {each.ahead} ahead, {each.ties} level, {each.behind} behind"
            for one, scores in board.against.items()
            for each in scores
        ],
        order=[] if settings.resolution is None else resolution_in_words(settings.resolution),
        time=settings.time,
        limits=settings.limits,
        deals="" if settings.dealing is None else settings.dealing.words,
        isolation=board.isolation_words,
        state="playing" if is_locked(ledger.folder) else "finished" if settings.finished else "stopped",
        games=games,
    )


def _is_shipped(settings: TournamentSettings) -> bool | None:
    try:
        rules = catalog.rules(settings.game)
        return settings.edition_name in rules.editions() and rules.edition(settings.edition["name"]) == settings.edition
    except (catalog.UnknownRules, EditionError):
        return None


def _field(ledger: Ledger, board: Leaderboard) -> list[StatedBot]:
    present = set(ledger.field())
    games = {row.bot: row.games for row in (*(board.overall or []), *board.former)}
    return [
        _bot(each, games.get(each.name, 0), each.name not in present)
        for each in ledger.entrants()
        if each.name in games or each.name in present
    ]


def _bot(entrant: EntrantRecord, games: int, former: bool) -> StatedBot:
    return StatedBot(
        bot=entrant.name,
        language=entrant.language,
        declared_version=entrant.declared_version,
        fingerprint=entrant.fingerprint,
        builds=entrant.builds,
        author="" if entrant.author is None else entrant.author.words,
        games=games,
        former=former,
    )


def _table(players: int | None, rows: Sequence[LeaderboardRow], board: Leaderboard) -> StatedTable:
    interval = board.columns.interval
    return StatedTable(
        players,
        [
            StatedRow(
                bot=row.bot,
                place=row.place(order),
                suspended=row.suspended,
                rating=row.values[board.columns.ranking],
                error=None if interval is None else row.values[interval.error],
                bound=row.bound,
                interval=row.interval,
                games=row.games,
                wins=row.wins,
                mean_finish=row.mean_finish,
                mean_finish_error=row.mean_finish_error,
            )
            for order, row in enumerate(rows, start=1)
            if row.games
        ],
    )


def _omissions(
    ledger: Ledger,
    settings: TournamentSettings,
    board: Leaderboard,
    results: Sequence[GameResult],
    counts: GameCounts,
) -> StatedOmissions:
    voids = ledger.voids()
    played = {result.id for result in results}
    in_field = len(ledger.field())
    return StatedOmissions(
        left_out=board.left_out,
        suspended=settings.rated.suspended,
        uncontested=board.uncontested.words,
        suspended_games=board.suspended_words,
        absent=counts.absent,
        void_by_crash=board.void_words,
        machines=[*filter(None, [board.machine_words]), *slow_machines_in_words(ledger)],
        set_aside=sorted(set_aside(voids) - played),
        charged=_charged(voids),
        failed=len(voids),
        beyond=counts.beyond,
        unplayed=max(0, (counts.asked or 0) - counts.of_field),
        skipped=[count for count in settings.players if count not in settings.counts(in_field)],
        former=[spelled_out(row.bot) for row in board.former],
    )


def _charged(voids: Sequence[VoidRecord]) -> dict[str, int]:
    found: dict[str, int] = {}
    for void in voids:
        if void.charged is not None:
            found[void.charged] = found.get(void.charged, 0) + 1
    return dict(sorted(found.items()))


def _commitment(ledger: Ledger, settings: TournamentSettings, head: str, entries: int) -> StatedCommitment:
    days = list(ledger.days())
    return StatedCommitment(
        seed_hash=settings.seed_hash,
        seed=settings.seed,
        seed_given=settings.seed_given,
        later_seeds=settings.later_seeds,
        beacon_source=settings.beacon_source,
        beacon=settings.beacon,
        head=head,
        entries=entries,
        days=[days[0], days[-1]] if days else [],
        verify=f"arena verify {ledger.folder.resolve().name} --head {head}",
    )


def _versions(ledger: Ledger, settings: TournamentSettings) -> StatedVersions:
    import numpy  # it takes longer to import than most commands to run

    return StatedVersions(
        arena=arena.__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        numpy=numpy.__version__,
        rules=ledger.engines(),
        machines=settings.machines,
    )
