"""What everyone can tell about cards that were drawn unseen from one deck.

A deck is shuffled again and again, each time from a pile that all have seen. For each shuffle the record says which of
its cards nobody has seen in the open since (`pools`), and for each seat from which shuffles its unseen cards came
(`drawn`). When a seat shows a card of which it does not follow from which shuffle it came, the card is noted beside
the draws (`shown`) until it does. From this, and its own cards, a seat can tell which worlds are possible, and no
more: `engine.kosmos.imagine` draws one.
"""

from __future__ import annotations

Draws = list[int]
"""The cards themselves, in step with `Unseen.drawn` of one seat: known to that seat only."""


class Unseen:
    """The public record of the unseen draws from one deck."""

    __slots__ = ("drawn", "pools", "shown", "shuffle")

    def __init__(self, players: int, kinds: int, offset: int, cards: list[int]) -> None:
        """`kinds` different cards, the first with code `offset`; the deck's first shuffle is of `cards`."""
        self.shuffle = 0
        self.pools: dict[int, list[int]] = {0: counted(cards, kinds, offset)}
        self.drawn: list[list[int]] = [[] for _ in range(players)]
        self.shown: list[list[tuple[int, int]]] = [[] for _ in range(players)]

    def copy(self) -> Unseen:
        """An independent copy."""
        twin = Unseen.__new__(Unseen)
        twin.shuffle = self.shuffle
        twin.pools = {shuffle: pool[:] for shuffle, pool in self.pools.items()}
        twin.drawn = [drawn[:] for drawn in self.drawn]
        twin.shown = [shown[:] for shown in self.shown]
        return twin

    def renew(self, counts: list[int]) -> None:
        """The deck is shuffled anew from cards that all have seen."""
        self.shuffle += 1
        self.pools[self.shuffle] = counts

    def forget(self) -> None:
        """Every card of the game is shuffled into the deck: what was known before is of no use (K-63)."""
        self.pools.clear()
        for drawn, shown in zip(self.drawn, self.shown, strict=True):
            drawn.clear()
            shown.clear()

    def turned_up(self, kind: int) -> None:
        """The deck's top card was laid open."""
        self.pools[self.shuffle][kind] -= 1

    def drew(self, seat: int) -> None:
        """`seat` drew the deck's top card unseen."""
        self.drawn[seat].append(self.shuffle)

    def show(self, seat: int, kind: int, draws: list[Draws]) -> None:
        """`seat` shows a card that was not known to be in its hand, so it is one of its unseen draws."""
        self.shown[seat].append((kind, len(self.drawn[seat])))
        self._settle(seat, draws[seat])

    def _settle(self, seat: int, draws: Draws) -> None:
        """Strike out what was shown wherever only one shuffle can have held it."""
        shown = self.shown[seat]
        place = 0
        while place < len(shown):
            if self._struck(seat, place, draws):
                place = 0
            else:
                place += 1

    def _struck(self, seat: int, place: int, draws: Draws) -> bool:
        drawn, shown = self.drawn[seat], self.shown[seat]
        kind, before = shown[place]
        origins = {shuffle for shuffle in drawn[:before] if self.pools[shuffle][kind]}
        if len(origins) != 1:
            return False
        origin = origins.pop()
        slots = [i for i in range(before) if drawn[i] == origin]
        first, last = slots[0], slots[-1]
        others = shown[:place] + shown[place + 1 :]
        # Which of these draws it was nobody else knows. Where another note tells them apart, both notes must stay.
        if any(first < limit <= last for _, limit in others):
            return False
        del drawn[first]
        del draws[next(i for i in slots if draws[i] == kind)]
        self.pools[origin][kind] -= 1
        shown[:] = [(k, limit - 1 if limit > last else limit) for k, limit in others]
        return True

    def follows(self, draws: list[Draws]) -> list[tuple[int, list[int]]]:
        """Settle used-up shuffles: (seat, kinds) of cards that now are known, as one seat alone can hold them."""
        known: list[tuple[int, list[int]]] = []
        for shuffle in [s for s in self.pools if s != self.shuffle]:
            holders = [seat for seat, drawn in enumerate(self.drawn) if shuffle in drawn]
            if not holders:
                del self.pools[shuffle]
            elif len(holders) == 1 and not self.shown[holders[0]]:
                seat = holders[0]
                known.append((seat, uncounted(self.pools.pop(shuffle))))
                kept = [i for i, origin in enumerate(self.drawn[seat]) if origin != shuffle]
                draws[seat][:] = [draws[seat][i] for i in kept]
                self.drawn[seat] = [self.drawn[seat][i] for i in kept]
        return known


def counted(cards: list[int], kinds: int, offset: int) -> list[int]:
    """How many of each kind."""
    counts = [0] * kinds
    for card in cards:
        counts[card - offset] += 1
    return counts


def uncounted(counts: list[int]) -> list[int]:
    """The kinds, each as often as it is counted."""
    return [kind for kind, count in enumerate(counts) for _ in range(count)]
