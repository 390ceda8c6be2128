"""The data of our games in the golden vectors, taken from random games: editions, views, actions and events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from engine import catalog
from engine.chance import Seeded, derive
from engine.rules import Action, Data, Rules

KOSMOS = catalog.rules("kosmos")
RAVENSBURGER = catalog.rules("ravensburger")


class Source(NamedTuple):
    """Where the vectors of a game come from."""

    rules: Rules
    editions: tuple[str, ...]
    games: int
    """Of each of these editions: in so many random games everything that the game knows happens."""
    choose: Callable[[Sequence[Action], Random], int]
    """An index at random, such that rare things happen and a game ends."""
    view_names: Callable[[Data], list[str]]
    """What a view of the seat to act is an example of."""
    action_names: Callable[[Action], list[str]]


class Datum(NamedTuple):
    """Part of a message and its bytes."""

    name: str
    frame: bytes
    meaning: Any


def data_of(source: Source) -> Iterator[Datum]:
    """All editions, a view in every phase and a spectator's, and every kind of action and event."""
    encoder = msgspec.msgpack.Encoder()
    for name in source.rules.editions():
        edition = source.rules.edition(name)
        yield Datum(f"edition-{name}", encoder.encode(edition), edition)
    found: dict[str, Data] = {}
    for number in range(source.games):
        for edition_name in source.editions:
            for name, data in _of_a_game(source, edition_name, number):
                found.setdefault(name, data)
    for event in _of_a_careless_seat(source):
        found.setdefault(event_name(event), event)
    for name in sorted(found):
        yield Datum(name, encoder.encode(found[name]), found[name])


def _of_a_careless_seat(source: Source) -> Iterator[Data]:
    """What only happens to a bot with faults."""
    edition = source.rules.edition(source.editions[-1])
    if "inattention_days" in edition["parameters"]:
        edition["parameters"]["inattention_days"] = 2
    state = source.rules.start(2, edition, Seeded(derive(_secret(source), "careless")))
    for event in (*state.penalize(1), *state.retire(1)):
        yield event.what


def _of_a_game(source: Source, edition: str, number: int) -> Iterator[tuple[str, Data]]:
    rng = Random(f"{edition} {number}")
    chance = Seeded(derive(_secret(source), edition, number))
    state = source.rules.start(2 + number % 5, source.rules.edition(edition), chance)
    while (seat := state.to_act) is not None:
        view = state.view(seat)
        for name in source.view_names(view):
            yield name, view
        yield "view-spectator", state.view(None)
        actions = state.actions()
        for action in actions:
            for name in source.action_names(action):
                yield name, dict(action)
        for event in state.play(source.choose(actions, rng)):
            yield event_name(event.what), event.what
    yield "view-over", state.view(None)


def _secret(source: Source) -> bytes:
    return f"vectors of {source.rules.name}".encode()


def event_name(event: Mapping[str, Any]) -> str:
    """What kind of event one is an example of."""
    parts = [str(event[key]) for key in ("why", "by") if key in event]
    if event["event"] == "chit":
        parts = ["taken" if event["taken"] else "left"]
    if event["event"] == "drew" and "deck" in event:
        parts = [event["deck"]]
    if event["event"] == "play":
        parts = [event["card"].split("-")[0]]
    return "-".join(["event", event["event"], *parts])


def _kosmos_choose(actions: Sequence[Action], rng: Random) -> int:
    """Play at random, but not forever: a leg is travelled when it can be, three times in ten."""
    travels = [index for index, action in enumerate(actions) if action["do"] == "travel"]
    return rng.choice(travels) if travels and rng.random() < 0.3 else rng.randrange(len(actions))


def _kosmos_action_names(action: Action) -> list[str]:
    kind = action["do"]
    if kind == "travel":
        return [f"action-travel-{use['card']}-as-{use['as']}" for use in action["uses"]] or ["action-travel"]
    parts = [str(action[key]) for key in ("by", "deck", "place", "chit") if key in action]
    return ["-".join(["action", kind, *parts])]


def _ravensburger_choose(actions: Sequence[Action], rng: Random) -> int:
    """At random, but cards are played oftener than they are drawn, so that hands get empty."""
    plays = [index for index, action in enumerate(actions) if action["do"] in ("play", "leap")]
    return rng.choice(plays) if plays and rng.random() < 0.5 else rng.randrange(len(actions))


def _ravensburger_action_names(action: Action) -> list[str]:
    kind = action["do"]
    if kind == "play":
        return ["-".join(["action-play", action["card"].split("-")[0]])]
    return [f"action-{kind}"]


def _ravensburger_view_names(view: Data) -> list[str]:
    names = [f"view-{view['phase']}"]
    names += [f"view-with-{key}" for key in ("event", "drawn") if view[key] is not None]
    hidden = view["hidden"]["action"]
    return names + [f"view-with-{key}" for key in ("shown", "lacked") if any(hidden[key])]


SOURCES = {
    "kosmos": Source(
        KOSMOS, ("standard", "ru"), 40, _kosmos_choose, lambda view: [f"view-{view['phase']}"], _kosmos_action_names
    ),
    "ravensburger": Source(
        RAVENSBURGER,
        ("standard", "expert"),
        4,
        _ravensburger_choose,
        _ravensburger_view_names,
        _ravensburger_action_names,
    ),
}
