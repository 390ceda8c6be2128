"""Heats: who plays with whom in one stage of a knockout, who is ahead, and who goes on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, groupby

from arena.formats.base import PlayedBlock
from engine.chance import Chance


class Heat:
    """Bots of whom some go on: all in one game, or a group in which they meet in turn."""

    def __init__(self, bots: Sequence[str], places: int) -> None:
        """Begin a heat. `bots`: those first that stood highest before. `places`: how many go on."""
        self.bots = list(bots)
        self.places = places
        self.rounds = 0
        """In how many rounds it has played."""
        self.blocks: Counter[tuple[str, int]] = Counter()
        """By bot and count: its blocks."""
        self.met: Counter[tuple[str, str]] = Counter()
        """By bots, in alphabetical order: in how many blocks they met."""
        self._finishes: defaultdict[str, float] = defaultdict(float)
        self._games: Counter[str] = Counter()
        self._wins: Counter[tuple[str, str]] = Counter()
        """By winner and loser: games in which one finished ahead of the other."""

    def count_block(self, bots: Sequence[str]) -> None:
        """Count a block that is drawn."""
        self.blocks.update((bot, len(bots)) for bot in bots)
        self.met.update(combinations(sorted(bots), 2))

    def add(self, block: PlayedBlock) -> None:
        """Add the results of a block."""
        for game in block.games:
            for bot, finish in zip(game.bots, game.finishes(), strict=True):
                self._finishes[bot] += finish
                self._games[bot] += 1
            for one, other in combinations(range(len(game.bots)), 2):
                if game.ranks[one] != game.ranks[other]:
                    winner, loser = sorted((one, other), key=lambda seat: game.ranks[seat])
                    self._wins[game.bots[winner], game.bots[loser]] += 1

    def mean_finish(self, bot: str) -> float:
        """Return 0 for a bot that was always first, 1 for one that was always last, 0.5 without a game."""
        return round(self._finishes[bot] / self._games[bot], 9) if self._games[bot] else 0.5

    def tiers(self, present: Collection[str]) -> list[list[str]]:
        """Return who is present, best first, with those together who are tied.

        They are ranked by mean finish; of equals, who has more often been ahead of the others of them is better.
        """
        found: list[list[str]] = []
        there = sorted((bot for bot in self.bots if bot in present), key=self.mean_finish)
        for _, equal in groupby(there, key=self.mean_finish):
            tied = list(equal)
            wins = {bot: sum(self._wins[bot, other] for other in tied) for bot in tied}
            tied.sort(key=lambda bot: -wins[bot])
            found += [list(same) for _, same in groupby(tied, key=wins.__getitem__)]
        return found

    def is_undecided(self, present: Collection[str]) -> bool:
        """Check whether a tie leaves open who goes on."""
        reached = 0
        for tier in self.tiers(present):
            if reached < self.places < reached + len(tier):
                return True
            reached += len(tier)
        return False

    def going_on(self, present: Collection[str]) -> list[str]:
        """Return who goes on, best first; of those still tied the ones that stood higher before."""
        return [bot for tier in self.tiers(present) for bot in tier][: self.places]


def heat_sizes(bots: int, counts: Collection[int]) -> list[int]:
    """Cut that many bots into as few heats as possible that differ by at most one; whom the sizes leave out has a bye.

    The number of bots is at least the smallest count.
    """
    for playing in range(bots, 0, -1):
        for heats in range(-(-playing // max(counts)), playing // min(counts) + 1):
            size, larger = divmod(playing, heats)
            sizes = [size + 1] * larger + [size] * (heats - larger)
            if set(sizes) <= set(counts):
                return sizes
    raise ValueError(f"{bots} bots are too few for games of {min(counts)}")


def places_on(sizes: Sequence[int], byes: int, least: int, *, all_may: bool) -> list[int]:
    """Return for each heat how many go on: its better half, rounded down, or more if too few would be left.

    `least`: how many must be left. `all_may`: whether all of a heat may go on, not all but one.
    """
    for more in range(max(sizes)):
        places = [max(1, min(size - (not all_may), size // 2 + more)) for size in sizes]
        if sum(places) + byes >= least:
            break
    return places


def deal(bots: Sequence[str], sizes: Sequence[int], met: Collection[frozenset[str]]) -> list[list[str]]:
    """Deal bots, best first, into heats of these sizes, so that the best are spread and few meet who have met.

    The first of each heat are dealt from left to right, the second from right to left, and so on.
    """
    heats: list[list[str]] = [[] for _ in sizes]
    for number, start in enumerate(range(0, len(bots), len(sizes))):
        free = [heat for heat, size in zip(heats, sizes, strict=True) if len(heat) < size]
        if number % 2:
            free.reverse()
        for heat, bot in zip(free, bots[start : start + len(sizes)], strict=False):
            heat.append(bot)
    for heat in heats:
        for place in range(len(heat)):
            _part(heats, heat, place, met)
    return heats


def _part(heats: Sequence[list[str]], heat: list[str], place: int, met: Collection[frozenset[str]]) -> None:
    """Exchange a bot with the one at the same place of another heat, if fewer are together by that who have met."""

    def known(bot: str, mates: Iterable[str]) -> int:
        return sum(frozenset((bot, mate)) in met for mate in mates)

    bot = heat[place]
    mates = [mate for mate in heat if mate != bot]
    if not known(bot, mates):
        return
    for other in (other for other in heats if other is not heat and len(other) > place):
        theirs = [mate for mate in other if mate != other[place]]
        before = known(bot, mates) + known(other[place], theirs)
        if known(bot, theirs) + known(other[place], mates) < before:
            heat[place], other[place] = other[place], bot
            return


def draw_pass(heat: Heat, bots: Sequence[str], counts: Iterable[int], chance: Chance) -> list[list[str]]:
    """Draw groups until each of these bots of a heat has had one block more at every count that they are enough for.

    Who has had the fewest blocks comes first, of equals who has met the others of a group least.
    """
    lots = list(bots)
    chance.shuffle("lots", lots)
    met = heat.met.copy()
    drawn = []
    for count in (count for count in counts if count <= len(lots)):
        had = {bot: heat.blocks[bot, count] for bot in lots}
        lacking = set(lots)
        while lacking:
            group = [min(lots, key=lambda bot: (bot not in lacking, had[bot]))]
            while len(group) < count:
                others = (bot for bot in lots if bot not in group)
                group.append(min(others, key=lambda bot: (bot not in lacking, had[bot], _meetings(met, bot, group))))
            lacking -= set(group)
            for bot in group:
                had[bot] += 1
            met.update(combinations(sorted(group), 2))
            chance.shuffle("seats", group)
            drawn.append(group)
    return drawn


def _meetings(met: Mapping[tuple[str, str], int], bot: str, group: Iterable[str]) -> int:
    return sum(met.get((min(bot, mate), max(bot, mate)), 0) for mate in group)
