"""Cards nobody has seen, laid out anew: draws a world that a record of unseen draws allows.

What is drawn is the order of the deck at each of its shuffles, all orders that agree with the record being equally
likely. Each card that a rival showed is given to one of its draws at random, then the draws still in hand are filled
from the cards nobody has seen, so that no hand holds what it proved to lack. How likely this makes a world is known but
for a factor that all worlds share, so worlds are drawn until one is taken in proportion (rejection, where the greatest
possible weight is known; else some steps of an independence Metropolis chain).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import exp, log

from engine.chance import Chance
from engine.unseen import Draws, Unseen, uncounted

WORLDS = 16
"""Worlds drawn of which one is taken."""
TRIES = 400
"""How often to try to draw them: a card shown may find all draws that can have held it given away."""
_FINE = 1 << 48


class _Impossible(Exception):
    """What was laid out so far leaves no place for a card."""


class _World:
    """One way the unseen cards may lie."""

    def __init__(self, record: Unseen, seat: int | None, own: Draws, barred: Collection[int]) -> None:
        """`own`: what `seat` drew; `barred`: kinds that are never in a hand."""
        self._record = record
        self._barred = frozenset(barred)
        self.pools = {shuffle: pool[:] for shuffle, pool in record.pools.items()}
        self._rivals = [other for other, drawn in enumerate(record.drawn) if drawn and other != seat]
        self.draws: list[Draws] = [[-1] * len(drawn) for drawn in record.drawn]
        if seat is not None:
            self.draws[seat] = own[:]
            for shuffle, kind in zip(record.drawn[seat], own, strict=True):
                self.pools[shuffle][kind] -= 1
        self._left = {shuffle: sum(pool) for shuffle, pool in self.pools.items()}
        self.ways = 0.0  # in how many ways the cards shown can be given to draws, as a logarithm
        self.weight = 0.0  # the logarithm of how often this world should be drawn for once that it is

    def fill(self, chance: Chance) -> None:
        """Lay out all cards but the deck's. Raises `_Impossible`."""
        for seat in self._rivals:
            for place in range(len(self._record.shown[seat])):
                self._match(seat, place, chance)
        places = []
        for seat in self._rivals:
            shuffles, lacked = self._record.drawn[seat], self._record.lacked[seat]
            for slot, kind in enumerate(self.draws[seat]):
                if kind < 0:
                    without = self._barred.union(*(kinds for kinds, before, _ in lacked if slot < before))
                    places.append((seat, slot, shuffles[slot], without))
        places.sort(key=lambda place: -len(place[3]))  # where little fits first
        for seat, slot, shuffle, without in places:
            self.draws[seat][slot] = self._pick(shuffle, without, chance)
        self.ways = sum(map(self._ways, self._rivals))
        self.weight -= self.ways

    def _match(self, seat: int, place: int, chance: Chance) -> None:
        """Give a card shown to one of the draws that can have been it."""
        record, draws = self._record, self.draws[seat]
        kind, before = record.shown[seat][place]
        since = 0
        for kinds, limit, earlier in record.lacked[seat]:
            if earlier <= place and kind in kinds:
                since = limit
        shuffles = record.drawn[seat]
        odds = {shuffle: self.pools[shuffle][kind] / left for shuffle in set(shuffles) if (left := self._left[shuffle])}
        slots = [(slot, odds.get(shuffles[slot], 0.0)) for slot in range(since, before) if draws[slot] < 0]
        total = sum(odd for _, odd in slots)
        if total <= 0.0:
            raise _Impossible
        mark = _part(chance) * total
        chosen = -1
        for slot, odd in slots:
            if odd:
                chosen = slot
                mark -= odd
                if mark < 0:
                    break
        draws[chosen] = kind
        self._take(shuffles[chosen], kind)
        self.weight += log(total)

    def _pick(self, shuffle: int, without: Collection[int], chance: Chance) -> int:
        """A card that nobody has seen, of none of these kinds."""
        pool = self.pools[shuffle]
        total = self._left[shuffle]
        allowed = total - sum(pool[kind] for kind in without)
        if allowed <= 0:
            raise _Impossible
        mark = chance.below("imagined cards", allowed)
        kind = -1
        while mark >= 0:
            kind += 1
            if kind not in without:
                mark -= pool[kind]
        self._take(shuffle, kind)
        self.weight += log(allowed / total)
        return kind

    def _take(self, shuffle: int, kind: int) -> None:
        self.pools[shuffle][kind] -= 1
        self._left[shuffle] -= 1

    def _ways(self, seat: int) -> float:
        """In how many ways what this seat showed can be given to its draws, as a logarithm."""
        ways = 1
        draws = self.draws[seat]
        gone: dict[int, int] = {}
        for kind, before in self._record.shown[seat]:
            ways *= draws[:before].count(kind) - gone.get(kind, 0)
            gone[kind] = gone.get(kind, 0) + 1
        return log(ways)


def lay_out(
    record: Unseen, seat: int | None, own: Draws, chance: Chance, barred: Collection[int] = ()
) -> tuple[list[Draws], list[int]]:
    """Every seat's draws, in step with `record.drawn`, and the deck, the top last.

    `seat`: whose world this is (None: a spectator's), and `own`: what it drew. `barred`: kinds that never stay in a
    hand. ValueError: no world agrees with the record.
    """
    rivals = [other for other in range(len(record.drawn)) if other != seat]
    lacking = any(record.lacked[other] for other in rivals)
    free = not lacking and not any(record.shown[other] for other in rivals)
    # With one shuffle and nothing lacked, worlds differ only in how many ways there are to show what was shown.
    simple = not lacking and len(record.pools) == 1
    taken: _World | None = None
    for world in _worlds(record, seat, own, barred, chance):
        if free or (simple and _part(chance) < exp(-world.ways)):
            taken = world
            break
        if taken is None or world.weight >= taken.weight or _part(chance) < exp(world.weight - taken.weight):
            taken = world
    if taken is None:
        raise ValueError("no world found that agrees with the view")
    deck = uncounted(taken.pools[record.shuffle])
    chance.shuffle("imagined deck", deck)
    return taken.draws, deck


def _worlds(record: Unseen, seat: int | None, own: Draws, barred: Collection[int], chance: Chance) -> Iterator[_World]:
    found = 0
    for _ in range(TRIES):
        world = _World(record, seat, own, barred)
        try:
            world.fill(chance)
        except _Impossible:
            continue
        yield world
        found += 1
        if found == WORLDS:
            return


def _part(chance: Chance) -> float:
    """A number from 0 to 1."""
    return chance.below("imagined cards", _FINE) / _FINE
