"""Editions as data: the two named ones, a user's own file, and what is said when it is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.chance import Seeded
from engine.ravensburger import RULES
from engine.rules import EditionError
from tests.engine.ravensburger.positions import choices, do, edition, position

PARAMETERS = {
    "goal_hand_limit": (1, 0),
    "backwards": (False, True),
    "keep_events": (False, True),
    "event_squares": (False, True),
    "max_rounds": (200, 200),
}
"""By parameter: standard, expert."""
COUNTED = "5 numbers, how many cards of value 1 to 5"


def test_the_named_editions_the_default_first() -> None:
    assert RULES.editions() == ["standard", "expert"]


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_the_table_of_editions(parameter: str) -> None:
    """R-34, R-51, R-53, R-70, R-71, R-72, R-74: what their parameters are set to."""
    assert tuple(edition(name)["parameters"][parameter] for name in ("standard", "expert")) == PARAMETERS[parameter]


def test_editions_differ_in_their_parameters_and_in_nothing_else() -> None:
    standard, expert = edition("standard"), edition("expert")
    assert set(standard) == set(expert) == {"name", "parameters", "board", "cards", "events"}
    assert set(standard["parameters"]) == set(expert["parameters"]) == set(PARAMETERS)
    assert [key for key in standard if standard[key] != expert[key]] == ["name", "parameters"]


@pytest.mark.parametrize("name", ["standard", "expert"])
def test_every_datum_says_where_it_comes_from(name: str) -> None:
    rows = RULES.parameters(name)
    assert {row.name for row in rows} >= set(PARAMETERS) | {
        "goal", "rose squares", "stage squares", "spyglass squares", "handcuffs squares", "stage names", "coach cards",
        "purse cards", "event self_forward_1", "event place_rose",
    }  # fmt: skip
    assert [row.name for row in rows if not row.source] == []


def test_a_penalty_of_nothing_costs_nothing() -> None:
    """The document knows no price for it."""
    assert position(3).penalize(1) == []


# A user's own file

OWN = """
base = "expert"

[parameters]
max_rounds = 7
backwards = false

[board]
goal = 20
rose = [9, 3]
stage = [12, 4]
stage_names = ["Suez", "Paris"]
spyglass = []
handcuffs = [15]

[cards]
coach = [9, 0, 0, 0, 1]
purse = 0

[events]
self_forward_3 = 0
self_forward_20 = 2
leader_forward_1 = 1
"""


def written(folder: Path, text: str, name: str = "own.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    """R-05: squares are kept in order, a stage with its name."""
    path = written(tmp_path, OWN)
    data = RULES.edition(path)
    assert data == RULES.edition(str(path))
    assert data["name"] == "own"
    base = edition("expert")
    assert data["parameters"] == base["parameters"] | {"max_rounds": 7, "backwards": False}
    assert data["board"] == {
        "goal": 20, "rose": [3, 9], "stage": [4, 12], "stage_names": ["Paris", "Suez"], "spyglass": [],
        "handcuffs": [15],
    }  # fmt: skip
    assert data["cards"] == base["cards"] | {"coach": [9, 0, 0, 0, 1], "purse": 0}
    sources = {row.name: row.source for row in RULES.parameters(path)}
    assert sources["max_rounds"] == sources["goal"] == sources["coach cards"] == f"set in {path}"
    assert sources["event self_forward_20"] == f"set in {path}"
    assert sources["keep_events"] == "stated (003)"


def test_event_cards_of_ones_own(tmp_path: Path) -> None:
    """R-03: built from a small set of effects, in the stable order."""
    data = RULES.edition(written(tmp_path, OWN))
    rows = {row["card"]: row for row in data["events"]}
    assert rows["self_forward_20"] == {
        "card": "self_forward_20", "effect": "self", "steps": 20, "cards": 0, "count": 2,
    }  # fmt: skip
    assert (rows["self_forward_3"]["count"], rows["leader_forward_1"]["count"]) == (0, 1)
    names = list(rows)
    assert names.index("self_forward_5") < names.index("self_forward_20") < names.index("self_back_1")
    assert names.index("self_back_4") < names.index("leader_forward_1") < names.index("leader_back_3")


def test_it_is_played_by_those_rules(tmp_path: Path) -> None:
    data = RULES.edition(written(tmp_path, OWN))
    state = RULES.start(3, data, Seeded(bytes(16)))
    assert [len(deck.order) for deck in state.decks] == [54, 40]
    do(state, "rose coach")
    for _ in range(21):
        assert state.to_act is not None
        do(state, "draw 1")
    assert (state.to_act, state.table.round) == (None, 7)
    state = position(2, data, rose="coach", at=15, hands={0: "coach-5"})
    assert choices(state) == ["play coach-5 20", "draw 1", "draw 2"]
    state = position(2, data, rose="coach", at=16, hands={0: "coach-1 coach-1 coach-1"})
    assert choices(state) == ["play coach-1 17", "discard coach-1"]


@pytest.mark.parametrize("text", ["", 'base = "standard"', "[parameters]\n", "[board]\n", "[events]\n"])
def test_without_a_base_it_is_the_standard(tmp_path: Path, text: str) -> None:
    assert RULES.edition(written(tmp_path, text)) == edition() | {"name": "own"}  # type: ignore[operator]


def test_one_edition_does_not_spoil_another(tmp_path: Path) -> None:
    before = edition("expert")
    RULES.edition(written(tmp_path, OWN))
    assert edition("expert") == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # Unknown keys, at every depth.
        ("bse = 'expert'", ["unknown key bse", "base, parameters, board, cards, events, sources"]),
        (
            "[parameters]\nbackward = true",
            ["unknown key parameters.backward", "goal_hand_limit, backwards, keep_events"],
        ),
        ("[board]\nlondon = 80", ["unknown key board.london", "goal, rose, stage, spyglass, handcuffs, stage_names"]),
        ("[cards]\nboat = 3", ["unknown key cards.boat", "coach, train, steamer, elephant, rose, handcuffs, purse"]),
        ("[events]\ndragon = 1", ["unknown key events.dragon", "self_forward_N", "lay_off_N", "place_rose"]),
        ("[events]\nself_forward_21 = 1", ["unknown key events.self_forward_21"]),
        ("[events]\nself_forward_0 = 1", ["unknown key events.self_forward_0"]),
        ("[events]\nself_forward = 1", ["unknown key events.self_forward"]),
        ("[events]\ndraw_11 = 1", ["unknown key events.draw_11"]),
        ("[events]\nothers_sideways_1 = 1", ["unknown key events.others_sideways_1"]),
        # Unknown bases.
        ("base = 'german'", ["base", "standard, expert", "'german'"]),
        ("base = 3", ["base", "standard, expert", "not 3"]),
        # Wrong types and values.
        ("parameters = 3", ["parameters", "a table", "not 3"]),
        ("board = 3", ["board", "a table", "not 3"]),
        ("events = ['draw_1']", ["events", "a table"]),
        ("[parameters]\nbackwards = 1", ["parameters.backwards", "true or false", "not 1"]),
        ("[parameters]\ngoal_hand_limit = -1", ["parameters.goal_hand_limit", "a whole number from 0 to 60", "not -1"]),
        ("[parameters]\ngoal_hand_limit = true", ["parameters.goal_hand_limit", "a whole number", "True"]),
        ("[parameters]\nmax_rounds = 0", ["parameters.max_rounds", "a whole number from 1 to 1000", "not 0"]),
        ("[parameters]\nmax_rounds = 1001", ["parameters.max_rounds", "a whole number from 1 to 1000", "not 1001"]),
        ("[cards]\nrose = -1", ["cards.rose", "a whole number from 0 to 60", "not -1"]),
        ("[cards]\nrose = [1]", ["cards.rose", "a whole number"]),
        ("[cards]\ncoach = 3", ["cards.coach", COUNTED, "3"]),
        ("[cards]\ncoach = [1, 2, 3, 4]", ["cards.coach", COUNTED]),
        ("[cards]\ncoach = [1, 2, 3, 4, -5]", ["cards.coach", "a whole number from 0 to 60", "not -5"]),
        ("[cards]\ncoach = [1, 2, 3, 4, 'x']", ["cards.coach", "a whole number", "'x'"]),
        ("[events]\ndraw_1 = -1", ["events.draw_1", "a whole number from 0 to 60", "not -1"]),
        ("[events]\ndraw_1 = 'two'", ["events.draw_1", "a whole number", "'two'"]),
        ("[sources]\n'parameters.backwards' = 3", ["sources.parameters.backwards", "a text"]),
        # Boards that cannot be.
        ("[board]\ngoal = 1", ["board.goal", "a whole number from 2 to 1000", "not 1"]),
        ("[board]\ngoal = '80'", ["board.goal", "a whole number", "'80'"]),
        ("[board]\ngoal = 50", ["board.rose", "squares from 1 to 49", "not 55"]),
        ("[board]\nrose = 3", ["board.rose", "a list", "not 3"]),
        ("[board]\nrose = [0]", ["board.rose", "squares from 1 to 79", "between start and goal", "not 0"]),
        ("[board]\nspyglass = [80]", ["board.spyglass", "squares from 1 to 79", "not 80"]),
        ("[board]\nspyglass = [-1]", ["board.spyglass", "not -1"]),
        ("[board]\nspyglass = ['Suez']", ["board.spyglass", "'Suez'"]),
        ("[board]\nspyglass = [true]", ["board.spyglass", "True"]),
        ("[board]\nspyglass = [5]", ["board.spyglass", "one kind a square", "5 is in board.stage"]),
        ("[board]\nspyglass = [6, 6]", ["board.spyglass", "one kind a square", "6 is in board.spyglass"]),
        ("[board]\nhandcuffs = [7]", ["board.handcuffs", "one kind a square", "7 is in board.spyglass"]),
        ("[board]\nstage = [5, 15]", ["board.stage_names", "one name for each of the 2 stages, not 10"]),
        ("[board]\nstage_names = ['Paris']", ["board.stage_names", "one name for each of the 10 stages, not 1"]),
        ("[board]\nstage_names = [1]", ["board.stage_names", "names"]),
        ("[board]\nstage_names = 'Paris'", ["board.stage_names", "a list"]),
        # No TOML at all.
        ("base = ", ["not valid TOML"]),
        ("[parameters\n", ["not valid TOML"]),
    ],
)
def test_what_is_said_of_a_wrong_file(tmp_path: Path, text: str, said: list[str]) -> None:
    """R-03, R-05: file, key and what is allowed."""
    path = written(tmp_path, text)
    for read in (RULES.edition, RULES.parameters):
        with pytest.raises(EditionError) as caught:
            read(path)
        message = str(caught.value)
        assert message.startswith(f"{path}: ")
        assert [part for part in said if part not in message] == [], message


@pytest.mark.parametrize("text", [
    "[board]\nspyglass = []\nhandcuffs = []", "[board]\nhandcuffs = [1, 79]", "[board]\ngoal = 1000",
    "[board]\ngoal = 2\nrose = [1]\nstage = []\nstage_names = []\nspyglass = []\nhandcuffs = []",
])  # fmt: skip
def test_boards_that_are_allowed(tmp_path: Path, text: str) -> None:
    """R-05: special squares anywhere between start and goal, or none."""
    state = RULES.start(2, RULES.edition(written(tmp_path, text)), Seeded(bytes(16)))
    assert state.edition.board.kinds[0] == state.edition.board.kinds[-1] == 0


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    with pytest.raises(EditionError, match="cannot be read") as caught:
        RULES.edition(missing)
    assert str(caught.value).startswith(f"{missing}: ")


@pytest.mark.parametrize("name", ["Standard", "ru", "", "expert.txt"])
def test_a_name_that_is_no_edition(name: str) -> None:
    with pytest.raises(EditionError, match=r"no edition.*standard, expert.*\.toml"):
        RULES.edition(name)


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (("cards", "rose"), 10**9, "edition 'standard': cards.rose: must be a whole number from 0 to 60"),
        (("cards", "coach", 0), 10**9, "edition 'standard': cards.coach: must be a whole number from 0 to 60"),
        (("events", 0, "count"), 10**9, "edition 'standard': events.self_forward_1: must be a whole number"),
        (("events", 0, "steps"), 10**9, "edition 'standard': events: must be"),
        (("board", "goal"), 10**9, "edition 'standard': board.goal: must be a whole number from 2 to 1000"),
        (("parameters", "max_rounds"), 10**9, "edition 'standard': parameters.max_rounds: must be a whole number"),
        (("more",), 1, "edition 'standard': unknown key more"),
    ],
)
def test_a_resolved_edition_that_no_file_can_ask_for_is_not_played(
    where: tuple[Any, ...], value: object, said: str
) -> None:
    """It may come from anybody: a deck of a billion cards must not be built."""
    data = edition()
    table: Any = data
    for key in where[:-1]:
        table = table[key]
    assert where == ("more",) or table[where[-1]] is not None
    table[where[-1]] = value
    with pytest.raises(EditionError) as error:
        RULES.start(2, data, Seeded(bytes(16)))
    assert said in str(error.value)


def test_what_a_later_version_adds_to_an_edition_keeps_no_bot_from_determinizing():
    data = RULES.edition("standard")
    view = RULES.start(3, data, Seeded(bytes(16))).view(0)
    later = {**data, "later": {"new": 1}}
    assert RULES.determinize(view, len(view["square"]), later, Seeded(bytes(16))).view(0) == view
