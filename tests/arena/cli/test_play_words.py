"""What a terminal says of what happened and of where everybody is."""

from __future__ import annotations

from typing import Any

import pytest

from arena.cli import play_terminal, terminal
from arena.cli.narration import happened, places, route_in_words
from engine import catalog

BOTS = ["ann", "greedy"]
PUBLIC: dict[str, Any] = {
    "bots": BOTS,
    "players": 2,
    "texts": ["greedy is on turn", "greedy plays train 3", "greedy moves", "greedy draws a card", "ann goes back"],
    "steps": [
        [1, 0, [0], {"turn": 1}, "round 1, greedy"],
        [1, 0, [1], {}, None],
        [1, 0, [2], {"at": {"1": 1}, "seats": {"1": {"square": 1}}}, None],
        [1, 0, [3], {"seats": {"1": {"cards": 6}}}, None],
        [0, 0, [4], {"at": {"0": 0}}, None],
    ],
    "begins": [0, 1],
    "follows": [3, 4],
    "bookkeeping": [0, 3],
    "start": {
        "at": [1, 0],
        "turn": None,
        "seats": [{"square": 1, "cards": 5, "kept": "yes"}, {"square": 0, "cards": 5, "kept": None}],
    },
    "chances": [[0, 500, 500], [5, 410, 590]],
}
BOARD: dict[str, Any] = {"places": [{"name": "London", "kind": "start"}, {"name": "square 1", "kind": None}]}


def test_what_belongs_together_is_one_line() -> None:
    turn = {"public": PUBLIC, "own": {"texts": ["ann drew a rose"], "steps": {"4": {"events": [0]}}}, "since": 0}
    assert happened(turn) == [
        "greedy plays train 3; moves; draws a card; ann goes back",
        "  (only you see: ann drew a rose)",
    ]
    assert happened({**turn, "since": 5}) == []
    assert happened({**turn, "since": 3})[0] == "greedy draws a card; ann goes back", "what came before was said"


def test_a_line_for_each_seat_says_what_everybody_knows_of_it() -> None:
    assert places(PUBLIC, BOARD, [0]) == [
        "  ann (you): London, square 1, cards 5, kept, chance to win 41 %",
        "  greedy: square 1, cards 6, chance to win 59 %",
    ]
    assert PUBLIC["start"]["at"] == [1, 0], "it is left as it was"
    assert places({**PUBLIC, "start": None}, BOARD, [0]) == [], "a game without pictures"


def test_what_happened_several_times_on_end_is_said_once() -> None:
    steps = [PUBLIC["steps"][1], *[PUBLIC["steps"][3]] * 3]
    public = {**PUBLIC, "steps": steps, "begins": [], "follows": [1, 2, 3]}
    turn = {"public": public, "own": {"texts": [], "steps": {}}, "since": 0}
    assert happened(turn) == ["greedy plays train 3; draws a card (3 times)"]


def test_the_route_is_a_line_of_places_with_who_and_what_is_there() -> None:
    public: dict[str, Any] = {"bots": BOTS, "steps": [], "start": {"at": [1, 2], "seats": [{}, {}], "turn": 0}}
    rules = catalog.rules("kosmos")
    board = rules.board(rules.edition("standard"))  # type: ignore[attr-defined]
    public["start"] |= {"table": {"detective": "Suez"}, "cards": {"red chits": ["gold"], "blue chits": [None]}}
    line = route_in_words(public, board, 0)
    assert line.startswith("... Paris [ann, red gold] --train+train-- Brindisi [greedy] --ship-- Suez [detective] --")
    assert line.endswith(" London")
    rules = catalog.rules("ravensburger")
    board = rules.board(rules.edition("standard"))  # type: ignore[attr-defined]
    public["start"] |= {"at": [3, 70]}
    track = route_in_words(public, board, 0)
    assert track.startswith("... square 1 - square 2 - square 3 (rose) [ann] - square 4 - Paris - square 6")
    assert track.endswith(" ...")
    assert "greedy" not in track, "too far ahead"
    assert route_in_words({**public, "start": None}, board, 0) == ""


def test_lines_are_wrapped_by_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terminal, "terminal_width", lambda: 30)
    play_terminal.say("Take a card; then you may use the action above it.")
    assert capsys.readouterr().out.splitlines() == ["Take a card; then you may use", "      the action above it."]
    monkeypatch.setattr(terminal, "terminal_width", lambda: None)
    play_terminal.say("Take a card; then you may use the action above it.")
    assert capsys.readouterr().out.count("\n") == 1, "whoever reads from a pipe wraps by itself"
