"""The report for a bot's author: how the bot fared, why it lost, where it was slow or at fault, and what to look at.

It holds what everybody may know, what the bot itself was sent and wrote, and nothing of the others' hands: chances,
reasons and turning points come from the public part of page data, questions from the bot's own seat alone
(`arena.reports.bot_record`). What it wrote to standard error may say what it saw, so the report is for its author
and is not published.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeVar

import msgspec

from arena.common.allowed_words import suggested
from arena.common.decoding_words import in_words
from arena.common.labels import bot_name, read_label, version_number
from arena.game.clock import TimeControl
from arena.ledger import DamagedLedger, GameResult, Ledger, LedgerError
from arena.reports.bot_analysis import BotAnalysis, spread
from arena.reports.bot_record import (
    AskedDecision,
    CountRecord,
    DecisionTimings,
    FaultGroup,
    RivalRecord,
    SlowDecision,
    asked_decisions,
    count_records,
    group_faults,
    rival_records,
    timings,
)
from arena.reports.game_review import (
    GameReview,
    LostGames,
    NotableGame,
    is_lost,
    lost_games,
    notable_games,
    review_game,
)
from arena.standings import leaderboard, rated_results
from arena.standings.rows import Leaderboard
from engine import catalog
from engine.picture import Explained
from engine.rules import Rules

REVIEWED: Final = 100
"""So many games are looked through for reasons and chances: of each some 10 ms, or 60 ms if it must be replayed."""
_OF_LOSSES: Final = 70
"""So many of them are losses, if there are as many."""
_REPLAYED: Final = 20
"""At most so many games are replayed to say what was asked in slow decisions, and as many for faults."""
MOST: Final = 10
"""How many losses, slow decisions and kinds of faults are listed if nothing else is asked for."""

Questioned = TypeVar("Questioned", SlowDecision, FaultGroup)


class BotStanding(msgspec.Struct, frozen=True):
    """Where a bot stands in the table of all games."""

    place: str
    """Its place or rank band, such as `1–3`; empty if it is not in the field."""
    of: int
    """So many bots are in the table."""
    rating: str
    """Its rating with the error, in words."""
    games: int
    wins: float
    """The share of games won; tied firsts share a win."""
    mean_finish: float
    retired: int
    """Games in which it was retired."""
    suspended: bool
    former: bool
    """Whether this version has left the field, so that it has no place."""


class BotReport(msgspec.Struct, frozen=True):
    """A report on one version of a bot."""

    bot: str
    """Its label."""
    versions: list[str]
    """The labels of all versions of the bot."""
    folder: str
    """The tournament's."""
    game: str
    edition: str | None
    finished: bool
    """Whether the results are final."""
    left_out: str | None
    """Why it could not take part when it was last tried."""
    standing: BotStanding | None
    """None: it has no rated game."""
    games: int
    """All that it played, also those that are not rated."""
    counts: list[CountRecord]
    rivals: list[RivalRecord]
    reviewed: int
    """So many of its games were looked through, spread evenly, for reasons, chances and notable games."""
    explained: bool
    """Whether the game says who is ahead and why somebody won."""
    losses: LostGames
    decisions: DecisionTimings
    number_of_faults: int
    faults: list[FaultGroup]
    notable: list[NotableGame]
    analysis: BotAnalysis | None = None
    """None: its games were not analysed."""


class ReportInput(NamedTuple):
    """What the reports on all bots of a tournament have in common."""

    results: list[GameResult]
    """All games."""
    rated: list[GameResult]
    board: Leaderboard


def report_input(ledger: Ledger) -> ReportInput:
    """Read all games, and rate the bots by them."""
    results = ledger.results()
    rated = rated_results(ledger, results)
    return ReportInput(results, rated, leaderboard(ledger, results=rated))


def bot_report(ledger: Ledger, name: str, most: int = MOST, games: ReportInput | None = None) -> BotReport:
    """Make the report on a bot.

    Args:
        ledger: The ledger.
        name: A bot, of which the newest version with games is taken, or a version such as `mine@1`.
        most: How many losses, slow decisions and kinds of faults are listed.
        games: All games of the ledger, if they have been read and rated already.

    Raises:
        LedgerError: There is no such bot.
        UnknownRules: The tournament's rules are not installed.
    """
    settings = ledger.settings
    rules = catalog.rules(settings.game)
    everything, all_rated, board = report_input(ledger) if games is None else games
    bot, versions = _label(ledger, name, everything)
    played = [each for each in everything if bot in each.bots]
    rated = [each for each in all_rated if bot in each.bots]
    rivals = _rivals(rated, bot, board)
    questions = _Questions(ledger, rules)
    decisions = timings(played, bot, _time_control(ledger), most)
    faults, number_of_faults = group_faults(ledger.each_fault_of(bot), most)
    reviews = _reviews(ledger, rules, played, bot)
    return BotReport(
        bot=bot,
        versions=versions,
        folder=str(ledger.folder),
        game=settings.game,
        edition=settings.edition_name,
        finished=settings.finished,
        left_out=next((each.left_out for each in ledger.entrants() if each.name == bot), None),
        standing=_standing(board, bot),
        games=len(played),
        counts=count_records(rated, bot),
        rivals=list(rivals.values()),
        reviewed=len(reviews),
        explained=isinstance(rules, Explained),
        losses=lost_games(played, bot, reviews, most),
        decisions=msgspec.structs.replace(decisions, slowest=questions.added_to(decisions.slowest)),
        number_of_faults=number_of_faults,
        faults=questions.added_to(faults),
        notable=notable_games(played, bot, rivals, reviews),
    )


def games_to_analyse(ledger: Ledger, most: int) -> list[GameResult]:
    """Choose at most so many games: first those that reports on the bots name as worth a look, the best bots first.

    The rest are spread evenly over the schedule.
    """
    games, named = report_input(ledger), dict[str, None]()
    for row in games.board.overall or []:
        if row.games and len(named) < most:
            named.update(dict.fromkeys(each.game for each in bot_report(ledger, row.bot, games=games).notable))
    chosen = [*named][:most]
    others = [each for each in games.results if each.id not in named]
    chosen += [each.id for each in spread(others, most - len(chosen))]
    return [each for each in games.results if each.id in chosen]


class _Questions:
    """Adds to decisions what was asked, by replaying their games, of which there are only so many."""

    def __init__(self, ledger: Ledger, rules: Rules) -> None:
        self._ledger = ledger
        self._rules = rules
        self._edition = ledger.settings.edition

    def added_to(self, decisions: Sequence[Questioned]) -> list[Questioned]:
        turns: dict[tuple[str, int], set[int]] = {}
        for each in decisions:
            if each.turn is not None:
                turns.setdefault((each.game, each.seat), set()).add(each.turn)
        asked = {
            (game, turn): found
            for (game, seat), wanted in islice(turns.items(), _REPLAYED)
            for turn, found in self._asked(game, seat, wanted).items()
        }
        return [
            each
            if each.turn is None or (each.game, each.turn) not in asked
            else msgspec.structs.replace(each, asked=asked[each.game, each.turn])
            for each in decisions
        ]

    def _asked(self, game: str, seat: int, turns: set[int]) -> dict[int, AskedDecision]:
        try:
            return asked_decisions(self._ledger.game(game), self._rules, self._edition, seat, turns)
        except Exception:  # another arena played it, or a plug-in's words raise what they like
            return {}


def _label(ledger: Ledger, name: str, results: Sequence[GameResult]) -> tuple[str, list[str]]:
    """Return the version that a user means, and all versions of that bot. Raises `LedgerError` if there is none."""
    known = [each.name for each in ledger.entrants()]
    with_games = {bot for result in results for bot in result.bots}
    try:
        exact = read_label(name) if "@" in name else None
    except ValueError:
        exact = name
    versions = sorted((each for each in known if bot_name(each) == bot_name(exact or name)), key=version_number)
    if exact is not None and exact in known:
        return exact, versions
    if exact is None and versions:
        return next((each for each in reversed(versions) if each in with_games), versions[-1]), versions
    raise LedgerError(f"no bot {name!r} in {ledger.folder}: there are {', '.join(known)}{suggested(name, known)}")


def _time_control(ledger: Ledger) -> TimeControl:
    try:
        return msgspec.convert(ledger.settings.time, TimeControl)
    except msgspec.ValidationError as error:
        raise DamagedLedger(
            f"the time control of {ledger.folder} was altered or is damaged: {in_words(error)}"
        ) from None


def _rivals(rated: Sequence[GameResult], bot: str, board: Leaderboard) -> dict[str, RivalRecord]:
    met = {rival for each in rated for rival in each.bots} - {bot}
    differences = board.differences
    better = {} if differences is None else {rival: differences.difference(bot, rival).above(0.0) for rival in met}
    return rival_records(rated, bot, better)


def _reviews(ledger: Ledger, rules: Rules, played: Sequence[GameResult], bot: str) -> dict[str, GameReview]:
    """Look through some games: losses and others, each spread evenly over the schedule."""
    lost = [each for each in played if is_lost(each, bot)]
    others = [each for each in played if not is_lost(each, bot)]
    of_others = min(len(others), max(REVIEWED - _OF_LOSSES, REVIEWED - len(lost)))
    chosen = [*spread(lost, REVIEWED - of_others), *spread(others, of_others)]
    edition = ledger.settings.edition
    return {each.id: review_game(ledger, rules, edition, each.id, each.bots.index(bot)) for each in chosen}


def _standing(board: Leaderboard, bot: str) -> BotStanding | None:
    table = board.overall or []
    order, row = next(
        ((number, row) for number, row in enumerate([*table, *board.former], start=1) if row.bot == bot), (0, None)
    )
    if row is None or not row.games or row.wins is None or row.mean_finish is None:
        return None
    return BotStanding(
        place=row.place(order) if row.in_field else "",
        of=sum(each.in_field for each in table),
        rating=board.columns.stated(row.values, row.bound),
        games=row.games,
        wins=row.wins,
        mean_finish=row.mean_finish,
        retired=row.retired,
        suspended=row.suspended,
        former=row.left is not None,
    )
