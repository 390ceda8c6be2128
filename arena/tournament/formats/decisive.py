"""Games where the order is least certain, until it is known: as few as possible for a ranking.

The field is put in order by skill. Two neighbours are *apart* if the upper one is better with a probability of
1 - `error`, and *tied* if the two differ by less than `margin` with that probability. Who has an undecided neighbour
plays, in groups of bots that stand near each other, the least certain neighbours first. When all are decided, the
tournament ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from arena.rating import OrderEstimate
from arena.tournament.formats.base import Block, Field, PlayedBlock
from arena.tournament.formats.options import ERROR, MARGIN
from arena.tournament.formats.turns import CountTurns
from engine.chance import Seeded, derive

_BASE: Final = 12
"""So many games a newcomer has before anything about it is decided."""
_DELAY: Final = 24
_REACH: Final = 2
"""How many groups' lengths up and down the order the members of a group are looked for."""


class Verdict(NamedTuple):
    """What is known of two neighbours in the order."""

    upper: str
    lower: str
    ahead: float
    """The probability that the upper one is the better one."""
    tied: float
    """The probability that they differ by less than the margin."""
    kind: Literal["apart", "tied", "undecided"]


class Decisive:
    """Rounds are short, and each follows from all results but those of the last `delay` games or a few more."""

    delay: Final = _DELAY
    ends: Final = True

    def __init__(self, seed: bytes, error: float = ERROR, margin: float = MARGIN) -> None:
        """`seed`: the tournament's. `error`, `margin`: as in `FormatOptions`."""
        self._seed = seed
        self._error = error
        self._margin = margin
        self._turns = CountTurns()
        self._games: Counter[str] = Counter()
        """By bot: the games drawn for it that count, as far as is known."""
        self._estimate = OrderEstimate()

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw a block or more for everybody who has an undecided neighbour; none if all are decided."""
        chance = Seeded(derive(self._seed, "decisive", number))
        bots = list(field.bots)
        chance.shuffle("lots", bots)
        order = self._order(bots)
        verdicts = self._verdicts(order)
        asked = [place for place, verdict in enumerate(verdicts) if verdict.kind == "undecided"]
        turns = self._turns.copy(field)
        used: set[int] = set()
        blocks = []
        for place in sorted(asked, key=lambda place: (self._urgency(verdicts[place]), place)):
            if used.issuperset((place, place + 1)):
                continue
            count = turns.next(field.counts)
            turns.add(count)
            places = self._group(place, count, order, used)
            used.update(places)
            group = [order[each] for each in sorted(places)]
            chance.shuffle("seats", group)
            blocks.append(Block(group))
        return blocks

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Count games."""
        self._turns.note(field, blocks)
        for block in blocks:
            self._games.update(dict.fromkeys(block.bots, len(block.bots)))

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Work in the results."""
        self._estimate.add((game.bots, game.ranks) for block in blocks for game in block.games)
        for block in blocks:
            self._games.subtract(dict.fromkeys(block.bots, len(block.bots) - len(block.games)))

    def may_end(self, bots: Sequence[str]) -> bool:
        """Allow it at any time: the next round is drawn anew from what is known."""
        return True

    def due(self, field: Field, games: int) -> Mapping[int, int]:
        """Return nothing: bots do not get equal shares."""
        return {}

    def verdicts(self, field: Field) -> list[Verdict]:
        """Return what is known of each two neighbours, from the best two down.

        It follows from the results that the last round was drawn from: when the tournament has ended, all are decided.
        """
        return self._verdicts(self._order(field.bots))

    def _order(self, bots: Sequence[str]) -> list[str]:
        return sorted(bots, key=lambda bot: -round(self._estimate.skill(bot), 9))

    def _verdicts(self, order: Sequence[str]) -> list[Verdict]:
        margin = self._estimate.margin(self._margin)
        return [self._verdict(upper, lower, margin) for upper, lower in pairwise(order)]

    def _verdict(self, upper: str, lower: str, margin: float) -> Verdict:
        difference = self._estimate.difference(upper, lower)
        ahead, tied = round(difference.above(0), 9), round(difference.within(margin), 9)
        verdict: Literal["apart", "tied", "undecided"] = "undecided"
        if not self._is_new(upper) and not self._is_new(lower):
            if ahead >= 1 - self._error:
                verdict = "apart"
            elif tied >= 1 - self._error:
                verdict = "tied"
        return Verdict(upper, lower, ahead, tied, verdict)

    def _is_new(self, bot: str) -> bool:
        return self._games[bot] < _BASE

    def _urgency(self, verdict: Verdict) -> tuple[bool, float]:
        """Return a key: newcomers come first, then the least certain neighbours."""
        return not (self._is_new(verdict.upper) or self._is_new(verdict.lower)), verdict.ahead

    def _group(self, place: int, count: int, order: Sequence[str], used: set[int]) -> list[int]:
        """Return the places of a group around two neighbours: those whose order with one of it is least certain.

        Who already plays in this round is taken only where the doubt is twice as great.
        """
        places: list[int] = []
        near = range(max(0, place + 1 - _REACH * count), min(len(order), place + 1 + _REACH * count))
        doubts = dict.fromkeys(near, 0.0)
        for new in range(count):
            if new < 2:
                chosen = place + new
            else:
                chosen = min(doubts, key=lambda each: (-doubts[each] / (1 + (each in used)), abs(each - place), each))
            places.append(chosen)
            del doubts[chosen]
            for each in doubts:
                doubts[each] = max(doubts[each], self._doubt(order, each, chosen))
        return places

    def _doubt(self, order: Sequence[str], one: int, other: int) -> float:
        """Return the probability that the order of two is wrong."""
        upper, lower = sorted((one, other))
        return round(1 - self._estimate.difference(order[upper], order[lower]).above(0), 9)
