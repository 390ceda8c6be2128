"""A world drawn from a short record: several are generated, and one is chosen by its weight.

Each card that a rival showed is assigned to one of its draws at random. Then the draws still in hand are filled with
cards that nobody has seen, so that no hand contains what it proved to lack. The probability of generating a world in
this way is known except for a factor that all worlds share. So several are drawn, and one is chosen in proportion to
its weight: by rejection where the greatest possible weight is known, else by some steps of an independence Metropolis
chain. The more cards were shown, the more seldom such a world is found; `engine.world_walk` handles those records.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import exp, log
from typing import Final, NamedTuple

from engine.deck_knowledge import DeckKnowledge, Draws, uncounted

WORLDS: Final = 16
"""How many worlds are drawn, of which one is chosen."""
TRIES: Final = 60
"""How many attempts to draw them: an attempt fails if a shown card finds every possible draw taken."""


class _Shown(NamedTuple):
    """A card that a rival showed, and the draws that can have been that card."""

    number: int
    seat: int
    kind: int
    slots: list[tuple[int, list[int]]]
    """By shuffle: the draws from it."""


class _Slot(NamedTuple):
    """A rival's draw, and the kinds that it cannot be if it is still in hand."""

    seat: int
    place: int
    shuffle: int
    without: frozenset[int]


class _Impossible(Exception):
    """The assignments so far leave no place for a card; `shown` says which one, if it is one that was shown."""

    def __init__(self, shown: _Shown | None = None) -> None:
        self.shown = shown


class _Record:
    """What a record says about the rivals of one seat, in the order in which worlds are built."""

    def __init__(self, record: DeckKnowledge, seat: int | None, own: Draws, barred: Collection[int]) -> None:
        self.rivals = [other for other, drawn in enumerate(record.drawn) if drawn and other != seat]
        self.notes = {rival: record.shown[rival] for rival in self.rivals}
        self.pools = {shuffle: pool[:] for shuffle, pool in record.pools.items()}
        self.draws: list[Draws] = [[-1] * len(drawn) for drawn in record.drawn]
        if seat is not None:
            self.draws[seat] = own[:]
            for shuffle, kind in zip(record.drawn[seat], own, strict=True):
                self.pools[shuffle][kind] -= 1
        self.left = {shuffle: sum(pool) for shuffle, pool in self.pools.items()}
        self.latest = record.shuffle
        lacking = any(record.lacked[rival] for rival in self.rivals)
        # With one shuffle and nothing lacked, worlds differ only in the number of ways to show what was shown.
        self.is_simple = not lacking and len(record.pools) == 1
        self._trouble = [0] * sum(map(len, self.notes.values()))  # how often no draw was found
        # What leaves the least choice comes first.
        shown = [(rival, place) for rival in self.rivals for place in range(len(self.notes[rival]))]
        self.shown = [self._shown(record, number, *each) for number, each in enumerate(shown)]
        self.shown.sort(key=self._choice)
        never = frozenset(barred)
        self.slots = [
            _Slot(rival, place, shuffle, never.union(*(k for k, before, _ in record.lacked[rival] if place < before)))
            for rival in self.rivals
            for place, shuffle in enumerate(record.drawn[rival])
        ]
        self.slots.sort(key=lambda slot: -len(slot.without))

    def _choice(self, shown: _Shown) -> float:
        pools = self.pools
        number = sum(min(len(places), pools[shuffle][shown.kind]) for shuffle, places in shown.slots)
        return (len(shown.slots) * 100 + number) / (1 + self._trouble[shown.number])

    def prefer(self, shown: _Shown) -> None:
        """Place a card earlier from now on, as it found no draw. The order does not affect how likely a world is."""
        self._trouble[shown.number] += 1
        self.shown.sort(key=self._choice)

    def _shown(self, record: DeckKnowledge, number: int, seat: int, place: int) -> _Shown:
        kind, before = self.notes[seat][place]
        since = max((b for kinds, b, earlier in record.lacked[seat] if earlier <= place and kind in kinds), default=0)
        slots: dict[int, list[int]] = {}
        for slot in range(since, before):
            shuffle = record.drawn[seat][slot]
            if self.pools[shuffle][kind]:
                slots.setdefault(shuffle, []).append(slot)
        return _Shown(number, seat, kind, list(slots.items()))


class _World:
    """One possible arrangement of the unseen cards."""

    def __init__(self, record: _Record, random: Iterator[float]) -> None:
        """Place all cards except those in the deck. Raises `_Impossible`."""
        self.pools = {shuffle: pool[:] for shuffle, pool in record.pools.items()}
        self.draws = [draws[:] for draws in record.draws]
        self._left = record.left.copy()
        self._random = random
        self.weight = 0.0  # the logarithm of how much more often this world should be drawn than it is
        for shown in record.shown:
            self._game(shown)
        for seat, place, shuffle, without in record.slots:
            if self.draws[seat][place] < 0:
                self.draws[seat][place] = self._pick(shuffle, without)
        self.ways = sum(self._ways(seat, notes) for seat, notes in record.notes.items())
        self.weight -= self.ways

    def _game(self, shown: _Shown) -> None:
        """Assign a shown card to one of the draws that can have been it."""
        _, seat, kind, slots = shown
        draws = self.draws[seat]
        choices: list[tuple[int, list[int], float]] = []
        total = 0.0
        for shuffle, places in slots:
            if (number := self.pools[shuffle][kind]) and (free := [place for place in places if draws[place] < 0]):
                odd = number / self._left[shuffle]
                total += odd * len(free)
                choices.append((shuffle, free, odd))
        if not choices:
            raise _Impossible(shown)
        mark = next(self._random) * total
        for shuffle, free, odd in choices:  # noqa: B007
            place = free[min(int(mark / odd), len(free) - 1)]
            mark -= odd * len(free)
            if mark < 0:
                break
        draws[place] = kind
        self._take(shuffle, kind)
        self.weight += log(total)

    def _pick(self, shuffle: int, without: frozenset[int]) -> int:
        """Pick a card that nobody has seen and that is of none of these kinds."""
        pool = self.pools[shuffle]
        allowed = total = self._left[shuffle]
        if without:
            allowed -= sum([pool[kind] for kind in without])
            if allowed <= 0:
                raise _Impossible
            self.weight += log(allowed / total)
        mark = int(next(self._random) * allowed)
        for kind, number in enumerate(pool):
            if kind not in without:
                mark -= number
                if mark < 0:
                    break
        self._take(shuffle, kind)
        return kind

    def _take(self, shuffle: int, kind: int) -> None:
        self.pools[shuffle][kind] -= 1
        self._left[shuffle] -= 1

    def _ways(self, seat: int, notes: list[tuple[int, int]]) -> float:
        """Return the logarithm of the number of ways in which a seat's shown cards can be assigned to its draws."""
        ways = 1
        draws = self.draws[seat]
        gone: dict[int, int] = {}
        for kind, before in notes:
            earlier = gone.get(kind, 0)
            ways *= draws[:before].count(kind) - earlier
            gone[kind] = earlier + 1
        return log(ways)


def weighted_world(
    unseen: DeckKnowledge, seat: int | None, own: Draws, random: Iterator[float], barred: Collection[int] = ()
) -> tuple[list[Draws], list[int]] | None:
    """Draw a world that agrees with a record.

    Args:
        unseen: The public record of the deck.
        seat: The seat from whose knowledge the world is drawn; None: a spectator's.
        own: What `seat` drew.
        random: Numbers from 0 to 1 (see `engine.chance.fractions`).
        barred: Kinds that never stay in a hand.

    Returns:
        Every seat's draws, parallel to `unseen.drawn`, and the kinds of the cards left in the deck; None: no world was
        found.
    """
    record = _Record(unseen, seat, own, barred)
    taken: _World | None = None
    for world in _worlds(record, random):
        if record.is_simple and next(random) < exp(-world.ways):
            taken = world
            break
        if taken is None or world.weight >= taken.weight or next(random) < exp(world.weight - taken.weight):
            taken = world
    return None if taken is None else (taken.draws, uncounted(taken.pools[record.latest]))


def _worlds(record: _Record, random: Iterator[float]) -> Iterator[_World]:
    found = 0
    for _ in range(TRIES):
        try:
            world = _World(record, random)
        except _Impossible as trouble:
            if trouble.shown is not None:
                record.prefer(trouble.shown)
            continue
        yield world
        found += 1
        if found == WORLDS:
            return
