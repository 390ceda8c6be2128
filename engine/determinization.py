"""Drawing a whole world that a record of unseen draws allows.

What is drawn is the order of the deck at each of its shuffles. All orders that agree with the record are equally
likely. If nobody has shown a card, the cards are simply shuffled. With few notes `engine.weighted_worlds` is fastest.
With more `engine.counted_worlds` draws exactly if the notes leave few possibilities. Otherwise `engine.first_world`
finds some world, and `engine.world_walk` walks on from it, the further the more is noted, so that the start no longer
matters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from engine.chance import Chance, fractions, mix
from engine.counted_worlds import CountedWorlds
from engine.deck_knowledge import DeckKnowledge, Draws, uncounted
from engine.draws import NO_WORLD, Slots
from engine.first_world import FirstWorld
from engine.weighted_worlds import weighted_world
from engine.world_walk import Ground, Walk

STEPS: Final = (200, 4)
"""The length of the walk up to `FEW` notes, beyond in proportion: this many steps, and so many for each unseen card."""
FEW: Final = 24
"""Up to this many noted shown cards, of all rivals together, worlds are drawn by their weights."""
KEPT: Final = 8
"""For how many records that which does not change from world to world is kept."""
STREAM: Final = "imagined cards"


def determinize_deck(
    unseen: DeckKnowledge, seat: int | None, own: Draws, chance: Chance, barred: Collection[int] = ()
) -> tuple[list[Draws], list[int]]:
    """Draw the hidden cards of a deck anew.

    Args:
        unseen: The public record of the deck.
        seat: The seat from whose knowledge the world is drawn; None: a spectator's.
        own: What `seat` drew.
        chance: The source of random numbers.
        barred: Kinds that never stay in a hand.

    Returns:
        Every seat's draws, parallel to `unseen.drawn`, and the deck with the top card last.

    Raises:
        ValueError: No world agrees with the record.
    """
    random = fractions(chance, STREAM)
    rivals = [rival for rival in range(len(unseen.drawn)) if rival != seat]
    noted = sum([len(unseen.shown[rival]) for rival in rivals])
    if not noted and not any(unseen.lacked[rival] for rival in rivals):
        draws, deck = _shuffle(unseen, seat, own, random, barred)
    else:
        found = weighted_world(unseen, seat, own, random, barred) if noted <= FEW else None
        draws, deck = found or _agree(unseen, seat, own, random, barred)
    mix(random, deck)
    return draws, deck


def _undealt(unseen: DeckKnowledge, seat: int | None, own: Draws) -> list[Draws]:
    draws: list[Draws] = [[-1] * len(drawn) for drawn in unseen.drawn]
    if seat is not None:
        draws[seat] = own[:]
    return draws


def _shuffle(
    unseen: DeckKnowledge, seat: int | None, own: Draws, random: Iterator[float], barred: Collection[int]
) -> tuple[list[Draws], list[int]]:
    """Deal the cards of each shuffle to the seats that drew from it."""
    draws = _undealt(unseen, seat, own)
    pools = {shuffle: pool[:] for shuffle, pool in unseen.pools.items()}
    if seat is not None:
        for shuffle, kind in zip(unseen.drawn[seat], own, strict=True):
            pools[shuffle][kind] -= 1
    latest = pools[unseen.shuffle]
    stay = [kind for kind in barred for _ in range(latest[kind])]
    left: dict[int, list[int]] = {}
    for shuffle, pool in pools.items():
        for kind in barred:
            pool[kind] = 0
        left[shuffle] = uncounted(pool)
        mix(random, left[shuffle])
    for rival, drawn in enumerate(unseen.drawn):
        if rival != seat:
            for place, shuffle in enumerate(drawn):
                if not left[shuffle]:
                    raise ValueError(NO_WORLD)
                draws[rival][place] = left[shuffle].pop()
    return draws, left[unseen.shuffle] + stay


class _Prepared:
    """What is the same for all worlds of one record as one seat knows it."""

    def __init__(self, unseen: DeckKnowledge, seat: int | None, own: Draws, barred: Collection[int]) -> None:
        self.slots = Slots(unseen, seat, own, barred)
        self.first_world = FirstWorld(self.slots)
        self.counted = CountedWorlds(self.first_world)
        self.ground = Ground(self.slots)
        noted = sum([len(unseen.shown[rival]) for rival in self.slots.rivals])
        steps, for_each = STEPS
        self.steps = round((steps + for_each * len(self.slots.base)) * max(1.0, noted / FEW if FEW > 0 else 1.0))

    def lay(self, random: Iterator[float]) -> list[int]:
        """Return the kind in each slot, in a world drawn at random."""
        if self.counted.is_complete:
            return self.counted.lay(random)
        walk = Walk(self.ground, self.first_world.lay(random), random)
        walk.walk(self.steps)
        return walk.laid


_prepared: Final[dict[tuple[Any, ...], _Prepared]] = {}
"""The latest, as a search bot draws many worlds from one view. None is here while a world is being drawn from it."""


def _contents(unseen: DeckKnowledge, seat: int | None, own: Draws, barred: Collection[int]) -> tuple[Any, ...]:
    """Return all that `_Prepared` depends on, to be compared."""
    return (
        (seat, *own), tuple(barred), (*unseen.pools,), (*map(tuple, unseen.pools.values()),),
        (*map(tuple, unseen.drawn),), (*map(tuple, unseen.shown),), (*map(tuple, unseen.lacked),),
    )  # fmt: skip


def _agree(
    unseen: DeckKnowledge, seat: int | None, own: Draws, random: Iterator[float], barred: Collection[int]
) -> tuple[list[Draws], list[int]]:
    """Deal the cards so that every rival could show what it has shown."""
    contents = _contents(unseen, seat, own, barred)
    prepared = _prepared.pop(contents, None) or _Prepared(unseen, seat, own, barred)
    world = _filled(prepared.slots, prepared.lay(random), _undealt(unseen, seat, own), random)
    while len(_prepared) >= KEPT:
        _prepared.pop(next(iter(_prepared)), None)
    _prepared[contents] = prepared
    return world


def _filled(
    slots: Slots, laid: list[int], draws: list[Draws], random: Iterator[float]
) -> tuple[list[Draws], list[int]]:
    """Return a world as draws and the cards of the deck. `laid`: the kind by slot."""
    deck = []
    any_other = slots.kinds - 1
    for members, unlimited in zip(slots.members, slots.others, strict=True):
        others = unlimited[:]
        mix(random, others)
        for slot in members:
            kind = laid[slot]
            if kind == any_other:
                kind = others.pop()
            rival = slots.base[slot] // slots.kinds
            if rival == slots.deck:
                deck.append(kind)
            else:
                draws[rival][slots.place[slot]] = kind
    return draws, deck
