"""The cards of `ravensburger`: their numbers in the engine and their names in views and actions (R-01, R-03)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, get_args

from engine.ravensburger.types.names import ActionCard, Deck, Effect, Mode

ACTION: Final = 0
EVENT: Final = 1
DECKS: Final[tuple[Deck, ...]] = get_args(Deck)
EMPTY: Final = -1
"""No card, or no mode."""

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
VALUES: Final = 5
"""The highest value; travel cards of each mode have the values from 1 to this."""
SPECIALS: Final = ("rose", "handcuffs", "purse")

NAMES: Final[tuple[ActionCard, ...]] = get_args(ActionCard)
"""The names of the action cards in the stable order."""
KINDS: Final = 23
FIRST_SPECIAL: Final = 20
"""Action cards with a lower code are travel cards, whose code is mode x 5 + value - 1."""
ROSE: Final = 20
HANDCUFFS: Final = 21
PURSE: Final = 22
CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(NAMES)}

START_CARDS: Final = 5
PURSE_STEPS: Final = (1, 2, 3)
RETREAT: Final = 3
"""Squares that a pawn goes back for a handcuffs card or on a handcuffs square."""
LEAP_STEPS: Final = 5
LEAP_CARDS: Final = 5
EXCHANGE_FROM: Final = 12
EXCHANGE_CARDS: Final = 2
FREE_CARDS: Final = 2
"""Beyond the handcuffs squares, a player with at most this many cards plays by the ordinary rules (R-50)."""
EVENTS_A_TURN: Final = 40

MOST_STEPS: Final = 20
MOST_CARDS: Final = 10
EFFECTS: Final[tuple[Effect, ...]] = get_args(Effect)
EVENT_FORMS: Final = (
    *(f"{pawn}_{way}_N" for pawn in EFFECTS[:3] for way in ("forward", "back")), "draw_N", "lay_off_N", "place_rose"
)  # fmt: skip
_FORM: Final = re.compile(
    r"(?P<pawn>self|leader|others)_(?P<way>forward|back)_(?P<steps>[1-9]\d?)|(?P<do>draw|lay_off)_(?P<cards>[1-9]\d?)"
)


class EventCard(NamedTuple):
    """An order: its effect, and the number of squares (negative: back) or of action cards."""

    name: str
    effect: str
    steps: int = 0
    cards: int = 0


def event_card(name: str) -> EventCard | None:
    """Return the event card that a name describes; None: the name describes none."""
    if name == "place_rose":
        return EventCard(name, "rose")
    form = _FORM.fullmatch(name)
    if form is None:
        return None
    if form["do"]:
        cards = int(form["cards"])
        return EventCard(name, form["do"], cards=cards) if cards <= MOST_CARDS else None
    steps = int(form["steps"])
    return EventCard(name, form["pawn"], steps if form["way"] == "forward" else -steps) if steps <= MOST_STEPS else None


def order_of(card: EventCard) -> tuple[int, bool, int, int]:
    """Return the sort key of the stable order: by effect, forward before back, few before many."""
    return EFFECTS.index(card.effect), card.steps < 0, abs(card.steps), card.cards
