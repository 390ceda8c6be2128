"""The state of a game of `kosmos`: what lies open, what each hand holds, and what nobody sees (K-90 to K-92).

The three are kept apart: a view is built from the public state, one hand, and what each deck reveals to that seat
(`HiddenDeck.view`). It has no access to anything else.
"""

from __future__ import annotations

from bisect import insort
from typing import Any, Self

from engine.chance import Chance
from engine.hidden_deck import HiddenDeck
from engine.kosmos.cards import (
    BRINDISI,
    CHITS,
    COINS,
    COLOURS,
    DAYS,
    DECKS,
    EMPTY,
    EVENT,
    FACE_DOWN,
    FIRST_EVENT,
    GREY_DAYS,
    GREY_NAMES,
    LONDON,
    NAMES,
    PLACES,
    TRAVEL,
    TRAVEL_COUNTS,
    deck_of,
)
from engine.kosmos.edition import KosmosEdition
from engine.kosmos.types.actions import KosmosAction
from engine.kosmos.types.events import KosmosTurnOverEvent, kosmos_event
from engine.kosmos.types.names import Chit, ChitOrFaceDown, GoldReason, LossReason, Phase
from engine.position import Position
from engine.rules import Event

KINDS = (len(TRAVEL_COUNTS), len(NAMES) - FIRST_EVENT)
OFFSETS = (0, FIRST_EVENT)
START_CARDS = 3


class KosmosPublicState:
    """What lies open. Lists are by seat, by city (0 to 10), by place or by deck, as their comments say."""

    __slots__ = (
        "arrived",
        "asking",
        "balloon",
        "blue",
        "city",
        "days",
        "detective",
        "display",
        "event_cards",
        "face_down",
        "first",
        "gold",
        "home_before",
        "leg_days",
        "leg_roll",
        "legs",
        "marker",
        "marker_taken",
        "on_turn",
        "phase",
        "red",
        "retired",
        "round",
        "supply",
        "taken",
        "travel_cards",
        "travelling",
        "waiting",
    )

    def __init__(self, players: int) -> None:
        """Put everyone in London on day 0 with one coin, the detective in Brindisi (K-10).

        Args:
            players: Their number. 0 is for `copy` and pickle, which fill the state: it has no attributes yet.

        Raises:
            ValueError: Their number is negative.
        """
        if players < 1:
            if players:
                raise ValueError(f"kosmos is not for {players} players")
            return
        self.city = [0] * players  # by seat: progress, 0 the start to 10 home
        self.days = [0] * players
        self.gold = [1] * players
        self.travel_cards = [0] * players  # by seat: how many in hand
        self.event_cards = [0] * players
        self.supply = COINS - players
        self.detective = BRINDISI
        self.red: list[ChitOrFaceDown | None] = [None] * (LONDON + 1)  # by city: the chit beside it, or `FACE_DOWN`
        self.blue: list[ChitOrFaceDown | None] = [None] * (LONDON + 1)
        self.face_down = [[0] * len(CHITS), [0] * len(CHITS)]  # by colour and kind: chits that nobody has seen
        self.display = [EMPTY] * len(PLACES)
        self.round = 0
        self.first = 0  # the round's first player
        self.marker = 0  # who holds the first-player marker
        self.marker_taken = False  # by the action, in this round
        self.travelling = players  # players not home when the round started
        self.home_before = 0  # how many arrived in earlier rounds
        self.arrived: list[int] = []  # seats in order of arrival
        self.retired: list[int] = []
        # The turn
        self.phase: Phase = "take"
        self.on_turn = 0
        self.waiting: list[int] = []  # seats that play after this one in this round
        self.taken = EMPTY  # the place whose card was taken
        self.balloon = False  # the balloon action has not been used yet
        self.legs = 0
        self.leg_days = 0  # days of the current leg, without the roll
        self.leg_roll = 0  # the roll that may be repeated; 0: none
        self.asking = EMPTY  # the colour of the chit that may be taken now

    def copy(self) -> KosmosPublicState:
        """Return an independent copy."""
        clone = KosmosPublicState(0)
        clone.city = self.city[:]
        clone.days = self.days[:]
        clone.gold = self.gold[:]
        clone.travel_cards = self.travel_cards[:]
        clone.event_cards = self.event_cards[:]
        clone.supply = self.supply
        clone.detective = self.detective
        clone.red = self.red[:]
        clone.blue = self.blue[:]
        clone.face_down = [self.face_down[0][:], self.face_down[1][:]]
        clone.display = self.display[:]
        clone.round = self.round
        clone.first = self.first
        clone.marker = self.marker
        clone.marker_taken = self.marker_taken
        clone.travelling = self.travelling
        clone.home_before = self.home_before
        clone.arrived = self.arrived[:]
        clone.retired = self.retired[:]
        clone.phase = self.phase
        clone.on_turn = self.on_turn
        clone.waiting = self.waiting[:]
        clone.taken = self.taken
        clone.balloon = self.balloon
        clone.legs = self.legs
        clone.leg_days = self.leg_days
        clone.leg_roll = self.leg_roll
        clone.asking = self.asking
        return clone

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy: where the rules are compiled, `__init__` is called first."""
        return KosmosPublicState, (0,), self.__getstate__()


class KosmosHand:
    """The cards that one seat holds, sorted; known to that seat only."""

    __slots__ = ("events", "travel")

    def __init__(self) -> None:
        """Make an empty hand."""
        self.travel: list[int] = []
        self.events: list[int] = []

    def copy(self) -> KosmosHand:
        """Return an independent copy."""
        clone = KosmosHand()
        clone.travel = self.travel[:]
        clone.events = self.events[:]
        return clone

    def cards(self, deck: int) -> list[int]:
        """Return the cards of the hand that come from `deck`."""
        return self.travel if deck == TRAVEL else self.events


class KosmosPosition(Position[KosmosEdition, KosmosPublicState, KosmosHand, KosmosAction]):
    """A whole position, with the basic moves of cards, coins and days that all rules use."""

    __slots__ = ("chits",)

    def __init__(self, players: int, edition: KosmosEdition, chance: Chance) -> None:
        """Make a position in which nothing is dealt yet (see `Kosmos.start`), or as `Position` says."""
        super().__init__(players, edition, chance)
        if not players:
            return
        self.table = KosmosPublicState(players)
        self.hands = [KosmosHand() for _ in range(players)]
        # The secret: the order of the decks, chits that lie face down, and all chance to come (K-92).
        self.decks = [HiddenDeck(DECKS[deck], players, KINDS[deck], OFFSETS[deck]) for deck in (TRAVEL, EVENT)]
        self.chits: list[list[Chit | None]] = [[None] * (LONDON + 1), [None] * (LONDON + 1)]  # by colour and city

    def copy(self) -> Self:
        """Return an independent position."""
        clone = super().copy()
        clone.chits = [self.chits[0][:], self.chits[1][:]]
        return clone

    # Chits

    def lay_chits(self, colour: int, chits: list[Chit]) -> None:
        """Lay a chit beside every city except London, in this order; face down if the edition says so (K-10)."""
        table = self.table
        beside = table.blue if colour else table.red
        if not self.edition.chits_face_down:
            beside[1:LONDON] = chits
            return
        self.chits[colour][1:LONDON] = chits
        beside[1:LONDON] = [FACE_DOWN] * len(chits)
        table.face_down[colour] = [chits.count(kind) for kind in CHITS]

    def turn_over(self, city: int, events: list[Event]) -> None:
        """Turn both chits of a city face up for good, when the first player reaches it (K-10)."""
        found: KosmosTurnOverEvent = {"event": "turn_over", "city": self.edition.cities[city]}
        for colour, beside in enumerate((self.table.red, self.table.blue)):
            if beside[city] == FACE_DOWN:
                chit, self.chits[colour][city] = self.chits[colour][city], None
                assert chit is not None
                beside[city] = chit
                self.table.face_down[colour][CHITS.index(chit)] -= 1
                found[COLOURS[colour]] = chit
        if "red" in found or "blue" in found:
            events.append(kosmos_event(None, found))

    # Decks

    def turn_up(self, deck: int, events: list[Event]) -> int:
        """Turn the top card of a deck face up and return it. IndexError: the deck and its discards are empty."""
        source = self.decks[deck]
        card = source.take_top_card(self.chance, events)
        source.turned_up(card)
        source.refill(self.chance, events)  # K-25: at once
        return card

    def draw(self, seat: int, deck: int, events: list[Event]) -> None:
        """Let `seat` draw a card unseen, if there is one (K-91); a grey card acts immediately (K-61, K-62)."""
        source = self.decks[deck]
        if not source.drawable:
            return
        card = source.take_top_card(self.chance, events)
        events.append(kosmos_event(None, {"event": "draw", "seat": seat, "deck": DECKS[deck]}))
        if card in GREY_DAYS:
            self._grey(seat, card, events)
            return
        events.append(kosmos_event(seat, {"event": "drew", "seat": seat, "card": NAMES[card]}))
        self.hold(seat, card)
        source.drew(seat, card)
        source.refill(self.chance, events)  # K-25: at once

    def _grey(self, seat: int, card: int, events: list[Event]) -> None:
        """Carry out a grey card (K-61 to K-63).

        All who still travel lose days, everyone lays off their event cards, and all event cards are reshuffled.
        """
        events.append(kosmos_event(None, {"event": "grey", "seat": seat, "card": GREY_NAMES[card]}))
        for traveller in range(self.players):
            self.lose(traveller, GREY_DAYS[card], GREY_NAMES[card], events)
        for holder, hand in enumerate(self.hands):
            if hand.events:
                cards = [NAMES[c] for c in hand.events]
                events.append(kosmos_event(None, {"event": "lay_off", "seat": holder, "cards": cards}))
            hand.events.clear()
            self.table.event_cards[holder] = 0
        self.decks[EVENT].gather(self.edition.event_cards(self.players), self.chance, events)

    # Hands

    def hold(self, seat: int, card: int) -> None:
        """Put a card into a hand. The caller must note what others know of it."""
        if card < FIRST_EVENT:
            insort(self.hands[seat].travel, card)
            self.table.travel_cards[seat] += 1
        else:
            insort(self.hands[seat].events, card)
            self.table.event_cards[seat] += 1

    def hold_openly(self, seat: int, card: int) -> None:
        """Put a card that everyone has seen into a hand."""
        self.hold(seat, card)
        self.decks[deck_of(card)].hold_openly(seat, card)

    def discard(self, seat: int, card: int) -> None:
        """Put a card of a hand on top of its discard pile, seen by everyone."""
        self.show(seat, card)
        self.decks[deck_of(card)].discards.append(card)

    def show(self, seat: int, card: int) -> None:
        """Take a card out of a hand, seen by everyone."""
        deck = deck_of(card)
        self.hands[seat].cards(deck).remove(card)
        if deck == TRAVEL:
            self.table.travel_cards[seat] -= 1
        else:
            self.table.event_cards[seat] -= 1
        self.decks[deck].show(seat, card)

    # Coins and days

    def gain(self, seat: int, gold: int, why: GoldReason, events: list[Event]) -> None:
        """Move coins from the supply to a seat, or back if `gold` is negative; no more than the supply has (K-71)."""
        gold = min(gold, self.table.supply)
        if gold:
            self.table.gold[seat] += gold
            self.table.supply -= gold
            events.append(kosmos_event(None, {"event": "gold", "seat": seat, "gold": gold, "why": why}))

    def lose(self, seat: int, days: int, why: LossReason, events: list[Event]) -> None:
        """Add days to a seat's count, past 80 too (K-73), unless the seat is home (K-72)."""
        if self.table.city[seat] < LONDON and days:
            self.table.days[seat] += days
            events.append(kosmos_event(None, {"event": "lose", "seat": seat, "days": days, "why": why}))

    def next_travelling(self, seat: int) -> int:
        """Return the next seat to the left of `seat` that is not home. ValueError: all are home."""
        for step in range(1, self.players + 1):
            other = (seat + step) % self.players
            if self.table.city[other] < LONDON:
                return other
        raise ValueError("nobody is travelling any more")

    # Ranks (K-80 to K-84)

    def ranks(self) -> list[int]:
        """Return the rank of each seat: 1 is best, equal numbers tie."""
        merit = self._merit_of_two if self.players == 2 else self._merit_of_many
        merits = [merit(seat) for seat in range(self.players)]
        return [1 + sum(other < own for other in merits) for own in merits]

    def _merit_of_many(self, seat: int) -> tuple[int, ...]:
        """Return what ranks a seat among three or more, the lowest first (K-83).

        Seats that arrived within 80 days come first, by days; then those that arrived later, in the order of arrival;
        then the others, by cities reached.
        """
        table = self.table
        if table.city[seat] < LONDON:
            return (2, -table.city[seat])
        order = table.arrived.index(seat)
        return (0, table.days[seat], order) if table.days[seat] <= DAYS else (1, order)

    def _merit_of_two(self, seat: int) -> tuple[int, ...]:
        """Return what ranks a seat of two, the lowest first (K-82, K-83)."""
        table = self.table
        if not table.arrived:
            return (-table.city[seat], table.days[seat])
        first = table.arrived[0]
        if self.edition.late_first_loses and table.days[first] > DAYS:
            return (int(seat == first),)
        if len(table.arrived) == 1:
            return (int(seat != first),)
        return (table.days[seat], -table.gold[seat])

    def scores(self) -> list[dict[str, int]]:
        """Return days used, whether home (1) or not (0), cities reached (0 to 10) and coins of each seat."""
        table = self.table
        return [
            {
                "days": table.days[seat],
                "arrived": int(table.city[seat] == LONDON),
                "cities": table.city[seat],
                "gold": table.gold[seat],
            }
            for seat in range(self.players)
        ]
