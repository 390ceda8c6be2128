"""How long a bot's decisions took, and the slowest of them with what was asked."""

from __future__ import annotations

import heapq
import statistics
from collections.abc import Sequence

import msgspec

from arena.game.clock import TimeControl
from arena.ledger import GameResult
from arena.replays.asked_decisions import AskedDecision


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
    everything = [micros for result in results for micros in result.times[result.bots.index(bot)]]
    taken = [
        (sum(max(0.0, micros - free) for micros in result.times[result.bots.index(bot)]), -result.index, result.id)
        for result in results
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
    """Return the slowest decisions, the slowest first. Most games are passed over by their slowest one alone."""
    kept: list[tuple[int, int, int, str, int]] = []
    for result in results:
        seat = result.bots.index(bot)
        times = result.times[seat]
        if not times or (len(kept) >= most and max(times) <= kept[0][0]):
            continue
        for turn, micros in enumerate(times, start=1):
            entry = (micros, -result.index, -turn, result.id, seat)
            if len(kept) < most:
                heapq.heappush(kept, entry)
            else:
                heapq.heappushpop(kept, entry)
    kept.sort(reverse=True)
    return [SlowDecision(game, seat, -turn, micros / 1000) for micros, _, turn, game, seat in kept]


def _p99(values: Sequence[int]) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[98] if len(values) > 1 else float(values[0])
