"""The Swiss system for groups of two and more: in each round bots of like standing meet who have not met yet.

A round is of one player count, and every bot plays one block in it. Counts take turns, so that each has had as many
games as the others, to within a round. If the field is not a multiple of the count, some bots have a bye.

Swiss systems for games of more than two players do the same: they rank by points for the place in a game, evenly spaced
(7, 5, 3, 1 in a group of four, 7, 4, 1 in one of three), cut that list into groups from the top, and avoid that players
meet again (Game Play Events, group game play; TopDeck, pods of Commander). We average where they add up, so that a
bye, a late entry and a lost block cost nothing, and we add the mean of those whom a bot has met (like the Buchholz
tie-break), because the leaders meet leaders.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Final

from arena.formats.base import Block, CountTurns, Field, Format, PlayedBlock
from engine.chance import Seeded, derive

_REACH: Final = 12
"""How many places down the standings a group looks for who has not met it. Rather than reach further, bots meet again:
in groups of four or more they would otherwise soon meet bots of quite different strength."""
_EXCHANGE: Final = 24
"""How many places apart those are at most who are exchanged so that fewer meet again."""
_PASSES: Final = 4
"""How often all groups are gone through to part bots that have met."""


class Swiss(Format):
    """Pairs each round by the results of all rounds but the one before it, and has no last round."""

    delay: Final = 1
    ends: Final = False

    def __init__(self, seed: bytes) -> None:
        """Begin a draw. `seed`: the tournament's."""
        self._seed = seed
        self._field: Field | None = None
        self._turns = CountTurns()
        self._shares: defaultdict[int, dict[str, int]] = defaultdict(dict)
        """By count and bot: its blocks; a bot that joins is taken to have had the fewest."""
        self._byes: Counter[str] = Counter()
        self._met: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By bot and bot: in how many blocks they met."""
        self._finishes: defaultdict[str, float] = defaultdict(float)
        """By bot: the sum of its finishes, 0 for a first place and 1 for a last one."""
        self._results: Counter[str] = Counter()
        """By bot: how many games that sum is of."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw one block of one count for everybody who has no bye."""
        chance = Seeded(derive(self._seed, "swiss", number))
        count = self._turns.copy(field).next(field.counts)
        ranked = self._standings(field, chance)
        players = self._players(field, count, ranked)
        groups = _separate(self._cut([bot for bot in ranked if bot in players], count), self._met)
        shares = self._shares_of(field, count)
        groups.sort(key=lambda group: min(shares[bot] for bot in group))  # who has played least plays first
        for group in groups:
            chance.shuffle("seats", group)
        return [Block(group) for group in groups]

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Count blocks, meetings and byes."""
        for count in {*self._shares, *field.counts}:
            self._shares[count] |= self._shares_of(field, count)
        self._field = field
        self._turns.note_blocks(field, blocks)
        for bots in (block.bots for block in blocks):
            for bot in bots:
                self._shares[len(bots)][bot] += 1
            self._meet(bots, 1)
        self._byes.update(set(field.bots).difference(*(block.bots for block in blocks)))

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Add up finishes; a block that is not whole is due once more to those who stay."""
        for block in blocks:
            for game in block.games:
                for bot, finish in zip(game.bots, game.finishes(), strict=True):
                    self._finishes[bot] += finish
                    self._results[bot] += 1
            if not block.is_whole:
                for bot in block.bots:
                    self._shares[len(block.bots)][bot] -= 1
                if not block.games:
                    self._meet(block.bots, -1)

    def due(self, field: Field, games: int) -> Mapping[int, int]:
        """Return how many blocks each bot has at each count if the games are shared equally."""
        return dict.fromkeys(field.counts, games // (len(field.counts) * len(field.bots)))

    def _meet(self, bots: Sequence[str], times: int) -> None:
        for one, other in combinations(bots, 2):
            self._met[one][other] += times
            self._met[other][one] += times

    def _shares_of(self, field: Field, count: int) -> dict[str, int]:
        """Return the blocks of each bot of the field at a count. Who was not in the field before has the fewest."""
        stayed = () if self._field is None else set(self._field.bots).intersection(field.bots)
        shares = {bot: share for bot, share in self._shares[count].items() if bot in stayed}
        return {**dict.fromkeys(field.bots, min(shares.values(), default=0)), **shares}

    def _standings(self, field: Field, chance: Seeded) -> list[str]:
        """Return the bots by mean finish and the mean of those they met, best first; equal ones by lot."""
        means = {bot: self._finishes[bot] / games for bot, games in self._results.items()}
        bots = list(field.bots)
        chance.shuffle("lots", bots)
        return sorted(bots, key=lambda bot: round(means.get(bot, 0.5) + self._mean_met(bot, means), 9))

    def _mean_met(self, bot: str, means: Mapping[str, float]) -> float:
        total, met = 0.0, 0
        for other, times in self._met[bot].items():
            if other in means:
                total += times * means[other]
                met += times
        return total / met if met else 0.5

    def _players(self, field: Field, count: int, ranked: Sequence[str]) -> set[str]:
        """Return who plays; the others have a bye.

        A bye goes to who has had the most blocks at this count; of these to who has had the fewest byes, then to who
        stands lowest. If somebody is two blocks behind, only as many play as are needed to bring up who is behind.
        """
        shares = self._shares_of(field, count)
        most = max(shares.values())
        groups = len(ranked) // count
        if most - min(shares.values()) > 1:
            groups = min(groups, -(-sum(share < most for share in shares.values()) // count))
        place = {bot: place for place, bot in enumerate(ranked)}
        first = sorted(ranked, key=lambda bot: (shares[bot], -self._byes[bot], place[bot]))
        return set(first[: groups * count])

    def _cut(self, ranked: list[str], count: int) -> list[list[str]]:
        """Cut the standings into groups from the top: each takes next who has met it least, then who stands highest."""
        left = ranked[:]
        groups = []
        while left:
            group = [left.pop(0)]
            while len(group) < count:
                rows = [self._met[bot] for bot in group]
                near = left[:_REACH]
                times = [sum([row[bot] for row in rows]) for bot in near]
                group.append(left.pop(times.index(min(times))))
            groups.append(group)
        return groups


def _separate(groups: list[list[str]], met: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """Exchange bots with groups nearby, the nearest first, as long as fewer meet again by that."""

    def meetings(bot: str, group: Sequence[str], place: int) -> int:
        """Count those of a bot with a group in which it takes that place."""
        row = met[bot]
        return sum([row[mate] for mate in group]) - row[group[place]]

    reach = -(-_EXCHANGE // max(map(len, groups), default=1))
    for _ in range(_PASSES):
        changed = False
        for number, group in enumerate(groups):
            for place, bot in enumerate(group):
                if not meetings(bot, group, place):
                    continue
                near = sorted(range(max(0, number - reach), min(len(groups), number + reach + 1)))
                for other in sorted(near, key=lambda other: abs(other - number)):
                    found = -1 if other == number else _better(group, place, groups[other], meetings)
                    if found >= 0:
                        group[place], groups[other][found] = groups[other][found], group[place]
                        changed = True
                        break
        if not changed:
            break
    return groups


def _better(group: list[str], place: int, other: list[str], meetings: Callable[[str, Sequence[str], int], int]) -> int:
    """Return the place in the other group with which an exchange saves most meetings; -1: none does."""
    bot = group[place]
    saved = [
        meetings(bot, group, place)
        + meetings(mate, other, there)
        - meetings(bot, other, there)
        - meetings(mate, group, place)
        for there, mate in enumerate(other)
    ]
    return saved.index(max(saved)) if max(saved) > 0 else -1
