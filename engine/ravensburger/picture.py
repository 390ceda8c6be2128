"""Pictures of `ravensburger` for people: its track on a world map, what lies open, a hand (see `engine.picture`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from engine.atlas import HEIGHT, WIDTH, land
from engine.atlas.route import journey, route
from engine.picture import data_of
from engine.ravensburger.board import KINDS
from engine.ravensburger.cards import CODES, DECKS, MODES, NAMES, event_card
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


What = Mapping[str, Any]

_cities: Final = partial(data_of, __package__, "cities")

GAP: Final = 9.0
"""The least distance between squares, on a track of no more than about a hundred squares."""
LONGEST: Final = 1_000.0
"""The greatest sum of all these distances."""
LEFT: Final = ("action deck", "event deck")
KEPT: Final = "event card kept"
ROSE: Final = "rose on"
"""The label for the mode on which the rose lies."""


def board(edition: Data) -> Data:
    """Return the track from London to London, with stages in known cities at their places."""
    track = edition["board"]
    goal: int = track["goal"]
    names = [f"square {square}" for square in range(goal + 1)]
    kinds: list[str | None] = ["start", *[None] * (goal - 1), "goal"]
    stops: list[list[float] | None] = [None] * (goal + 1)
    for kind in KINDS:
        for square in track[kind]:
            kinds[square] = kind
    for square, name in zip(track["stage"], track["stage_names"], strict=True):
        names[square] = name
        stops[square] = _cities().get(name)
    names[0] = names[goal] = "London"
    stops[0] = stops[goal] = _cities()["London"]
    points = route(journey(stops), min(GAP, LONGEST / goal))
    places = [
        {"name": name, "x": x, "y": y, "kind": kind}
        for name, (x, y), kind in zip(names, points, kinds, strict=True)
    ]  # fmt: skip
    return {
        "title": "Around the world in 80 days: the track",
        "width": WIDTH,
        "height": HEIGHT,
        "land": land(),
        "places": places,
        "routes": [list(range(goal + 1))],
        "layout": "track",
        "dials": {ROSE: list(MODES)},
        "cards": faces(edition),
        "goal": aim(edition["parameters"]["goal_hand_limit"]),
        "terms": texts()["terms"],
    }


def scene(view: Data) -> Data:
    """Return squares and numbers of cards by seat, the rose and the decks."""
    return {
        "at": view["square"],
        "turn": view["on_turn"],
        "seats": [
            {
                "square": square,
                "cards": view["cards"][seat],
                KEPT: "yes" if view["kept"][seat] else None,
                "retired": "yes" if seat in view["retired"] else None,
            }
            for seat, square in enumerate(view["square"])
        ],
        "table": {
            "round": view["round"],
            "start player": f"seat {view['first']}",
            ROSE: view["rose"],
            LEFT[0]: view["decks"]["action"],
            LEFT[1]: view["decks"]["event"],
        },
        "cards": {},
    }


def scene_changes(before: Data, event: What, edition: Data) -> Data:
    """Return what a public event changes in the scene."""
    name = event["event"]
    return _CHANGES[name](before, event) if name in _CHANGES else {}


def _seat(seat: int, label: str, value: int | str | None) -> Data:
    return {"seats": {str(seat): {label: value}}}


def _cards(before: Data, seat: int, more: int) -> Data:
    return _seat(seat, "cards", before["seats"][seat]["cards"] + more)


def _move(before: Data, event: What) -> Data:
    return {"at": {str(event["seat"]): event["to"]}, **_seat(event["seat"], "square", event["to"])}


def _draw(before: Data, event: What) -> Data:
    deck = DECKS.index(event["deck"])
    held = _cards(before, event["seat"], 1) if deck == 0 else {}
    return {**held, "table": {LEFT[deck]: before["table"][LEFT[deck]] - 1}}


_CHANGES: Final[dict[str, Callable[[Data, What], Data]]] = {
    "round": lambda b, w: {"turn": None, "table": {"round": w["round"]}},
    "turn": lambda b, w: {"turn": w["seat"]},
    "rose": lambda b, w: {"table": {ROSE: w["to"]}},
    "play": lambda b, w: _cards(b, w["seat"], -1),
    "move": _move,
    "draw": _draw,
    "discard": lambda b, w: _cards(b, w["seat"], -1),
    "purse": lambda b, w: _cards(b, w["seat"], -1),
    "keep": lambda b, w: _seat(w["seat"], KEPT, "yes"),
    "order": lambda b, w: _seat(w["seat"], KEPT, None) if w["kept"] else {},
    "shuffle": lambda b, w: {"table": {LEFT[DECKS.index(w["deck"])]: w["cards"]}},
    "retired": lambda b, w: _seat(w["seat"], "retired", "yes"),
    "over": lambda b, w: {"turn": None},
}


def hand(view: Data) -> list[str]:
    """Return the action cards of the view's seat in the order of all cards, then the event cards kept and drawn."""
    events = [card for card in (view["event"], view["drawn"]) if card]
    return [*(view["hand"] or []), *events]


def hand_after(held: list[str], seat: int, event: What) -> list[str]:
    """Return a seat's hand after an event, which says which card comes or goes."""
    if event.get("seat") != seat:
        return held
    name = event["event"]
    if name == "drew":
        if event["deck"] == "event":
            return [*held, event["card"]]
        actions = [card for card in held if card in CODES]
        return [*sorted([*actions, event["card"]], key=CODES.__getitem__), *held[len(actions) :]]
    gone = event["card"] if name in ("play", "discard", "order") else "purse" if name == "purse" else None
    if gone not in held:
        return held  # an order that is carried out immediately was in no hand
    place = held.index(gone) if event.get("kept", True) else len(held) - 1
    return held[:place] + held[place + 1 :]
