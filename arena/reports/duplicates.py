"""Which bots of a field are the same program, or play as if they were: facts, from files and from answers.

Every bot is asked the same decisions of recorded games (`arena.check.answers`). Two bots play alike if they differ at
most a sixth as often as two bots of this field mostly do, which is its median pair. So it does not matter how many
decisions of a game are plain. Whether one was copied, or two authors found the same plan, no number tells.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import median
from typing import Final

import msgspec

from arena.common.labels import bot_name

LEAST: Final = 200
"""Decisions that both answered."""
LEAST_PAIRS: Final = 6
"""Of which a median says something: a field of four bots."""
CLOSER: Final = 6.0
"""How many times less often than usual two bots differ that play alike."""
_REACH: Final = 1.96


class Alike(msgspec.Struct, frozen=True):
    """Two bots that are or play alike."""

    bot: str
    other: str
    same_files: bool
    same: int = 0
    """Decisions that they answered alike, of so many."""
    decisions: int = 0
    closest: float = 0.0
    """The largest share of decisions that any two bots answer alike which are not said to be alike."""

    def in_words(self) -> str:
        """Return the finding as a sentence."""
        if self.same_files:
            return f"{self.bot} and {self.other} have the same files"
        return (
            f"{self.bot} plays as {self.other} does in {100 * self.same / self.decisions:.1f} % of {self.decisions} "
            f"decisions; other bots of this field do so in at most {100 * self.closest:.1f} %"
        )


def alike(fingerprints: Mapping[str, str], answers: Mapping[str, Sequence[int | None]]) -> list[Alike]:
    """Return the bots that are or play alike, those with the same files first. Versions of one bot are not compared.

    Args:
        fingerprints: Of the bots' files, by bot.
        answers: By bot, what it chose in the same decisions in the same order; None: it gave no answer.
    """
    found = [
        Alike(one, other, True)
        for one, other in combinations(sorted(fingerprints), 2)
        if fingerprints[one] == fingerprints[other] and bot_name(one) != bot_name(other)
    ]
    same_files = {(each.bot, each.other) for each in found}
    counted = {
        pair: (same, of)
        for pair in combinations(sorted(answers), 2)
        for same, of in [_counted(answers[pair[0]], answers[pair[1]])]
        if of >= LEAST and pair not in same_files and bot_name(pair[0]) != bot_name(pair[1])
    }
    if len(counted) < LEAST_PAIRS:
        return found
    usual = median(1 - same / of for same, of in counted.values())
    close = {pair for pair, (same, of) in counted.items() if _at_most(of - same, of) <= usual / CLOSER}
    closest = max((same / of for pair, (same, of) in counted.items() if pair not in close), default=0.0)
    surest = sorted(close, key=lambda pair: (-counted[pair][0] / counted[pair][1], pair))
    return found + [Alike(*pair, False, *counted[pair], closest) for pair in surest]


def _counted(one: Sequence[int | None], other: Sequence[int | None]) -> tuple[int, int]:
    """Return how many decisions two bots answered alike, and how many both answered."""
    both = [a == b for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return sum(both), len(both)


def _at_most(number: int, of: int) -> float:
    """Return the upper end of the interval of 95 % of a share (Wilson 1927)."""
    share, part = number / of, _REACH**2 / of
    return (share + part / 2 + _REACH * math.sqrt((share * (1 - share) + part / 4) / of)) / (1 + part)
