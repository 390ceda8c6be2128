"""Editions as checked and resolved data, our own and users': parameters, board, action cards and event cards.

A resolved edition is plain data and is sent to bots as it is. `RavensburgerEdition` is its typed form in the engine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from engine.editions import Check, Editions, Sources, as_text, override_parameters, shown
from engine.ravensburger.board import GOALS, KINDS, Track, check_board
from engine.ravensburger.cards import (
    EVENT_FORMS,
    FIRST_SPECIAL,
    MODES,
    NAMES,
    PURSE,
    SPECIALS,
    EventCard,
    event_card,
    order_of,
)
from engine.ravensburger.cards import VALUES as TRAVEL_VALUES
from engine.ravensburger.types.actions import RavensburgerPlayAction
from engine.ravensburger.types.edition import RavensburgerEditionData
from engine.rules import Data, Parameter

NAMED: Final = ("standard", "expert")

# Allowed values of each parameter: bool, or the bounds of a number.
PARAMETERS: Final[dict[str, Any]] = {
    "goal_hand_limit": range(61),
    "backwards": bool,
    "keep_events": bool,
    "event_squares": bool,
    "max_rounds": range(1, 1001),
}
COUNT: Final = range(61)


class RavensburgerEdition:
    """A resolved edition in the engine's own form, with the actions that depend on it built once."""

    def __init__(self, data: RavensburgerEditionData) -> None:
        """Convert a resolved edition."""
        parameters = data["parameters"]
        self.data = data
        self.goal_hand_limit = parameters["goal_hand_limit"]
        self.backwards = parameters["backwards"]
        self.keep_events = parameters["keep_events"]
        self.event_squares = parameters["event_squares"]
        self.max_rounds = parameters["max_rounds"]
        self.board = Track(data["board"])
        self.goal = self.board.goal
        counts: Mapping[str, Any] = data["cards"]
        self.action_cards: list[int] = [
            card
            for card, name in enumerate(NAMES)
            for _ in range(counts[name] if name in SPECIALS else counts[name.split("-")[0]][card % TRAVEL_VALUES])
        ]
        self.events: list[EventCard] = [
            EventCard(row["card"], row["effect"], row["steps"], row["cards"]) for row in data["events"]
        ]
        self.event_names = [card.name for card in self.events]
        self.event_codes = {name: code for code, name in enumerate(self.event_names)}
        self.event_cards: list[int] = [code for code, row in enumerate(data["events"]) for _ in range(row["count"])]
        # By card that moves the player's own pawn, and by the square that it moves to.
        self.plays: dict[int, list[RavensburgerPlayAction]] = {
            card: [{"do": "play", "card": NAMES[card], "to": to} for to in range(self.goal + 1)]
            for card in (*range(FIRST_SPECIAL), PURSE)
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy, so that states share an edition afterwards too."""
        return typed, (self.data,)


@lru_cache(maxsize=64)
def _typed(text: str, check: bool) -> RavensburgerEdition:
    data = json.loads(text)
    if check:
        counts = {row["card"]: row["count"] for row in data["events"]}
        EDITIONS.verify(data, {**{table: data[table] for table in EDITIONS.tables}, "events": counts})
    return RavensburgerEdition(data)


def typed(data: Data) -> RavensburgerEdition:
    """Convert a resolved edition to the engine's form, ignoring fields that a referee of a later version adds."""
    return _typed(as_text(data), False)


def verified(data: Data) -> RavensburgerEdition:
    """Convert a resolved edition that anybody may have written.

    Raises:
        EditionError: It could not come from an edition file.
        Exception: Python's own errors, if the data do not have the form of an edition.
    """
    return _typed(as_text(data), True)


def _blank() -> dict[str, Any]:
    board: dict[str, Any] = {"goal": GOALS[-1], **{kind: [] for kind in KINDS}, "stage_names": []}
    cards: dict[str, Any] = {**{mode: [0] * TRAVEL_VALUES for mode in MODES}, **dict.fromkeys(SPECIALS, 0)}
    return {"parameters": {}, "board": board, "cards": cards, "events": []}


def _override(data: dict[str, Any], given: Mapping[str, Any], check: Check, sources: Sources, source: str) -> None:
    override_parameters(data, given, check, sources, source, PARAMETERS)
    _override_board(data, check.table(given, "board"), check, sources, source)
    _override_cards(data, check.table(given, "cards"), check, sources, source)
    _override_events(data, check.table(given, "events"), check, sources, source)


def _override_board(
    data: dict[str, Any], board: Mapping[str, Any], check: Check, sources: Sources, source: str
) -> None:
    check.keys(board, "board.", ("goal", *KINDS, "stage_names"))
    for key, value in board.items():
        if key != "goal":
            check.that(isinstance(value, list), f"board.{key}", f"a list, not {value!r}")
        if key == "stage_names":
            fine = all(isinstance(name, str) and name and name.isprintable() for name in value)
            check.that(fine, "board.stage_names", "names")
        data["board"][key] = value
        sources[f"board.{key}"] = source
    if board:
        check_board(check, data["board"])
        order = sorted(range(len(data["board"]["stage"])), key=data["board"]["stage"].__getitem__)
        data["board"]["stage_names"] = [data["board"]["stage_names"][place] for place in order]
        for kind in KINDS:
            data["board"][kind] = sorted(data["board"][kind])


def _override_cards(
    data: dict[str, Any], cards: Mapping[str, Any], check: Check, sources: Sources, source: str
) -> None:
    check.keys(cards, "cards.", (*MODES, *SPECIALS))
    for key, value in cards.items():
        if key in SPECIALS:
            check.parameter(value, f"cards.{key}", COUNT)
        else:
            allowed = f"{TRAVEL_VALUES} numbers, how many cards of value 1 to {TRAVEL_VALUES}"
            check.that(isinstance(value, list) and len(value) == TRAVEL_VALUES, f"cards.{key}", f"{allowed}: {value!r}")
            for count in value:
                check.parameter(count, f"cards.{key}", COUNT)
        data["cards"][key] = value
        sources[f"cards.{key}"] = source


def _override_events(
    data: dict[str, Any], events: Mapping[str, Any], check: Check, sources: Sources, source: str
) -> None:
    """Set the count of each named card; a name that the base does not have adds a card."""
    counts = {row["card"]: row["count"] for row in data["events"]}
    for name, count in events.items():
        if event_card(name) is None:
            check.keys({name: count}, "events.", EVENT_FORMS)
        check.parameter(count, f"events.{name}", COUNT)
        counts[name] = count
        sources[f"events.{name}"] = source
    cards = sorted((card for name in counts if (card := event_card(name))), key=order_of)
    data["events"] = [
        {"card": card.name, "effect": card.effect, "steps": card.steps, "cards": card.cards, "count": counts[card.name]}
        for card in cards
    ]


def _parameters(data: Data, sources: Mapping[str, str]) -> list[Parameter]:
    """List every value of a resolved edition for people, with its source."""
    rows = [
        Parameter(key, shown(value), sources.get(f"parameters.{key}", "")) for key, value in data["parameters"].items()
    ]
    board = data["board"]
    rows.append(Parameter("goal", str(board["goal"]), sources.get("board.goal", "")))
    rows += [Parameter(f"{kind} squares", _squares(board[kind]), sources.get(f"board.{kind}", "")) for kind in KINDS]
    rows.append(
        Parameter("stage names", ", ".join(board["stage_names"]) or "none", sources.get("board.stage_names", ""))
    )
    for mode in MODES:
        mix = ", ".join(f"{count} x {value}" for value, count in enumerate(data["cards"][mode], start=1))
        rows.append(Parameter(f"{mode} cards", mix, sources.get(f"cards.{mode}", "")))
    rows += [Parameter(f"{n} cards", str(data["cards"][n]), sources.get(f"cards.{n}", "")) for n in SPECIALS]
    rows += [
        Parameter(f"event {row['card']}", str(row["count"]), sources.get(f"events.{row['card']}", ""))
        for row in data["events"]
    ]
    return rows


def _squares(squares: list[int]) -> str:
    return ", ".join(map(str, squares)) or "none"


EDITIONS: Final = Editions(
    "engine.ravensburger", NAMED, ("parameters", "board", "cards", "events"), _blank, _override, _parameters
)
