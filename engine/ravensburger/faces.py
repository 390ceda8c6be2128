"""What the cards of `ravensburger` look like and do, for people: see `cards` and `goal` in `engine.picture`.

Most texts stand in `data/faces.toml`.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.picture import data_of
from engine.ravensburger.cards import NAMES, event_card
from engine.ravensburger.words import order
from engine.rules import Data

texts: Final = partial(data_of, __package__, "faces")
_SYMBOLS: Final = {"draw": "draw", "lay_off": "exchange", "rose": "rose"}


def aim(most_left: int) -> str:
    """Return the aim of the game where so many cards may be left in hand on reaching London (R-51)."""
    goal: str = texts()["goal"]
    return goal.format({0: "no card", 1: "at most one card"}.get(most_left, f"at most {most_left} cards"))


def faces(edition: Data) -> dict[str, Data]:
    """Return what is to be known of each card of an edition."""
    found: dict[str, Data] = {}
    for name in NAMES:
        mode, _, value = name.partition("-")
        if value:
            text = f"{value} {'square' if value == '1' else 'squares'} forward while the rose lies on {mode}."
            title = f"{mode} {value}"
            found[name] = {"title": title, "symbol": mode, "value": int(value), "text": text, "rule": "R-12"}
        else:
            found[name] = {"title": name, "symbol": name, "value": None, **texts()["special"][name]}
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
