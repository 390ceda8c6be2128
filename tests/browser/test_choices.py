"""How the page of a person who plays narrows the legal actions by the places and cards that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import catalog
from engine.picture import Illustrated

pytestmark = pytest.mark.browser
ASSETS = Path(__file__).parents[2] / "arena" / "site" / "assets"
RUN = """([offered, known, does]) => {
  const choices = new arenaPlay.Choices(offered, known);
  for (const [what, value] of does) choices[what](value);
  const lit = [...choices.lit()].sort();
  const entries = choices.entries(5).map((each) => Array.isArray(each) ? [choices.stem(each), each] : each);
  return { entries, left: choices.left(), lit, chosen: choices.chosen(), idle: choices.idle(known.hand) };
}"""
Narrow = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def narrow(browser: Any) -> Iterator[Narrow]:
    page = browser.new_page()
    page.add_script_tag(path=ASSETS / "play-choices.js")
    games = {name: rules for name, rules in catalog.installed().items() if isinstance(rules, Illustrated)}
    boards = {name: rules.board(catalog.rules(name).edition("standard")) for name, rules in games.items()}

    def run(rules: str, hand: list[str], actions: list[Any], *does: tuple[str, Any]) -> dict[str, Any]:
        offered = [{"action": each, "text": each.get("text") or str(each)} for each in actions]
        known = {"board": boards.get(rules), "hand": hand}
        found: dict[str, Any] = page.evaluate(RUN, [offered, known, [list(each) for each in does]])
        return found

    yield run
    page.close()


def travel(to: str, cards: list[str], events: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"do": "travel", "to": to, "cards": cards, "days": 7, "die": False, "events": [*events], "uses": []}


WAYS = [
    {"do": "stay"},
    travel("Paris", ["t2", "s8"]),
    travel("Paris", ["t4", "s8"]),
    travel("Paris", ["t4", "s8"], ("balloon",)),
    {"do": "detective", "by": "detective", "to": "Paris"},
    {"do": "detective", "by": "detective", "to": "Suez"},
]
HAND = ["t2", "t4", "s8", "s8", "balloon", "detective", "offer"]


def test_what_is_picked_leaves_the_actions_that_name_it(narrow: Narrow) -> None:
    start = narrow("kosmos", HAND, WAYS)
    assert start["left"] == [0, 1, 2, 3, 4, 5]
    assert start["chosen"] is None
    assert start["idle"] == ["offer"]
    marks = ["hand:balloon", "hand:detective", "hand:s8", "hand:t2", "hand:t4", "place:1", "place:3"]
    assert start["lit"] == marks
    paris = narrow("kosmos", HAND, WAYS, ("pick", "place:1"))
    assert paris["left"] == [1, 2, 3, 4]
    assert "place:3" not in paris["lit"]
    assert narrow("kosmos", HAND, WAYS, ("pick", "place:1"), ("pick", "hand:t2"))["chosen"] == 1


def test_all_of_an_action_chooses_it_though_others_use_more(narrow: Narrow) -> None:
    exchange = [{"do": "exchange", "cards": cards} for cards in (["t4"], ["t4", "t4"], ["t4", "s8"])]
    one = narrow("kosmos", ["t4", "t4", "s8"], exchange, ("pick", "hand:t4"))
    assert (one["left"], one["chosen"], one["lit"]) == ([0, 1, 2], 0, ["hand:s8", "hand:t4"])
    both = narrow("kosmos", ["t4", "t4", "s8"], exchange, ("pick", "hand:t4"), ("pick", "hand:t4"))
    assert (both["left"], both["chosen"]) == ([1], 1)


def test_what_is_half_chosen_is_taken_back_step_by_step(narrow: Narrow) -> None:
    picks = [("pick", "place:1"), ("pick", "hand:t4")]
    assert narrow("kosmos", HAND, WAYS, *picks, ("undo", None))["left"] == [1, 2, 3, 4]
    assert narrow("kosmos", HAND, WAYS, *picks, ("undo", None), ("undo", None))["left"] == [0, 1, 2, 3, 4, 5]
    again = narrow("kosmos", HAND, WAYS, *picks, ("pick", "place:1"))
    assert again["left"] == [2, 3], "a second click on a place takes it back"
    named = narrow("kosmos", HAND, WAYS, ("name", 5))
    assert (named["chosen"], named["left"]) == (5, [0, 1, 2, 3, 4, 5])
    assert narrow("kosmos", HAND, WAYS, ("name", 5), ("undo", None))["chosen"] is None


def test_a_journey_home_ends_at_the_last_place_of_that_name(narrow: Narrow) -> None:
    assert narrow("kosmos", ["s5"], [{"do": "stay"}, travel("London", ["s5"])])["lit"] == ["hand:s5", "place:10"]


def test_a_card_on_display_is_not_the_one_in_hand(narrow: Narrow) -> None:
    takes = [{"do": "take", "place": "gold", "card": "t4"}, {"do": "take", "place": "event", "card": "t5"}]
    found = narrow("kosmos", ["t4", "t5"], [*takes, {"do": "swap", "by": "swap", "places": ["gold", "event"]}])
    assert found["lit"] == ["slot:display:0", "slot:display:2"]
    swap = narrow("kosmos", ["swap"], [{"do": "swap", "by": "swap", "places": ["gold", "event"]}, *takes])
    assert swap["lit"] == ["hand:swap", "slot:display:0", "slot:display:2"]


def test_squares_and_the_signs_of_a_dial_can_be_picked(narrow: Narrow) -> None:
    purse = [{"do": "play", "card": "purse", "to": square} for square in (1, 2, 3)]
    found = narrow("ravensburger", ["purse", "rose"], [*purse, {"do": "draw", "count": 1}])
    assert found["lit"] == ["hand:purse", "place:1", "place:2", "place:3"]
    assert narrow("ravensburger", ["purse"], purse, ("pick", "place:2"))["chosen"] == 1
    roses = [{"do": "rose", "to": mode} for mode in ("coach", "train")]
    assert narrow("ravensburger", [], roses)["lit"] == ["dial:rose on:coach", "dial:rose on:train"]
    assert narrow("ravensburger", [], roses, ("pick", "dial:rose on:train"))["chosen"] == 1


def test_what_looks_alike_is_one_entry_of_a_long_list(narrow: Narrow) -> None:
    ways = [{**each, "text": f"travel to Paris, paying train {days}"} for days, each in enumerate(WAYS[1:4])]
    few = [{"do": "stay", "text": "stay"}, *ways]
    assert narrow("kosmos", HAND, few)["entries"] == [0, 1, 2, 3], "a short list is as it is"
    many = [*ways, *({"do": "buy", "text": f"buy {deck}"} for deck in ("travel", "event")), few[0]]
    assert narrow("kosmos", HAND, many)["entries"] == [["travel to Paris, paying train", [0, 1, 2]], 3, 4, 5]
    opened = narrow("kosmos", HAND, many, ("narrow", [0, 1, 2]))
    assert (opened["entries"], opened["chosen"]) == ([0, 1, 2], None)
    assert narrow("kosmos", HAND, many, ("narrow", [0, 1, 2]), ("undo", None))["left"] == [0, 1, 2, 3, 4, 5]


def test_without_a_board_the_list_alone_is_chosen_from(narrow: Narrow) -> None:
    found = narrow("number_race", [], [{"do": "add", "number": 1}, {"do": "add", "number": 2}], ("name", 1))
    assert (found["lit"], found["chosen"]) == ([], 1)
