"""A deck of cards that seats draw unseen, with its discards and with what each seat knows of each card.

A `HiddenDeck` contains three kinds of data, and a view gets only what `HiddenDeck.view` returns:

- secret: `order`, the cards still in the deck;
- private to one seat: `draws[seat]`, which cards its unseen draws are;
- public: `discards`, `known`, and `record`, which notes the shuffle of each unseen draw (see `engine.deck_knowledge`).

Cards are numbered from `first`. `DeckKnowledge` and the `hidden` of a view number the kinds from 0. The deck's shuffles
use the chance stream "NAME deck". Hands belong to the game, which must report here everything that it does with a card
of this deck, in the order in which it happens.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Any, Final, Literal, TypedDict

from engine.chance import Chance
from engine.deck_knowledge import DeckKnowledge, Draws, Lack, counted
from engine.determinization import determinize_deck
from engine.draws import NO_WORLD
from engine.rules import Data, Event, Latest, Record

_KEYS: Final = tuple(str(shuffle) for shuffle in range(256))
"""The numbers of shuffles as texts, of which each view contains some."""
_new: Final = tuple.__new__


def new_event(to: int | None, what: Data) -> Event:
    """Return `Event(to, what)` at half its cost: games make several a decision."""
    return _new(Event, (to, what))


class Hidden(TypedDict):
    """What follows about the cards of a deck that nobody has shown: `protocol.md`, 4.7, says what each field means."""

    shuffle: int
    pools: "Latest[list[int]]"
    drawn: "Record[list[list[int]]]"
    shown: "Record[list[list[int]]]"
    lacked: "Record[list[list[tuple[list[int], int, int]]]]"
    yours: "Record[list[int]]"


class ShuffleEvent(TypedDict):
    """The discards of a deck were shuffled into a new one."""

    event: Literal["shuffle"]
    deck: str
    cards: int


class DeckView:
    """What one seat, or a spectator, may know of a deck. The lists belong to the deck: do not modify them."""

    __slots__ = ("discards", "hidden", "known", "left")

    def __init__(self, left: int, discards: Sequence[int], known: Sequence[Sequence[int]], hidden: Hidden) -> None:
        """Take what a deck shows.

        Args:
            left: How many cards are left in the deck.
            discards: The top card last.
            known: By seat: the cards that everyone knows to be in that hand, sorted.
            hidden: Plain data, described in `protocol.md`: what follows about the cards that nobody has seen openly.
        """
        self.left = left
        self.discards = discards
        self.known = known
        self.hidden = hidden


class HiddenDeck:
    """One deck: the order of its cards, its discards, and what each seat knows."""

    __slots__ = ("discards", "draws", "first", "kinds", "known", "name", "order", "record")

    def __init__(self, name: str, players: int, kinds: int, first: int = 0) -> None:
        """Make a deck without cards.

        Args:
            name: The deck's name in events and in the name of its chance stream.
            players: The number of seats. 0 is for `copy` and pickle, which fill the deck: it has no attributes yet.
            kinds: How many different cards there are.
            first: The number of the first of them.

        Raises:
            ValueError: The number of seats is negative.
        """
        if not players:
            return
        self.name = name
        self.kinds = kinds
        self.first = first
        self.order: list[int] = []  # the top last
        self.discards: list[int] = []  # the top last
        self.draws: list[Draws] = [[] for _ in range(players)]  # by seat: the kinds, in step with `record.drawn`
        self.known: list[tuple[int, ...]] = [()] * players  # by seat: cards that all know to be in hand, sorted
        self.record = DeckKnowledge(players, kinds, first, [])

    def copy(self) -> HiddenDeck:
        """Return an independent copy."""
        clone = HiddenDeck("", 0, 0)
        clone.name = self.name
        clone.kinds = self.kinds
        clone.first = self.first
        clone.order = self.order[:]
        clone.discards = self.discards[:]
        clone.draws = [draws[:] for draws in self.draws]
        clone.known = self.known[:]
        clone.record = self.record.copy()
        return clone

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy: where the rules are compiled, `__init__` is called first."""
        return HiddenDeck, ("", 0, 0), self.__getstate__()

    # Cards out of the deck

    def set_up(self, cards: list[int], chance: Chance) -> None:
        """Shuffle `cards` for the first time. The deck keeps and changes this list."""
        self.record.pools[0] = self._counted(cards)
        self.order = cards
        chance.shuffle(f"{self.name} deck", cards)

    @property
    def drawable(self) -> bool:
        """Whether there is a card to take, discards included."""
        return bool(self.order or self.discards)

    def take_top_card(self, chance: Chance, log: list[Event]) -> int:
        """Take the top card, reshuffling the discards first if the deck is used up.

        Call `drew`, `turned_up` or `gather` next.

        Returns:
            The card.

        Raises:
            IndexError: There is no card (see `drawable`).
        """
        if not self.order:
            self._shuffle_discards(chance, log)
        return self.order.pop()

    def drew(self, seat: int, card: int) -> None:
        """Note that `seat` took `card` without showing it."""
        self.draws[seat].append(card - self.first)
        self.record.drew(seat)

    def turned_up(self, card: int) -> None:
        """Note that everyone saw the card that was taken."""
        self.record.turned_up(card - self.first)

    def refill(self, chance: Chance, log: list[Event]) -> None:
        """Reshuffle the discards into a new deck if the last card has been taken."""
        if not self.order and self.discards:
            self._shuffle_discards(chance, log)

    def gather(self, cards: list[int], chance: Chance, log: list[Event]) -> None:
        """Shuffle `cards`, all cards of the game, into a new deck. Hands must hold none of them any more."""
        for draws in self.draws:
            draws.clear()
        self.known = [()] * len(self.known)
        self.record.forget()
        self.discards = cards
        self._shuffle_discards(chance, log)

    def _shuffle_discards(self, chance: Chance, log: list[Event]) -> None:
        self.record.renew(self._counted(self.discards))
        self.order, self.discards = self.discards, []
        chance.shuffle(f"{self.name} deck", self.order)
        self._settle()
        shuffled: ShuffleEvent = {"event": "shuffle", "deck": self.name, "cards": len(self.order)}
        log.append(new_event(None, shuffled))

    # Cards in hands

    def hold_openly(self, seat: int, card: int) -> None:
        """Note that a card that everyone has seen goes into the hand of `seat`."""
        self._know(seat, [card])

    def show(self, seat: int, card: int) -> None:
        """Note that `card` left the hand of `seat` and that everyone saw it."""
        known = self.known[seat]
        if card in known:
            place = bisect_left(known, card)
            self.known[seat] = known[:place] + known[place + 1 :]
        else:
            self.record.show(seat, card - self.first, self.draws)
            self._settle()

    def lack(self, seat: int, cards: tuple[int, ...]) -> None:
        """Note that `seat` has proved that it holds none of `cards` except those known to be in its hand."""
        self.record.lack(seat, tuple(card - self.first for card in cards) if self.first else cards)

    def _settle(self) -> None:
        for seat, kinds in self.record.follows(self.draws):
            self._know(seat, [kind + self.first for kind in kinds])

    def _know(self, seat: int, cards: list[int]) -> None:
        self.known[seat] = tuple(sorted([*self.known[seat], *cards]))

    def held(self, seat: int) -> list[int]:
        """Return the cards of this deck in the hand of `seat`, sorted."""
        counts = [0] * self.kinds
        for kind in self.draws[seat]:
            counts[kind] += 1
        for kind, _ in self.record.shown[seat]:
            counts[kind] -= 1
        for card in self.known[seat]:
            counts[card - self.first] += 1
        held: list[int] = []
        for kind, count in enumerate(counts):
            if count:
                held += [kind + self.first] * count
        return held

    # Views

    def view(self, seat: int | None) -> DeckView:
        """Return what `seat` (None: a spectator) may know."""
        record = self.record
        hidden: Hidden = {
            "shuffle": record.shuffle,
            "pools": {_key(shuffle): pool[:] for shuffle, pool in record.pools.items()},
            "drawn": [drawn[:] for drawn in record.drawn],
            "shown": record.flat_shown(),
            "lacked": [_plain_lacks(notes) if notes else [] for notes in record.lacked],
            "yours": [] if seat is None else self.draws[seat][:],
        }
        return DeckView(len(self.order), self.discards, self.known, hidden)

    def determinize(
        self, view: DeckView, seat: int | None, chance: Chance, barred: Collection[int] = ()
    ) -> list[list[int]]:
        """Fill this deck, which must be empty, from a view of `seat`, and draw anew what the view does not say.

        Args:
            view: What `seat` may know of the deck.
            seat: The seat whose view it is; None: a spectator's.
            chance: The source of random numbers.
            barred: Cards that never stay in a hand.

        Returns:
            By seat: the cards of this deck in its hand, sorted. For `seat` itself, those that the view contains.

        Raises:
            ValueError: No world agrees with the view.
        """
        record, hidden = self.record, view.hidden
        self.discards = list(view.discards)
        self.known = [tuple(sorted(cards)) for cards in view.known]
        record.shuffle = hidden["shuffle"]
        record.pools = {int(shuffle): list(pool) for shuffle, pool in hidden["pools"].items()}
        record.drawn = [list(drawn) for drawn in hidden["drawn"]]
        record.shown = [list(zip(notes[::2], notes[1::2], strict=True)) for notes in hidden["shown"]]
        record.lacked = [_lacks(notes) for notes in hidden["lacked"]]
        own = list(hidden["yours"])
        self.draws, rest = determinize_deck(record, seat, own, chance, [card - self.first for card in barred])
        self.order = [kind + self.first for kind in rest]
        if len(rest) != view.left:
            raise ValueError(f"{NO_WORLD}: {view.left} cards are left in the {self.name} deck, not {len(rest)}")
        return [self.held(other) for other in range(len(self.draws))]

    def _counted(self, cards: list[int]) -> list[int]:
        return counted(cards, self.kinds, self.first)


def _key(shuffle: int) -> str:
    return _KEYS[shuffle] if shuffle < len(_KEYS) else f"{shuffle}"


def _plain_lacks(notes: list[Lack]) -> list[Any]:
    return [[list(kinds), before, earlier] for kinds, before, earlier in notes]


def _lacks(notes: Sequence[Sequence[Any]]) -> list[Lack]:
    """Read notes, which are lists when they come from a message."""
    return [(tuple(note[0]), note[1], note[2]) for note in notes]
