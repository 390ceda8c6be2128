"""What our games say of who is ahead and, in the end, why each seat has its rank."""

from __future__ import annotations

from typing import Any

import pytest

from engine import catalog
from engine.picture import Explained


def explained(name: str) -> Explained:
    rules = catalog.rules(name)
    assert isinstance(rules, Explained)
    return rules


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


MANY = "who is still on the way is placed by the cities reached"


@pytest.mark.parametrize(
    ("scene", "ranks", "wanted"),
    [
        (
            journey((10, 74, 2), (10, 78, 1), (10, 91, 3), (7, 60, None)),
            [1, 2, 3, 4],
            [
                "was home after 74 days, the fewest within 80",
                "was home after 78 days, 4 more than seat 0",
                "was 3rd home, after 91 days; those with more than 80 rank by arrival",
                f"was still in Yokohama when the last round ended; {MANY}",
            ],
        ),
        (
            journey((10, 86, 1), (10, 84, 2), (9, 70, None)),
            [1, 2, 3],
            [
                "was the first home, after 86 days; nobody was home within 80",
                "was 2nd home, after 84 days; those with more than 80 rank by arrival",
                f"was still in New York when the last round ended; {MANY}",
            ],
        ),
        (
            journey((10, 84, 1), (6, 50, None)),
            [2, 1],
            [
                "came home first, but after 84 days, more than 80, and so loses",
                "wins without coming home: seat 0 came home first, but after more than 80 days",
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
    rules = explained("kosmos")
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    assert rules.reasons(scene, ranks, edition, []) == wanted
    days = scene["seats"][0]["days"]
    late = f"{days} days, home 1st" if len(ranks) > 2 else f"{days} days, too late"
    assert rules.outcome(scene, 0, edition) == (late if days > 80 else f"{days} days")


def test_who_wins_without_coming_home_is_said_to_win_because_the_other_was_late() -> None:
    """K-82: otherwise "8 of 10 cities" would win against a player who came home."""
    rules = explained("kosmos")
    scene = journey((8, 60, None), (10, 84, 1))
    assert (
        rules.outcome(scene, 0, rules.edition("standard")) == "8 of 10 cities, as seat 1 came home first, but too late"  # type: ignore[attr-defined]
    )  # type: ignore[attr-defined]
    assert rules.outcome(scene, 0, rules.edition("en")) == "8 of 10 cities"  # type: ignore[attr-defined]


def test_of_two_who_are_not_home_in_the_same_city_days_decide() -> None:
    """K-83, K-84: the city alone would not say why one of them has won."""
    rules = explained("kosmos")
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    scene = journey((9, 84, None), (9, 79, None))
    events = [
        {"event": "detective", "seat": 1, "to": "Suez"},
        *[{"event": "lose", "seat": 0, "days": 2, "why": "detective"}] * 3,
    ]
    more, fewer = rules.reasons(scene, [2, 1], edition, events)
    assert more.startswith(
        "was still in New York when the last round ended, as seat 1 was, after 84 days; then fewer days decide; "
        "it was held up for 6 days by the detective"
    )
    assert fewer.endswith("as seat 0 was, after 79 days; then fewer days decide")
    assert rules.outcome(scene, 1, edition) == "9 of 10 cities in 79 days"
    apart = journey((9, 84, None), (8, 79, None))
    assert all(each.endswith("is placed by the cities reached") for each in rules.reasons(apart, [1, 2], edition, []))
    assert rules.outcome(apart, 1, edition) == "8 of 10 cities"


def test_the_end_of_a_game_lists_the_seats_by_their_places() -> None:
    for name in ("kosmos", "ravensburger"):
        told = catalog.rules(name).words({"event": "over", "ranks": [3, 1, 3, 2]})
        assert told == "the game is over: 1. seat 1, 2. seat 3, 3. seat 0 and seat 2"


def test_a_race_ends_with_reasons() -> None:
    rules = explained("ravensburger")
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    assert rules.reasons(track((71, 6), (80, 1)), [2, 1], edition, []) == [
        "was 9 squares from London, on 71, with 6 cards in hand",
        "was the first in London, which ends the game",
    ]
    assert rules.outcome(track((71, 6), (80, 1)), 1, edition) == "23 rounds"
    stopped = rules.reasons(track((71, 6), (79, 1)), [2, 1], edition, [])
    assert stopped[1] == "was on square 79, the furthest, when the last round ended"


def test_a_journey_names_by_what_others_did_a_seat_came_too_late() -> None:
    """K-34, K-61, K-65: what days were lost to is named only if without them the seat would rank higher."""
    rules = explained("kosmos")
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    events: list[dict[str, Any]] = [
        {"event": "chit", "seat": 1, "chit": "delay"}, {"event": "lose", "seat": 0, "days": 1, "why": "chit"},
        {"event": "detective", "seat": 2, "to": "Suez"}, {"event": "lose", "seat": 0, "days": 2, "why": "detective"},
        {"event": "lose", "seat": 2, "days": 2, "why": "detective"}, {"event": "grey", "seat": 0, "card": "storm"},
        {"event": "lose", "seat": 0, "days": 2, "why": "storm"},
    ]  # fmt: skip
    late, first, second = rules.reasons(journey((10, 77, 2), (10, 74, 1), (10, 76, 3)), [3, 1, 2], edition, events)
    lost = "it was held up for 2 days by the detective whom seat 2 had sent there, and 1 day by a chit of seat 1"
    assert late == f"was home after 77 days, 3 more than seat 1; {lost}"
    assert "held up" not in first + second, "it sent the detective itself"
    later = rules.reasons(journey((10, 78, 2), (10, 74, 1), (10, 76, 3)), [3, 1, 2], edition, events)[0]
    assert "held up" not in later, "nor was that why"


def test_a_race_names_whose_rose_the_last_card_needed_and_who_sent_a_loser_back() -> None:
    rules = explained("ravensburger")
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    events: list[dict[str, Any]] = [
        {"event": "turn", "seat": 0}, {"event": "play", "seat": 0, "card": "handcuffs", "victim": 1},
        {"event": "move", "seat": 1, "from": 79, "to": 76, "by": "handcuffs"},
        {"event": "turn", "seat": 1}, {"event": "rose", "seat": 1, "to": "train"},
        {"event": "move", "seat": 1, "from": 76, "to": 77, "by": "card"},
        {"event": "turn", "seat": 0}, {"event": "play", "seat": 0, "card": "train-3", "to": 80},
        {"event": "move", "seat": 0, "from": 77, "to": 80, "by": "card"},
    ]  # fmt: skip
    first, second = rules.reasons(track((80, 0), (77, 2)), [1, 2], edition, events)
    assert first.endswith("which ends the game: with train 3, since seat 1 had placed the rose on train")
    assert second.endswith("with 2 cards in hand; seat 0 had sent it back 3 squares")
    leapt = [*events[:-1], {"event": "move", "seat": 0, "from": 75, "to": 80, "by": "leap"}]
    by_leap = rules.reasons(track((80, 0), (77, 2)), [1, 2], edition, leapt)[0]
    assert by_leap.endswith(": by the great leap after train 3, since seat 1 had placed the rose on train")
    own = [{**event, "seat": 0} if event["event"] == "rose" else event for event in events]
    assert rules.reasons(track((80, 0), (77, 2)), [1, 2], edition, own)[0].endswith(": with train 3")
    far = rules.reasons(track((80, 0), (70, 2)), [1, 2], edition, events)[1]
    assert "sent" not in far, "without that it would not have been in London either"


def back(seat: int, begin: int, by: str = "handcuffs") -> dict[str, Any]:
    return {"event": "move", "seat": seat, "from": begin, "to": begin - 3, "by": by}


def test_a_race_names_what_cost_a_loser_most_as_a_sum_with_its_rounds() -> None:
    rules = explained("ravensburger")
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    events: list[dict[str, Any]] = []
    for number in (11, 15, 23):
        events += [{"event": "round", "round": number}, {"event": "turn", "seat": 1}, back(0, 30), back(2, 40)]
    events += [{"event": "turn", "seat": 2}, back(0, 40)]
    scene = track((22, 6), (80, 0), (30, 4))
    first, winner, last = rules.reasons(scene, [3, 1, 2], edition, events)
    sum_of_rounds = "seat 1 had sent it back 9 squares in all, in rounds 11, 15 and 23"
    assert first == f"was 58 squares from London, on 22, with 6 cards in hand; {sum_of_rounds}"
    assert last.endswith(f"{sum_of_rounds}; all but the first are placed by how far they came"), "it is said once"
    assert winner == "was the first in London, which ends the game"
    leaps = [{"event": "turn", "seat": 1}]
    leaps += [{"event": "move", "seat": 1, "from": 5 * at, "to": 5 * at + 5, "by": "leap"} for at in range(4)]
    first, winner, _ = rules.reasons(scene, [3, 1, 2], edition, events + leaps)
    assert winner.endswith("; it won 20 squares by 4 great leaps")
    assert first.endswith("; it won no square by great leaps, but seat 1 won 20")
    still = [event for _ in range(5) for event in ({"event": "turn", "seat": 0}, {"event": "turn", "seat": 1})]
    assert rules.reasons(scene, [3, 1, 2], edition, still)[0].endswith("; it stood still in 5 of its 5 turns")


def test_a_journey_names_what_cost_most_of_it() -> None:
    rules = explained("kosmos")
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    events: list[dict[str, Any]] = []
    for number in range(1, 7):
        events.append({"event": "round", "round": number})
        if number % 2:
            for city in ("Paris", "Suez"):
                events.append({"event": "arrive", "seat": 1, "city": city, "days": 3})
        if number == 2:
            events.append({"event": "arrive", "seat": 0, "city": "Bombay", "days": 12})
    scene = journey((10, 77, 2), (10, 74, 1), (6, 70, None))
    slow, quick, waiting = rules.reasons(scene, [2, 1, 3], edition, events)
    assert slow.endswith("; its leg to Bombay alone took 12 days")
    assert quick.endswith("; it made several legs at once in 3 rounds")
    assert waiting.endswith("; it did not travel in 6 of its 6 rounds")
    lost = [{"event": "lose", "seat": 0, "days": 2, "why": "detective"}] * 2
    slow = rules.reasons(scene, [2, 1, 3], edition, events + lost)[0]
    assert slow.endswith("; it was held up for 4 days in all by the detective")


def test_whoever_is_further_with_as_much_else_is_stronger() -> None:
    kosmos, ravensburger = explained("kosmos"), explained("ravensburger")
    weak, strong, slow = kosmos.strengths(journey((4, 30, None), (5, 30, None), (5, 36, None)), {})
    assert strong > max(weak, slow)
    behind, ahead = ravensburger.strengths(track((30, 5), (40, 5)), {"board": {"goal": 80}})
    assert ahead > behind
