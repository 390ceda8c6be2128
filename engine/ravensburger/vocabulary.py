"""The steps in which actions are spelled for learning programs: verb x card x square, counted for each edition."""

from __future__ import annotations

from typing import Final

from engine.ravensburger.cards import MODES, NAMES
from engine.ravensburger.edition import typed
from engine.rules import Data, Spelling

_PLAIN: Final = ("event", "exchange", "end", "carry_out", "keep", "leap", "stay", "retreat", "purse")
SPELLING: Final[Spelling] = {
    **{do: [do] for do in _PLAIN},
    "play": ["play {card}", ("to", "to {}")],  # whom handcuffs send back follows from the seat
    "draw": ["draw {count}"],
    "rose": ["rose to {to}"],
    "discard": ["discard {card}"],
}


def vocabulary(data: Data) -> list[str]:
    """Return all steps that there are in an edition, without those of cards that it lacks."""
    edition = typed(data)
    cards = [NAMES[card] for card in sorted({*edition.action_cards})]
    plain = [do for do in _PLAIN if edition.keep_events or do not in ("event", "carry_out", "keep")]
    steps = [*plain, "draw 1", "draw 2"] + [f"rose to {mode}" for mode in MODES]
    steps += [f"play {card}" for card in cards] + [f"to {square}" for square in range(edition.goal + 1)]
    return steps + [f"discard {card}" for card in cards]
