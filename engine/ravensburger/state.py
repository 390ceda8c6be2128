"""The state of a game of `ravensburger`: what lies open, what each hand holds, what nobody sees (R-90, R-91).

The three are kept apart: a view is built from the public state, one hand, and what each deck reveals to that seat
(`HiddenDeck.view`). It has no access to anything else.
"""

from __future__ import annotations

from bisect import insort
from typing import Any

from engine.chance import Chance
from engine.hidden_deck import HiddenDeck
from engine.position import Position
from engine.ravensburger.cards import ACTION, DECKS, EMPTY, EVENT, KINDS, NAMES
from engine.ravensburger.edition import RavensburgerEdition
from engine.ravensburger.types.actions import RavensburgerAction
from engine.ravensburger.types.events import ravensburger_event
from engine.rules import Event

Task = tuple[str | int, ...]
"""Something still to be done: its name and what it is about. A question is a task that a player answers."""


class RavensburgerPublicState:
    """What lies open. Lists are by seat or by deck, as their comments say."""

    __slots__ = (
        "beyond",
        "cards",
        "first",
        "further",
        "kept",
        "kept_now",
        "leap",
        "moved",
        "on_turn",
        "orders",
        "pending",
        "retired",
        "rose",
        "round",
        "square",
        "stage",
        "waiting",
    )

    def __init__(self, players: int) -> None:
        """Put all pawns on the start square; the rose is not placed yet (R-10).

        Args:
            players: Their number. 0 is for `copy` and pickle, which fill the state: it has no attributes yet.

        Raises:
            ValueError: Their number is negative.
        """
        if players < 1:
            if players:
                raise ValueError(f"ravensburger is not for {players} players")
            return
        self.square = [0] * players  # by seat
        self.rose = EMPTY  # the mode it lies on
        self.cards = [0] * players  # by seat: how many in hand
        self.kept = [False] * players  # by seat: keeps an event card
        self.round = 0  # 0: the rose is being placed
        self.first = 0  # the start player
        self.retired: list[int] = []
        # The turn
        self.on_turn = 0
        self.pending: list[Task] = []  # what is still to be done, the next last
        self.further = 0  # how many further cards may be played
        self.stage = False  # one of them is for a stage: a player without a card that fits may draw instead
        self.leap = False  # a leap is earned, and the player has not been asked yet
        self.waiting = False  # a rose or stage square under the pawn counts only if the leap is declined
        self.moved = False  # the order being carried out moved the player's own pawn
        self.beyond = False  # the turn began beyond the handcuffs squares
        self.kept_now = False  # an event card was kept in this turn
        self.orders = 0  # event cards drawn in this turn

    @property
    def phase(self) -> str:
        """The name of the question being asked."""
        return str(self.pending[-1][0])

    @property
    def decider(self) -> int:
        """The seat being asked: the seat on turn, except for the question whether to defend (R-23)."""
        task = self.pending[-1]
        return int(task[1]) if task[0] == "defend" else self.on_turn

    def copy(self) -> RavensburgerPublicState:
        """Return an independent copy."""
        clone = RavensburgerPublicState(0)
        clone.square = self.square[:]
        clone.rose = self.rose
        clone.cards = self.cards[:]
        clone.kept = self.kept[:]
        clone.round = self.round
        clone.first = self.first
        clone.retired = self.retired[:]
        clone.on_turn = self.on_turn
        clone.pending = self.pending[:]
        clone.further = self.further
        clone.stage = self.stage
        clone.leap = self.leap
        clone.waiting = self.waiting
        clone.moved = self.moved
        clone.beyond = self.beyond
        clone.kept_now = self.kept_now
        clone.orders = self.orders
        return clone

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy: where the rules are compiled, `__init__` is called first."""
        return RavensburgerPublicState, (0,), self.__getstate__()


class RavensburgerHand:
    """The cards that one seat holds, sorted; known to that seat only."""

    __slots__ = ("cards", "drawn", "event")

    def __init__(self) -> None:
        """Make an empty hand."""
        self.cards: list[int] = []
        self.event = EMPTY  # the event card kept
        self.drawn = EMPTY  # the event card just drawn, to be kept or carried out

    def copy(self) -> RavensburgerHand:
        """Return an independent copy."""
        clone = RavensburgerHand()
        clone.cards = self.cards[:]
        clone.event = self.event
        clone.drawn = self.drawn
        return clone


class RavensburgerPosition(
    Position[RavensburgerEdition, RavensburgerPublicState, RavensburgerHand, RavensburgerAction]
):
    """A whole position, with the basic moves of cards that all rules use."""

    __slots__ = ()

    def __init__(self, players: int, edition: RavensburgerEdition, chance: Chance) -> None:
        """Make a position without cards (see `Ravensburger.start`), or as `Position` says."""
        super().__init__(players, edition, chance)
        if not players:
            return
        self.table = RavensburgerPublicState(players)
        self.hands = [RavensburgerHand() for _ in range(players)]
        # The secret: the order of the decks, and all chance to come.
        kinds = (KINDS, len(edition.events))
        self.decks = [HiddenDeck(DECKS[deck], players, kinds[deck]) for deck in (ACTION, EVENT)]

    # Decks

    def draw(self, seat: int, count: int, log: list[Event]) -> None:
        """Let `seat` draw `count` action cards unseen, or as many as there are (R-15)."""
        deck, hand = self.decks[ACTION], self.hands[seat]
        for _ in range(count):
            if not deck.drawable:
                return
            card = deck.take_top_card(self.chance, log)
            log.append(ravensburger_event(None, {"event": "draw", "seat": seat, "deck": "action"}))
            log.append(ravensburger_event(seat, {"event": "drew", "seat": seat, "deck": "action", "card": NAMES[card]}))
            insort(hand.cards, card)
            self.table.cards[seat] += 1
            deck.drew(seat, card)
            deck.refill(self.chance, log)  # at once

    def draw_event(self, unseen: bool, log: list[Event]) -> int:
        """Let the seat on turn draw an event card and return it (R-31).

        Args:
            unseen: The card goes into the hand; else everyone sees it and it is carried out immediately.
            log: Receives the events.
        """
        deck = self.decks[EVENT]
        card = deck.take_top_card(self.chance, log)
        seat = self.table.on_turn
        log.append(ravensburger_event(None, {"event": "draw", "seat": seat, "deck": "event"}))
        if unseen:
            name = self.edition.event_names[card]
            log.append(ravensburger_event(seat, {"event": "drew", "seat": seat, "deck": "event", "card": name}))
            self.hands[seat].drawn = card
            deck.drew(seat, card)
        else:
            deck.turned_up(card)
        return card

    # Hands

    def discard(self, seat: int, card: int) -> None:
        """Put an action card of a hand face up on its pile, before anything else happens (R-17)."""
        self.hands[seat].cards.remove(card)
        self.table.cards[seat] -= 1
        self._lay(ACTION, seat, card)

    def lay_order(self, seat: int, card: int) -> None:
        """Put an event card of a hand face up on its pile."""
        self._lay(EVENT, seat, card)

    def _lay(self, deck: int, seat: int, card: int) -> None:
        self.decks[deck].discards.append(card)
        self.decks[deck].show(seat, card)

    # Ranks

    def ranks(self) -> list[int]:
        """Rank the seats by square, furthest first. Equal squares tie; only one pawn can ever be in the goal."""
        squares = self.table.square
        return [1 + sum(other > own for other in squares) for own in squares]

    def scores(self) -> list[dict[str, int]]:
        """Return the square, whether it is the goal (1) or not (0), and the number of cards in hand of each seat."""
        table = self.table
        return [
            {"square": square, "arrived": int(square == self.edition.goal), "cards": cards}
            for square, cards in zip(table.square, table.cards, strict=True)
        ]
