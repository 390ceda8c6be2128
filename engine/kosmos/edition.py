"""Editions: knobs, board, event deck and chit mix as data, ours and a user's own, checked and resolved.

A resolved edition is plain data and goes over the wire as it stands; `Edition` is its typed form inside the engine.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from engine.game import Action, Data, EditionError, Knob
from engine.kosmos.cards import CHITS, CITIES, COLOURS, EVENT_NAMES, FIRST_EVENT, LONDON

NAMED: Final = ("standard", "en", "ru", "nim")
CHITS_A_COLOUR: Final = 9

# Allowed values of each knob: a list of words, bool, or the bounds of a number.
KNOBS: Final[dict[str, Any]] = {
    "blue_chit": ("last", "second"),
    "refuse_chits": bool,
    "over_limit": ("choose", "blind"),
    "india_events": bool,
    "home_cards": ("top", "bottom"),
    "late_first_loses": bool,
    "inattention_days": range(81),
    "max_rounds": range(1, 1001),
}
LEG_NAMES: Final = tuple(f"{CITIES[i]}-{CITIES[i + 1]}" for i in range(LONDON))
EVENT_COUNT: Final = range(61)
ELEPHANT_LEG: Final = "elephant"

Needs = tuple[int, int]
"""Trains and ships that an option of a leg asks for."""
Leg = tuple[Needs, ...]
"""The options of a leg; none for the Bombay-Calcutta kind (K-43)."""


class Edition:
    """A resolved edition in the engine's own form, with the actions that depend on it made once."""

    def __init__(self, data: Data) -> None:
        """`data`: a resolved edition."""
        knobs, board = data["knobs"], data["board"]
        self.data = data
        self.blue_for_second: bool = knobs["blue_chit"] == "second"
        self.refuse_chits: bool = knobs["refuse_chits"]
        self.blind_limit: bool = knobs["over_limit"] == "blind"
        self.india_events: bool = knobs["india_events"]
        self.home_on_top: bool = knobs["home_cards"] == "top"
        self.late_first_loses: bool = knobs["late_first_loses"]
        self.inattention_days: int = knobs["inattention_days"]
        self.max_rounds: int = knobs["max_rounds"]
        self.cities: list[str] = board["cities"]
        self.legs: list[Leg] = [
            () if leg == ELEPHANT_LEG else tuple((option.count("train"), option.count("ship")) for option in leg)
            for leg in board["legs"]
        ]
        # Whether a leg asks for any train, any ship.
        self.leg_kinds = [tuple(any(needs[kind] for needs in leg) for kind in (0, 1)) for leg in self.legs]
        self.event_counts: list[int] = [data["events"][name] for name in EVENT_NAMES]
        self.chits: list[list[str | None]] = [
            [chit for chit in CHITS for _ in range(data["chits"][colour][chit])] for colour in COLOURS
        ]
        self.detective_moves: dict[str, list[Action]] = {
            by: [{"do": "detective", "by": by, "to": city} for city in self.cities[:LONDON]]
            for by in ("detective", "princess")
        }
        self.action_moves: list[Action] = [{"do": "move_detective", "to": city} for city in self.cities[:LONDON]]

    def event_cards(self, players: int) -> list[int]:
        """The event deck unshuffled; with two players without `connections` (K-12)."""
        return [
            FIRST_EVENT + kind
            for kind, count in enumerate(self.event_counts)
            for _ in range(count)
            if not (players == 2 and EVENT_NAMES[kind] == "connections")
        ]


@lru_cache(maxsize=64)
def _typed(text: str) -> Edition:
    return Edition(json.loads(text))


def typed(data: Data) -> Edition:
    """The engine's form of a resolved edition."""
    return _typed(json.dumps(data, sort_keys=True))


def resolve(name: str | Path) -> tuple[Data, dict[str, str]]:
    """A named edition or TOML file, resolved, and the source of each datum by its dotted key. Raises `EditionError`."""
    if isinstance(name, str) and name in NAMED:
        text = resources.files("engine.kosmos").joinpath(f"data/{name}.toml").read_text("utf-8")
        return _resolve(text, f"{name}.toml", name, own=True)
    path = Path(name)
    if path.suffix != ".toml":
        raise EditionError(f"there is no edition {str(name)!r}: choose {', '.join(NAMED)}, or give a .toml file")
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EditionError(f"{path}: cannot be read: {error}") from None
    return _resolve(text, str(path), path.stem, own=False)


def _resolve(text: str, file: str, name: str, *, own: bool) -> tuple[Data, dict[str, str]]:
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EditionError(f"{file}: not valid TOML: {error}") from None
    check = _Check(file)
    check.keys(given, "", ("base", "knobs", "board", "events", "chits", "sources"))
    if own and "base" not in given:
        board: dict[str, Any] = {"cities": list(CITIES), "legs": [None] * LONDON}
        data: Data = {"name": name, "knobs": {}, "board": board, "events": {}, "chits": {c: {} for c in COLOURS}}
        sources: dict[str, str] = {}
    else:
        base = given.get("base", "standard")
        check.one_of(base, "base", NAMED)
        data, sources = resolve(base)
        data["name"] = name
    _override(data, given, check, sources, "" if own else f"set in {file}")
    for key, source in check.table(given, "sources").items():
        check.that(isinstance(source, str), f"sources.{key}", "a text")
        sources[key] = source
    return data, sources


def _override(data: Data, given: Mapping[str, Any], check: _Check, sources: dict[str, str], source: str) -> None:
    knobs = check.table(given, "knobs")
    check.keys(knobs, "knobs.", tuple(KNOBS))
    for key, value in knobs.items():
        check.knob(value, f"knobs.{key}", KNOBS[key])
        data["knobs"][key] = value
        sources[f"knobs.{key}"] = source

    board = check.table(given, "board")
    check.keys(board, "board.", ("legs",))
    legs = check.table(board, "legs", "board.")
    check.keys(legs, "board.legs.", LEG_NAMES)
    for key, leg in legs.items():
        check.leg(leg, f"board.legs.{key}")
        data["board"]["legs"][LEG_NAMES.index(key)] = leg
        sources[f"board.legs.{key}"] = source

    events = check.table(given, "events")
    check.keys(events, "events.", EVENT_NAMES)
    for key, count in events.items():
        check.knob(count, f"events.{key}", EVENT_COUNT)
        data["events"][key] = count
    if events:
        sources["events"] = source

    chits = check.table(given, "chits")
    check.keys(chits, "chits.", COLOURS)
    for colour in chits:
        mix = check.table(chits, colour, "chits.")
        check.keys(mix, f"chits.{colour}.", CHITS)
        for key, count in mix.items():
            check.knob(count, f"chits.{colour}.{key}", range(CHITS_A_COLOUR + 1))
            data["chits"][colour][key] = count
        total = sum(data["chits"][colour].values())
        check.that(total == CHITS_A_COLOUR, f"chits.{colour}", f"{CHITS_A_COLOUR} chits in all, not {total}")
        sources[f"chits.{colour}"] = source


class _Check:
    """Says file, key and what is allowed when something in an edition file is wrong."""

    def __init__(self, file: str) -> None:
        self.file = file

    def that(self, fine: bool, key: str, allowed: str) -> None:
        if not fine:
            raise EditionError(f"{self.file}: {key}: allowed is {allowed}")

    def keys(self, table: Mapping[str, Any], prefix: str, allowed: tuple[str, ...]) -> None:
        for key in table:
            if key not in allowed:
                raise EditionError(f"{self.file}: unknown key {prefix}{key}: allowed are {', '.join(allowed)}")

    def table(self, parent: Mapping[str, Any], key: str, prefix: str = "") -> Mapping[str, Any]:
        value = parent.get(key, {})
        self.that(isinstance(value, dict), f"{prefix}{key}", f"a table, not {value!r}")
        return dict(value)

    def one_of(self, value: object, key: str, words: tuple[str, ...]) -> None:
        self.that(isinstance(value, str) and value in words, key, f"one of {', '.join(words)}, not {value!r}")

    def knob(self, value: object, key: str, allowed: Any) -> None:
        if allowed is bool:
            self.that(isinstance(value, bool), key, f"true or false, not {value!r}")
        elif isinstance(allowed, range):
            fine = isinstance(value, int) and not isinstance(value, bool) and value in allowed
            self.that(fine, key, f"a whole number from {allowed[0]} to {allowed[-1]}, not {value!r}")
        else:
            self.one_of(value, key, allowed)

    def leg(self, leg: object, key: str) -> None:
        """K-06: what a leg of a user's own board may be."""
        if leg == ELEPHANT_LEG:
            return
        allowed = '"elephant", or one or two options of one to three of "train" and "ship", at most two of a kind'
        self.that(isinstance(leg, list) and 1 <= len(leg) <= 2, key, f"{allowed}, not {leg!r}")
        assert isinstance(leg, list)
        for option in leg:
            fine = isinstance(option, list) and 1 <= len(option) <= 3 and all(c in ("train", "ship") for c in option)
            fine = fine and max(option.count("train"), option.count("ship")) <= 2
            self.that(fine, key, f"{allowed}, not {option!r}")
        self.that(len({(o.count("train"), o.count("ship")) for o in leg}) == len(leg), key, "two different options")


def knobs(data: Data, sources: Mapping[str, str]) -> list[Knob]:
    """Every datum of a resolved edition for people, with its source."""
    rows = [Knob(key, _shown(value), sources.get(f"knobs.{key}", "")) for key, value in data["knobs"].items()]
    for name, leg in zip(LEG_NAMES, data["board"]["legs"], strict=True):
        shown = leg if leg == ELEPHANT_LEG else " or ".join(" + ".join(option) for option in leg)
        rows.append(Knob(name, shown, sources.get(f"board.legs.{name}", "")))
    rows.append(Knob("events", _mix(data["events"]), sources.get("events", "")))
    rows += [Knob(f"{c} chits", _mix(data["chits"][c]), sources.get(f"chits.{c}", "")) for c in COLOURS]
    return rows


def _shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _mix(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
