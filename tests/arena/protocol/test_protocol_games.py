"""`protocol.md` says what the data of our games is: editions, phases, actions, events, views."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine.chance import Seeded, derive
from engine.kosmos.cards import CITIES, EVENT_NAMES, PLACES, TRAVEL_COUNTS, TRAVEL_NAMES
from engine.ravensburger.cards import EVENT_FORMS, EVENTS_A_TURN, MODES, NAMES, SPECIALS
from generators.protocol_document import SECTIONS, Row, code, prose, section, tables
from generators.vectors.games import SOURCES
from tests.arena.protocol.played import games, vectors

GAME = pytest.mark.parametrize("game", SECTIONS)


def views_of(game: str) -> list[Any]:
    return [*vectors(game, "view-"), *(view for played in games(game) for view in played.views)]


def assert_fields(data: Mapping[str, Any], kind: str, described: Mapping[str, Row]) -> None:
    cell = described[data[kind]][1]
    fields = set(code(cell))
    optional = set(re.findall(r"`([^`]+)`\?", cell))
    present = data.keys() - {kind}
    assert fields - optional <= present <= fields, data


def test_every_game_has_a_section() -> None:
    assert set(SECTIONS) == set(SOURCES)
    for game, number in SECTIONS.items():
        assert section(number).startswith(f"## {number} `{game}`\n")


@pytest.mark.slow
@GAME
def test_actions_have_the_fields_that_are_described(game: str) -> None:
    described = tables(f"{SECTIONS[game]}.5")[0]
    seen = set()
    for action in [*vectors(game, "action-"), *(action for played in games(game) for action in played.actions)]:
        assert_fields(action, "do", described)
        seen.add(action["do"])
    assert seen == set(described)


@pytest.mark.slow
@GAME
def test_events_have_the_fields_that_are_described(game: str) -> None:
    [described] = tables(f"{SECTIONS[game]}.6")
    seen = set()
    for event in [*vectors(game, "event-"), *(event for played in games(game) for event in played.events)]:
        assert_fields(event, "event", described)
        row = described[event["event"]]
        seen.add(event["event"])
        if "why" in event:
            assert f'`"{event["why"]}"`' in row[2]
        if event["event"] == "move":
            assert f'`"{event["by"]}"`' in row[2]
    assert seen == set(described)


@pytest.mark.slow
@GAME
def test_actions_are_offered_in_the_phases_that_are_described(game: str) -> None:
    """And the substitute does what is said, in the phases in which it does not depend on more."""
    described = tables(f"{SECTIONS[game]}.5")[0]
    phases = tables(f"{SECTIONS[game]}.4")[0]
    rules = SOURCES[game].rules
    seen = {"over"}
    for edition in rules.editions():
        state = rules.start(6, rules.edition(edition), Seeded(derive(b"protocol.md test", "phases", edition)))
        rng = Random(edition)
        while (seat := state.to_act) is not None:
            phase = state.view(seat)["phase"]
            seen.add(phase)
            offered = state.actions()
            for action in offered:
                assert phase in described[action["do"]][2].split(", ")
            if choices := code(phases[phase][2]):
                assert offered[state.substitute_action()]["do"] in choices
            state.play(SOURCES[game].choose(offered, rng))
    assert seen | {view["phase"] for view in views_of(game)} - {None} == set(phases)


@pytest.mark.slow
@GAME
def test_a_view_has_the_fields_that_are_described(game: str) -> None:
    described, hidden = tables(f"{SECTIONS[game]}.7")[0], tables("4.7")[0]
    nested = {name for name in described if "." in name}
    seen = set()
    for view in views_of(game):
        assert list(view) == list(dict.fromkeys(name.split(".")[0] for name in described))
        for name, value in view.items():
            if isinstance(value, dict):
                seen |= {f"{name}.{key}" for key in value}
        for deck in view["hidden"].values():
            assert list(deck) == list(hidden)
    assert seen == nested


@GAME
def test_the_edition_has_the_fields_that_are_described(game: str) -> None:
    described = list(tables(f"{SECTIONS[game]}.3")[0])
    for name in SOURCES[game].rules.editions():
        edition = SOURCES[game].rules.edition(name)
        flat = [
            f"{key}.{each}" if each else key
            for key, value in edition.items()
            for each in (value if isinstance(value, dict) and key != "events" else [""])
        ]
        if isinstance(edition["events"], list):
            flat += [f"events.{each}" for each in edition["events"][0]]
        assert sorted(described) == sorted(flat)
        assert list(dict.fromkeys(each.split(".")[0] for each in described)) == list(edition)


@GAME
def test_what_is_scored_is_as_described(game: str) -> None:
    rules = SOURCES[game].rules
    state = rules.start(2, rules.edition("standard"), Seeded(bytes(16)))
    assert [*state.scores()[0]] == [
        each for each in code(prose(f"{SECTIONS[game]}.8")) if each not in ("scores", "end")
    ]


# kosmos


def test_the_parts_of_a_travel_action_are_described() -> None:
    described = set(tables("10.5")[1])
    travels = vectors("kosmos", "action-travel")
    assert described == {
        *travels[0].keys() - {"do"},
        *(f"uses.{key}" for a in travels for use in a["uses"] for key in use),
    }


def test_the_names_of_kosmos_are_as_described() -> None:
    names = prose("10.2")
    assert ", ".join(f'`"{name}"`' for name in EVENT_NAMES) in names
    assert ", ".join(f'`"{name}"`' for name in PLACES) in names
    assert ", ".join(CITIES) in names
    counts = ", ".join(map(str, TRAVEL_COUNTS[:5])) + " trains and " + ", ".join(map(str, TRAVEL_COUNTS[5:])) + " ships"
    assert counts in names
    assert [len(name) for name in TRAVEL_NAMES] == [2] * 10


@pytest.mark.slow
def test_lists_of_kosmos_have_as_many_entries_as_described() -> None:
    for played in games("kosmos"):
        for view in played.views:
            by_seat = {len(view[name]) for name in ("city", "days", "gold", "travel_cards", "known")}
            assert by_seat == {played.players}
            assert (len(view["display"]), len(view["red"]), len(view["blue"])) == (6, 11, 11)
            if view["phase"] == "escape":
                assert view["on_turn"] == view["seat"]


# ravensburger


def test_the_names_of_ravensburger_are_as_described() -> None:
    names = prose("11.2")
    for each in (MODES, SPECIALS, EVENT_FORMS):
        assert ", ".join(f'`"{name}"`' for name in each) in names
    assert f'`"{NAMES[0]}"` to `"{NAMES[19]}"`' in names
    assert f"{len(NAMES)} action cards, with the numbers 0 to {len(NAMES) - 1}" in names
    view = tables("11.7")[0]
    assert f"after {EVENTS_A_TURN} a spyglass" in view["turn.orders"][2]


@pytest.mark.slow
def test_what_is_said_of_who_is_asked_holds() -> None:
    """R-91: in a view of anybody else nothing tells what is being asked."""
    tasks = set()
    for played in games("ravensburger"):
        for view in played.views:
            assert (view["turn"] is None) == (view["phase"] in (None, "over"))
            assert (view["on_turn"] is None) == (view["phase"] == "over")
            by_seat = {len(view[name]) for name in ("square", "cards", "kept", "known")}
            assert by_seat == {played.players}
            if view["turn"] is not None:
                assert view["turn"]["pending"][-1][0] == view["phase"]
                tasks |= {task[0] for task in view["turn"]["pending"]}
    assert tasks == {found.strip('"') for found in re.findall(r'`\["(\w+)"', section("11.7"))}


# What is hidden

HANDS = {"kosmos": {"travel": "travel_cards", "event": "event_cards"}, "ravensburger": {"action": "cards"}}
"""The field that counts the cards of a deck in each hand."""
PARTS = {
    "kosmos": {"travel", "event", "travel, shown", "travel, own shown", "travel, reshuffled"},
    "ravensburger": {
        "action", "event", "action, shown", "action, own shown", "action, reshuffled", "action, lacked",
    },
}  # fmt: skip


def numbers_of(game: str, edition: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """By deck and name: the number of a card."""
    if game == "kosmos":
        names = {"travel": TRAVEL_NAMES, "event": EVENT_NAMES}
    else:
        names = {"action": NAMES, "event": tuple(row["card"] for row in edition["events"])}  # type: ignore[dict-item]
    return {deck: {name: number for number, name in enumerate(cards)} for deck, cards in names.items()}


@pytest.mark.slow
@GAME
def test_what_is_said_to_follow_from_what_is_hidden_follows(game: str) -> None:
    """The three statements at the end of 4.7, and that there were views in which each of their parts mattered."""
    mattered = set()
    for played in games(game):
        numbers = numbers_of(game, SOURCES[game].rules.edition(played.edition))
        for view in played.views:
            for deck, of_deck in numbers.items():
                mattered |= follows(view, deck, of_deck, view.get(HANDS[game].get(deck)))
    assert mattered >= PARTS[game]


def follows(view: Mapping[str, Any], deck: str, numbers: Mapping[str, int], sizes: list[int] | None) -> set[str]:
    """Hold the statements against one view; return which parts of it mattered."""
    hidden, seat = view["hidden"][deck], view["seat"]
    drawn, shown = hidden["drawn"], hidden["shown"]
    known = [[numbers[card] for card in cards if card in numbers] for cards in view["known"]]
    for each, cards in enumerate(known):
        held = len(cards) + len(drawn[each]) - len(shown[each]) // 2
        if sizes is None:
            assert view["kept"][each] <= held <= 1
        else:
            assert held == sizes[each]
    for shuffle, pool in hidden["pools"].items():
        left = view["decks"][deck] if int(shuffle) == hidden["shuffle"] else 0
        assert sum(pool) == left + sum(entries.count(int(shuffle)) for entries in drawn)
        assert len(pool) == len(numbers)
    mattered = {f"{deck}, {name}" for name in ("shown", "lacked") if any(hidden[name])}
    if len(hidden["pools"]) > 1:
        mattered.add(f"{deck}, reshuffled")
    if seat is not None:
        own = known[seat] + hidden["yours"]
        for card in shown[seat][::2]:
            own.remove(card)
        hand = [card for name in ("hand", "event", "drawn") if (card := view.get(name))]
        hand = [card for part in hand for card in ([part] if isinstance(part, str) else part) if card in numbers]
        assert sorted(own) == sorted(numbers[card] for card in hand)
        mattered |= {f"{deck}, own shown" if shown[seat] else deck} if own else set()
    return mattered


@GAME
def test_what_is_hidden_is_the_same_for_everyone_but_the_own_draws(game: str) -> None:
    """4.7: all but `yours` is the same in every view of a position."""
    rules = SOURCES[game].rules
    state = rules.start(4, rules.edition(rules.editions()[0]), Seeded(derive(b"protocol.md test", "same")))
    rng = Random(game)
    for _ in range(60):
        state.play(rng.randrange(len(state.actions())))
        views = [state.view(seat)["hidden"] for seat in (None, 0, 1, 2, 3)]
        assert not any(deck["yours"] for deck in views[0].values())
        assert [[{**deck, "yours": None} for deck in view.values()] for view in views[1:]] == [
            [{**deck, "yours": None} for deck in views[0].values()]
        ] * 4
