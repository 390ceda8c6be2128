"""How a bot fared: by number of players, against each rival, its faults by kind, and its slowest decisions.

What a seat was asked is found by replaying the game: only what that seat itself was sent. The steps that play for a
seat, by its bot or by the substitute, are its decisions one after the other, and so its decision `turn` is the step of
that number among them. If the game ended in its last decision, because it retired, that step is missing; what was asked
is then known from the state in which it retired.
"""

from __future__ import annotations

import heapq
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Literal

import msgspec

from arena.game.clock import TimeControl
from arena.game.replay import decisions
from arena.ledger import FaultRecord, GameRecord, GameResult
from arena.rating.rated_table import by_team, finish, win_share
from arena.replays.words import Words
from engine.rules import Data, Rules


class AskedDecision(msgspec.Struct, frozen=True):
    """A decision of a seat."""

    turn: int
    """Which of the seat's decisions it is, from 1."""
    step: int
    """How many public events came before it: the position at which a replay's page shows it."""
    phase: str
    """The kind of decision within a turn."""
    options: int
    """How many actions were offered."""
    chosen: str | None
    """The action that was played, in words. None: the game was over before."""
    by: Literal["bot", "substitute"] | None
    note: str | None = None
    """What the bot noted with it."""


def asked_decisions(
    record: GameRecord, rules: Rules, edition: Data, seat: int, turns: Collection[int]
) -> dict[int, AskedDecision]:
    """Return those decisions of a seat, by turn; what there is not, is left out.

    Args:
        record: The game's record.
        rules: The game.
        edition: Its resolved edition.
        seat: The seat.
        turns: Which of its decisions.

    Raises:
        ReplayError: The record cannot be replayed.
    """
    words, found = Words(rules, record.bots), dict[int, AskedDecision]()
    for each in decisions(record, rules, edition):
        if each.seat == seat and each.turn in turns:
            step, options = each.step, len(each.offered)
            asked = AskedDecision(each.turn, each.public, each.state.phase, options, None, None)
            if step.kind == "play" and step.action is not None and step.by != "referee":
                chosen = words.named(words.action(step.action))
                asked = msgspec.structs.replace(asked, chosen=chosen, by=step.by, note=step.note)
            found[each.turn] = asked
    return found


class CountRecord(msgspec.Struct, frozen=True):
    """A bot's rated games of one number of players."""

    players: int
    games: int
    wins: float
    """Games won; tied firsts share a win."""
    mean_finish: float
    """0: always first, 1: always last."""
    places: list[int]
    """How often it had each place, from the first; ties share the better one."""


class RivalRecord(msgspec.Struct, frozen=True):
    """A bot's rated games with one rival."""

    rival: str
    games: int
    before: int
    """In so many of them it finished before the rival."""
    behind: int
    tied: int
    better: float | None
    """The probability that it is truly better, by the ratings; None if these know no errors."""

    @property
    def expected(self) -> float:
        """Return the probability to finish before the rival, by the other games: a tie is half, and one of each more.

        The added games (Laplace's rule) keep it away from 0 and 1, which no number of games shows.
        """
        return (self.before + self.tied / 2 + 1) / (self.games + 2)


def count_records(results: Sequence[GameResult], bot: str) -> list[CountRecord]:
    """Return a bot's record at each number of players, the smallest first."""
    games: dict[int, list[tuple[Sequence[int], int]]] = defaultdict(list)
    for result in results:
        games[result.players].append(by_team(result.ranks, result.bots.index(bot), result.teams))
    return [count_record(players, played) for players, played in sorted(games.items())]


def count_record(players: int, played: Sequence[tuple[Sequence[int], int]]) -> CountRecord:
    """Sum up games of so many players, each with its ranks and the bot's seat, or its team's place, among them."""
    places = Counter(ranks[seat] for ranks, seat in played)
    return CountRecord(
        players=players,
        games=len(played),
        wins=round(sum(win_share(ranks, seat) for ranks, seat in played), 3),
        mean_finish=round(sum(finish(ranks, seat) for ranks, seat in played) / len(played), 6),
        places=[places[place] for place in range(1, players + 1)],
    )


def rival_records(results: Sequence[GameResult], bot: str, better: Mapping[str, float]) -> dict[str, RivalRecord]:
    """Return a bot's record against each rival, those first that it met most.

    Args:
        results: The rated games of the bot.
        bot: Its label.
        better: By rival: the probability that the bot is truly better.
    """
    before: Counter[str] = Counter()
    behind: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for result in results:
        own = result.ranks[result.bots.index(bot)]
        for rival, rank in result.rivals(bot).items():
            games[rival] += 1
            before[rival] += own < rank
            behind[rival] += own > rank
    return {
        rival: RivalRecord(
            rival, number, before[rival], behind[rival], number - before[rival] - behind[rival], better.get(rival)
        )
        for rival, number in sorted(games.items(), key=lambda each: (-each[1], each[0]))
    }


_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_MOST_GROUPS: Final = 1000
"""A bot may write something else at each fault: what comes after so many groups joins that of its code."""
_LONGEST: Final = 300


class FaultGroup(msgspec.Struct, frozen=True):
    """Faults that say the same but for their numbers; game, turn and text are those of the latest."""

    code: str
    text: str
    times: int
    game: str
    seat: int
    turn: int | None
    """In or after which of its decisions; None: before the first."""
    stderr: str
    """The last lines that the bot had written to standard error by then."""
    asked: AskedDecision | None = None


def group_faults(faults: Iterable[tuple[str, FaultRecord]], most: int) -> tuple[list[FaultGroup], int]:
    """Group faults, the most frequent kind first.

    Args:
        faults: Each with its game's id, in the order of the schedule.
        most: How many groups are returned.

    Returns:
        The groups, and how many faults there are in all.
    """
    latest: dict[tuple[str, str], tuple[str, FaultRecord]] = {}
    times: dict[tuple[str, str], int] = {}
    number = 0
    for game, fault in faults:
        number += 1
        key = (fault.code, _NUMBER.sub("#", fault.text[:_LONGEST]))
        if key not in latest and len(latest) >= _MOST_GROUPS:
            key = (fault.code, "")
        latest[key] = game, fault
        times[key] = times.get(key, 0) + 1
    keys = sorted(latest, key=lambda key: (-times[key], key))[:most]
    groups = []
    for key in keys:
        game, fault = latest[key]
        seat = -1 if fault.seat is None else fault.seat
        groups.append(FaultGroup(fault.code, fault.text, times[key], game, seat, fault.turn, fault.stderr))
    return groups, number


class SlowDecision(msgspec.Struct, frozen=True):
    """A decision that took long."""

    game: str
    seat: int
    turn: int
    """Which of its decisions in that game it was, from 1."""
    ms: float
    asked: AskedDecision | None = None
    """None: the game was over for the seat, or it cannot be replayed."""


class DecisionTimings(msgspec.Struct, frozen=True):
    """How long a bot's decisions took. Times are None if it made none."""

    decisions: int
    median_ms: float | None
    p99_ms: float | None
    free_ms: float
    """What a decision may take before the bank pays."""
    beyond_free: int
    """How many decisions took longer."""
    bank_ms: float
    """The bank of a game."""
    most_bank_ms: float
    """The most that a game took from the bank."""
    most_bank_game: str | None
    slowest: list[SlowDecision]


def timings(results: Sequence[GameResult], bot: str, time: TimeControl, most: int) -> DecisionTimings:
    """Measure a bot's decisions.

    Args:
        results: All games of the bot.
        bot: Its label.
        time: The time control.
        most: How many of the slowest decisions are named.
    """
    free, bank = 1e6 * time.move, 1e6 * time.bank
    everything = [micros for result in results for seat in result.seats(bot) for micros in result.times[seat]]
    taken = [
        (sum(max(0.0, micros - free) for micros in result.times[seat]), -result.index, result.id)
        for result in results
        for seat in result.seats(bot)
    ]
    used, _, where = max(taken, default=(0.0, 0, ""))
    return DecisionTimings(
        decisions=len(everything),
        median_ms=round(statistics.median(everything) / 1000, 3) if everything else None,
        p99_ms=round(_p99(everything) / 1000, 3) if everything else None,
        free_ms=round(free / 1000, 3),
        beyond_free=sum(micros > free for micros in everything),
        bank_ms=round(bank / 1000, 3),
        most_bank_ms=round(used / 1000, 3),
        most_bank_game=where if used else None,
        slowest=_slowest(results, bot, most),
    )


def _slowest(results: Sequence[GameResult], bot: str, most: int) -> list[SlowDecision]:
    """Return the slowest decisions, the slowest first."""
    slowest = heapq.nlargest(
        most,
        (
            (micros, -result.index, -turn, result.id, seat)
            for result in results
            for seat in result.seats(bot)
            for turn, micros in enumerate(result.times[seat], start=1)
        ),
    )
    return [SlowDecision(game, seat, -turn, micros / 1000) for micros, _, turn, game, seat in slowest]


def _p99(values: Sequence[int]) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[98] if len(values) > 1 else float(values[0])
