"""Games where the order is least certain, until it is known: as few as possible for a ranking.

The field is put in order by skill. A bot that is neither told apart from a neighbour nor known to be tied with it
plays, in groups of bots that stand near each other, the least certain neighbours first. When all are decided, the
tournament ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from arena.formats.base import Block, CountTurns, Field, Format, PlayedBlock
from arena.formats.order_knowledge import KnownOrder, OrderKnowledge
from arena.ledger import Resolution
from engine.chance import Seeded, derive

DECISIVE: Final = "decisive"
_BASE: Final = 12
"""Who has had fewer games is drawn before all others."""
_DELAY: Final = 24
_REACH: Final = 2
"""How many groups' lengths up and down the order the members of a group are looked for."""


class Decisive(Format):
    """Rounds are short, and each follows from all results but those of the last `delay` games or a few more."""

    delay: Final = _DELAY
    ends: Final = True

    def __init__(self, seed: bytes, known: OrderKnowledge) -> None:
        """Begin a draw. `seed`: the tournament's. `known`: what is known of the order, as yet without results."""
        self._seed = seed
        self._known = known
        self._turns = CountTurns()
        self._games: Counter[str] = Counter()
        """By bot: the games drawn for it that count, as far as is known."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw a block or more for everybody who has an undecided neighbour; none if all are decided."""
        chance = Seeded(derive(self._seed, "decisive", number))
        bots = list(field.bots)
        chance.shuffle("lots", bots)
        order = self._known.of(bots)
        asked = [place for place, verdict in enumerate(order.verdicts) if verdict.kind == "undecided"]
        turns = self._turns.copy(field)
        used: set[int] = set()
        blocks = []
        for place in sorted(asked, key=lambda place: (self._urgency(order, place), place)):
            if used.issuperset((place, place + 1)):
                continue
            count = turns.next(field.counts)
            turns.add(count)
            places = self._group(place, count, order, used)
            used.update(places)
            group = [order.bots[each] for each in sorted(places)]
            chance.shuffle("seats", group)
            blocks.append(Block(group))
        return blocks

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Count games."""
        self._known.note_bots(field.bots)
        self._turns.note_blocks(field, blocks)
        for block in blocks:
            self._games.update(dict.fromkeys(block.bots, len(block.bots)))

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Work in the results."""
        self._known.add(blocks)
        for block in blocks:
            self._games.subtract(dict.fromkeys(block.bots, len(block.bots) - len(block.games)))

    def resolution(self, field: Field) -> Resolution:
        """Return what is known of each two neighbours.

        It follows from the results that the last round was drawn from: when the tournament has ended, all are decided.
        """
        return self._known.of(field.bots).resolution()

    def _is_new(self, bot: str) -> bool:
        return self._games[bot] < _BASE

    def _urgency(self, order: KnownOrder, place: int) -> tuple[bool, float]:
        """Return a key for two neighbours: newcomers come first, then the least certain."""
        upper, lower = order.bots[place], order.bots[place + 1]
        return not (self._is_new(upper) or self._is_new(lower)), -order.doubt(upper, lower)

    def _group(self, place: int, count: int, order: KnownOrder, used: set[int]) -> list[int]:
        """Return the places of a group around two neighbours: those whose order with one of it is least certain.

        Who already plays in this round is taken only where the doubt is twice as great.
        """
        places: list[int] = []
        near = range(max(0, place + 1 - _REACH * count), min(len(order.bots), place + 1 + _REACH * count))
        doubts = dict.fromkeys(near, 0.0)
        for new in range(count):
            if new < 2:
                chosen = place + new
            else:
                chosen = min(doubts, key=lambda each: (-doubts[each] / (1 + (each in used)), abs(each - place), each))
            places.append(chosen)
            del doubts[chosen]
            for each in doubts:
                upper, lower = sorted((each, chosen))
                doubts[each] = max(doubts[each], order.doubt(order.bots[upper], order.bots[lower]))
        return places
