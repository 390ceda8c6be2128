"""Views as rows, for games without pictures."""

from __future__ import annotations

from typing import Any

import pytest

from arena.cli.narration import view_lines
from arena.replays.views import PublicView, after, rows


@pytest.mark.parametrize(
    ("view", "found"),
    [
        ({"seat": 1, "number": 4, "won": True, "last": None}, {"number": "4", "won": "yes"}),
        ({"steps": [0, 2], "hand": [], "rest": {}}, {"steps": "0, 2", "hand": "–", "rest": "–"}),
        ({"board": [["x", "."], [".", "o"]]}, {"board 0": "x, .", "board 1": "., o"}),
        ({"bids": {"first": 3, "last": [None, 2]}}, {"bids first": "3", "bids last": "–, 2"}),
        ({"seat": 0, "text": "a b\nc d", "history": [1, 2]}, {"text": "a b\nc d"}),
        ({"seat": 0, "text": "", "history": [1, 2]}, {"text": "", "history": "1, 2"}),
        ({"text": 3}, {"text": "3"}),
    ],
)
def test_a_view_has_a_row_for_each_thing(view: dict[str, Any], found: dict[str, str]) -> None:
    assert rows(view) == found


def test_long_views_are_cut() -> None:
    found = rows({"text": "", "pits": list(range(1000)), "deep": [[[number]] for number in range(1000)]})
    assert len(found) == 60
    assert len(found["pits"]) == 200
    assert len(rows({"text": "x" * 9999})["text"]) == 4000


class Position:
    """A position whose spectators see what is given."""

    def __init__(self, view: dict[str, Any], scores: list[dict[str, Any]]) -> None:
        self._view, self._scores = view, scores

    def view(self, _: int | None) -> dict[str, Any]:
        return self._view

    def scores(self) -> list[dict[str, Any]]:
        return self._scores


def test_only_scores_that_spectators_see_by_seat_are_followed() -> None:
    """Those that a state keeps to itself, as they count hidden cards, are in no picture before the end."""
    scores = [{"open": 0, "one": 0, "hidden": 7}, {"open": 0, "one": 0, "hidden": 9}]
    view: Any = PublicView(Position({"open": [1, 2], "one": [1], "turn": 0}, scores))  # type: ignore[arg-type]
    assert view.start == {"rows": {"one": "1", "turn": "0"}, "scores": {"open": [1, 2]}}
    gone = view.changes(Position({"open": [1, 3.5], "one": [1], "bid": 2}, scores))
    assert gone == {"rows": {"bid": "2", "turn": None}, "scores": {"open": [1, 3.5]}}
    assert view.besides({"open": [1, 3.5], "one": [1], "bid": 3, "card": "ace"}) == {"bid": "3", "card": "ace"}
    assert "7" not in str((view.start, gone))


def test_a_terminal_marks_what_is_new() -> None:
    assert view_lines({"steps": "1, 0", "number": "4"}, None) == ["  steps   1, 0", "  number  4"]
    assert view_lines({"steps": "1, 0", "number": "4"}, {"steps": "1, 0"}) == ["  steps   1, 0", "* number  4"]
    assert view_lines({"text": "o .\nx .\x1b"}, {"text": "o .\n. ."}) == ["  o .", "* x .?"]


def test_an_event_says_from_which_line_on_a_text_is_another_one() -> None:
    seen = {"text": "Hand: KQ\nTricks:\n2C"}
    assert after(seen, {"event": "sees", "line": 2, "text": "2C 6C\nPoints: 0"}) == {
        "text": "Hand: KQ\nTricks:\n2C 6C\nPoints: 0"
    }
    assert after(seen, {"event": "played", "action": "6C"}) is seen
    rows_seen = {"hand": "KQ"}
    assert after(rows_seen, {"line": 0, "text": "other"}) is rows_seen, "a view in rows follows at the next question"
