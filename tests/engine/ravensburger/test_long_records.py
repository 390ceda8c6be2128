"""Worlds drawn from long records: what each seat holds of each kind comes out as after much longer walks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import NamedTuple

import pytest

from engine.chance import Seeded, derive
from engine.counted_worlds import CountedWorlds
from engine.deck_knowledge import DeckKnowledge, Draws
from engine.determinization import FEW, STEPS, determinize_deck
from engine.draws import Slots
from engine.first_world import FirstWorld
from engine.ravensburger import RULES
from engine.ravensburger.cards import ACTION
from tests.engine.plays import DEPTH
from tests.engine.ravensburger.orders import edition

SAMPLES = 300
WALKS = 150
LONGER = 10
"""How many times as long as the walk of a record with `FEW` notes. Longer ones made no difference."""
DEVIATIONS = 4.5
"""What of some 200 differences of means none exceeds but by an unlikely chance: once in 700 runs with other seeds."""

MANY_SPECIAL = {mode: [2, 1, 0, 0, 0] for mode in ("coach", "train", "steamer", "elephant")} | {
    "rose": 4, "handcuffs": 4, "purse": 4,
}  # fmt: skip
FEW_SPECIAL = {mode: [3, 1, 0, 0, 0] for mode in ("coach", "train", "steamer", "elephant")} | {
    "rose": 3, "handcuffs": 2, "purse": 3,
}  # fmt: skip
DECKS = {"many special": MANY_SPECIAL, "few special": FEW_SPECIAL, "standard": None}
"""Two decks of 24 cards of one's own, and the usual one of 60."""
CASES = [
    ("many special", 3, 25, 40), ("many special", 3, 25, 55), ("many special", 3, 25, 28), ("few special", 3, 25, 29),
    ("few special", 3, 25, 19), ("few special", 3, 25, 60), ("standard", 2, 30, 1), ("standard", 3, 25, 3),
    ("standard", 4, 40, 4), ("standard", 6, 40, 6),
]  # fmt: skip
"""Deck, players, the fewest notes, and a number. In the first six short walks were up to 0.4 cards off."""
USUAL = CASES if DEPTH > 1 else [CASES[0], CASES[3], CASES[6], CASES[7]]
"""One of each deck, and the usual one with its fewest players and with three."""


class Known(NamedTuple):
    """What one seat knows."""

    record: DeckKnowledge
    seat: int
    own: Draws


def known(deck: str, players: int, fewest: int, number: int) -> Known:
    """What the seat on turn knows in a game of random play, some time after that much was noted."""
    cards = DECKS[deck]
    data = edition() if cards is None else edition(cards=cards)
    random = Random(f"long records {deck} {players} {number}")
    for attempt in range(100):
        state = RULES.start(players, data, Seeded(derive(b"long records", deck, players, number, attempt)))
        while (seat := state.to_act) is not None:
            held = state.decks[ACTION]
            noted = sum(len(notes) for rival, notes in enumerate(held.record.shown) if rival != seat)
            if noted >= fewest and random.random() < 0.05:
                return Known(held.record, seat, held.draws[seat])
            state.play(random.randrange(len(state.actions())))
    raise AssertionError("never so many notes")


def worlds(case: Known, number: int, label: str) -> Iterator[Counter[tuple[int, int]]]:
    """What each rival drew, by seat and kind, in worlds as search bots get them."""
    chance = Seeded(derive(b"long records", label))
    for _ in range(number):
        draws, _ = determinize_deck(case.record, case.seat, case.own, chance)
        yield Counter((rival, kind) for rival, drawn in enumerate(draws) if rival != case.seat for kind in drawn)


def walk_only(patch: pytest.MonkeyPatch, longer: float) -> None:
    """Draw worlds by walks alone, of so many times their length."""
    patch.setattr("engine.counted_worlds.MOST", -1)
    patch.setattr("engine.determinization.STEPS", tuple(round(longer * steps) for steps in STEPS))
    patch.setattr("engine.determinization._prepared", {})


def moments(found: Iterator[Counter[tuple[int, int]]]) -> dict[tuple[int, int], tuple[float, float]]:
    """By seat and kind: the mean, and the square of its standard error."""
    sums, squares = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    number = 0
    for world in found:
        number += 1
        for key, count in world.items():
            sums[key] += count
            squares[key] += count**2
    return {
        key: (total / number, (squares[key] / number - (total / number) ** 2) / number) for key, total in sums.items()
    }


def farthest(case: Known, label: str) -> float:
    """By how many standard errors the means differ at most from those after much longer walks."""
    drawn = moments(worlds(case, SAMPLES, f"usual {label}"))
    with pytest.MonkeyPatch.context() as patch:
        walk_only(patch, LONGER)
        wanted = moments(worlds(case, WALKS, f"longer {label}"))
    least = 1 / SAMPLES**2 + 1 / WALKS**2  # one world that differs is no proof that others are rare
    found = 0.0
    for key in drawn.keys() | wanted.keys():
        (mean, error), (other_mean, other_error) = (each.get(key, (0.0, 0.0)) for each in (drawn, wanted))
        found = max(found, abs(mean - other_mean) / sqrt(max(error + other_error, least)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("case", USUAL, ids=lambda case: "-".join(map(str, case)))
def test_long_records_give_the_worlds_of_much_longer_walks(case: tuple[str, int, int, int]) -> None:
    """R-90."""
    assert farthest(known(*case), str(case)) < DEVIATIONS


@pytest.mark.slow
@pytest.mark.parametrize("case", [CASES[3]], ids=lambda case: "-".join(map(str, case)))
def test_the_comparison_would_notice_walks_that_are_too_short(
    monkeypatch: pytest.MonkeyPatch, case: tuple[str, int, int, int]
) -> None:
    walk_only(monkeypatch, 0.7)  # about as long as without any notes
    assert farthest(known(*case), str(case)) > DEVIATIONS


def test_a_record_that_allows_few_worlds_is_counted_and_a_longer_walk_is_for_the_others() -> None:
    """Of these records the decks of one's own are small enough, and the usual one is not."""
    complete = {}
    for case in CASES:
        found = known(*case)
        slots = Slots(found.record, found.seat, found.own, ())
        complete[case] = CountedWorlds(FirstWorld(slots)).is_complete
        assert sum(len(found.record.shown[rival]) for rival in slots.rivals) > FEW
    assert [case for case in CASES if complete[case]] == [case for case in CASES if case[0] != "standard"]
