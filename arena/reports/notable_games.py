"""Three games of a bot that are worth a look: the biggest swing, the closest, and the strangest result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Literal

import msgspec

from arena.ledger import GameResult
from arena.reports.bot_record import RivalRecord
from arena.reports.game_review import GameReview
from arena.reports.paragraphs import percent

Why = Literal["swing", "closest", "strangest", "longest"]


class NotableGame(msgspec.Struct, frozen=True):
    """A game that is worth a look, and why."""

    kind: Why
    game: str
    seat: int
    players: int
    rank: int
    step: int
    """Where to look, counted in public events; 0: at its begin."""
    why: str
    """In words; names of bots in it are theirs."""


def notable_games(
    results: Sequence[GameResult],
    bot: str,
    rivals: Mapping[str, RivalRecord],
    reviews: Mapping[str, GameReview],
) -> list[NotableGame]:
    """Choose three games, each another one; fewer if there are not as many.

    Args:
        results: All games of the bot.
        bot: Its label.
        rivals: Its records, by rival.
        reviews: Of some of the games, by game.
    """
    found: list[NotableGame] = []
    for candidates in (
        _swings(results, bot, reviews),
        _closest(results, bot, reviews),
        _strangest(results, bot, rivals),
        _longest(results, bot),
    ):
        taken = {each.game for each in found}
        new = next((each for each in candidates if each.game not in taken), None)
        if new is not None and len(found) < 3:
            found.append(new)
    return found


def _swings(results: Sequence[GameResult], bot: str, reviews: Mapping[str, GameReview]) -> Iterator[NotableGame]:
    swings = [
        (result, swing)
        for result in results
        if result.id in reviews and (swing := reviews[result.id].swing) is not None
    ]
    for result, swing in sorted(swings, key=lambda each: -abs(each[1].after - each[1].before)):
        how = "rose" if swing.after > swing.before else "fell"
        changed = f"its chance {how} from {percent(swing.before)} to {percent(swing.after)}"
        why = f"{changed} in one turn: {swing.event}" if swing.event else f"{changed} at the end"
        yield _notable("swing", result, bot, swing.step, why)


def _closest(results: Sequence[GameResult], bot: str, reviews: Mapping[str, GameReview]) -> Iterator[NotableGame]:
    margins = [
        (margin, result)
        for result in results
        if result.id in reviews
        and (margin := reviews[result.id].margin) is not None
        and result.ranks[result.bots.index(bot)] <= 2
    ]
    for margin, result in sorted(margins, key=lambda each: (each[0], each[1].index)):
        why = f"late in the game its chance and the best rival's were {100 * margin:.0f} points apart"
        yield _notable("closest", result, bot, 0, why)


def _strangest(results: Sequence[GameResult], bot: str, rivals: Mapping[str, RivalRecord]) -> Iterator[NotableGame]:
    """Yield the games whose results were least likely by the bot's record against those rivals.

    A result is as unlikely as the mean over the rivals of -ln P, where P is the probability that the bot finishes
    before (or behind) that rival, as it did.
    """
    scored = [(surprises, result) for result in results if (surprises := _surprises(result, bot, rivals))]
    for surprises, result in sorted(scored, key=lambda each: (-fmean(each[0].values()), each[1].index)):
        rival = max(surprises, key=lambda each: surprises[each])
        record = rivals[rival]
        won = result.ranks[result.bots.index(bot)] < result.ranks[result.bots.index(rival)]
        times, how = (record.before, "before") if won else (record.behind, "behind")
        yield _notable("strangest", result, bot, 0, f"it finished {how} {rival}, as in {times} of {record.games} games")


def _longest(results: Sequence[GameResult], bot: str) -> Iterator[NotableGame]:
    def decisions(result: GameResult) -> int:
        return len(result.times[result.bots.index(bot)])

    for result in sorted(results, key=lambda each: (-decisions(each), each.index)):
        yield _notable("longest", result, bot, 0, f"it made {decisions(result)} decisions, more than in others")


def _surprises(result: GameResult, bot: str, rivals: Mapping[str, RivalRecord]) -> dict[str, float]:
    """Return by rival how unexpected it was to finish before or behind it, as -ln of the probability."""
    own = result.ranks[result.bots.index(bot)]
    return {
        rival: -math.log(rivals[rival].expected if own < rank else 1 - rivals[rival].expected)
        for rival, rank in zip(result.bots, result.ranks, strict=True)
        if rival in rivals and rank != own
    }


def _notable(kind: Why, result: GameResult, bot: str, step: int, why: str) -> NotableGame:
    seat = result.bots.index(bot)
    return NotableGame(kind, result.id, seat, result.players, result.ranks[seat], step, why)
