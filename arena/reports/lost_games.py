"""The games that a bot did not win: to whom, and of some of them why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from arena.ledger import GameResult
from arena.replays.replayed import RETIRED
from arena.reports.game_review import ChanceChange, GameReview

_VARYING: Final = re.compile(r"\d+|\b[A-Z]\w*")
"""What differs between sentences that say the same: numbers and names of places."""


class Loss(msgspec.Struct, frozen=True):
    """A game that a bot did not win."""

    game: str
    seat: int
    players: int
    rank: int
    behind: list[str]
    """Who finished before it, best first."""
    why: str
    """Why it has its rank, as a sentence without its subject; empty if the game does not say."""
    peak: float | None
    """Its best chance to win before the end."""
    fall: ChanceChange | None
    """The turn that cost it most."""


class LossReason(msgspec.Struct, frozen=True):
    """Losses that have the same reason but for its numbers and names."""

    games: int
    example: str
    game: str
    """Of the example."""
    seat: int


class LostGames(msgspec.Struct, frozen=True):
    """What is known of a bot's losses."""

    number: int
    games: int
    """So many games it played."""
    reviewed: int
    """Of so many losses the reasons and chances are known."""
    behind: dict[str, int]
    """By rival: in how many of the losses it finished before the bot; the most frequent first."""
    reasons: list[LossReason]
    """Of the reviewed losses, the most frequent first."""
    others: int
    """So many of the reviewed losses have a reason that is not among these, or none that is known."""
    listed: list[Loss]
    """Some of the reviewed losses, first those in which its chance had been best."""


def is_lost(result: GameResult, bot: str) -> bool:
    """Return whether somebody finished before the bot."""
    return result.ranks[result.bots.index(bot)] > min(result.ranks)


def lost_games(results: Sequence[GameResult], bot: str, reviews: Mapping[str, GameReview], most: int) -> LostGames:
    """Look through a bot's losses.

    Args:
        results: All games of the bot.
        bot: Its label.
        reviews: Of some of them, by game.
        most: How many losses and reasons are listed.
    """
    lost = [result for result in results if is_lost(result, bot)]
    behind = Counter(rival for result in lost for rival in _before(result, bot))
    found = [_loss(result, bot, reviews[result.id]) for result in lost if result.id in reviews]
    kinds: dict[str, list[Loss]] = {}
    for loss in found:
        if loss.why:
            kinds.setdefault(_kind(loss.why, [bot, *behind]), []).append(loss)
    reasons = [LossReason(len(losses), losses[0].why, losses[0].game, losses[0].seat) for losses in kinds.values()]
    reasons = sorted(reasons, key=lambda each: -each.games)[:most]
    return LostGames(
        number=len(lost),
        games=len(results),
        reviewed=len(found),
        behind=dict(sorted(behind.items(), key=lambda each: (-each[1], each[0]))),
        reasons=reasons,
        others=len(found) - sum(reason.games for reason in reasons),
        listed=sorted(found, key=lambda loss: -(loss.peak or 0.0))[:most],
    )


def _before(result: GameResult, bot: str) -> list[str]:
    own = result.ranks[result.bots.index(bot)]
    return [rival for rank, rival in sorted(zip(result.ranks, result.bots, strict=True)) if rank < own]


def _loss(result: GameResult, bot: str, review: GameReview) -> Loss:
    seat = result.bots.index(bot)
    why = RETIRED if seat in result.retired else review.reason
    return Loss(
        result.id, seat, result.players, result.ranks[seat], _before(result, bot), why, review.peak, review.fall
    )


def _kind(why: str, bots: Sequence[str]) -> str:
    """Return a reason without what differs from game to game."""
    for bot in sorted(bots, key=len, reverse=True):
        why = why.replace(bot, "…")
    return _VARYING.sub("…", why)
