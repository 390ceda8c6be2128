"""The constraints that a record of unseen draws puts on the cards that some seat has not seen.

A *slot* is a rival's draw, or a card that lies in the deck. The slots of one shuffle hold its pool in some order. All
orders that keep the limits are equally likely: a card that a rival showed must be among its draws by then, and a card
that a hand proved to lack must not be there.

Suppose that a seat has shown several cards of a kind, each after some number of draws. Each of them can be given a draw
of its own exactly if, at each showing, the draws by then contain as many cards of the kind as were shown by then
(Hall's condition; it is this simple because these sets of draws are nested). So limits are about counts alone: at
least, or at most, so many of one kind among the first draws of a seat.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Final, NamedTuple

from engine.deck_knowledge import DeckKnowledge, Draws

NO_WORLD: Final = "no world found that agrees with the view"


class Limit(NamedTuple):
    """How many cards of a kind there are at least, or at most, among the first `before` draws of a seat."""

    before: int
    number: int


class Slots:
    """Where the unseen cards lie, by shuffle, and the limits on them.

    Shuffles are numbered from 0, the earliest that matters first. Seats are numbered from 0 as everywhere, and the deck
    comes after the last seat. Lists about one seat and one kind are indexed by `key`: the seat times `kinds` plus the
    kind.

    No limit concerns the cards of a shuffle whose kind nobody has shown since. They are interchangeable, so they count
    as one extra kind, the last, and `others` lists which cards they are.

    A *block* is a run of slots of one shuffle and one seat that no limit tells apart: the cards in them may lie in any
    order. `blocks` lists those with more than one slot outside the deck.
    """

    def __init__(self, record: DeckKnowledge, seat: int | None, own: Draws, barred: Collection[int]) -> None:
        """Arrange the unseen cards of a record.

        Args:
            record: The public record of the deck.
            seat: The seat whose own draws are known; None: no seat's.
            own: The draws of `seat`.
            barred: Kinds that no rival's hand contains.

        Raises:
            ValueError: The shuffles do not contain the cards that were drawn and are left.
        """
        drawn = record.drawn
        pools = {shuffle: pool[:] for shuffle, pool in record.pools.items()}
        if seat is not None:
            for shuffle, kind in zip(drawn[seat], own, strict=True):
                pools[shuffle][kind] -= 1
        shuffles = sorted(pools)
        self.pools = [pools[shuffle] for shuffle in shuffles]
        self.kinds = len(self.pools[0]) + 1
        self.deck = len(drawn)
        self.rivals = [rival for rival in range(self.deck) if rival != seat]
        # By slot: seat times `kinds`, which of the seat's draws, and the shuffle.
        self.base: list[int] = []
        self.place: list[int] = []
        self.shuffle: list[int] = []
        self.members: list[range] = []  # by shuffle: its slots
        self.cells: list[dict[int, list[int]]] = []  # by shuffle and seat: those of one seat, in the order of drawing
        self.ends: list[list[int]] = [[] for _ in drawn]  # by seat and shuffle: how many it has drawn by its end
        self._place_slots(drawn, shuffles)
        size = (self.deck + 1) * self.kinds
        self.least: list[list[Limit]] = [[] for _ in range(size)]
        self.most: list[list[Limit]] = [[] for _ in range(size)]
        for rival in self.rivals:
            self._set_limits(record, rival, barred)
        self.others: list[list[int]] = []  # by shuffle
        self._set_others()
        self.blocks: list[range] = []
        self._set_blocks()

    def _place_slots(self, drawn: list[list[int]], shuffles: list[int]) -> None:
        number = {shuffle: n for n, shuffle in enumerate(shuffles)}
        drawers: list[dict[int, list[int]]] = [{} for _ in shuffles]
        for rival in self.rivals:
            for place, shuffle in enumerate(drawn[rival]):
                drawers[number[shuffle]].setdefault(rival, []).append(place)
            count = 0
            for of_shuffle in drawers:
                count += len(of_shuffle.get(rival, ()))
                self.ends[rival].append(count)
        for of_shuffle, pool in zip(drawers, self.pools, strict=True):
            left = sum(pool) - sum(map(len, of_shuffle.values()))
            if left < 0 or min(pool) < 0 or (left and pool is not self.pools[-1]):
                raise ValueError(f"{NO_WORLD}: a shuffle of other cards than were drawn and are left")
            if left:
                of_shuffle[self.deck] = [0] * left
            first = len(self.base)
            cells: dict[int, list[int]] = {}
            for seat, places in of_shuffle.items():
                cells[seat] = list(range(len(self.base), len(self.base) + len(places)))
                self.base += [seat * self.kinds] * len(places)
                self.place += places
            self.shuffle += [len(self.cells)] * (len(self.base) - first)
            self.members.append(range(first, len(self.base)))
            self.cells.append(cells)

    def _set_limits(self, record: DeckKnowledge, rival: int, barred: Collection[int]) -> None:
        base = rival * self.kinds
        counts = [0] * self.kinds
        shown = record.shown[rival]
        lacked = iter([*record.lacked[rival], (tuple(barred), len(record.drawn[rival]), len(shown))])
        kinds, before, earlier = next(lacked)
        for place in range(len(shown) + 1):
            while place == earlier:
                for kind in kinds:
                    self.most[base + kind].append(Limit(before, counts[kind]))
                kinds, before, earlier = next(lacked, ((), 0, -1))
            if place < len(shown):
                kind, limit = shown[place]
                counts[kind] += 1
                least = self.least[base + kind]
                if least and least[-1].before == limit:
                    least.pop()
                least.append(Limit(limit, counts[kind]))

    def _set_others(self) -> None:
        """Merge the cards that no limit concerns into one extra kind."""
        last = [-1] * self.kinds  # by kind: the latest shuffle whose draws a limit is about
        for rival in self.rivals:
            ends = self.ends[rival]
            for kind in range(self.kinds):
                key = rival * self.kinds + kind
                before = max((limits[-1].before for limits in (self.least[key], self.most[key]) if limits), default=0)
                if before:
                    last[kind] = max(last[kind], next(n for n, end in enumerate(ends) if end >= before))
        for shuffle, pool in enumerate(self.pools):
            others = [kind for kind, count in enumerate(pool) if last[kind] < shuffle for _ in range(count)]
            for kind in set(others):
                pool[kind] = 0
            pool.append(len(others))
            self.others.append(others)

    def _set_blocks(self) -> None:
        """Cut each seat's draws from a shuffle where a limit on one of the shuffle's kinds falls between them."""
        for pool, cells in zip(self.pools, self.cells, strict=True):
            kinds = [kind for kind, count in enumerate(pool) if count]
            for seat, cell in cells.items():
                first, start = cell[0], self.place[cell[0]]
                cuts: set[int] = set()
                if seat != self.deck:
                    for kind in kinds:
                        key = seat * self.kinds + kind
                        for limits in self.least[key], self.most[key]:
                            cuts.update([limit.before - start for limit in limits])
                inner = sorted([cut for cut in cuts if 0 < cut < len(cell)])
                for begin, end in pairwise([0, *inner, len(cell)]):
                    self.blocks.append(range(first + begin, first + end))
