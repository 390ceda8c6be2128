"""What our games say of who is ahead and, in the end, why each seat has its rank."""

from __future__ import annotations

from typing import Any

import pytest

from engine import catalog
from engine.picture import Explained


def explained(name: str) -> Explained:
    game = catalog.game(name)
    assert isinstance(game, Explained)
    return game


def journey(*seats: tuple[int, int, int | None]) -> dict[str, Any]:
    """The open table of `kosmos`: by seat city, days and the place at which it came home."""
    held = {"gold": 1, "travel cards": 3, "event cards": 0}
    return {
        "at": [city for city, _, _ in seats],
        "turn": 0,
        "seats": [{"days": days, "home as": place, **held} for _, days, place in seats],
    }


def track(*seats: tuple[int, int]) -> dict[str, Any]:
    """The open table of `ravensburger`: by seat square and cards."""
    return {
        "at": [square for square, _ in seats],
        "turn": 0,
        "table": {"round": 23},
        "seats": [{"square": square, "cards": cards} for square, cards in seats],
    }


MANY = "those on the way rank by cities reached"


@pytest.mark.parametrize(
    ("scene", "ranks", "wanted"),
    [
        (
            journey((10, 74, 2), (10, 78, 1), (10, 91, 3), (7, 60, None)),
            [1, 2, 3, 4],
            [
                "was home after 74 days, the fewest within 80",
                "was home after 78 days, 4 more than seat 0",
                "was home after 91 days, more than 80, as number 3; late ones rank by arrival",
                f"was not home when the last round ended, but in Yokohama; {MANY}",
            ],
        ),
        (
            journey((10, 86, 1), (10, 84, 2), (9, 70, None)),
            [1, 2, 3],
            [
                "was home after 86 days, more than 80, as number 1; the first to come home, and nobody was in time",
                "was home after 84 days, more than 80, as number 2; late ones rank by arrival",
                f"was not home when the last round ended, but in New York; {MANY}",
            ],
        ),
        (
            journey((10, 84, 1), (6, 50, None)),
            [2, 1],
            [
                "came home first, but after 84 days, more than 80, and so loses",
                "wins on the way: seat 0 came home first, but after more than 80 days",
            ],
        ),
        (
            journey((10, 70, 1), (10, 73, 2)),
            [1, 2],
            ["was home after 70 days, 3 fewer than seat 1", "was home after 73 days, 3 more than seat 0"],
        ),
    ],
)
def test_a_journey_ends_with_reasons(scene: dict[str, Any], ranks: list[int], wanted: list[str]) -> None:
    game = explained("kosmos")
    edition = game.edition("standard")  # type: ignore[attr-defined]
    assert game.reasons(scene, ranks, edition) == wanted
    assert game.outcome(scene, 0, edition) == f"{scene['seats'][0]['days']} days"


def test_a_race_ends_with_reasons() -> None:
    game = explained("ravensburger")
    edition = game.edition("standard")  # type: ignore[attr-defined]
    assert game.reasons(track((71, 6), (80, 1)), [2, 1], edition) == [
        "was 9 squares from London, on 71, with 6 cards; others rank by square",
        "was the first in London, which ends the game",
    ]
    assert game.outcome(track((71, 6), (80, 1)), 1, edition) == "23 rounds"
    stopped = game.reasons(track((71, 6), (79, 1)), [2, 1], edition)
    assert stopped[1] == "was on square 79, the furthest, when the last round ended"


def test_whoever_is_further_with_as_much_else_is_stronger() -> None:
    kosmos, ravensburger = explained("kosmos"), explained("ravensburger")
    weak, strong, slow = kosmos.strengths(journey((4, 30, None), (5, 30, None), (5, 36, None)), {})
    assert strong > max(weak, slow)
    behind, ahead = ravensburger.strengths(track((30, 5), (40, 5)), {"board": {"goal": 80}})
    assert ahead > behind
