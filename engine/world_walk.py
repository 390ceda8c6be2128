"""A random walk among the worlds that a record allows, after which all are equally likely.

Each step exchanges cards within their shuffles and is undone if it breaks a limit. A step is as likely to be tried as
its reverse, so in the long run no world is more likely than another (the Metropolis algorithm). There are three steps:

- two cards of one shuffle change places;
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


class Walk:
    """A world that changes step by step; `laid` is the kind by slot."""

    def __init__(self, slots: Slots, laid: list[int], random: Iterator[float]) -> None:
        """Begin at a world. `laid`: the kind by slot, in a world that keeps all limits."""
        self.laid = laid
        self._slots = slots
        self._random = random
        size = len(slots.least)
        self._of_kind: list[list[int]] = [[] for _ in range(slots.kinds)]  # the slots
        self._index: list[int] = []  # by slot: its index in that list
        places: list[list[int]] = [[] for _ in range(size)]
        for slot, kind in enumerate(laid):
            self._index.append(len(self._of_kind[kind]))
            self._of_kind[kind].append(slot)
            places[slots.base[slot] + kind].append(slots.place[slot])
        # By seat and kind: whether there are limits, by how much each is exceeded, and the last limit with no slack.
        self._limited = [bool(least or most) for least, most in zip(slots.least, slots.most, strict=True)]
        self._least = [[limit.before for limit in limits] for limits in slots.least]
        self._most = [[limit.before for limit in limits] for limits in slots.most]
        self._over: list[list[int]] = [[] for _ in range(size)]
        self._under: list[list[int]] = [[] for _ in range(size)]
        self._bound_below = [0] * size
        self._bound_above = [0] * size
        for key, found in enumerate(places):
            if self._limited[key]:
                found.sort()
                self._over[key] = [bisect_right(found, before - 1) - count for before, count in slots.least[key]]
                self._under[key] = [count - bisect_right(found, before - 1) for before, count in slots.most[key]]
                self._bind(key)

    def _bind(self, key: int) -> None:
        for bounds, limits, slack in (
            (self._bound_below, self._least[key], self._over[key]),
            (self._bound_above, self._most[key], self._under[key]),
        ):
            last = len(slack) - 1
            while last >= 0 and slack[last] > 0:
                last -= 1
            bounds[key] = limits[last] if last >= 0 else 0

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
        over, under = self._over[key], self._under[key]
        for index in range(bisect_right(self._least[key], place), len(over)):
            over[index] += by
        if under:
            for index in range(bisect_right(self._most[key], place), len(under)):
                under[index] -= by
        self._bind(key)

    def _exchange(self, one: int, other: int) -> None:
        laid, limited, index = self.laid, self._limited, self._index
        kind, new = laid[one], laid[other]
        if kind == new:
            return
        seat, rival = self._slots.base[one], self._slots.base[other]
        place, place_of_other = self._slots.place[one], self._slots.place[other]
        for key, at, by in (
            (seat + kind, place, -1), (seat + new, place, 1),
            (rival + new, place_of_other, -1), (rival + kind, place_of_other, 1),
        ):  # fmt: skip
            if limited[key]:
                self._change(key, at, by)
        laid[one], laid[other] = new, kind
        self._of_kind[kind][index[one]] = other
        self._of_kind[new][index[other]] = one
        index[one], index[other] = index[other], index[one]

    # Steps

    def go(self, steps: int) -> None:
        """Try this many steps, most of which change nothing."""
        random = self._random
        slots, laid = self._slots, self.laid
        base, place, shuffle, members = slots.base, slots.place, slots.shuffle, slots.members
        below, above = self._bound_below, self._bound_above
        size = len(base)
        deck = slots.deck * slots.kinds
        rounds = ROUNDS[0] / (ROUNDS[1] + size)
        for step in range(steps):
            if step % ANY == 0:
                self._exchange_some()
            one = int(next(random) * size)
            of_shuffle = members[shuffle[one]]
            other = of_shuffle[int(next(random) * len(of_shuffle))]
            kind, new = laid[one], laid[other]
            if kind == new:
                continue
            seat, rival = base[one], base[other]
            if seat == rival:
                if (
                    seat != deck
                    and self._may_move(seat + kind, place[one], place[other])
                    and self._may_move(seat + new, place[other], place[one])
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

    def _go_round(self, one: int, other: int) -> None:
        """Make this exchange and more until no limit is broken, and keep or undo them all.

        They are kept with the probability that balances them against the way back.
        """
        slots, random = self._slots, self._random
        done = [(one, other)]
        broken: set[int] = set()
        odds = len(slots.members[slots.shuffle[one]]) * 1.0  # of the way back, by those of the way there
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
            odds /= len(slots.members[slots.shuffle[last]])
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
