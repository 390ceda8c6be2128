"""A game as one of its bots went through it: its chances to win, where they changed most, and why it has its rank.

From that follow the games that a bot did not win, to whom and of some of them why, and three games that are worth a
look: the biggest swing, the closest, and the strangest result. Chances and reasons stand in the public part of the
game's page data, which everybody may read.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, Final, Literal, NamedTuple

import msgspec

from arena.common.printable import percent
from arena.ledger import GameResult, Ledger
from arena.replays.cache import load_page_data
from arena.replays.replayed import RETIRED
from arena.replays.turning_points import WHOLE, Turn
from arena.reports.bot_record import RivalRecord
from engine.rules import Data, Rules

_LAST: Final = 4
"""How close a game was is seen in the last part of its turns: one of so many."""


class ChanceChange(msgspec.Struct, frozen=True):
    """A turn that changed a bot's chance to win."""

    before: float
    """The chance, from 0 to 1."""
    after: float
    step: int
    """The position, counted in public events, at which a replay's page shows what it led to."""
    event: str
    """What happened, in words; empty: it was the end of the game."""


class GameReview(NamedTuple):
    """What is to be said of one bot's game. All is None or empty if the game does not explain itself."""

    reason: str
    """Why it has its rank, as a sentence without its subject."""
    peak: float | None
    """Its best chance before the end."""
    fall: ChanceChange | None
    """The turn that cost it most."""
    swing: ChanceChange | None
    """The turn that changed its chance most, for better or worse."""
    margin: float | None
    """By how much its chance and the best rival's differed in the last part of the game."""


class _TurningPoint(msgspec.Struct):
    step: int
    seat: int
    why: list[int]
    account: str
    other: list[int] | None = None

    def is_about(self, seat: int) -> bool:
        return seat == self.seat or (self.other is not None and seat == self.other[0])


class _PublicPart(msgspec.Struct):
    """The fields of `arena.replays.page_data` that are needed here."""

    texts: list[str]
    steps: list[list[Any]]
    chances: list[list[int]] = []
    turning_points: list[_TurningPoint] = []
    reasons: list[str] | None = None


NOTHING: Final = GameReview("", None, None, None, None)


def review_game(ledger: Ledger, rules: Rules, edition: Data, game_id: str, seat: int) -> GameReview:
    """Review a game for the bot in `seat`. A game that cannot be shown gives nothing."""
    try:
        part = load_page_data(ledger.game(game_id), rules, edition, ledger.page_data(game_id))[0]
        return _review(msgspec.json.decode(part, type=_PublicPart), seat)
    except Exception:  # another arena played it, or a plug-in's words and pictures raise what they like
        return NOTHING


def _review(public: _PublicPart, seat: int) -> GameReview:
    reason = public.reasons[seat] if public.reasons else ""
    turns: list[Turn] = [(entry[0], entry[1:]) for entry in public.chances]
    if len(turns) < 2:
        return NOTHING._replace(reason=reason)
    own = [chances[seat] for _, chances in turns]
    changes = [
        (after[1][seat] - before[1][seat], before, after)
        for before, after in itertools.pairwise(turns)
        if after[0] > before[0]
    ]
    before_end = turns[:-1]
    late = before_end[-max(1, len(before_end) // _LAST) :]
    gaps = [abs(chances[seat] - max(_others(chances, seat))) for _, chances in late]
    worst = min(changes, key=lambda each: each[0], default=None)
    most = max(changes, key=lambda each: abs(each[0]), default=None)
    return GameReview(
        reason=reason,
        peak=max(own[:-1]) / WHOLE,
        fall=None if worst is None or worst[0] >= 0 else _change(public, seat, worst[1], worst[2]),
        swing=None if most is None else _change(public, seat, most[1], most[2]),
        margin=sum(gaps) / len(gaps) / WHOLE,
    )


def _others(chances: list[int], seat: int) -> list[int]:
    return [chance for other, chance in enumerate(chances) if other != seat]


def _change(public: _PublicPart, seat: int, before: Turn, after: Turn) -> ChanceChange:
    is_end = after[0] == public.chances[-1][0] and public.reasons is not None
    event = "" if is_end else _event(public, seat, before[0], after[0])
    return ChanceChange(before[1][seat] / WHOLE, after[1][seat] / WHOLE, after[0], event)


def _event(public: _PublicPart, seat: int, begin: int, end: int) -> str:
    """Return what in a turn changed a seat's chance; if that is not known, the last step that moved somebody."""
    for point in public.turning_points:
        if point.step == end and point.why and point.is_about(seat):
            return point.account
    last = end - 1
    for key in ("at", "seats"):
        moved = [number for number in range(begin, end) if key in public.steps[number][3]]
        if moved:
            last = moved[-1]
            break
    text: int = public.steps[last][2][0]
    return public.texts[text]


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
    return [rival for rank, rival in sorted((rank, rival) for rival, rank in result.rivals(bot).items()) if rank < own]


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
        return sum(len(result.times[seat]) for seat in result.seats(bot))

    for result in sorted(results, key=lambda each: (-decisions(each), each.index)):
        yield _notable("longest", result, bot, 0, f"it made {decisions(result)} decisions, more than in others")


def _surprises(result: GameResult, bot: str, rivals: Mapping[str, RivalRecord]) -> dict[str, float]:
    """Return by rival how unexpected it was to finish before or behind it, as -ln of the probability."""
    own = result.ranks[result.bots.index(bot)]
    return {
        rival: -math.log(rivals[rival].expected if own < rank else 1 - rivals[rival].expected)
        for rival, rank in result.rivals(bot).items()
        if rival in rivals and rank != own
    }


def _notable(kind: Why, result: GameResult, bot: str, step: int, why: str) -> NotableGame:
    seat = result.bots.index(bot)
    return NotableGame(kind, result.id, seat, result.players, result.ranks[seat], step, why)
