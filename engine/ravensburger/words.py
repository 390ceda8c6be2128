"""Events and actions of `ravensburger` as lines of English, and what a few of them did in one short sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.picture import clauses_in_words, places_in_words

What = Mapping[str, Any]

_BY: Final = {
    "card": "",
    "leap": " by the great leap",
    "handcuffs": " for the handcuffs",
    "square": " from the handcuffs square",
    "order": " by order",
}
_WHY: Final = {"exchange": "to exchange it", "turn": "instead of a draw", "order": "by order"}
_PAWNS: Final = {"self": "own pawn", "leader": "the leader", "others": "every other pawn"}
_LISTED: Final = 4
"""The most moves of a pawn that are listed; more are counted."""
_MEANS: Final = {
    "leap": "the great leap",
    "order": "an event card",
    "handcuffs": "handcuffs",
    "square": "the handcuffs square",
}
_SILENT: Final = ("round", "turn", "announce", "draw", "shuffle", "home", "over", "leap", "order")


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


# What a few moves did (see `engine.picture.Explained.account`)


def account(events: Sequence[Mapping[str, Any]]) -> str:
    """Say what events did: where pawns went and by what, and whatever else was done, in order."""
    writer = _Writer()
    for event in events:
        writer.hear(event)
    return writer.text()


class _Writer:
    """Joins the moves of one pawn that follow each other."""

    def __init__(self) -> None:
        self._clauses: list[str] = []
        self._seat: int | None = None
        """Whose pawn moves."""
        self._begin = self._end = 0
        self._means: list[str] = []
        self._played = ""
        """The card that was played and has not moved a pawn yet."""
        self._thrown: Mapping[str, Any] | None = None
        """Handcuffs that were played and have not done anything yet."""

    def hear(self, event: Mapping[str, Any]) -> None:
        name = event["event"]
        if name == "move":
            self._move(event)
        elif name == "play" and "to" in event:
            self._end_throw()
            self._played = card(event["card"])
        elif name == "play" and "victim" in event:
            self._end_trip()
            self._end_throw()
            self._thrown = event
        elif name == "purse" and self._thrown is not None:
            self._say(f"{words(self._thrown)}, which plays a purse and stays")
            self._thrown = None
        elif name not in _SILENT and (
            name != "play" or event["card"] != "rose"
        ):  # where it lies is said by the next one
            self._end_trip()
            self._end_throw()
            self._say(words(event))

    def text(self) -> str:
        self._end_trip()
        self._end_throw()
        return clauses_in_words(self._clauses)

    def _move(self, event: Mapping[str, Any]) -> None:
        seat, thrown = event["seat"], self._thrown
        if event["by"] == "handcuffs" and thrown is not None and thrown["victim"] == seat:
            by = f"seat {thrown['seat']} sends seat {seat} back"
            self._say(f"{by} from square {event['from']} to square {event['to']} with handcuffs")
            self._thrown = None
            return
        if seat != self._seat or event["from"] != self._end:
            self._end_trip()
            self._seat, self._begin = seat, event["from"]
        self._end = event["to"]
        self._means.append((self._played or "a card") if event["by"] == "card" else _MEANS[event["by"]])
        self._played = ""

    def _end_trip(self) -> None:
        if self._seat is not None:
            back = "back " if self._end < self._begin else ""
            way = f"from square {self._begin} to square {self._end}"
            self._say(f"seat {self._seat} goes {back}{way} by {_listed(self._means)}")
        self._seat, self._means = None, []

    def _end_throw(self) -> None:
        if self._thrown is not None:
            self._say(f"{words(self._thrown)}, which stays where it is")
        self._thrown = None

    def _say(self, clause: str) -> None:
        self._clauses.append(clause)


def _listed(means: Sequence[str]) -> str:
    if len(means) > _LISTED:
        cards = sum(each not in _MEANS.values() for each in means)
        others = list(dict.fromkeys(each for each in means if each in _MEANS.values()))
        means = [f"{cards} cards" if cards > 1 else "1 card", *others]
    return means[0] if len(means) == 1 else f"{', '.join(means[:-1])} and {means[-1]}"
