"""What the cards of `ravensburger` look like and do, for people: see `cards` and `goal` in `engine.picture`."""

from __future__ import annotations

from typing import Final

from engine.ravensburger.cards import NAMES, event_card
from engine.ravensburger.words import order
from engine.rules import Data

_GOAL: Final = (
    "Be the first on the last square, London. A travel card moves the pawn by its value, but only while the rose lies "
    "on its mode. London may be reached only with {} left in hand."
)
_SPECIAL: Final = {
    "rose": ("R-20", "Place the rose on any mode, then a further card may be played."),
    "handcuffs": ("R-21", "The next player goes 3 squares back."),
    "purse": ("R-22", "1, 2 or 3 squares forward; or stay where you are when you would be sent back."),
}
_SYMBOLS: Final = {"draw": "draw", "lay_off": "exchange", "rose": "rose"}
TERMS: Final = {
    "rose": "The compass rose lies on a mode: coach, train, steamer or elephant. Only its travel cards may be played.",
    "rose square": "Place the rose anew and play a further card, if you like.",
    "stage": "A large square with a city's name. A further card may be played.",
    "spyglass": "Draw an event card and carry it out.",
    "handcuffs square": "Go 3 squares back.",
    "great leap": "Who plays the last card in hand may go on 5 squares, then draws 5 cards.",
    "order": "What an event card says.",
    "event card kept": "A player of the expert edition may keep one event card for later.",
    "retired": "A bot that was disqualified or gone. A substitute plays for it.",
}


def aim(most_left: int) -> str:
    """Return the aim of the game where so many cards may be left in hand on reaching London (R-51)."""
    return _GOAL.format({0: "no card", 1: "at most one card"}.get(most_left, f"at most {most_left} cards"))


def faces(edition: Data) -> dict[str, Data]:
    """Return what is to be known of each card of an edition."""
    found: dict[str, Data] = {}
    for name in NAMES:
        mode, _, value = name.partition("-")
        if value:
            text = f"{value} {'square' if value == '1' else 'squares'} forward while the rose lies on {mode}."
            found[name] = {
                "title": f"{mode} {value}",
                "symbol": mode,
                "value": int(value),
                "text": text,
                "rule": "R-12",
            }
        else:
            rule, text = _SPECIAL[name]
            found[name] = {"title": name, "symbol": name, "value": None, "text": text, "rule": rule}
    for name in (each["card"] for each in edition["events"]):
        card = event_card(name)
        if card is not None:
            symbol = _SYMBOLS.get(card.effect, "forward" if card.steps > 0 else "back")
            text = f"An event card: {order(name)}."
            steps = abs(card.steps) or card.cards or None
            found[name] = {
                "title": order(name), "short": card.effect.replace("_", " "), "symbol": symbol, "value": steps,
                "text": text, "rule": "R-31",
            }  # fmt: skip
    return found
