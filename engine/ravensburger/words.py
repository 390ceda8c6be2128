"""Events and actions of `ravensburger` as lines of English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.picture import places_in_words

What = Mapping[str, Any]

_BY: Final = {
    "card": "",
    "leap": " by the great leap",
    "handcuffs": " for the handcuffs",
    "square": " from the handcuffs square",
    "order": " by order",
}
_WHY: Final = {"exchange": "to exchange it", "turn": "instead of a draw", "order": "by order"}
_PAWNS: Final = {"self": "the own pawn", "leader": "the leader", "others": "every other pawn"}


def words(what: What) -> str:
    """Describe an event's data or an action in one line; return what a later version added as it is."""
    if "event" in what and what["event"] in _EVENTS:
        return _EVENTS[what["event"]](what)
    if "do" in what and what["do"] in _ACTIONS:
        return _ACTIONS[what["do"]](what)
    return str(dict(what))


def card(name: str) -> str:
    """Return an action card's name in words."""
    return name.replace("-", " ")


def order(name: str) -> str:
    """Describe the order of an event card."""
    pawn, way, number = [*name.rsplit("_", 2), "", ""][:3]
    if pawn in _PAWNS:
        return f"{_PAWNS[pawn]} {number} {way}"
    if name == "place_rose":
        return "place the rose"
    verb, _, cards = name.rpartition("_")
    return f"{verb.replace('_', ' ')} {_cards(int(cards))}"


def _cards(number: int) -> str:
    return f"{number} card" if number == 1 else f"{number} cards"


def _seat(what: What) -> str:
    return f"seat {what['seat']}"


def _play(what: What) -> str:
    played = card(what["card"])
    if "to" in what:
        return f"{played} to square {what['to']}"
    return f"{played} on seat {what['victim']}" if "victim" in what else played


def _move(what: What) -> str:
    return f"{_seat(what)} moves from square {what['from']} to {what['to']}{_BY[what['by']]}"


def _drew(what: What) -> str:
    drawn = card(what["card"]) if what["deck"] == "action" else order(what["card"])
    return f"{_seat(what)} drew {drawn}"


def _order(what: What) -> str:
    return f"{_seat(what)} carries out {'the kept' if what['kept'] else 'an'} order: {order(what['card'])}"


def _leap(what: What) -> str:
    return f"{_seat(what)} {'takes' if what['taken'] else 'declines'} the great leap"


_EVENTS: Final[dict[str, Callable[[What], str]]] = {
    "round": lambda w: f"round {w['round']}",
    "turn": lambda w: f"{_seat(w)} is on turn",
    "rose": lambda w: f"{_seat(w)} has the rose on the {w['to']}",
    "play": lambda w: f"{_seat(w)} plays {_play(w)}",
    "move": _move,
    "announce": lambda w: f"{_seat(w)} will draw {_cards(w['count'])}",
    "draw": lambda w: f"{_seat(w)} draws a card from the {w['deck']} deck",
    "drew": _drew,
    "exchange": lambda w: f"{_seat(w)} exchanges 2 cards",
    "discard": lambda w: f"{_seat(w)} lays off {card(w['card'])} {_WHY[w['why']]}",
    "leap": _leap,
    "purse": lambda w: f"{_seat(w)} plays a purse and is not sent back",
    "keep": lambda w: f"{_seat(w)} keeps the event card",
    "order": _order,
    "shuffle": lambda w: f"the {w['deck']} deck is shuffled anew: {_cards(w['cards'])}",
    "retired": lambda w: f"{_seat(w)} is no longer played by its bot",
    "home": lambda w: f"{_seat(w)} is in London",
    "over": lambda w: f"the game is over: {places_in_words(w['ranks'])}",
}
_ACTIONS: Final[dict[str, Callable[[What], str]]] = {
    "play": lambda w: f"play {_play(w)}",
    "event": lambda w: "carry out the kept event card",
    "draw": lambda w: f"draw {_cards(w['count'])}",
    "exchange": lambda w: "exchange 2 cards",
    "discard": lambda w: f"lay off {card(w['card'])}",
    "end": lambda w: "end the turn",
    "rose": lambda w: f"rose on the {w['to']}",
    "leap": lambda w: "take the great leap",
    "stay": lambda w: "decline the great leap",
    "retreat": lambda w: "go back",
    "purse": lambda w: "play a purse and do not go back",
    "carry_out": lambda w: "carry out the event card",
    "keep": lambda w: "keep the event card",
}
