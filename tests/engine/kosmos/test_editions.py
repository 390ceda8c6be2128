"""Editions as data: the four named ones, a user's own file, and what is said when it is wrong."""

from __future__ import annotations

from ast import literal_eval
from collections import OrderedDict
from copy import deepcopy
from pathlib import Path

import pytest

from engine.chance import Seeded
from engine.kosmos.cards import CITIES
from engine.kosmos.edition import typed
from engine.rules import EditionError
from tests.engine.kosmos.positions import KOSMOS, edition, finish_round, go, position

PARAMETERS = {
    "chits_face_down": (False, False, True, False),
    "blue_chit": ("last", "last", "second", "last"),
    "refuse_chits": (False, False, True, False),
    "decline_chit_cards": (True, True, True, False),
    "over_limit": ("choose", "choose", "blind", "choose"),
    "india_events": (False, False, True, False),
    "home_cards": ("top", "bottom", "bottom", "top"),
    "late_first_loses": (True, False, True, True),
    "balloon_breaks_pairs": (False, False, True, False),
    "inattention_days": (0, 0, 0, 0),
    "max_rounds": (100, 100, 100, 100),
    "max_rounds_of_two": (40, 40, 40, 40),
}
"""By parameter: standard, en, ru, nim."""


def test_the_named_editions_the_default_first() -> None:
    assert KOSMOS.editions() == ["standard", "en", "ru", "nim"]


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_the_table_of_editions(parameter: str) -> None:
    """K-10, K-35, K-44, K-51, K-58, K-65, K-66, K-72, K-82, K-84: what their parameters are set to."""
    values = tuple(edition(name)["parameters"][parameter] for name in KOSMOS.editions())
    assert values == PARAMETERS[parameter]


def test_editions_differ_in_their_parameters_and_in_nothing_else() -> None:
    assert set(edition()["parameters"]) == set(PARAMETERS)
    for name in ("en", "ru", "nim"):
        other = edition(name)
        assert other["name"] == name
        assert {key: other[key] for key in ("board", "events", "chits")} == {
            key: edition()[key] for key in ("board", "events", "chits")
        }


@pytest.mark.parametrize("name", ["standard", "en", "ru", "nim"])
def test_every_datum_says_where_it_comes_from(name: str) -> None:
    rows = KOSMOS.parameters(name)
    assert {row.name for row in rows} >= set(PARAMETERS) | {"events", "red chits", "blue chits", "New York-London"}
    assert [row.name for row in rows if not row.source] == []


def test_inattention_costs_what_the_edition_says() -> None:
    """The house rule of `ru`: nothing by default, else that many days, for who is still on the way."""
    assert position(3, edition("ru")).penalize(1) == []
    state = position(3, edition("ru", inattention_days=2), home=(2,))
    [event] = state.penalize(1)
    assert (event.to, event.what) == (None, {"event": "lose", "seat": 1, "days": 2, "why": "penalty"})
    assert state.penalize(2) == []
    assert state.table.days == [0, 2, 0]


# A user's own file

OWN = """
base = "ru"

[parameters]
max_rounds = 7
over_limit = "choose"

[board.legs]
"Brindisi-Suez" = [["train", "train", "ship"], ["ship"]]
"London-Paris" = "elephant"

[events]
princess = 3
storm = 0

[chits.red]
gold = 9
travel = 0
event = 0
delay = 0
"""


def written(folder: Path, text: str, name: str = "own.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    path = written(tmp_path, OWN)
    data = KOSMOS.edition(path)
    assert data == KOSMOS.edition(str(path))
    assert data["name"] == "own"
    base = edition("ru")
    assert data["parameters"] == base["parameters"] | {"max_rounds": 7, "over_limit": "choose"}
    legs = base["board"]["legs"]
    assert data["board"] == {
        "cities": list(CITIES), "legs": ["elephant", legs[1], [["train", "train", "ship"], ["ship"]], *legs[3:]],
    }  # fmt: skip
    assert data["events"] == base["events"] | {"princess": 3, "storm": 0}
    assert data["chits"] == {"red": {"gold": 9, "travel": 0, "event": 0, "delay": 0}, "blue": base["chits"]["blue"]}
    sources = {row.name: row.source for row in KOSMOS.parameters(path)}
    assert sources["max_rounds"] == sources["Brindisi-Suez"] == sources["events"] == f"set in {path}"
    assert sources["blue_chit"] == "stated (002)"
    assert sources["New York-London"] == "stated"


def test_it_is_played_by_those_rules(tmp_path: Path) -> None:
    data = KOSMOS.edition(written(tmp_path, OWN))
    state = KOSMOS.start(3, data, Seeded(bytes(16)))
    assert state.chits[0][1:10] == ["gold"] * 9  # type: ignore[attr-defined]
    for _ in range(7):
        assert state.to_act is not None
        finish_round(state)  # type: ignore[arg-type]
    assert (state.to_act, state.table.round) == (None, 7)  # type: ignore[attr-defined]
    state = position(3, data, phase="travel")
    go(state, "- = 12")
    assert state.table.city[0] == 1
    assert len(state.decks[1].order) + len(state.decks[1].discards) == 16


@pytest.mark.parametrize("text", ["", 'base = "standard"', "[parameters]\n"])
def test_without_a_base_it_is_the_standard(tmp_path: Path, text: str) -> None:
    data = KOSMOS.edition(written(tmp_path, text))
    assert data == edition() | {"name": "own"}  # type: ignore[operator]


def test_one_edition_does_not_spoil_another(tmp_path: Path) -> None:
    before = edition("ru")
    KOSMOS.edition(written(tmp_path, OWN))
    assert edition("ru") == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # Unknown keys, at every depth.
        ("bse = 'ru'", ["unknown key bse", "base, parameters, board, events, chits"]),
        (
            "[parameters]\nblue_chip = 'last'",
            ["unknown key parameters.blue_chip", "chits_face_down, blue_chit, refuse_chits"],
        ),
        ("[board]\ncities = ['Rome']", ["unknown key board.cities", "legs"]),
        ("[board.legs]\n'London-Rome' = [['ship']]", ["unknown key board.legs.London-Rome", "London-Paris"]),
        ("[events]\ndragon = 1", ["unknown key events.dragon", "distraction, offer, swap"]),
        ("[chits.green]\ngold = 9", ["unknown key chits.green", "red, blue"]),
        ("[chits.red]\nsilver = 1", ["unknown key chits.red.silver", "gold, travel, event, delay"]),
        # Unknown bases.
        ("base = 'german'", ["base", "standard, en, ru, nim", "'german'"]),
        ("base = 3", ["base", "standard, en, ru, nim", "not 3"]),
        ("base = ['ru']", ["base", "standard, en, ru, nim"]),
        # Wrong types and values.
        ("parameters = 3", ["parameters", "a table", "not 3"]),
        ("[parameters]\nrefuse_chits = 1", ["parameters.refuse_chits", "true or false", "not 1"]),
        ("[parameters]\nrefuse_chits = 'yes'", ["parameters.refuse_chits", "true or false", "'yes'"]),
        ("[parameters]\nblue_chit = 'third'", ["parameters.blue_chit", "last, second", "'third'"]),
        ("[parameters]\nblue_chit = true", ["parameters.blue_chit", "last, second", "True"]),
        ("[parameters]\nmax_rounds = 0", ["parameters.max_rounds", "a whole number from 1 to 1000", "not 0"]),
        ("[parameters]\nmax_rounds = 1001", ["parameters.max_rounds", "a whole number from 1 to 1000", "not 1001"]),
        ("[parameters]\nmax_rounds = true", ["parameters.max_rounds", "a whole number", "True"]),
        ("[parameters]\nmax_rounds = 20.0", ["parameters.max_rounds", "a whole number", "20.0"]),
        (
            "[parameters]\ninattention_days = -1",
            ["parameters.inattention_days", "a whole number from 0 to 80", "not -1"],
        ),
        ("[events]\nprincess = -1", ["events.princess", "a whole number from 0 to 60", "not -1"]),
        ("[events]\nprincess = 'two'", ["events.princess", "a whole number", "'two'"]),
        ("events = ['princess']", ["events", "a table"]),
        ("[chits]\nred = 9", ["chits.red", "a table", "not 9"]),
        ("[sources]\nevents = 3", ["sources.events", "a text"]),
        # Legs that cannot be.
        ("[board.legs]\n'London-Paris' = []", ["board.legs.London-Paris", "one or two options"]),
        ("[board.legs]\n'London-Paris' = [[]]", ["board.legs.London-Paris", "one to three"]),
        ("[board.legs]\n'London-Paris' = ['ship']", ["board.legs.London-Paris", "'ship'"]),
        ("[board.legs]\n'London-Paris' = 'camel'", ["board.legs.London-Paris", '"elephant"', "'camel'"]),
        ("[board.legs]\n'London-Paris' = [['camel']]", ["board.legs.London-Paris", '"train" and "ship"', "camel"]),
        ("[board.legs]\n'London-Paris' = [[['ship']]]", ["board.legs.London-Paris", '"train" and "ship"']),
        ("[board.legs]\n'London-Paris' = 5", ["board.legs.London-Paris", "not 5"]),
        ("[board.legs]\n'London-Paris' = [['ship', 'ship', 'ship']]", ["at most two of a kind"]),
        ("[board.legs]\n'London-Paris' = [['ship', 'ship', 'train', 'train']]", ["one to three"]),
        ("[board.legs]\n'London-Paris' = [['ship'], ['train'], ['ship', 'train']]", ["one or two options"]),
        ("[board.legs]\n'London-Paris' = [['ship', 'train'], ['train', 'ship']]", ["two different options"]),
        # Chits that are not nine.
        ("[chits.red]\ngold = 4", ["chits.red", "9 chits in all, not 10"]),
        ("[chits.blue]\nevent = 0", ["chits.blue", "9 chits in all, not 7"]),
        ("[chits.blue]\nevent = 10", ["chits.blue.event", "a whole number from 0 to 9", "not 10"]),
        # No TOML at all.
        ("base = ", ["not valid TOML"]),
        ("[parameters\n", ["not valid TOML"]),
    ],
)
def test_what_is_said_of_a_wrong_file(tmp_path: Path, text: str, said: list[str]) -> None:
    """K-02, K-03, K-06: file, key and what is allowed."""
    path = written(tmp_path, text)
    for read in (KOSMOS.edition, KOSMOS.parameters):
        with pytest.raises(EditionError) as caught:
            read(path)
        message = str(caught.value)
        assert message.startswith(f"{path}: ")
        assert [part for part in said if part not in message] == [], message


@pytest.mark.parametrize(
    "leg", ["'elephant'", "[['ship']]", "[['train', 'train', 'ship']]", "[['train'], ['ship', 'ship', 'train']]"]
)
def test_legs_that_are_allowed(tmp_path: Path, leg: str) -> None:
    """K-06: the Bombay-Calcutta kind, or one or two options of one to three cards, at most two of a kind."""
    data = KOSMOS.edition(written(tmp_path, f"[board.legs]\n'Paris-Brindisi' = {leg}"))
    assert data["board"]["legs"][1] == literal_eval(leg)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    with pytest.raises(EditionError, match="cannot be read") as caught:
        KOSMOS.edition(missing)
    assert str(caught.value).startswith(f"{missing}: ")
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(EditionError, match="cannot be read"):
        KOSMOS.edition(folder)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"base = '\xff\xfe'")
    with pytest.raises(EditionError, match="cannot be read"):
        KOSMOS.edition(binary)


@pytest.mark.parametrize("name", ["Standard", "german", "", "standard.txt", "data/standard"])
def test_a_name_that_is_no_edition(name: str) -> None:
    with pytest.raises(EditionError, match=r"no edition.*standard, en, ru, nim.*\.toml"):
        KOSMOS.edition(name)


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (("events", "offer"), 10**9, "edition 'standard': events.offer: must be a whole number from 0 to 60"),
        (("chits", "red", "gold"), 10**9, "edition 'standard': chits.red.gold: must be a whole number from 0 to 9"),
        (("parameters", "max_rounds"), 10**9, "edition 'standard': parameters.max_rounds: must be a whole number"),
        (("board", "cities"), ["London"] * 11, "edition 'standard': board: must be"),
        (("more",), 1, "edition 'standard': unknown key more"),
        (("name",), ["x"], "name: must be a text"),
    ],
)
def test_a_resolved_edition_that_no_file_can_ask_for_is_not_played(
    where: tuple[str, ...], value: object, said: str
) -> None:
    """It may come from anybody: a deck of a billion cards must not be built."""
    data = table = edition()
    for key in where[:-1]:
        table = table[key]
    assert where == ("more",) or where[-1] in table
    table[where[-1]] = value
    with pytest.raises(EditionError) as error:
        KOSMOS.start(2, data, Seeded(bytes(16)))
    assert said in str(error.value)


def test_what_a_later_version_adds_to_an_edition_keeps_no_bot_from_determinizing():
    data = KOSMOS.edition("standard")
    view = KOSMOS.start(3, data, Seeded(bytes(16))).view(0)
    later = {**data, "later": {"new": 1}}
    assert KOSMOS.determinize(view, len(view["city"]), later, Seeded(bytes(16))).view(0) == view


def test_equal_editions_are_converted_once() -> None:
    """Also if they are no plain dicts, or their keys come in another order."""
    data = edition("ru")
    converted = typed(data)
    assert typed(deepcopy(data)) is converted
    assert typed(OrderedDict(reversed(data.items()))) is converted  # type: ignore[call-overload]
    data["parameters"]["max_rounds"] = 7
    assert typed(data).data["parameters"]["max_rounds"] == 7
    assert converted.data["parameters"]["max_rounds"] == 100
