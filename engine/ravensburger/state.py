"""Where a game of `ravensburger` stands: what lies open, what each hand holds, what nobody sees (R-90, R-91).

The three are kept apart, so that a view is built from `Table` and one `Hand` and cannot reach anything else.
"""

from __future__ import annotations

from bisect import insort
from typing import Final

from engine.chance import Chance
from engine.deck_knowledge import DeckKnowledge, counted
from engine.game import Event
from engine.ravensburger.cards import ACTION, DECKS, EMPTY, EVENT, KINDS, NAMES
from engine.ravensburger.edition import RavensburgerEdition

Task = tuple[str | int, ...]
"""Something still to be done: its name and what it is about. A question is a task that somebody answers."""

EVENT_OFFSET: Final = KINDS
"""Added to an event card's code where it stands among action cards."""


class RavensburgerPublicState:
    """What lies open. Lists are by seat or by deck, as their comment says."""

    __slots__ = (
        "beyond",
        "cards",
        "decks",
        "first",
        "further",
        "kept",
        "kept_now",
        "known",
        "leap",
        "moved",
        "on_turn",
        "orders",
        "pending",
        "piles",
        "retired",
        "rose",
        "round",
        "square",
        "stage",
        "unseen",
        "waiting",
    )

    def __init__(self, players: int) -> None:
        """R-10: all pawns on the start square, the rose not placed yet."""
        self.square = [0] * players  # by seat
        self.rose = EMPTY  # the mode it lies on
        self.cards = [0] * players  # by seat: how many in hand
        self.kept = [False] * players  # by seat: keeps an event card
        # By seat: cards that all know to be in hand, sorted; event cards as `EVENT_OFFSET` + code.
        self.known: list[list[int]] = [[] for _ in range(players)]
        self.decks = [0, 0]  # by deck: how many cards
        self.piles: list[list[int]] = [[], []]  # by deck: the discards, the top last
        self.unseen: list[DeckKnowledge] = []  # by deck
        self.round = 0  # 0: the rose is being placed
        self.first = 0  # the start player
        self.retired: list[int] = []
        # The turn
        self.on_turn = 0
        self.pending: list[Task] = []  # what is still to be done, the next last
        self.further = 0  # how many further cards may be played
        self.stage = False  # one of them by a large stage, so who has none that fits may draw instead
        self.leap = False  # earned and not asked about yet
        self.waiting = False  # a rose or stage square under the pawn counts only if the leap is declined
        self.moved = False  # the own pawn came to its square by an order under way
        self.beyond = False  # the turn began beyond the handcuffs squares
        self.kept_now = False  # an event card was kept in this turn
        self.orders = 0  # event cards drawn in this turn

    @property
    def phase(self) -> str:
        """What is being asked."""
        return str(self.pending[-1][0])

    @property
    def decider(self) -> int:
        """Who is being asked: the seat on turn, but for the question whether to defend (R-23)."""
        task = self.pending[-1]
        return int(task[1]) if task[0] == "defend" else self.on_turn

    def copy(self) -> RavensburgerPublicState:
        """An independent copy."""
        twin = RavensburgerPublicState.__new__(RavensburgerPublicState)
        twin.square = self.square[:]
        twin.rose = self.rose
        twin.cards = self.cards[:]
        twin.kept = self.kept[:]
        twin.known = [cards[:] for cards in self.known]
        twin.decks = self.decks[:]
        twin.piles = [self.piles[0][:], self.piles[1][:]]
        twin.unseen = [self.unseen[0].copy(), self.unseen[1].copy()]
        twin.round = self.round
        twin.first = self.first
        twin.retired = self.retired[:]
        twin.on_turn = self.on_turn
        twin.pending = self.pending[:]
        twin.further = self.further
        twin.stage = self.stage
        twin.leap = self.leap
        twin.waiting = self.waiting
        twin.moved = self.moved
        twin.beyond = self.beyond
        twin.kept_now = self.kept_now
        twin.orders = self.orders
        return twin


class RavensburgerHand:
    """What one seat holds, known to that seat only. Cards are sorted."""

    __slots__ = ("cards", "drawn", "draws", "event")

    def __init__(self) -> None:
        """An empty hand."""
        self.cards: list[int] = []
        self.event = EMPTY  # the event card kept
        self.drawn = EMPTY  # the event card just drawn, to be kept or carried out
        self.draws: list[list[int]] = [[], []]  # by deck: the kinds of its unseen draws, in step with `Unseen.drawn`

    def copy(self) -> RavensburgerHand:
        """An independent copy."""
        twin = RavensburgerHand.__new__(RavensburgerHand)
        twin.cards = self.cards[:]
        twin.event = self.event
        twin.drawn = self.drawn
        twin.draws = [self.draws[0][:], self.draws[1][:]]
        return twin


class RavensburgerPosition:
    """A whole position, with the moves of cards that every rule is made of."""

    __slots__ = ("chance", "decks", "edition", "hands", "players", "table")

    def __init__(self, players: int, edition: RavensburgerEdition, chance: Chance) -> None:
        """No cards yet."""
        self.players = players
        self.edition = edition
        self.table = RavensburgerPublicState(players)
        self.hands = [RavensburgerHand() for _ in range(players)]
        # The secret: the order of the decks, the top last, and all chance to come.
        self.decks: list[list[int]] = [[], []]
        self.chance = chance

    def copy_into(self, twin: RavensburgerPosition) -> None:
        """Make `twin` an independent copy of this position."""
        twin.players = self.players
        twin.edition = self.edition
        twin.table = self.table.copy()
        twin.hands = [hand.copy() for hand in self.hands]
        twin.decks = [self.decks[0][:], self.decks[1][:]]
        twin.chance = self.chance.copy()

    # Decks

    def kinds(self, deck: int) -> int:
        """How many different cards a deck may hold."""
        return KINDS if deck == ACTION else len(self.edition.events)

    def set_up(self, deck: int, cards: list[int]) -> None:
        """Shuffle a deck for the first time."""
        self.table.unseen.append(DeckKnowledge(self.players, self.kinds(deck), 0, cards))
        self.chance.shuffle(f"{DECKS[deck]} deck", cards)
        self.decks[deck] = cards
        self.table.decks[deck] = len(cards)

    def _take_top(self, deck: int, log: list[Event]) -> int:
        """The top card of a deck, which is renewed first if it is used up; `EMPTY`: there is none (R-15, R-31)."""
        if not self.decks[deck]:
            if not self.table.piles[deck]:
                return EMPTY
            self._renew(deck, log)
        self.table.decks[deck] -= 1
        return self.decks[deck].pop()

    def _renew(self, deck: int, log: list[Event]) -> None:
        """Shuffle the discards into a new deck."""
        pile = self.table.piles[deck]
        self.decks[deck] = pile[:]
        self.table.unseen[deck].renew(counted(pile, self.kinds(deck), 0))
        pile.clear()
        self.chance.shuffle(f"{DECKS[deck]} deck", self.decks[deck])
        self.table.decks[deck] = len(self.decks[deck])
        self._settle(deck)
        log.append(Event(None, {"event": "shuffle", "deck": DECKS[deck], "cards": self.table.decks[deck]}))

    def draw(self, seat: int, count: int, log: list[Event]) -> None:
        """`seat` draws so many action cards unseen, or as many as there are (R-15)."""
        table, hand = self.table, self.hands[seat]
        for _ in range(count):
            card = self._take_top(ACTION, log)
            if card == EMPTY:
                return
            log.append(Event(None, {"event": "draw", "seat": seat, "deck": "action"}))
            log.append(Event(seat, {"event": "drew", "seat": seat, "deck": "action", "card": NAMES[card]}))
            insort(hand.cards, card)
            table.cards[seat] += 1
            hand.draws[ACTION].append(card)
            table.unseen[ACTION].drew(seat)
            if not self.decks[ACTION] and table.piles[ACTION]:
                self._renew(ACTION, log)  # at once

    def can_draw_event(self) -> bool:
        """Whether there is an event card to draw (R-39)."""
        return bool(self.decks[EVENT] or self.table.piles[EVENT])

    def draw_event(self, unseen: bool, log: list[Event]) -> int:
        """The seat on turn draws an event card: into its hand, not seen by the others, or to be carried out at once."""
        card = self._take_top(EVENT, log)
        seat = self.table.on_turn
        log.append(Event(None, {"event": "draw", "seat": seat, "deck": "event"}))
        if unseen:
            name = self.edition.event_names[card]
            log.append(Event(seat, {"event": "drew", "seat": seat, "deck": "event", "card": name}))
            self.hands[seat].drawn = card
            self.hands[seat].draws[EVENT].append(card)
            self.table.unseen[EVENT].drew(seat)
        else:
            self.table.unseen[EVENT].turned_up(card)
        return card

    # Hands

    def discard(self, seat: int, card: int) -> None:
        """An action card goes face up on its pile, before anything else happens (R-17)."""
        table = self.table
        self.hands[seat].cards.remove(card)
        table.cards[seat] -= 1
        table.piles[ACTION].append(card)
        self._show(seat, ACTION, card)

    def lay_order(self, seat: int, card: int) -> None:
        """An event card out of a hand goes face up on its pile."""
        self.table.piles[EVENT].append(card)
        self._show(seat, EVENT, card)

    def _show(self, seat: int, deck: int, card: int) -> None:
        """All see a card that was in a hand."""
        known = self.table.known[seat]
        name = card if deck == ACTION else card + EVENT_OFFSET
        if name in known:
            known.remove(name)
        else:
            self.table.unseen[deck].show(seat, card, [hand.draws[deck] for hand in self.hands])
            self._settle(deck)

    def _settle(self, deck: int) -> None:
        offset = 0 if deck == ACTION else EVENT_OFFSET
        for seat, kinds in self.table.unseen[deck].follows([hand.draws[deck] for hand in self.hands]):
            for kind in kinds:
                insort(self.table.known[seat], kind + offset)
