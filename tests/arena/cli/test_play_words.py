"""What a terminal says of what happened and of where everybody is."""

from __future__ import annotations

from typing import Any

from arena.cli.narration import happened, places

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
BOARD = {"places": [{"name": "London"}, {"name": "square 1"}]}


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
