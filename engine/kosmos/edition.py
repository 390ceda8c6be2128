"""Editions as checked and resolved data, our own and users': parameters, board, event deck and chit mix.

A resolved edition is plain data and is sent to bots as it is. `KosmosEdition` is its typed form in the engine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, get_args

from engine.editions import Check, Editions, Sources, as_text, override_parameters, shown
from engine.kosmos.cards import CHITS, CITIES, COLOURS, EVENT_NAMES, FIRST_EVENT, LONDON
from engine.kosmos.types.actions import KosmosDetectiveAction, KosmosMoveDetectiveAction
from engine.kosmos.types.edition import KosmosEditionData
from engine.kosmos.types.names import Chit, DetectiveCard
from engine.rules import Data, Parameter

NAMED: Final = ("standard", "en", "ru", "nim")
CHITS_A_COLOUR: Final = 9

# Allowed values of each parameter: a list of words, bool, or the bounds of a number.
PARAMETERS: Final[dict[str, Any]] = {
    "chits_face_down": bool,
    "blue_chit": ("last", "second"),
    "refuse_chits": bool,
    "decline_chit_cards": bool,
    "over_limit": ("choose", "blind"),
    "india_events": bool,
    "home_cards": ("top", "bottom"),
    "late_first_loses": bool,
    "balloon_breaks_pairs": bool,
    "inattention_days": range(81),
    "max_rounds": range(1, 1001),
    "max_rounds_of_two": range(1, 1001),
}
LEG_NAMES: Final = tuple(f"{CITIES[i]}-{CITIES[i + 1]}" for i in range(LONDON))
EVENT_COUNT: Final = range(61)
ELEPHANT_LEG: Final = "elephant"

Needs = tuple[int, int]
"""How many trains and ships an option of a leg requires."""
Leg = tuple[Needs, ...]
"""The options of a leg; none for a leg like Bombay-Calcutta (K-43)."""


def max_rounds(edition: Data, players: int) -> int:
    """Return after how many rounds a game ends at the latest (K-84)."""
    parameters = edition["parameters"]
    most: int = parameters["max_rounds"]
    return min(most, parameters["max_rounds_of_two"]) if players == 2 else most


class KosmosEdition:
    """A resolved edition in the engine's own form, with the actions that depend on it built once."""

    def __init__(self, data: KosmosEditionData) -> None:
        """Convert a resolved edition."""
        parameters, board = data["parameters"], data["board"]
        self.data = data
        self.chits_face_down = parameters["chits_face_down"]
        self.blue_for_second: bool = parameters["blue_chit"] == "second"
        self.refuse_chits = parameters["refuse_chits"]
        self.decline_chit_cards = parameters["decline_chit_cards"]
        self.blind_limit: bool = parameters["over_limit"] == "blind"
        self.india_events = parameters["india_events"]
        self.home_on_top: bool = parameters["home_cards"] == "top"
        self.late_first_loses = parameters["late_first_loses"]
        self.balloon_breaks_pairs = parameters["balloon_breaks_pairs"]
        self.inattention_days = parameters["inattention_days"]
        self.cities = board["cities"]
        self.legs: list[Leg] = [
            () if leg == ELEPHANT_LEG else tuple((option.count("train"), option.count("ship")) for option in leg)
            for leg in board["legs"]
        ]
        # Whether a leg asks for any train, any ship.
        self.leg_kinds = [tuple(any(needs[kind] for needs in leg) for kind in (0, 1)) for leg in self.legs]
        self.event_counts: list[int] = [data["events"][name] for name in EVENT_NAMES]
        self.chits: list[list[Chit]] = [
            [chit for chit in CHITS for _ in range(data["chits"][colour][chit])] for colour in COLOURS
        ]
        self.detective_moves: dict[str, list[KosmosDetectiveAction]] = {
            by: [{"do": "detective", "by": by, "to": city} for city in self.cities[:LONDON]]
            for by in get_args(DetectiveCard)
        }
        self.action_moves: list[KosmosMoveDetectiveAction] = [
            {"do": "move_detective", "to": city} for city in self.cities[:LONDON]
        ]

    def event_cards(self, players: int) -> list[int]:
        """Return the unshuffled event deck; for two players it lacks `connections` (K-12)."""
        return [
            FIRST_EVENT + kind
            for kind, count in enumerate(self.event_counts)
            for _ in range(count)
            if not (players == 2 and EVENT_NAMES[kind] == "connections")
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy, so that states share an edition afterwards too."""
        return typed, (self.data,)


@lru_cache(maxsize=64)
def _typed(text: str, check: bool) -> KosmosEdition:
    data = json.loads(text)
    if check:
        legs = dict(zip(LEG_NAMES, data["board"]["legs"], strict=True))
        EDITIONS.verify(data, {**{table: data[table] for table in EDITIONS.tables}, "board": {"legs": legs}})
    return KosmosEdition(data)


def typed(data: Data) -> KosmosEdition:
    """Convert a resolved edition to the engine's form, ignoring fields that a referee of a later version adds."""
    return _typed(as_text(data), False)


def verified(data: Data) -> KosmosEdition:
    """Convert a resolved edition that anybody may have written.

    Raises:
        EditionError: It could not come from an edition file.
        Exception: Python's own errors, if the data do not have the form of an edition.
    """
    return _typed(as_text(data), True)


def _blank() -> dict[str, Any]:
    board: dict[str, Any] = {"cities": list(CITIES), "legs": [None] * LONDON}
    return {"parameters": {}, "board": board, "events": {}, "chits": {colour: {} for colour in COLOURS}}


def _override(data: dict[str, Any], given: Mapping[str, Any], check: Check, sources: Sources, source: str) -> None:
    override_parameters(data, given, check, sources, source, PARAMETERS)

    board = check.table(given, "board")
    check.keys(board, "board.", ("legs",))
    legs = check.table(board, "legs", "board.")
    check.keys(legs, "board.legs.", LEG_NAMES)
    for key, leg in legs.items():
        _check_leg(check, leg, f"board.legs.{key}")
        data["board"]["legs"][LEG_NAMES.index(key)] = leg
        sources[f"board.legs.{key}"] = source

    events = check.table(given, "events")
    check.keys(events, "events.", EVENT_NAMES)
    for key, count in events.items():
        check.parameter(count, f"events.{key}", EVENT_COUNT)
        data["events"][key] = count
    if events:
        sources["events"] = source

    chits = check.table(given, "chits")
    check.keys(chits, "chits.", COLOURS)
    for colour in chits:
        mix = check.table(chits, colour, "chits.")
        check.keys(mix, f"chits.{colour}.", CHITS)
        for key, count in mix.items():
            check.parameter(count, f"chits.{colour}.{key}", range(CHITS_A_COLOUR + 1))
            data["chits"][colour][key] = count
        total = sum(data["chits"][colour].values())
        check.that(total == CHITS_A_COLOUR, f"chits.{colour}", f"{CHITS_A_COLOUR} chits in all, not {total}")
        sources[f"chits.{colour}"] = source


def _check_leg(check: Check, leg: object, key: str) -> None:
    """Check a leg of a user's own board (K-06)."""
    if leg == ELEPHANT_LEG:
        return
    allowed = '"elephant", or one or two options of one to three of "train" and "ship", at most two of a kind'
    check.that(isinstance(leg, list) and 1 <= len(leg) <= 2, key, f"{allowed}, not {leg!r}")
    assert isinstance(leg, list)
    for option in leg:
        fine = isinstance(option, list) and 1 <= len(option) <= 3 and all(c in ("train", "ship") for c in option)
        fine = fine and max(option.count("train"), option.count("ship")) <= 2
        check.that(fine, key, f"{allowed}, not {option!r}")
    check.that(len({(o.count("train"), o.count("ship")) for o in leg}) == len(leg), key, "two different options")


def _parameters(data: Data, sources: Mapping[str, str]) -> list[Parameter]:
    """List every value of a resolved edition for people, with its source."""
    rows = [
        Parameter(key, shown(value), sources.get(f"parameters.{key}", "")) for key, value in data["parameters"].items()
    ]
    for name, leg in zip(LEG_NAMES, data["board"]["legs"], strict=True):
        options = leg if leg == ELEPHANT_LEG else " or ".join(" + ".join(option) for option in leg)
        rows.append(Parameter(name, options, sources.get(f"board.legs.{name}", "")))
    rows.append(Parameter("events", _mix(data["events"]), sources.get("events", "")))
    rows += [Parameter(f"{c} chits", _mix(data["chits"][c]), sources.get(f"chits.{c}", "")) for c in COLOURS]
    return rows


def _mix(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


EDITIONS: Final = Editions(
    "engine.kosmos", NAMED, ("parameters", "board", "events", "chits"), _blank, _override, _parameters
)
