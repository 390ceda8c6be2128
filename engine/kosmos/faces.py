"""What the cards of `kosmos` look like and do, for people: see `cards` and `goal` of a board in `engine.picture`."""

from __future__ import annotations

from typing import Any, Final

from engine.kosmos.cards import EVENT_NAMES, FIRST_EVENT, NAMES, ORIGINAL_NAMES, PLACES
from engine.rules import Data

GOAL: Final = (
    "Travel around the world from London to London. Every leg asks for train and ship cards, and their values are the "
    "days it takes. The player who is home within 80 days with the fewest days wins; those who take longer rank behind "
    "them, in the order of arrival."
)
_TWO: Final = (
    "Travel around the world from London to London. Every leg asks for train and ship cards, and their values are the "
    "days it takes. The player who is home first wins{}. If both come home in the same round, fewer days win, then "
    "more coins (K-82). If nobody is home after {} rounds, the player who is further on wins, then fewer days (K-83)."
)
_LATE_LOSES: Final = ", but loses if that took more than 80 days"
_TRAVEL: Final = {
    "t": ("train", "Pays for a train: {} days on the leg. Two of the same kind and value on a leg count once."),
    "s": ("ship", "Pays for a ship: {} days on the leg. Two of the same kind and value on a leg count once."),
}
_EVENTS: Final = {
    "distraction": ("K-50", "End a turn in the detective's city and lose no day."),
    "offer": ("K-51", "Travel a leg without travel cards in 10 days; not from Bombay to Calcutta."),
    "swap": ("K-52", "Before taking a card, exchange two cards on display."),
    "elephant": ("K-53", "From Bombay to Calcutta in 6 days and a die instead of 12; or put it away for a coin."),
    "detective": ("K-54", "Move the detective to another city, never to London."),
    "princess": ("K-55", "Has the effect of the event card on top of the discards."),
    "opportunity": ("K-56", "Where a leg asks for two trains or two ships, only the dearer one counts."),
    "balloon": ("K-57", "A die replaces the value of one card on a leg; a coin buys another roll."),
    "connections": ("K-58", "Travel a further leg in the same turn."),
    "submarine": ("K-59", "One ship on a leg takes 3 days."),
    "propeller": ("K-60", "One train on a leg takes 1 day."),
    "storm": ("K-61", "When drawn, all who travel lose 2 days, and all event cards are laid off."),
    "delay": ("K-62", "When drawn, all who travel lose 1 day, and all event cards are laid off."),
}
_ACTIONS: Final = {
    "gold": ("coin", "take a coin"),
    "balloon": ("balloon", "a balloon ride: a die replaces the value of one card on this turn's leg"),
    "event": ("event", "draw an event card"),
    "detective": ("detective", "move the detective"),
    "first": ("first", "begin the next round"),
    "exchange": ("exchange", "discard up to three travel cards and draw as many"),
}
TERMS: Final = {
    "leg": "The way from one city to the next. Its ticket on the board shows the cards that it asks for.",
    "display": "The open travel cards. Each lies under an action, which the player who takes the card may use.",
    "chit": "A token at a city. The first player to arrive gets the red one, the last the blue one.",
    "detective": "A player who ends a turn in his city loses 2 days.",
    "marker": "Its holder begins the next round.",
    "gold": "Coins. One pays for another roll, two buy a card.",
    "hand limit": "6 cards, counted at the end of a turn.",
    "home as": "The order in which players came home. Among players who are late the first to come home ranks first.",
    "retired": "A bot that was disqualified or gone. A substitute plays for it.",
}


_TOKENS: Final = {
    "gold": ("coin", "a coin", "a coin"),
    "travel": ("travel", "travel card", "the top travel card"),
    "event": ("event", "event card", "the top event card"),
    "delay": ("delay", "the others lose a day", "each other player on the way loses a day"),
    "detective": ("detective", "detective: 2 days", "a player who ends a turn here loses 2 days"),
}


def tokens(blue_for: str) -> dict[str, Data]:
    """Return what the chits and the detective mean; `blue_for`: which arrival gets the blue chit."""
    colours: dict[str, Data] = {
        colour: {"symbol": "plain", "name": f"{which} to arrive", "text": f"for the {which} to arrive"}
        for colour, which in (("red", "first"), ("blue", blue_for))
    }
    return colours | {
        name: {"symbol": symbol, "name": short, "text": text} for name, (symbol, short, text) in _TOKENS.items()
    }


def goal_of_two(late_first_loses: bool, rounds: int) -> str:
    """Return the aim of a game of two, which another rule decides than one of more (K-80, K-82, K-84)."""
    return _TWO.format(_LATE_LOSES if late_first_loses else ", however many days that took", rounds)


def faces() -> dict[str, Data]:
    """Return what is to be known of each card."""
    found: dict[str, Data] = {}
    for name in NAMES[:FIRST_EVENT]:
        symbol, text = _TRAVEL[name[0]]
        value = int(name[1])
        title = f"{symbol} {value}"
        found[name] = {
            "title": title, "symbol": symbol, "value": value, "text": text.format(value), "rule": "K-41",
        }  # fmt: skip
    for name in EVENT_NAMES:
        rule, text = _EVENTS[name]
        title = f"{name} ({ORIGINAL_NAMES[name]})"
        found[name] = {"title": title, "short": name, "symbol": name, "value": None, "text": text, "rule": rule}
    return found


def slots() -> dict[str, list[dict[str, Any]]]:
    """Return the actions above the display."""
    return {"display": [{"name": place, "symbol": _ACTIONS[place][0], "text": _ACTIONS[place][1]} for place in PLACES]}
