"""A game as one of its bots went through it: its chances to win, where they changed most, and why it has its rank.

All of that stands in the public part of the game's page data, which everybody may read.
"""

from __future__ import annotations

import itertools
from typing import Any, Final, NamedTuple

import msgspec

from arena.ledger import Ledger
from arena.replays.cache import load_page_data
from arena.replays.turning_points import WHOLE, Turn
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
