"""Events and actions of `kosmos` as lines of English, and what a few of them did in one short sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.kosmos.cards import COLOURS, FIRST_EVENT, NAMES
from engine.picture import clauses_in_words, places_in_words

What = Mapping[str, Any]

_KINDS: Final = {"t": "train", "s": "ship"}
_TRAVEL_CARDS: Final[dict[str, str]] = {name: f"{_KINDS[name[0]]} {name[1]}" for name in NAMES[:FIRST_EVENT]}
_LOST_DAYS: Final = {
    "late": "needs {} more, as others are home",
    "detective": "is held up by the detective for {}",
    "storm": "is held up by a storm for {}",
    "delay": "is held up by a delay for {}",
    "chit": "is held up by a rival's chit for {}",
    "penalty": "pays {} for inattention",
}
_SPACES: Final = {"first": "first-player"}
"""What a place of the display is called, if not by its name."""
_SILENT: Final = ("round", "travel", "reroll", "draw", "turn_over", "lay_off", "home", "clear", "shuffle", "over")


def words(what: What) -> str:
    """Describe an event's data or an action in one line; return what a later version added as it is."""
    if "event" in what and what["event"] in _EVENTS:
        return _EVENTS[what["event"]](what)
    if "do" in what and what["do"] in _ACTIONS:
        return _ACTIONS[what["do"]](what)
    return str(dict(what))


def card(name: str | None) -> str:
    """Return a card's name in words."""
    return "nothing" if name is None else _TRAVEL_CARDS.get(name, name)


def _cards(names: list[str]) -> str:
    return ", ".join([_TRAVEL_CARDS.get(name, name) for name in names]) if names else "no cards"


def _days(days: int) -> str:
    return f"{days} day" if days == 1 else f"{days} days"


def _seat(what: What) -> str:
    return f"seat {what['seat']}"


def _uses(uses: list[dict[str, Any]]) -> str:
    parts = []
    for use in uses:
        name = "the balloon" if use["card"] == "action" else use["card"]
        if use["card"] not in (use["as"], "action"):
            name += f" as {use['as']}"
        parts.append(name + (f" on {card(use['on'])}" if use["on"] else ""))
    return f" with {', '.join(parts)}" if parts else ""


def _leg(what: What) -> str:
    cost = f"{_days(what['days'])}{' and a roll' if what['die'] else ''}"
    paying = f", paying {_cards(what['cards'])}" if what["cards"] else ""
    return f"{what['to']}{paying}{_uses(what['uses'])}: {cost}"


def _round(what: What) -> str:
    shown = ", ".join(card(name) for name in what["display"] if name)
    return f"round {what['round']}, seat {what['first']} begins; on display: {shown}"


def _gold(what: What) -> str:
    coins = what["gold"]
    return f"{_seat(what)} {'receives' if coins > 0 else 'pays'} {abs(coins)} gold ({what['why']})"


def _lose(what: What) -> str:
    return f"{_seat(what)} {_LOST_DAYS[what['why']].format(_days(what['days']))}"


def _space(place: str) -> str:
    return _SPACES.get(place, place)


def _spaces(places: list[str]) -> str:
    return f"the {' and '.join(_space(place) for place in places)} spaces"


def _take(what: What) -> str:
    if what["place"] == "deck":
        return f"{_seat(what)} takes the top of the travel deck"
    return f"{_seat(what)} takes {card(what['card'])} from the {_space(what['place'])} space"


def _chit(what: What) -> str:
    verb = "carries out" if what["taken"] else "leaves"
    return f"{_seat(what)} {verb} the {what['colour']} chit of {what['city']}: {what['chit']}"


def _turn_over(what: What) -> str:
    chits = " and ".join(f"{colour} {what[colour]}" for colour in COLOURS if colour in what)
    return f"the chits of {what['city']} are turned over: {chits}"


def _marker(what: What) -> str:
    verb = "takes" if what["why"] == "action" else "is handed"
    return f"{_seat(what)} {verb} the first-player marker"


def _swap(what: What) -> str:
    return f"{_seat(what)} plays {what['by']}: the cards of {_spaces(what['places'])} change places"


_EVENTS: Final[dict[str, Callable[[What], str]]] = {
    "round": _round,
    "lose": _lose,
    "take": _take,
    "draw": lambda w: f"{_seat(w)} draws a card from the {w['deck']} deck",
    "drew": lambda w: f"{_seat(w)} drew {card(w['card'])}",
    "gold": _gold,
    "detective": lambda w: f"{_seat(w)} sends the detective to {w['to']} ({w['by']})",
    "marker": _marker,
    "exchange": lambda w: f"{_seat(w)} exchanges {_cards(w['cards'])}",
    "swap": _swap,
    "travel": lambda w: f"{_seat(w)} travels to {_leg(w)}",
    "roll": lambda w: f"{_seat(w)} rolls a {w['roll']}",
    "reroll": lambda w: f"{_seat(w)} rolls again",
    "arrive": lambda w: f"{_seat(w)} arrives in {w['city']} after {_days(w['days'])}",
    "turn_over": _turn_over,
    "chit": _chit,
    "escape": lambda w: f"{_seat(w)} slips past the detective with {w['by']}",
    "discard": lambda w: f"{_seat(w)} discards {card(w['card'])} ({w['why']})",
    "grey": lambda w: f"{_seat(w)} draws a grey card: {w['card']}",
    "lay_off": lambda w: f"{_seat(w)} lays off {_cards(w['cards'])}",
    "home": lambda w: f"{_seat(w)} is home as number {w['place']} with {_days(w['days'])}",
    "clear": lambda w: f"nobody took {_cards(w['cards'])}",
    "shuffle": lambda w: f"the {w['deck']} deck is shuffled anew: {w['cards']} cards",
    "retired": lambda w: f"{_seat(w)} is no longer played by its bot",
    "over": lambda w: f"the game is over: {places_in_words(w['ranks'])}",
}


def _take_action(what: What) -> str:
    if what["place"] == "deck":
        return "take the top of the travel deck"
    return f"take {card(what['card'])} from the {_space(what['place'])} space"


_ACTIONS: Final[dict[str, Callable[[What], str]]] = {
    "take": _take_action,
    "swap": lambda w: f"play {w['by']}: swap the cards of {_spaces(w['places'])}",
    "detective": lambda w: f"play {w['by']}: detective to {w['to']}",
    "sell": lambda w: "sell an elephant for 1 gold",
    "buy": lambda w: f"buy a card of the {w['deck']} deck for 2 gold",
    "pass": lambda w: "no action",
    "gold": lambda w: "take 1 gold",
    "event": lambda w: "draw an event card",
    "move_detective": lambda w: f"detective to {w['to']}",
    "first": lambda w: "take the first-player marker",
    "exchange": lambda w: f"exchange {_cards(w['cards'])}",
    "stay": lambda w: "stay",
    "travel": lambda w: f"travel to {_leg(w)}",
    "keep": lambda w: f"keep the {w['roll']}",
    "reroll": lambda w: "pay 1 gold and roll again",
    "decline": lambda w: f"decline the {w['colour']} chit: {w['chit']}",
    "accept": lambda w: f"accept the {w['colour']} chit: {w['chit']}",
    "suffer": lambda w: "let the detective cost 2 days",
    "escape": lambda w: f"play {w['by']} against the detective",
    "discard": lambda w: f"discard {card(w['card'])}",
}


# What a few moves did (see `engine.picture.Explained.account`)


def account(events: Sequence[Mapping[str, Any]]) -> str:
    """Say what events did: the legs of journeys with their days, and whatever else was done, in order."""
    clauses = list[str]()
    legs, roll, seat = list[str](), "", None
    for event in events:
        name = event["event"]
        if name == "roll":
            roll = f" with a roll of {event['roll']}"
        elif name == "arrive":
            if seat not in (None, event["seat"]):
                clauses += _journey(seat, legs)
                legs = []
            seat = event["seat"]
            legs.append(f"{event['city']} in {event['days']} {'day' if event['days'] == 1 else 'days'}{roll}")
            roll = ""
        elif name not in _SILENT:
            clauses += [*_journey(seat, legs), words(event)]
            legs, seat = [], None
    return clauses_in_words([*clauses, *_journey(seat, legs)])


def _journey(seat: int | None, legs: Sequence[str]) -> list[str]:
    return [f"seat {seat} travels to {', then to '.join(legs)}"] if legs else []
