"""What everyone can conclude about cards that were drawn unseen from one deck.

A deck is shuffled again and again, each time from a pile that everyone has seen. `DeckKnowledge` records:

- `pools`: for each shuffle, which of its cards nobody has seen openly since;
- `drawn`: for each seat, the shuffles from which its unseen cards came;
- `shown`: for each seat, the cards that it has shown since; each must have been among its draws by then;
- `lacked`: for each seat, the moments at which its hand proved to contain none of certain cards.

From this record and its own cards a seat can conclude which worlds are possible, and no more than that.
`engine.determinization` draws one of them.

A shown card is struck out together with a draw if no information is lost: when a seat has shown everything that it drew
from a shuffle, when only one seat can hold the rest of a used-up shuffle, or when only one card can have been the one
shown. If there were two of a kind the note stays, because a hand with both had two to show, which affects the
probabilities. The record therefore grows in a long game, but it contains all that a player with perfect memory knows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

Draws = list[int]
"""The kinds of the cards themselves, parallel to `DeckKnowledge.drawn` of one seat; known to that seat only."""
Lack = tuple[tuple[int, ...], int, int]
"""Kinds that a hand did not contain, and how many draws and how many shown cards the seat had at that moment."""
ALL_KINDS: Final = -1
"""All bits."""


class DeckKnowledge:
    """The public record of the unseen draws from one deck."""

    __slots__ = ("_flat", "_stale", "_used_up", "drawn", "lacked", "pools", "shown", "shuffle")

    def __init__(self, players: int, kinds: int, offset: int, cards: list[int]) -> None:
        """Begin with the first shuffle.

        Args:
            players: The number of seats. 0 is for `copy` and pickle, which fill the record: it has no attributes yet.
            kinds: How many different cards there are.
            offset: The code of the first kind.
            cards: The codes of the cards in the first shuffle.

        Raises:
            ValueError: The number of seats is negative.
        """
        if players < 1:
            if players:
                raise ValueError(f"a deck is not for {players} players")
            return
        self.shuffle = 0
        self.pools: dict[int, list[int]] = {0: counted(cards, kinds, offset)}  # each is replaced, as copies share it
        self.drawn: list[list[int]] = [[] for _ in range(players)]
        self.shown: list[list[tuple[int, int]]] = [[] for _ in range(players)]
        self.lacked: list[list[Lack]] = [[] for _ in range(players)]
        self._flat: list[list[int]] | None = None
        # What has changed since the last search for something to strike out: for each seat the kinds of which some pool
        # holds fewer (as bits of a number, since states are copied all the time), and whether a shuffle may have become
        # known.
        self._stale = [ALL_KINDS] * players
        self._used_up = True

    def copy(self) -> DeckKnowledge:
        """Return an independent copy."""
        clone = DeckKnowledge(0, 0, 0, [])
        clone.shuffle = self.shuffle
        clone.pools = self.pools.copy()
        clone.drawn = [drawn[:] for drawn in self.drawn]
        clone.shown = [shown[:] for shown in self.shown]
        clone.lacked = [lacked[:] for lacked in self.lacked]
        clone._flat = self._flat
        clone._stale = self._stale[:]
        clone._used_up = self._used_up
        return clone

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy: where the rules are compiled, `__init__` is called first."""
        return DeckKnowledge, (0, 0, 0, []), self.__getstate__()

    def flat_shown(self) -> list[list[int]]:
        """Return `shown` as new lists that alternate kind and limit.

        What they copy is cached, as `shown` seldom changes.
        """
        if self._flat is None:
            self._flat = [[*chain.from_iterable(shown)] for shown in self.shown]
        return [shown[:] for shown in self._flat]

    def renew(self, counts: list[int]) -> None:
        """Note that the used-up deck was reshuffled from cards that everyone has seen. `counts`: the cards by kind."""
        self.shuffle += 1
        self.pools[self.shuffle] = counts
        self._used_up = True

    def forget(self) -> None:
        """Drop all knowledge: every card of the game is shuffled into the deck."""
        self._flat = None
        self._stale = [ALL_KINDS] * len(self._stale)
        self.pools.clear()
        for lists in zip(self.drawn, self.shown, self.lacked, strict=True):
            for each in lists:
                each.clear()

    def turned_up(self, kind: int) -> None:
        """Note that the deck's top card was turned face up."""
        self._lessen(self.shuffle, kind)

    def _lessen(self, shuffle: int, kind: int) -> None:
        pool = self.pools[shuffle] = self.pools[shuffle][:]
        pool[kind] -= 1
        for seat, kinds in enumerate(self._stale):
            self._stale[seat] = kinds | 1 << kind

    def drew(self, seat: int) -> None:
        """Note that `seat` drew the deck's top card unseen."""
        self.drawn[seat].append(self.shuffle)

    def lack(self, seat: int, kinds: tuple[int, ...]) -> None:
        """Note that `seat` has proved that none of its unseen draws still in hand is of these kinds."""
        before, shown = len(self.drawn[seat]), len(self.shown[seat])
        if before == shown:
            return  # nothing unseen in hand
        lacked = self.lacked[seat]
        if lacked and lacked[-1][1:] == (before, shown):
            kinds = tuple(sorted({*lacked.pop()[0], *kinds}))
        lacked.append((kinds, before, shown))

    def show(self, seat: int, kind: int, draws: list[Draws]) -> None:
        """Note that `seat` shows a card not known to be in its hand, so that it must be one of its unseen draws."""
        self._flat = None
        self.shown[seat].append((kind, len(self.drawn[seat])))
        self._settle(seat, draws[seat])

    def _settle(self, seat: int, draws: Draws) -> None:
        """Strike out shown cards whose draw is certain, and shuffles of which the seat has shown every draw."""
        shown, drawn = self.shown[seat], self.drawn[seat]
        if len(shown) == len(drawn) and drawn and drawn[0] == drawn[-1]:
            for kind, _ in shown:
                self._lessen(drawn[0], kind)
            for each in (shown, drawn, draws, self.lacked[seat]):
                each.clear()
            self._used_up = True
        stale = self._stale[seat]
        while shown:
            if stale == ALL_KINDS:
                places: Sequence[int] = range(len(shown))
            elif stale:
                places = [
                    place for place, (kind, _) in enumerate(shown) if stale >> kind & 1 or place == len(shown) - 1
                ]
            else:
                places = [len(shown) - 1]  # what was shown last
            certain = [(place, found[0]) for place in places if len(found := self._origins(seat, place)) == 1]
            if not any(self._struck(seat, place, origin, draws) for place, origin in certain) and not any(
                self._all_shown(seat, shuffle, draws) for shuffle in dict.fromkeys(origin for _, origin in certain)
            ):
                break
            stale = ALL_KINDS  # a note that was struck out may have kept other cards from being certain
            self._used_up = True
        self._stale[seat] = 0

    def _origins(self, seat: int, place: int) -> list[int]:
        """Return the shuffles that can have held a shown card; only the first two if there are more."""
        kind, before = self.shown[seat][place]
        drawn, since = self.drawn[seat], self._since(seat, place)
        found: list[int] = []
        for shuffle, pool in self.pools.items():
            if pool[kind]:
                first = bisect_left(drawn, shuffle, since, before)
                if first < before and drawn[first] == shuffle:
                    found.append(shuffle)
                    if len(found) == 2:
                        break
        return found

    def _since(self, seat: int, place: int) -> int:
        """Return the index of the first draw that can have been a shown card."""
        kind = self.shown[seat][place][0]
        return max((b for kinds, b, earlier in self.lacked[seat] if earlier <= place and kind in kinds), default=0)

    def _all_shown(self, seat: int, shuffle: int, draws: Draws) -> bool:
        """Strike out a shuffle if the seat has shown as many cards that can only come from it as it drew from it.

        Returns:
            Whether the shuffle was struck out.
        """
        shown, drawn = self.shown[seat], self.drawn[seat]
        first, number = drawn.index(shuffle), drawn.count(shuffle)
        later = [place for place, (_, before) in enumerate(shown) if before > first]
        if len(later) < number:
            return False
        places = [place for place in later if self._origins(seat, place) == [shuffle]]
        if len(places) != number:
            return False
        for place in places:
            self._lessen(shuffle, shown[place][0])
        self._drop(seat, shuffle, set(places), draws)
        return True

    def _drop(self, seat: int, shuffle: int, places: set[int], draws: Draws) -> None:
        """Forget all that a seat drew from a shuffle, and the shown cards at `places`, which those draws explain."""
        drawn, shown = self.drawn[seat], self.shown[seat]
        first, number = drawn.index(shuffle), drawn.count(shuffle)
        del drawn[first : first + number]
        del draws[first : first + number]
        kept = [0]  # by number of shown cards: how many of them stay
        for place in range(len(shown)):
            kept.append(kept[-1] + (place not in places))
        lacked = [
            (kinds, before - min(max(before - first, 0), number), kept[earlier])
            for kinds, before, earlier in self.lacked[seat]
        ]
        self.lacked[seat][:] = [note for note in lacked if note[1]]
        shown[:] = [
            (kind, before - min(max(before - first, 0), number))
            for place, (kind, before) in enumerate(shown)
            if place not in places
        ]

    def _struck(self, seat: int, place: int, origin: int, draws: Draws) -> bool:
        """Strike out a shown card that can only come from shuffle `origin`, if only one card of it can be the one.

        Returns:
            Whether the card was struck out.
        """
        drawn, shown, lacked = self.drawn[seat], self.shown[seat], self.lacked[seat]
        kind, before = shown[place]
        if self.pools[origin][kind] > 1:
            return False  # a hand with two of them had two to show
        first = bisect_left(drawn, origin, self._since(seat, place), before)
        last = bisect_right(drawn, origin, first, before) - 1
        others = shown[:place] + shown[place + 1 :]
        # Nobody else knows which of these draws it was. If another note distinguishes them, both notes must stay.
        limits = [limit for _, limit in others] + [limit for _, limit, _ in lacked]
        if any(first < limit <= last for limit in limits):
            return False
        del drawn[first]
        del draws[draws.index(kind, first, last + 1)]
        self._lessen(origin, kind)
        shown[:] = [(k, limit - 1 if limit > last else limit) for k, limit in others]
        lacked[:] = [
            (kinds, limit - 1 if limit > last else limit, earlier - 1 if earlier > place else earlier)
            for kinds, limit, earlier in lacked
            if limit - (limit > last)
        ]
        return True

    def follows(self, draws: list[Draws]) -> list[tuple[int, list[int]]]:
        """Settle the used-up shuffles of which only one seat can hold the rest.

        Args:
            draws: The draws of every seat, from which the settled cards are removed.

        Returns:
            For each settled shuffle the seat and the kinds of cards that everyone now knows to be in its hand.
        """
        known: list[tuple[int, list[int]]] = []
        if not self._used_up:
            return known
        self._used_up = False
        drawn_from = [set(drawn) for drawn in self.drawn]
        for shuffle in [s for s in self.pools if s != self.shuffle]:
            holders = [seat for seat, drawn in enumerate(drawn_from) if shuffle in drawn]
            if not holders:
                del self.pools[shuffle]
            elif len(holders) == 1:
                seat = holders[0]
                if not self._divided(seat, shuffle):
                    known.append((seat, self._take_out(seat, shuffle, draws[seat])))
                    self._settle(seat, draws[seat])
                    drawn_from[seat] = set(self.drawn[seat])
        return known

    def _take_out(self, seat: int, shuffle: int, draws: Draws) -> list[int]:
        """Remove a shuffle of which `seat` drew all that is left, and return the kinds that it has not shown."""
        self._flat = None
        self._stale[seat] = ALL_KINDS
        left = self.pools.pop(shuffle)[:]
        first = self.drawn[seat].index(shuffle)
        places = set()
        for place, (kind, before) in enumerate(self.shown[seat]):
            if before > first and left[kind]:  # everyone knows that it was there, so the card shown later was this one
                left[kind] -= 1
                places.add(place)
        self._drop(seat, shuffle, places, draws)
        return uncounted(left)

    def _divided(self, seat: int, shuffle: int) -> bool:
        """Return whether a note that is not about the seat's first shuffle lies between its draws from this shuffle."""
        drawn = self.drawn[seat]
        if drawn[0] == shuffle:
            return False
        first, last = drawn.index(shuffle), drawn.index(shuffle) + drawn.count(shuffle)
        limits = [limit for _, limit in self.shown[seat]] + [limit for _, limit, _ in self.lacked[seat]]
        return any(first < limit < last for limit in limits)


def counted(cards: list[int], kinds: int, offset: int) -> list[int]:
    """Count the cards of each kind. `offset`: the code of the first kind."""
    counts = [0] * kinds
    for card in cards:
        counts[card - offset] += 1
    return counts


def uncounted(counts: list[int]) -> list[int]:
    """List each kind as often as it is counted."""
    return [kind for kind, count in enumerate(counts) for _ in range(count)]
