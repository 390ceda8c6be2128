"""Draws the blocks of one round at one player count: newcomers first, then always the bots with the least blocks.

A round ends when every bot has had its share: one block more at least, and so many that any two bots are even again.
Who of them is one ahead is chosen so that no two can come to be two blocks apart, whenever they joined.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from arena.formats.grouping import FEW, Costs, Pass, widest
from arena.formats.tally import WIDEST, Tally
from engine.chance import Chance

_ENOUGH: Final = 2
"""By how much meetings may differ at a round's end without another attempt, of the first few."""
_ATTEMPTS: Final = 8
_MOST_ATTEMPTS: Final = 16
_MOST_PLACES: Final = 3000
"""In all attempts together, beyond the first."""
_SWEEPS: Final = 10
"""How often all exchanges are tried, at most."""
_MOST_MORE: Final = 4
"""How many blocks of every bot a round may have more than it must, so that pairs have met evenly."""


def draw_round(tally: Tally, number: int, chance: Chance) -> RoundAtCount:
    """Draw the round with that number behind what is in the tally: the best of some attempts."""
    best = RoundAtCount(tally, number, chance, 0)
    if not tally.players < len(tally.levels) <= FEW:
        return best
    for more in range(_MOST_MORE + 1):
        places = best.places()
        for attempt in range(1, _MOST_ATTEMPTS):
            if (attempt > 2 and places > _MOST_PLACES) or best.is_good_enough(attempt >= _ATTEMPTS):
                break
            drawn = RoundAtCount(tally, number, chance, more)
            places += drawn.places()
            if drawn.score() < best.score():
                best = drawn
        if not best.score().beyond:
            break
    return best


class DrawScore(NamedTuple):
    """How bad the meetings of a round are, the worst first."""

    beyond: int
    """By how much they may be beyond the bound at the end."""
    between: int
    """By how much they are beyond it in between, if there are no newcomers."""
    spread: int
    """By how much they differ at the end."""


class RoundAtCount:
    """The blocks of one round at one count."""

    def __init__(self, tally: Tally, number: int, chance: Chance, more: int) -> None:
        """Draw blocks, `more` of each bot than it must have, with numbers from `chance` in a stream of their own."""
        self._before = tally
        self._tally = tally.copy()
        self._number = number
        self._chance = chance
        self._stream = f"groups of {tally.players}"
        self._order = sorted(tally.levels)
        chance.shuffle(self._stream, self._order)
        self._share = self._least_level() + more
        self.newcomers = frozenset(tally.owed)
        self.had = sum(tally.had[bot] for bot in tally.owed)
        """How many blocks these had before, together."""
        self.first: list[list[str]] = []
        """The blocks that newcomers have before the others go on."""
        self.rest: list[list[str]] = []
        """The blocks after them, until all are even."""
        self._draw()
        self._score = self._make_score()

    def score(self) -> DrawScore:
        """Return how bad the meetings are."""
        return self._score

    def places(self) -> int:
        """Return how many bots the blocks have together."""
        return self._tally.players * (len(self.first) + len(self.rest))

    def is_good_enough(self, many: bool) -> bool:
        """Return whether there need not be another attempt after so `many`."""
        score = self._score
        return not score.beyond and not score.between and (many or score.spread <= _ENOUGH)

    def _make_score(self) -> DrawScore:
        tally, before = self._tally, self._before
        between = 0 if self.first else widest(self.rest, before.meetings, before.numbers_of_meetings())
        return DrawScore(tally.excess(), max(0, between - max(WIDEST, before.spread())), tally.spread())

    def _least_level(self) -> int:
        """Return the level that every bot has at least at the round's end.

        Those that had no block in the last round have one in this.
        """
        levels, latest = self._tally.levels, self._tally.latest
        share = max(min(levels.values()) + 1, max(levels.values()))
        waited = [level + 1 for bot, level in levels.items() if latest[bot] < self._number - 1]
        owed = [levels[bot] + number for bot, number in self._tally.owed.items()]
        return max([share, *waited, *owed])

    def _draw(self) -> None:
        tally = self._tally
        if len(tally.levels) == tally.players:  # everybody is in every block
            for _ in range(max([1, *tally.owed.values()])):
                self._add(self._turned(), self.first if tally.owed else self.rest)
            return
        while tally.owed and (group := self._with_newcomers()) is not None:
            self._add(group, self.first)
        while min(tally.levels.values()) < self._share or not tally.is_even():
            for group in self._next_groups():
                self._add(group, self.rest)
        if len(tally.levels) <= FEW:
            kept = [*[self.newcomers] * len(self.first), *[()] * len(self.rest)]
            Exchanges(tally, [*self.first, *self.rest], self._before.levels, kept).make()
        for group in [*self.first, *self.rest]:
            self._chance.shuffle(self._stream, group)

    def _add(self, group: list[str], blocks: list[list[str]]) -> None:
        self._tally.count_block(self._number, group)
        blocks.append(group)

    def _with_newcomers(self) -> list[str] | None:
        """Return the next group of the newcomer that is owed most. None: the others have had their share."""
        tally, levels = self._tally, self._tally.levels
        order = self._turned()
        owed = [bot for bot in order if bot in tally.owed]
        others = [bot for bot in order if bot not in tally.owed and levels[bot] < self._share]
        others.sort(key=levels.__getitem__)
        group = [max(owed, key=tally.owed.__getitem__)]
        owed.remove(group[0])
        costs = self._costs(1)
        while len(group) < tally.players:
            least = [bot for bot in others if levels[bot] == levels[others[0]]]
            if not owed and not least:
                return None
            bot = self._choose(group, self._may_join(least, group) + owed, costs)
            (owed if bot in tally.owed else others).remove(bot)
            group.append(bot)
        return group

    def _next_groups(self) -> list[list[str]]:
        """Return groups of the bots with the least blocks, so that any two of these are even behind them."""
        levels, players = self._tally.levels, self._tally.players
        bots = sorted(self._turned(), key=levels.__getitem__)
        level = levels[bots[players - 1]]
        group = [bot for bot in bots[:players] if levels[bot] < level]
        candidates = [bot for bot in bots if levels[bot] == level]
        if not group:
            return self._pass(candidates, [bot for bot in bots if levels[bot] == level + 1])
        costs = self._costs(1)
        while len(group) < players:
            bot = self._choose(group, self._may_join(candidates, group), costs)
            candidates.remove(bot)
            group.append(bot)
        return [group]

    def _pass(self, bots: list[str], ahead: list[str]) -> list[list[str]]:
        """Return groups in which each of these bots comes once, and some of them or of those ahead fill the last."""
        tally = self._tally
        level = tally.levels[bots[0]]
        costs = self._costs(len(bots) / tally.players)
        missing = -len(bots) % tally.players
        self._chance.shuffle(self._stream, bots)
        last = self._fill([*bots, *ahead], level, missing, costs)
        bots.sort(key=lambda bot: bot not in last)  # none is twice in the last group
        line = Pass(bots, last, tally.players, tally.meetings, costs)
        line.improve()
        return line.groups()

    def _fill(self, rest: list[str], level: int, missing: int, costs: Costs) -> list[str]:
        """Return who fills the last group of a pass, so that these are one ahead behind it."""
        self._chance.shuffle(self._stream, rest)
        filled: list[str] = []
        while len(filled) < missing:
            bot = self._choose(filled, self._may_lead(rest, level + 2, filled), costs)
            rest.remove(bot)
            filled.append(bot)
        return filled

    def _may_join(self, candidates: list[str], group: Sequence[str]) -> list[str]:
        """Return those, of the same level all, that may have a block with this group; all of them if none may."""
        if not candidates:
            return []
        levels = self._tally.levels
        level = levels[candidates[0]] + 1
        return self._may_lead(candidates, level, [bot for bot in group if levels[bot] + 1 >= level])

    def _may_lead(self, candidates: list[str], level: int, beside: Iterable[str]) -> list[str]:
        """Return those that may have that level when all beside them have it too; all of them if none may."""
        levels, elders = self._tally.levels, self._tally.elders
        there = set(beside)
        found = [
            bot
            for bot in candidates
            if all(levels.get(elder, level) >= level or elder in there for elder in elders[bot])
        ]
        return found or candidates

    def _choose(self, group: Sequence[str], candidates: Sequence[str], costs: Costs) -> str:
        """Return the one of the first candidates that has met those of the group least."""
        rows = [self._tally.meetings[bot] for bot in group]
        return min(candidates[:FEW], key=lambda bot: sum([costs[row.get(bot, 0)] for row in rows]))

    def _costs(self, groups: float) -> Costs:
        """Return what meetings cost while so many groups meet."""
        pairs = self._tally.numbers_of_meetings()
        players = self._tally.players
        return Costs(pairs, groups * players * (players - 1) / 2 / sum(pairs.values()))

    def _turned(self) -> list[str]:
        """Return the bots in the round's random order, from a random one on."""
        first = self._chance.below(self._stream, len(self._order))
        return self._order[first:] + self._order[:first]


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
