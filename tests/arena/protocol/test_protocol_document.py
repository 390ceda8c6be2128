"""`protocol.md` says what the code does: messages, limits, faults, the data of `kosmos`, and the bot printed in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgpack
import msgspec
import pytest

from arena.entrants import build, expand
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT, MAX_FRAME
from arena.protocol.messages import PROTOCOL, FromBot, FromReferee
from arena.referee.clock import TimeControl
from arena.referee.faults import FAULTS, FLOOD_FRAMES, Price
from arena.referee.host import Host
from arena.referee.orders import GameOrder, Setup
from engine.catalog import game
from engine.chance import Seeded, derive
from engine.kosmos.cards import CITIES, EVENT_NAMES, PLACES, TRAVEL_COUNTS, TRAVEL_NAMES
from tests.vectors.make import DOCUMENT

TEXT = DOCUMENT.read_text("utf-8")
KOSMOS = game("kosmos")
Row = list[str]


@cache
def section(number: str) -> str:
    """The text of a numbered section, without its subsections' siblings."""
    found = re.search(rf"^(#+) {re.escape(number)} .*?(?=^\1 |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"there is no section {number}"
    body: str = found[0]
    return re.split(r"^#{2,3} (?!" + re.escape(number) + r"\b)", body, maxsplit=1, flags=re.MULTILINE)[0]


def prose(number: str) -> str:
    """The text of a section as one line."""
    return " ".join(section(number).split())


def tables(number: str) -> list[dict[str, Row]]:
    """The tables of a section: for each the cells of its rows by the code in the first cell."""
    found: list[dict[str, Row]] = []
    for block in re.findall(r"(?:^\|.*\n)+", section(number), re.MULTILINE):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in block.splitlines()]
        found.append({code(row[0])[0]: row for row in rows[2:] if code(row[0])})
    return found


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# Messages

SECTIONS = {"hello": "3.1", "act": "3.2", "welcome": "4.1", "start": "4.2", "decide": "4.3", "fault": "4.4"} | {
    "end": "4.5",
    "bye": "4.6",
}


def fields_of(info: msgspec.inspect.StructType, prefix: str = "") -> Iterator[str]:
    for field in info.fields:
        yield prefix + field.encode_name
        parts = field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else [field.type]
        for part in parts:
            if isinstance(part, msgspec.inspect.StructType):
                yield from fields_of(part, f"{prefix}{field.encode_name}.")


@pytest.mark.parametrize("struct", get_args(FromBot | FromReferee))
def test_every_field_of_a_message_is_described_and_no_other(struct: type) -> None:
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    [described] = tables(SECTIONS[str(info.tag)])
    assert list(described) == ["type", *fields_of(info)]


@pytest.mark.parametrize("struct", get_args(FromBot))
def test_defaults_are_as_described(struct: Any) -> None:
    [described] = tables(SECTIONS[struct.__struct_config__.tag])
    for field in msgspec.structs.fields(struct):
        said = described[field.encode_name][2].strip("`")
        if field.required:
            assert said == ""
        else:
            default = field.default if field.default is not msgspec.NODEFAULT else []
            assert json.loads(said) == default


def test_version_and_limits_are_as_described() -> None:
    assert TEXT.startswith(f"# The arena protocol, version {PROTOCOL[0]}.{PROTOCOL[1]}\n")
    limits = {row[0]: int(re.sub(r"\D", "", row[1].split("(")[0].split("bytes")[0])) for row in rows_of("8")}
    assert limits["a frame of the bot"] == FRAME_LIMIT
    assert limits["a frame of the referee"] == DECIDE_LIMIT
    assert limits["frames between two decisions"] == FLOOD_FRAMES
    assert f"more than {FLOOD_FRAMES} frames" in prose("6.1")
    assert f"more than {MAX_FRAME >> 20} MiB" in prose("6.1")
    time = TimeControl()
    assert f"{time.start:g} seconds" in prose("5.1")
    assert f"by default {time.move * 1000:g}" in prose("5.2")
    assert f"by default {time.bank * 1000:g}" in prose("5.2")
    assert f"has {time.strikes} strikes" in prose("6.2")


def rows_of(number: str) -> list[Row]:
    lines = [line for line in section(number).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[1:]]


def test_the_faults_and_their_prices_are_as_described() -> None:
    [described] = tables("6.1")
    begins = {
        Price.STRIKE: "a strike",
        Price.RETIRE: "the seat retires",
        Price.FREE: "nothing",
        Price.IGNORED: "it is ignored",
    }
    assert list(described) == list(FAULTS)
    for name, price in FAULTS.items():
        assert described[name][2].startswith(begins[price])


def test_every_section_that_is_named_exists() -> None:
    without_session = TEXT.split("<!-- session: begin")[0]
    named = set(re.findall(r"\((\d+(?:\.\d+)?)(?:[;,)]| for)", without_session))
    named |= set(re.findall(r"\b[Ss]ections? (\d+)\b", without_session))
    headings = set(re.findall(r"^#+ (\d+(?:\.\d+)?) ", TEXT, re.MULTILINE))
    assert named <= headings
    tops = [int(heading) for heading in re.findall(r"^## (\d+) ", TEXT, re.MULTILINE)]
    assert tops == list(range(1, len(tops) + 1))


# The worked session


def test_the_hex_of_the_session_means_the_json_below_it() -> None:
    frames = re.findall(r"(\d+) bytes: [^\n]+\n\n```hex\n(.*?)```\n\n```json\n(.*?)```", TEXT, re.DOTALL)
    assert len(frames) == TEXT.count("```hex") == TEXT.count("**Frame ")
    types = []
    for size, dump, meaning in frames:
        frame = bytes.fromhex(dump)
        assert len(frame) == int(size)
        assert msgpack.unpackb(frame) == json.loads(meaning)
        types.append(json.loads(meaning)["type"])
    assert set(types) == set(SECTIONS)
    assert (types[0], types[-1]) == ("hello", "bye")


# kosmos


@cache
def games() -> list[tuple[list[Any], list[Any], list[Any]]]:
    """Views, actions and events of random games of every edition and player count."""
    found = []
    for edition in KOSMOS.editions():
        for players in range(2, 7):
            found.append(_of_a_game(edition, players))
    return found


def _of_a_game(edition: str, players: int) -> tuple[list[Any], list[Any], list[Any]]:
    rng = Random(f"{edition} {players}")
    state = KOSMOS.start(players, KOSMOS.edition(edition), Seeded(derive(b"protocol.md test", edition, players)))
    views, actions, events = [], [], []
    while state.to_act is not None:
        views += [state.view(rng.randrange(players)), state.view(None), state.view(state.to_act)]
        offered = state.actions()
        actions += offered
        travels = [index for index, action in enumerate(offered) if action["do"] == "travel"]
        index = rng.choice(travels) if travels and rng.random() < 0.3 else rng.randrange(len(offered))
        events += [event.what for event in state.play(index)]
    return [*views, state.view(None)], actions, events


def vectors(kind: str) -> list[Any]:
    """The golden ones: every kind of action and event is among them."""
    entries = json.loads((DOCUMENT.parent / "tests" / "vectors" / "kosmos.json").read_text("utf-8"))
    return [entry["json"] for entry in entries if entry["name"].startswith(kind)]


def test_actions_have_the_fields_that_are_described() -> None:
    described = tables("10.5")[0]
    seen = set()
    for action in [*vectors("action-"), *(action for _, actions, _ in games() for action in actions)]:
        assert_fields(action, "do", described)
        seen.add(action["do"])
    assert seen == set(described)


def test_events_have_the_fields_that_are_described() -> None:
    [described] = tables("10.6")
    seen = set()
    for event in [*vectors("event-"), *(event for _, _, events in games() for event in events)]:
        assert_fields(event, "event", described)
        seen.add(event["event"])
        if "why" in event:
            assert f'`"{event["why"]}"`' in described[event["event"]][2]
    assert seen == set(described)


def assert_fields(data: Mapping[str, Any], kind: str, described: Mapping[str, Row]) -> None:
    cell = described[data[kind]][1]
    fields = set(code(cell))
    optional = set(re.findall(r"`([^`]+)`\?", cell))
    present = data.keys() - {kind}
    assert fields - optional <= present <= fields, data


def test_actions_are_offered_in_the_phases_that_are_described() -> None:
    described = tables("10.5")[0]
    passive = tables("10.4")[0]
    for edition in KOSMOS.editions():
        state = KOSMOS.start(6, KOSMOS.edition(edition), Seeded(derive(b"protocol.md test", "phases", edition)))
        rng = Random(edition)
        while (seat := state.to_act) is not None:
            phase = state.view(seat)["phase"]
            offered = state.actions()
            for action in offered:
                assert phase in described[action["do"]][2].split(", ")
            if code(passive[phase][2]):
                assert [offered[0]["do"]] == code(passive[phase][2])
            state.play(rng.randrange(len(offered)))


def test_the_parts_of_a_travel_action_are_described() -> None:
    described = set(tables("10.5")[1])
    travels = vectors("action-travel")
    assert described == {
        *travels[0].keys() - {"do"},
        *(f"uses.{key}" for a in travels for use in a["uses"] for key in use),
    }


def test_a_view_has_the_fields_that_are_described() -> None:
    described = tables("10.7")[0]
    hidden = tables("10.7")[1]
    nested = {name for name in described if "." in name}
    seen = set()
    for view in [*vectors("view-"), *(view for views, _, _ in games() for view in views)]:
        assert list(view) == list(dict.fromkeys(name.split(".")[0] for name in described))
        for name, value in view.items():
            if isinstance(value, dict):
                seen |= {f"{name}.{key}" for key in value}
        for deck in ("travel", "event"):
            assert list(view["hidden"][deck]) == list(hidden)
    assert seen == nested


def test_the_edition_has_the_fields_that_are_described() -> None:
    described = list(tables("10.3")[0])
    edition = KOSMOS.edition("standard")
    flat = [f"{k}.{each}" for k in ("knobs", "board") for each in edition[k]]
    assert described == ["name", *flat, "events", *(f"chits.{colour}" for colour in edition["chits"])]
    assert list(edition) == ["name", "knobs", "board", "events", "chits"]


def test_names_are_as_described() -> None:
    names = prose("10.2")
    assert ", ".join(f'`"{name}"`' for name in EVENT_NAMES) in names
    assert ", ".join(f'`"{name}"`' for name in PLACES) in names
    assert ", ".join(CITIES) in names
    counts = ", ".join(map(str, TRAVEL_COUNTS[:5])) + " trains and " + ", ".join(map(str, TRAVEL_COUNTS[5:])) + " ships"
    assert counts in names
    assert [len(name) for name in TRAVEL_NAMES] == [2] * 10
    phases = {view["phase"] for views, _, _ in games() for view in views}
    assert phases == set(tables("10.4")[0])


def test_what_is_said_to_follow_from_a_view_follows() -> None:
    """The three statements at the end of 10.7, and that there were views in which each of their parts mattered."""
    mattered = set()
    for views, _, _ in games():
        for view in views:
            for deck, size in (("travel", view["travel_cards"]), ("event", view["event_cards"])):
                hidden, seat = view["hidden"][deck], view["seat"]
                drawn, shown = hidden["drawn"], hidden["shown"]
                known = [[card for card in cards if of_deck(card) == deck] for cards in view["known"]]
                for each, number in enumerate(size):
                    assert number == len(known[each]) + len(drawn[each]) - len(shown[each])
                for shuffle, pool in hidden["pools"].items():
                    left = view["decks"][deck] if int(shuffle) == hidden["shuffle"] else 0
                    others = [one for each, one in enumerate(drawn) if each != seat]
                    assert sum(pool) == left + sum(entries.count(int(shuffle)) for entries in others)
                if seat is not None:
                    own = known[seat] + hidden["yours"]
                    for card, _ in shown[seat]:
                        own.remove(card)
                    assert sorted(own) == sorted(card for card in view["hand"] if of_deck(card) == deck)
                    mattered.add(f"{deck}, own shown" if shown[seat] else deck)
                mattered |= {f"{deck}, shown" for entries in shown if entries}
                mattered |= {f"{deck}, reshuffled"} if len(hidden["pools"]) > 1 else set()
    assert {"travel", "event", "travel, shown", "travel, own shown", "travel, reshuffled"} <= mattered


def of_deck(card: str) -> str:
    return "travel" if len(card) == 2 else "event"


def test_lists_have_as_many_entries_as_described() -> None:
    for number, (views, _, _) in enumerate(games()):
        players = 2 + number % 5
        for view in views:
            assert {len(view[name]) for name in ("city", "days", "gold", "travel_cards", "known")} == {players}
            assert (len(view["display"]), len(view["red"]), len(view["blue"])) == (6, 11, 11)
            if view["phase"] == "escape":
                assert view["on_turn"] == view["seat"]


# The bot that is printed


def test_the_bot_printed_in_the_document_plays_a_whole_game_without_a_fault(tmp_path: Path) -> None:
    [source] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert "import arena" not in source
    (tmp_path / "first.py").write_text(source)
    (tmp_path / "second.py").write_text(source)
    built = {
        each.name: build(each, tmp_path / "cache")
        for each in expand([tmp_path / "first.py", tmp_path / "second.py"]).found
    }
    setup = Setup("kosmos", KOSMOS.edition("standard"), TimeControl(start=120, move=60, bank=60), built)
    orders = [GameOrder(f"g{n}", n, 2, 0, n, f"{n:032x}", ["first", "second"]) for n in range(2)]
    with Host(setup, pin=False) as host:
        records = host.play(orders)
    assert [record.ending for record in records] == ["finished", "finished"]
    assert [record.faults for record in records] == [[], []]
