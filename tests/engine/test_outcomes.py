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
    assert game.reasons(scene, ranks, edition, []) == wanted
    days, late = scene["seats"][0]["days"], ", home 1st"
    assert game.outcome(scene, 0, edition) == f"{days} days{late if days > 80 else ''}"


def test_a_race_ends_with_reasons() -> None:
    game = explained("ravensburger")
    edition = game.edition("standard")  # type: ignore[attr-defined]
    assert game.reasons(track((71, 6), (80, 1)), [2, 1], edition, []) == [
        "was 9 squares from London, on 71, with 6 cards; others rank by square",
        "was the first in London, which ends the game",
    ]
    assert game.outcome(track((71, 6), (80, 1)), 1, edition) == "23 rounds"
    stopped = game.reasons(track((71, 6), (79, 1)), [2, 1], edition, [])
    assert stopped[1] == "was on square 79, the furthest, when the last round ended"


def test_a_journey_names_by_what_others_did_a_seat_came_too_late() -> None:
    """K-34, K-61, K-65: what days were lost to is named only if without them the seat would rank higher."""
    game = explained("kosmos")
    edition = game.edition("standard")  # type: ignore[attr-defined]
    events: list[dict[str, Any]] = [
        {"event": "chit", "seat": 1, "chit": "delay"}, {"event": "lose", "seat": 0, "days": 1, "why": "chit"},
        {"event": "detective", "seat": 2, "to": "Suez"}, {"event": "lose", "seat": 0, "days": 2, "why": "detective"},
        {"event": "lose", "seat": 2, "days": 2, "why": "detective"}, {"event": "grey", "seat": 0, "card": "storm"},
        {"event": "lose", "seat": 0, "days": 2, "why": "storm"},
    ]  # fmt: skip
    late, first, second = game.reasons(journey((10, 77, 2), (10, 74, 1), (10, 76, 3)), [3, 1, 2], edition, events)
    lost = "it lost 2 days to the detective whom seat 2 had sent there, and 1 day to a chit of seat 1"
    assert late == f"was home after 77 days, 3 more than seat 1; {lost}"
    assert "lost" not in first + second, "it sent the detective itself"
    later = game.reasons(journey((10, 78, 2), (10, 74, 1), (10, 76, 3)), [3, 1, 2], edition, events)[0]
    assert "lost" not in later, "nor was that why"


def test_a_race_names_whose_rose_the_last_card_needed_and_who_sent_a_loser_back() -> None:
    game = explained("ravensburger")
    edition = game.edition("standard")  # type: ignore[attr-defined]
    events: list[dict[str, Any]] = [
        {"event": "turn", "seat": 0}, {"event": "play", "seat": 0, "card": "handcuffs", "victim": 1},
        {"event": "move", "seat": 1, "from": 79, "to": 76, "by": "handcuffs"},
        {"event": "turn", "seat": 1}, {"event": "rose", "seat": 1, "to": "train"},
        {"event": "move", "seat": 1, "from": 76, "to": 77, "by": "card"},
        {"event": "turn", "seat": 0}, {"event": "play", "seat": 0, "card": "train-3", "to": 80},
        {"event": "move", "seat": 0, "from": 77, "to": 80, "by": "card"},
    ]  # fmt: skip
    first, second = game.reasons(track((80, 0), (77, 2)), [1, 2], edition, events)
    assert first.endswith("which ends the game: with train 3, since seat 1 had placed the rose on train")
    assert "with 2 cards, after seat 0 had sent it back 3 squares; others" in second
    leapt = [*events[:-1], {"event": "move", "seat": 0, "from": 75, "to": 80, "by": "leap"}]
    by_leap = game.reasons(track((80, 0), (77, 2)), [1, 2], edition, leapt)[0]
    assert by_leap.endswith(": by the great leap after train 3, since seat 1 had placed the rose on train")
    own = [{**event, "seat": 0} if event["event"] == "rose" else event for event in events]
    assert game.reasons(track((80, 0), (77, 2)), [1, 2], edition, own)[0].endswith(": with train 3")
    far = game.reasons(track((80, 0), (70, 2)), [1, 2], edition, events)[1]
    assert "sent" not in far, "without that it would not have been in London either"


def test_whoever_is_further_with_as_much_else_is_stronger() -> None:
    kosmos, ravensburger = explained("kosmos"), explained("ravensburger")
    weak, strong, slow = kosmos.strengths(journey((4, 30, None), (5, 30, None), (5, 36, None)), {})
    assert strong > max(weak, slow)
    behind, ahead = ravensburger.strengths(track((30, 5), (40, 5)), {"board": {"goal": 80}})
    assert ahead > behind
