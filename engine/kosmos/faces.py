"""What the cards of `kosmos` look like and do, for people: see `cards` and `goal` of a board in `engine.picture`.

The texts stand in `data/faces.toml`.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from engine.kosmos.cards import EVENT_NAMES, FIRST_EVENT, NAMES, PLACES
from engine.picture import data_of
from engine.rules import Data

texts: Final = partial(data_of, __package__, "faces")


def tokens(blue_for: str) -> dict[str, Data]:
    """Return what the chits and the detective mean; `blue_for`: which arrival gets the blue chit."""
    colours: dict[str, Data] = {
        colour: {"symbol": "plain", "name": f"{which} to arrive", "text": f"for the {which} to arrive"}
        for colour, which in (("red", "first"), ("blue", blue_for))
    }
    return {**colours, **texts()["tokens"]}


def goal_of_two(late_first_loses: bool, rounds: int) -> str:
    """Return the aim of a game of two, which another rule decides than one of more (K-80, K-82, K-84)."""
    late: str = texts()["if_late_loses" if late_first_loses else "if_late_wins"]
    goal: str = texts()["goal_of_two"]
    return goal.format(late, rounds)


def faces() -> dict[str, Data]:
    """Return what is to be known of each card."""
    found: dict[str, Data] = {}
    for name in NAMES[:FIRST_EVENT]:
        symbol, value = texts()["travel"][name[0]]["symbol"], int(name[1])
        text = texts()["travel"][name[0]]["text"].format(value)
        found[name] = {"title": f"{symbol} {value}", "symbol": symbol, "value": value, "text": text, "rule": "K-41"}
    for name in EVENT_NAMES:
        card = texts()["events"][name]
        title = f"{name} ({card['printed']})"
        found[name] = {
            "title": title, "short": name, "symbol": name, "value": None, "text": card["text"], "rule": card["rule"],
        }  # fmt: skip
    return found


def slots() -> dict[str, list[dict[str, Any]]]:
    """Return the actions above the display."""
    places = texts()["places"]
    return {
        "display": [{"name": each, "symbol": places[each]["symbol"], "text": places[each]["text"]} for each in PLACES]
    }
