"""Names of cards, modes, phases and reasons (11.2, 11.4, 11.6). Event cards are texts: an edition may have others."""

from __future__ import annotations

from typing import Literal

ActionCard = Literal[
    "coach-1",
    "coach-2",
    "coach-3",
    "coach-4",
    "coach-5",
    "train-1",
    "train-2",
    "train-3",
    "train-4",
    "train-5",
    "steamer-1",
    "steamer-2",
    "steamer-3",
    "steamer-4",
    "steamer-5",
    "elephant-1",
    "elephant-2",
    "elephant-3",
    "elephant-4",
    "elephant-5",
    "rose",
    "handcuffs",
    "purse",
]
Mode = Literal["coach", "train", "steamer", "elephant"]
Deck = Literal["action", "event"]
Effect = Literal["self", "leader", "others", "draw", "lay_off", "rose"]
Phase = Literal["setup", "turn", "further", "rose", "exchange", "event", "lay_off", "leap", "defend", "over"]
MoveReason = Literal["card", "leap", "handcuffs", "square", "order"]
DiscardReason = Literal["exchange", "turn", "order"]
