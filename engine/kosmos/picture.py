"""Pictures of `kosmos` for people: the journey on a world map, what lies open, a hand (see `engine.picture`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from engine.atlas import HEIGHT, WIDTH, land
from engine.atlas.route import journey, route
from engine.kosmos.cards import CODES, DECKS, EVENT, FIRST_EVENT, LONDON, PLACES, TRAVEL
from engine.kosmos.edition import max_rounds
from engine.kosmos.faces import faces, goal_of_two, slots, texts, tokens
from engine.picture import data_of
from engine.rules import Data

What = Mapping[str, Any]

_cities: Final = partial(data_of, __package__, "cities")

HELD: Final = ("travel cards", "event cards")
"""By deck: the label for the number of its cards that a seat holds."""
LEFT: Final = ("travel deck", "event deck")
CHITS: Final = {"red": "red chits", "blue": "blue chits"}
_SHORT: Final = {"San Francisco": "San Fran."}
"""By city: its name on a small board."""
_BY_OTHERS: Final = ("lose", "lay_off", "marker", "retired")
"""Events that can happen to a seat that is not on turn."""


def board(edition: Data) -> Data:
    """Return the map with the cities, from London in the west to London in the east."""
    names: list[str] = edition["board"]["cities"]
    last = len(names) - 1
    kinds = ["start", *["city"] * (last - 1), "goal"]
    stops = [_cities().get(name) for name in names]  # an unknown city is drawn between its neighbours
    stops[0] = stops[0] or _cities()["London"]
    stops[last] = stops[last] or _cities()["London"]
    points = route(journey(stops))
    places: list[dict[str, Any]] = [
        {"name": name, "x": x, "y": y, "kind": kind}
        for name, (x, y), kind in zip(names, points, kinds, strict=True)
    ]  # fmt: skip
    for place in places:
        if place["name"] in _SHORT:
            place["short"] = _SHORT[place["name"]]
    routes = [[city, city + 1] for city in range(last)]
    return {
        "title": "Around the world in 80 days",
        "width": WIDTH,
        "height": HEIGHT,
        "land": land(),
        "places": places,
        "routes": routes,
        "layout": "map",
        "tickets": [[[leg]] if isinstance(leg, str) else leg for leg in edition["board"]["legs"]],
        "chits": dict.fromkeys(CHITS.values(), 1),
        "pieces": {"detective": "detective"},
        "tokens": tokens(edition["parameters"]["blue_chit"]),
        "cards": faces(),
        "slots": slots(),
        "goal": texts()["goal"],
        "goals": {"2": goal_of_two(edition["parameters"]["late_first_loses"], max_rounds(edition, 2))},
        "terms": texts()["terms"],
    }


def scene(view: Data) -> Data:
    """Return cities, days, coins and numbers of cards by seat, the display, the chits, the detective and the decks."""
    seats = range(len(view["city"]))
    return {
        "at": view["city"],
        "turn": view["on_turn"],
        "seats": [
            {
                "days": view["days"][seat],
                "gold": view["gold"][seat],
                HELD[TRAVEL]: view["travel_cards"][seat],
                HELD[EVENT]: view["event_cards"][seat],
                "home as": 1 + view["arrived"].index(seat) if seat in view["arrived"] else None,
                "retired": "yes" if seat in view["retired"] else None,
            }
            for seat in seats
        ],
        "table": {
            "round": view["round"],
            "first player": f"seat {view['first']}",
            "marker": f"seat {view['marker']}",
            "detective": view["detective"],
            "gold left": view["supply"],
            LEFT[TRAVEL]: view["decks"]["travel"],
            LEFT[EVENT]: view["decks"]["event"],
        },
        "cards": {"display": view["display"]} | {CHITS[colour]: view[colour][1:LONDON] for colour in CHITS},
    }


def scene_changes(before: Data, event: What, edition: Data) -> Data:
    """Return what a public event changes in the scene. The turn belongs to the seat that acted last."""
    name = event["event"]
    changes = _CHANGES[name](before, event, edition) if name in _CHANGES else {}
    seat = event.get("seat")
    if seat is not None and seat != before["turn"] and name not in _BY_OTHERS:
        return {**changes, "turn": seat}
    return changes


def _of_seat(before: Data, seat: int, label: str, more: int) -> Data:
    """Return the change that adds `more` to a number of a seat."""
    return {"seats": {str(seat): {label: before["seats"][seat][label] + more}}}


def _laid(before: Data, seat: int, cards: list[str]) -> Data:
    """Return the change for cards of its hand that a seat lays down."""
    events = sum(CODES[card] >= FIRST_EVENT for card in cards)
    now = before["seats"][seat]
    fewer = zip(HELD, (len(cards) - events, events), strict=True)
    return {"seats": {str(seat): {label: now[label] - number for label, number in fewer if number}}}


def _round(before: Data, event: What, edition: Data) -> Data:
    shown = sum(card is not None for card in event["display"])
    return {
        "turn": event["first"],
        "table": {
            "round": event["round"],
            "first player": f"seat {event['first']}",
            LEFT[TRAVEL]: before["table"][LEFT[TRAVEL]] - shown,
        },
        "cards": {"display": event["display"]},
    }


def _take(before: Data, event: What, edition: Data) -> Data:
    if event["place"] == "deck":
        return {}  # an event of its own reports the draw
    place = str(PLACES.index(event["place"]))
    return {**_of_seat(before, event["seat"], HELD[TRAVEL], 1), "cards": {"display": {place: None}}}


def _draw(before: Data, event: What, edition: Data) -> Data:
    deck = DECKS.index(event["deck"])
    changes = _of_seat(before, event["seat"], HELD[deck], 1)
    return {**changes, "table": {LEFT[deck]: before["table"][LEFT[deck]] - 1}}


def _shuffle(before: Data, event: What, edition: Data) -> Data:
    """Return the change for a reshuffled deck.

    The travel deck may run out while the display is dealt. The `round` event then subtracts the cards displayed, so
    those taken from the old deck are still counted here.
    """
    deck = DECKS.index(event["deck"])
    uncounted = before["table"][LEFT[deck]] if deck == TRAVEL else 0
    return {"table": {LEFT[deck]: event["cards"] + uncounted}}


def _gold(before: Data, event: What, edition: Data) -> Data:
    changes = _of_seat(before, event["seat"], "gold", event["gold"])
    return {**changes, "table": {"gold left": before["table"]["gold left"] - event["gold"]}}


def _detective(before: Data, event: What, edition: Data) -> Data:
    played = [event["by"]] if event["by"] != "action" else []
    return {**_laid(before, event["seat"], played), "table": {"detective": event["to"]}}


def _swap(before: Data, event: What, edition: Data) -> Data:
    shown = zip(event["places"], event["cards"], strict=True)
    display = {str(PLACES.index(place)): card for place, card in shown}
    return {**_laid(before, event["seat"], [event["by"]]), "cards": {"display": display}}


def _arrive(before: Data, event: What, edition: Data) -> Data:
    seat = event["seat"]
    return {**_of_seat(before, seat, "days", event["days"]), "at": {str(seat): event["progress"]}}


def _chit(before: Data, event: What, edition: Data) -> Data:
    """Return the change for an answered chit; in some editions a refused chit stays (K-66)."""
    if not event["taken"] and edition["parameters"]["refuse_chits"]:
        return {}
    return {"cards": {CHITS[event["colour"]]: {str(before["at"][event["seat"]] - 1): None}}}


def _turn_over(before: Data, event: What, edition: Data) -> Data:
    place = str(edition["board"]["cities"].index(event["city"]) - 1)
    return {"cards": {label: {place: event[colour]} for colour, label in CHITS.items() if colour in event}}


_CHANGES: Final[dict[str, Callable[[Data, What, Data], Data]]] = {
    "round": _round,
    "lose": lambda b, w, _: _of_seat(b, w["seat"], "days", w["days"]),
    "take": _take,
    "draw": _draw,
    "grey": lambda b, w, _: _of_seat(b, w["seat"], HELD[EVENT], -1),
    "shuffle": _shuffle,
    "gold": _gold,
    "detective": _detective,
    "marker": lambda b, w, _: {"table": {"marker": f"seat {w['seat']}"}},
    "exchange": lambda b, w, _: _laid(b, w["seat"], w["cards"]),
    "swap": _swap,
    "travel": lambda b, w, _: _laid(b, w["seat"], w["cards"] + w["events"]),
    "arrive": _arrive,
    "turn_over": _turn_over,
    "chit": _chit,
    "escape": lambda b, w, _: _laid(b, w["seat"], [w["by"]]),
    "discard": lambda b, w, _: _laid(b, w["seat"], [w["card"]]),
    "lay_off": lambda b, w, _: _laid(b, w["seat"], w["cards"]),
    "clear": lambda b, w, _: {"cards": {"display": [None] * len(PLACES)}},
    "home": lambda b, w, _: {"seats": {str(w["seat"]): {"home as": w["place"]}}},
    "retired": lambda b, w, _: {"seats": {str(w["seat"]): {"retired": "yes"}}},
    "over": lambda b, w, _: {"turn": None},
}


def hand(view: Data) -> list[str]:
    """Return the cards of the view's seat, in the order of all cards."""
    return view["hand"] or []


def hand_after(held: list[str], seat: int, event: What) -> list[str]:
    """Return a seat's hand after an event, which says which cards come or go."""
    if event.get("seat") != seat or event["event"] not in _GONE:
        return held
    come, gone = _GONE[event["event"]](event)
    if not come and not gone:
        return held
    now = held + come
    for card in gone:
        now.remove(card)
    return sorted(now, key=CODES.__getitem__)


_GONE: Final[dict[str, Callable[[What], tuple[list[str], list[str]]]]] = {
    "take": lambda w: ([w["card"]] if w["card"] else [], []),
    "drew": lambda w: ([w["card"]], []),
    "exchange": lambda w: ([], w["cards"]),
    "travel": lambda w: ([], w["cards"] + w["events"]),
    "swap": lambda w: ([], [w["by"]]),
    "detective": lambda w: ([], [] if w["by"] == "action" else [w["by"]]),
    "escape": lambda w: ([], [w["by"]]),
    "discard": lambda w: ([], [w["card"]]),
    "lay_off": lambda w: ([], w["cards"]),
}
"""By event: the cards that its seat gains and the cards that it loses."""
