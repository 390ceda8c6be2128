"""Names of cards, places, phases and reasons (10.2, 10.4, 10.6)."""

from __future__ import annotations

from typing import Literal

TravelCard = Literal["t2", "t3", "t4", "t5", "t6", "s4", "s5", "s6", "s7", "s8"]
EventCard = Literal[
    "distraction",
    "offer",
    "swap",
    "elephant",
    "detective",
    "princess",
    "opportunity",
    "balloon",
    "connections",
    "submarine",
    "propeller",
    "storm",
    "delay",
]
Card = Literal[TravelCard, EventCard]
CardOrAction = Literal[Card, "action"]
SwapCard = Literal["swap", "princess"]
DetectiveCard = Literal["detective", "princess"]
EscapeCard = Literal["distraction", "princess"]
GreyCard = Literal["storm", "delay"]
Place = Literal["gold", "balloon", "event", "detective", "first", "exchange"]
PlaceOrDeck = Literal[Place, "deck"]
Deck = Literal["travel", "event"]
Colour = Literal["red", "blue"]
Chit = Literal["gold", "travel", "event", "delay"]
ChitOrFaceDown = Literal[Chit, "face_down"]
Mode = Literal["train", "ship"]
Phase = Literal["take", "action", "travel", "reroll", "chit", "escape", "limit", "over"]
LossReason = Literal["late", "detective", "storm", "delay", "chit", "penalty"]
GoldReason = Literal["action", "elephant", "chit", "buy", "reroll"]
