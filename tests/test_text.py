"""A decision in words, and what is read as an answer to it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.text import ModelAnswer, briefing, parse, question
from engine import catalog
from engine.chance import Seeded
from engine.rules import Rules, State

GAMES = ("kosmos", "ravensburger", "openspiel:hearts", "openspiel:leduc_poker")
WORDS = ("call", "raise", "raise by 3 chips", "go to Paris, paying train 2: 2 days", "pass", "pass")
ACTIONS: list[dict[str, Any]] = [{"do": each} for each in WORDS]


def said(action: Any) -> str:
    return str(action["do"])


def strictly(answer: str) -> ModelAnswer:
    return parse(answer, ACTIONS, said)


def leniently(answer: str) -> ModelAnswer:
    return parse(answer, ACTIONS, said, strict=False)


def begun(name: str, plies: int = 7) -> tuple[Rules, Any, State, list[Any]]:
    """A game of so many plies, and what the seat to act heard meanwhile."""
    if name.startswith("openspiel:"):
        pytest.importorskip("pyspiel")
    rules = catalog.rules(name)
    edition = rules.edition(rules.editions()[0])
    state = rules.start(rules.players[0], edition, Seeded(b"sixteen bytes at"))
    events: list[Any] = []
    for ply in range(plies):
        if state.to_act is None or len(state.actions()) < 2:
            break
        last = state.copy(), events[:]
        events += state.play(ply % len(state.actions()))
    if state.to_act is None:
        state, events = last
    return rules, edition, state, [each.what for each in events if each.to in (None, state.to_act)]


# Prompts


@pytest.mark.parametrize("name", GAMES)
def test_a_prompt_has_rules_events_view_and_actions_in_the_words_of_the_rules(name: str) -> None:
    rules, edition, state, events = begun(name)
    seat, players = state.to_act, rules.players[0]
    assert seat is not None
    view, actions = state.view(seat), state.actions()
    text = f"{briefing(rules, edition, players, seat)}\n{question(rules, edition, view, actions, events)}"
    assert text.startswith(f"You play {name.removeprefix('openspiel:')} with {players} players.")
    assert f"you are seat {seat}" in text
    assert "\n".join(f"{index}: {rules.words(action)}" for index, action in enumerate(actions)) in text
    assert "ANSWER: <number>" in text.splitlines()[-1]
    if "text" in view:
        assert view["text"] in text
    else:
        assert f"hand: {json.dumps(view['hand'])}" in text
        assert rules.words(events[-1]) in text
        assert "hidden: " not in text
    assert len(text) < 8000


def test_the_rules_of_a_game_from_another_package_are_its_own_words() -> None:
    rules, edition, *_ = begun("kosmos")

    class Plain:
        """Rules without pictures, whose module ships a `rules.md`."""

        name, words = rules.name, staticmethod(rules.words)

    Plain.__module__ = type(rules).__module__
    text = briefing(Plain(), edition, 2, 0)  # type: ignore[arg-type]
    assert "**K-1**" in text or "# The rules of `kosmos`" in text
    assert text.count("(cut)") == 1
    assert "max_rounds 100" in text


@pytest.mark.parametrize("name", ["kosmos", "ravensburger"])
def test_in_two_worlds_that_a_seat_cannot_tell_apart_its_prompt_is_the_same(name: str) -> None:
    rules, edition, state, events = begun(name)
    seat, players = state.to_act, rules.players[0]
    assert seat is not None
    other = rules.determinize(state.view(seat), players, edition, Seeded(b"another sixteen."))
    assert other is not None
    others = [rival for rival in range(players) if rival != seat]
    assert [other.view(rival) for rival in others] != [state.view(rival) for rival in others]
    texts = {question(rules, edition, each.view(seat), each.actions(), events) for each in (state, other)}
    assert len(texts) == 1


def test_what_stays_the_same_in_a_game_is_in_the_briefing_alone() -> None:
    rules, edition, state, events = begun("kosmos")
    seat = state.to_act
    assert seat is not None
    asked = question(rules, edition, state.view(seat), state.actions(), events)
    assert "London (start)" in briefing(rules, edition, 2, seat)
    assert "London (start)" not in asked
    assert "Since your last decision" not in question(rules, edition, state.view(seat), state.actions())


# Answers


@pytest.mark.parametrize("read", [strictly, leniently])
def test_the_last_line_as_it_was_asked_for_counts_whatever_stands_above_it(read: Any) -> None:
    assert read("ANSWER: 3").index == 3
    assert read('Not ANSWER: 1\nANSWER: 1\n**4**\n{"action": 5}\n\n  ANSWER: 0  \n').index == 0


@pytest.mark.parametrize(
    "answer",
    [*("", "3", "Answer: 3", "ANSWER: three", "ANSWER: -1", "ANSWER: 3.", "ANSWER: 3\nthat is it", "**ANSWER: 3**")],
)
def test_strictly_nothing_else_is_read(answer: str) -> None:
    found = strictly(answer)
    assert found.index is None
    assert found.why == ("the last line is not ANSWER: <number>" if answer else "it is empty")


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("3", 3),
        (" **3**. ", 3),
        ("Action 3", 3),
        ("I choose action 3.", 3),
        ("So my answer is 3", 3),
        ("Final Answer: **2**\nThat keeps me safe.", 2),
        ("answer: 2\nANSWER:  2\nIt is best.", 2),
        ("<think>1 is bad. ANSWER: 1</think>\n2", 2),
        ('{"action": 3}', 3),
        ('```json\n{"thoughts": "raise {or} call", "action": "3"}\n```', 3),
        ('My reasons are long.\n{"answer": "Raise"}\nThank you.', 1),
        ("```\n3\n```", 3),
        ("2: raise by 3 chips", 2),
        ("raise by 3 chips", 2),
        ("I could call.\nI'll choose: Raise.", 1),
        ("My move is `go to Paris,  paying Train 2: 2 days`", 3),
    ],
)
def test_leniently_any_of_these_is_read(answer: str, index: int) -> None:
    assert leniently(answer) == ModelAnswer(index)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "it is empty"),
        ("<think>ANSWER: 1", "it is empty"),
        ("I do not know", "it names no action"),
        ("I will not raise.", "it names no action"),
        ("I pay 2 gold", "it names no action"),
        ("Not action 1 but action 2", "it names no action"),
        ("0: raise", "it names no action"),
        ('{"action": 3', "it names no action"),
        ('{"action": true}', "it names no action"),
        ('{"action": [1, 2]}', "it names no action"),
        ("{" * 5000, "it names no action"),
        ('{"a":' * 5000, "it names no action"),
        ("pass", "it names several actions: 4, 5"),
        ("Answer: 1\nAnswer: 2\nBoth are good.", "it names several actions: 1, 2"),
        ('{"action": 1, "answer": 2}', "it names several actions: 1, 2"),
        ('Answer: 1\n{"action": "call"}', "it names several actions: 1, 0"),
        ("-1", "there is no action -1: they are numbered from 0 to 5"),
        ("ANSWER: 99", "there is no action 99: they are numbered from 0 to 5"),
    ],
)
def test_what_names_no_single_action_is_not_guessed(answer: str, why: str) -> None:
    assert leniently(answer) == ModelAnswer(None, why)
