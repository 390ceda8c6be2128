"""A random walk among the worlds that a record allows, after which all are equally likely.

Each step exchanges cards within their shuffles and is undone if it breaks a limit. A step is as likely to be tried as
its reverse, so in the long run no world is more likely than another (the Metropolis algorithm). Cards of one block (see
`engine.draws.Slots`) need no steps: they are shuffled at the end. There are three steps:

- two cards of one shuffle, in different blocks, change places;
- two cards change places although that breaks a limit, and further exchanges follow, each to repair what is broken,
  until all limits hold: for instance, two seats exchange two kinds in one shuffle and exchange them back in another;
- several arbitrary exchanges at once: seldom possible, but they make every world reachable.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from engine.draws import Slots

LONGEST: Final = 7
"""The most exchanges in one step, each made to repair what is broken."""
ROUNDS: Final = (10, 15)
"""The chance that a broken limit is repaired at all: 10 in 15 plus the number of unseen cards."""
ANY: Final = 50
"""How often arbitrary exchanges are tried: once in this many steps."""
MOST_BROKEN: Final = 2
"""The most pairs of a seat and a kind whose limits may be broken in between."""


class Ground:
    """What all walks have in common that start from one record."""

    def __init__(self, slots: Slots) -> None:
        """Arrange the limits by seat and kind, and list the pairs of slots that may be exchanged."""
        self.slots = slots
        self.limited = [bool(least or most) for least, most in zip(slots.least, slots.most, strict=True)]
        self.least = [[limit.before for limit in limits] for limits in slots.least]
        self.most = [[limit.before for limit in limits] for limits in slots.most]
        # The pairs of slots of one shuffle in different blocks; by shuffle: where its pairs begin and how many it has.
        self.one: list[int] = []
        self.other: list[int] = []
        self.start: list[int] = []
        self.pairs: list[int] = []
        for members in slots.members:
            self.start.append(len(self.one))
            for block in slots.blocks:
                if members.start <= block.start < members.stop:
                    later = range(block.stop, members.stop)
                    for slot in block:
                        self.one += [slot] * len(later)
                        self.other += later
            self.pairs.append(len(self.one) - self.start[-1])
        self.odds = [  # by shuffle: how likely one of its pairs is chosen, by how likely another's is
            len(members) / pairs if pairs else 0.0 for members, pairs in zip(slots.members, self.pairs, strict=True)
        ]
        # The shuffle of every slot, but for shuffles without pairs.
        self.shuffles = [shuffle for shuffle in slots.shuffle if self.pairs[shuffle]]
        useful = [2 * pairs / len(members) for pairs, members in zip(self.pairs, slots.members, strict=True) if pairs]
        self.share = sum(useful) / max(len(slots.base), 1)
        """How often two slots of one shuffle, each chosen at random, lie in different blocks."""


class Walk:
    """A world that changes step by step; `laid` is the kind by slot."""

    def __init__(self, ground: Ground, laid: list[int], random: Iterator[float]) -> None:
        """Begin at a world. `laid`: the kind by slot, in a world that keeps all limits."""
        slots = ground.slots
        self.laid = laid
        self._ground = ground
        self._slots = slots
        self._random = random
        size = len(slots.least)
        self._limited, self._least, self._most = ground.limited, ground.least, ground.most
        self._of_kind: list[list[int]] = [[] for _ in range(slots.kinds)]  # the slots
        self._index: list[int] = []  # by slot: its index in that list
        places: dict[int, list[int]] = {key: [] for key, limited in enumerate(self._limited) if limited}
        for slot, kind in enumerate(laid):
            of_kind = self._of_kind[kind]
            self._index.append(len(of_kind))
            of_kind.append(slot)
            key = slots.base[slot] + kind
            if self._limited[key]:
                places[key].append(slots.place[slot])
        # By seat and kind: by how much each limit is exceeded, and the last limit with no slack.
        none: list[int] = []
        self._over: list[list[int]] = [none] * size
        self._under: list[list[int]] = [none] * size
        self._bound_below = [0] * size
        self._bound_above = [0] * size
        for key, found in places.items():
            found.sort()
            self._over[key] = [bisect_right(found, before - 1) - count for before, count in slots.least[key]]
            self._under[key] = [count - bisect_right(found, before - 1) for before, count in slots.most[key]]
            self._change(key, 0, 0)

    # Whether a card may go

    def _may_move(self, key: int, place: int, to: int) -> bool:
        """Return whether a seat may draw a card of this kind at `to` instead of at `place`."""
        if place < to:
            if self._bound_below[key] > place:
                for before, over in zip(self._least[key], self._over[key], strict=True):
                    if over <= 0 and place < before <= to:
                        return False
        elif self._bound_above[key] > to:
            for before, under in zip(self._most[key], self._under[key], strict=True):
                if under <= 0 and to < before <= place:
                    return False
        return True

    def _change(self, key: int, place: int, by: int) -> None:
        """Count a card more or less at a place; renew how much each limit is exceeded, and the last without slack."""
        bound = 0
        over = self._over[key]
        for index, before in enumerate(self._least[key]):
            if before > place:
                over[index] += by
            if over[index] <= 0:
                bound = before
        self._bound_below[key] = bound
        bound = 0
        under = self._under[key]
        for index, before in enumerate(self._most[key]):
            if before > place:
                under[index] -= by
            if under[index] <= 0:
                bound = before
        self._bound_above[key] = bound

    def _exchange(self, one: int, other: int) -> None:
        laid, limited, index = self.laid, self._limited, self._index
        kind, new = laid[one], laid[other]
        if kind == new:
            return
        seat, rival = self._slots.base[one], self._slots.base[other]
        place, place_of_other = self._slots.place[one], self._slots.place[other]
        if limited[seat + kind]:
            self._change(seat + kind, place, -1)
        if limited[seat + new]:
            self._change(seat + new, place, 1)
        if limited[rival + new]:
            self._change(rival + new, place_of_other, -1)
        if limited[rival + kind]:
            self._change(rival + kind, place_of_other, 1)
        laid[one], laid[other] = new, kind
        self._of_kind[kind][index[one]] = other
        self._of_kind[new][index[other]] = one
        index[one], index[other] = index[other], index[one]

    # Steps

    def walk(self, steps: int) -> None:
        """Try this many steps, of which those within a block are left out, and shuffle the blocks."""
        random = self._random
        ground, slots, laid = self._ground, self._slots, self.laid
        base, place = slots.base, slots.place
        shuffles, start, pairs, first, second = ground.shuffles, ground.start, ground.pairs, ground.one, ground.other
        below, above = self._bound_below, self._bound_above
        size = len(shuffles)
        rounds = ROUNDS[0] / (ROUNDS[1] + len(base))
        often = max(round(ANY * ground.share), 1)
        for step in range(round(steps * ground.share)):
            if step % often == 0:
                self._exchange_some()
            shuffle = shuffles[int(next(random) * size)]
            pair = start[shuffle] + int(next(random) * pairs[shuffle])
            one, other = first[pair], second[pair]
            kind, new = laid[one], laid[other]
            if kind == new:
                continue
            seat, rival = base[one], base[other]
            if seat == rival:
                if self._may_move(seat + kind, place[one], place[other]) and self._may_move(
                    seat + new, place[other], place[one]
                ):
                    self._exchange(one, other)
                continue
            broken = (
                (below[seat + kind] > place[one])
                + (below[rival + new] > place[other])
                + (above[seat + new] > place[one])
                + (above[rival + kind] > place[other])
            )
            if not broken:
                self._exchange(one, other)
            elif broken <= MOST_BROKEN and next(random) < rounds:
                self._go_round(one, other)
        self._shuffle_blocks()

    def _shuffle_blocks(self) -> None:
        """Shuffle the cards within each block, except in the deck, which is shuffled whole in the end."""
        random, laid, index, of_kind = self._random, self.laid, self._index, self._of_kind
        deck = self._slots.deck * self._slots.kinds
        for block in self._slots.blocks:
            if self._slots.base[block.start] == deck:
                continue
            for size in range(len(block), 1, -1):
                one = block.start + size - 1
                other = block.start + int(next(random) * size)
                kind, new = laid[one], laid[other]
                if kind != new:
                    laid[one], laid[other] = new, kind
                    of_kind[kind][index[one]] = other
                    of_kind[new][index[other]] = one
                    index[one], index[other] = index[other], index[one]

    def _go_round(self, one: int, other: int) -> None:
        """Make this exchange and more until no limit is broken, and keep or undo them all.

        They are kept with the probability that balances them against the way back.
        """
        slots, random, odds_of = self._slots, self._random, self._ground.odds
        done = [(one, other)]
        broken: set[int] = set()
        odds = 1 / odds_of[slots.shuffle[one]]  # of the way back, by those of the way there
        self._exchange_and_note(one, other, broken)
        while broken:
            if len(broken) > MOST_BROKEN or len(done) == LONGEST:
                break
            keys = sorted(broken)
            back = self._mends(keys, *done[-1])
            pair = self._mend(keys[int(next(random) * len(keys))])
            if not back or pair is None:
                break
            odds *= back / self._mends(keys, *pair)
            self._exchange_and_note(*pair, broken)
            done.append(pair)
        else:
            last, other = done[-1]
            odds *= odds_of[slots.shuffle[last]]
            # The way back begins with the last exchange, as this one did with the first: between two seats.
            if slots.base[last] != slots.base[other] and (odds >= 1 or next(random) < odds):
                return
        for pair in reversed(done):
            self._exchange(*pair)

    def _exchange_and_note(self, one: int, other: int, broken: set[int]) -> None:
        base, laid = self._slots.base, self.laid
        self._exchange(one, other)
        for slot in (one, other):
            for which in (one, other):
                key = base[slot] + laid[which]
                if min(self._over[key], default=0) < 0 or min(self._under[key], default=0) < 0:
                    broken.add(key)
                else:
                    broken.discard(key)

    def _mend(self, key: int) -> tuple[int, int] | None:
        """Choose an exchange that gives the kind to a seat short of it, or takes it from a seat with too many.

        Returns:
            The two slots; None: the exchange found is impossible or changes nothing.
        """
        slots, random = self._slots, self._random
        seat, kind = divmod(key, slots.kinds)
        if min(self._over[key], default=0) < 0:
            of_kind = self._of_kind[kind]
            slot = of_kind[int(next(random) * len(of_kind))]
            cell = slots.cells[slots.shuffle[slot]].get(seat)
            if cell is None:
                return None
            other = cell[int(next(random) * len(cell))]
        else:
            held = self._held(key)
            slot = held[int(next(random) * len(held))]
            of_shuffle = slots.members[slots.shuffle[slot]]
            other = of_shuffle[int(next(random) * len(of_shuffle))]
        return None if self.laid[slot] == self.laid[other] else (slot, other)

    def _held(self, key: int) -> list[int]:
        """Return the slots in which a seat has a kind."""
        base, kind = self._slots.base, key % self._slots.kinds
        return [slot for slot in self._of_kind[kind] if base[slot] == key - kind]

    def _mends(self, keys: list[int], one: int, other: int) -> float:
        """Return the probability that `_mend` for a random one of these keys makes this exchange."""
        slots, laid = self._slots, self.laid
        shuffle = slots.shuffle[one]
        odds = 0.0
        for slot, into in ((one, other), (other, one)):
            short = slots.base[into] + laid[slot]
            if short in keys and min(self._over[short], default=0) < 0:
                odds += 1 / (
                    len(self._of_kind[laid[slot]]) * len(slots.cells[shuffle][slots.base[into] // slots.kinds])
                )
            much = slots.base[slot] + laid[slot]
            if much in keys and min(self._over[much], default=0) >= 0:
                odds += 1 / (len(self._held(much)) * len(slots.members[shuffle]))
        return odds / len(keys)

    def _exchange_some(self) -> None:
        """Try a random number of arbitrary exchanges at once."""
        slots, random, laid = self._slots, self._random, self.laid
        base = slots.base
        done: list[tuple[int, int]] = []
        touched: set[int] = set()
        while not done or next(random) < 0.6:
            one = int(next(random) * len(base))
            of_shuffle = slots.members[slots.shuffle[one]]
            other = of_shuffle[int(next(random) * len(of_shuffle))]
            done.append((one, other))
            touched |= {base[slot] + laid[which] for slot in (one, other) for which in (one, other)}
            self._exchange(one, other)
        if any(min(self._over[key], default=0) < 0 or min(self._under[key], default=0) < 0 for key in touched):
            for one, other in reversed(done):
                self._exchange(one, other)
