"""Exchanges bots between the groups of a round, so that behind it all pairs have met about equally often."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from arena.formats.tally import Tally

_SWEEPS: Final = 10
"""How often all exchanges are tried, at most."""


class _Place(NamedTuple):
    group: int
    seat: int


class Exchanges:
    """The groups of a round that is drawn and in the tally.

    Two bots change places only where each has the same level, so that it changes nothing in how levels differ.
    """

    def __init__(
        self, tally: Tally, groups: Sequence[list[str]], levels: Mapping[str, int], kept: Sequence[Collection[str]]
    ) -> None:
        """Keep what stays. `levels`: those before the round; `kept`: by group, those that stay where they are."""
        self._tally = tally
        self._groups = groups
        self._places: dict[int, list[_Place]] = {}
        """By level of the bot before the group's block."""
        level = dict(levels)
        for number, (group, stay) in enumerate(zip(groups, kept, strict=True)):
            for seat, bot in enumerate(group):
                if bot not in stay:
                    self._places.setdefault(level[bot], []).append(_Place(number, seat))
                level[bot] += 1
        self._prices = self._make_prices()

    def _make_prices(self) -> dict[int, int]:
        """Return what it costs that a pair has met so often: the sixth power of its distance from the mean."""
        pairs = self._tally.numbers_of_meetings()
        mean = round(4 * sum(met * number for met, number in pairs.items()) / sum(pairs.values()))
        reach = len(self._groups)
        return {met: (4 * met - mean) ** 6 for met in range(min(pairs) - reach, max(pairs) + reach + 1)}

    def make(self) -> None:
        """Make those that gain something, until there are none."""
        for _ in range(_SWEEPS):
            made = 0
            for places in self._places.values():
                for one, other in combinations(places, 2):
                    made += self._exchange(one, other)
            if not made:
                break

    def _exchange(self, one: _Place, other: _Place) -> bool:
        """Exchange the bots at two places if that gains something, and return whether it did."""
        first, second = self._groups[one.group], self._groups[other.group]
        this, that = first[one.seat], second[other.seat]
        if this in second or that in first:
            return False
        left = [bot for bot in first if bot != this and bot not in second]
        joined = [bot for bot in second if bot != that and bot not in first]
        if self._gain(this, that, left) + self._gain(that, this, joined) <= 0:
            return False
        for bot in left:
            self._tally.meet(this, bot, -1)
            self._tally.meet(that, bot, 1)
        for bot in joined:
            self._tally.meet(that, bot, -1)
            self._tally.meet(this, bot, 1)
        first[one.seat], second[other.seat] = that, this
        return True

    def _gain(self, this: str, that: str, mates: Sequence[str]) -> int:
        """Return what is gained if these meet `that` once more and `this` once less."""
        prices = self._prices
        less, more = self._tally.meetings[this], self._tally.meetings[that]
        gain = 0
        for bot in mates:
            one, other = less.get(bot, 0), more.get(bot, 0)
            gain += prices[one] - prices[one - 1] + prices[other] - prices[other + 1]
        return gain
