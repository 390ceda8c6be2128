"""How the winner of `ravensburger` arrived, by what others did too, for people."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ravensburger.words import card as in_words
from engine.rules import Data


def how_it_arrived(seat: int, events: Sequence[Data]) -> str:
    """Return by what a seat reached London, and whose rose its last card needed if another seat placed it (R-12)."""
    placed, mode = seat, ""
    """Who placed the rose, and where it lies."""
    card = thanks = how = ""
    for event in events:
        if event["event"] == "rose":
            placed, mode = event["seat"], event["to"]
        elif event["event"] == "play" and event["seat"] == seat:
            card, is_on_rose = event["card"], event["card"].partition("-")[0] == mode
            thanks = f", since seat {placed} had placed the rose on {mode}" if is_on_rose and placed != seat else ""
        elif event["event"] == "move" and event["seat"] == seat:
            last = in_words(card) if "-" in card else f"the {card}" if card == "handcuffs" else f"a {card}"
            how = {"card": f": with {last}{thanks}", "leap": f": by the great leap after {last}{thanks}"}.get(
                event["by"], ": by an event card"
            )
    return how
