"""Compare a running game's page data in two worlds: what all may know, and what a seat may know besides, are the same.

The records are those of two worlds (see `worlds`), cut at a decision of the reader. Each is rendered from a game with
the deal of its own world. With a leak planted the data differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from arena.game import replay
from arena.ledger import GameRecord
from arena.replays import page_data
from engine.rules import Data, Event, Rules
from tests.engine.plays import spread_pairs
from tests.noninterference.test_two_worlds import GAMES, PHASES, PLAYED, plan_of, without_purses
from tests.noninterference.worlds import Plan, Told, played, recorded, two_worlds

ENOUGH = 2
"""Pairs that differ in the rivals' hands, wanted for each phase that ends one."""


def data_of(plan: Plan, told: Told, world: str) -> tuple[Data, Data | None]:
    """The public part and the reader's, told from a record that goes as far as the world did."""
    record, begin = recorded(plan, told, world)
    with patch.object(replay, "begin", begin):
        public, seats = page_data.build_page_data(record, plan.game.rules, plan.edition)
        own = None if plan.reader is None else seats[plan.reader]
    assert public["steps"] or len(told.steps) < 2
    return public, own


def differ(plan: Plan, first: Told, other: Told) -> bool:
    """Whether the data tell the worlds apart. Without a seat one of them may have gone on by itself a little."""
    (public, own), (public_too, own_too) = data_of(plan, first, "first"), data_of(plan, other, "twin")
    if own is not None:
        return (public, own) != (public_too, own_too)
    common = [Counter(each.keys()) for each in (public, public_too)]
    if common[0] != common[1]:
        return True
    chances, chances_too = public["chances"][:-1], public_too["chances"][:-1]  # the last turn is not over
    whole = any(_begins_otherwise(public[key], public_too[key]) for key in public if key not in (*ENDS, "chances"))
    return whole or _begins_otherwise(chances, chances_too)


ENDS = ("ending", "ranks", "scores", "outcome", "runner_up", "reasons", "turning_points")
"""What is made of a whole game, and so depends on how far it went."""


def _begins_otherwise(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return any(first != second for first, second in zip(one, other, strict=False))
    return bool(one != other)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edition", "players"), spread_pairs([*PHASES], [2, 4, 6]))
def test_a_seat_reads_equal_data(game: str, edition: str, players: int) -> None:
    """K-90 to K-92, R-90, R-91, for every seat, up to a decision in every phase."""
    missing = Counter(dict.fromkeys(PHASES[game, edition], ENOUGH))
    del missing["setup"]  # before any card is dealt
    missing["rivals asked otherwise"] = 1
    seats = Counter[int]()
    for number in range(200):
        if not +missing and len(seats) == players:
            break
        label = f"story {edition} {players} {number}"
        random = Random(label)
        reader = number % players
        plan = plan_of(game, edition, players, reader, label, faults=number % 3 == 0)
        reached = played(plan).phases
        for phase in PHASES[game, edition]:
            cuts = [cut for cut, then in enumerate(reached, start=1) if then == phase]
            if not cuts or (missing[phase] <= 0 and reader in seats):
                continue
            cut = replace(plan, decisions=random.choice(cuts))
            first, other = two_worlds(cut, random)
            assert not differ(cut, first, other)
            missing[phase] -= first.hands != other.hands
            missing["rivals asked otherwise"] -= first.asked != other.asked
            seats[reader] += 1
    assert not +missing, f"not reached, or no pair differed: {+missing}"
    assert len(seats) == players


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edition", "players"), spread_pairs([*PHASES], [2, 3, 5]))
def test_whole_games_give_equal_data(game: str, edition: str, players: int) -> None:
    """To the end, with faults and retirements on the way."""
    for reader in range(players):
        plan = plan_of(game, edition, players, reader, f"whole story {edition} {players}", faults=reader > 0)
        first, other = two_worlds(plan, Random(reader))
        assert data_of(plan, first, "first")[0]["ending"] == "finished"
        assert not differ(plan, first, other)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edition", "players"), spread_pairs([*PHASES], [2, 4, 6]))
def test_nobody_in_particular_reads_equal_data(game: str, edition: str, players: int) -> None:
    differing = asked = 0
    for number in range(12):
        label = f"nobodys story {edition} {players} {number}"
        random = Random(label)
        plan = plan_of(game, edition, players, None, label, random.randrange(10, 150), faults=number % 3 == 0)
        first, other = two_worlds(plan, random)
        assert not differ(plan, first, other)
        differing += first.hands != other.hands
        asked += first.asked != other.asked
    assert differing >= 6
    assert asked, "in no pair was anybody asked otherwise"


@pytest.mark.parametrize("edition", ["standard", "expert"])
def test_a_purse_that_was_not_played_is_not_shown(edition: str) -> None:
    """R-91: the player sent back held one, was asked, and did not play it; or held none, and was not asked."""
    found = 0
    for number in range(200):
        plan = plan_of("ravensburger", edition, 3, number % 3, f"story of purses {edition} {number}")
        plan.edition["parameters"]["max_rounds"] = 12
        asked = played(plan).asked
        defends = [place for place, (seat, phase) in enumerate(asked) if phase == "defend" and seat != plan.reader]
        if not defends:
            continue
        cut = replace(plan, decisions=1 + sum(seat == plan.reader for seat, _ in asked[: defends[0] + 1]))
        first = played(cut)
        other = played(cut, first, without_purses(cut, first))
        assert not differ(cut, first, other)
        found += first.asked != other.asked
        if found == 4:
            return
    raise AssertionError("purses were asked for as often in both worlds")


Leak = Callable[[GameRecord, Data, list[Data]], Data]
"""What a leak adds to the public part."""
LEAKS: dict[str, Leak] = {
    "rivals' hands": lambda record, public, seats: {
        "hands": [[seat["hand"], *(step.get("hand") for step in seat["steps"].values())] for seat in seats]
    },
    "what was offered": lambda record, public, seats: {
        "offered": [[step.get("choices") for step in seat["steps"].values()] for seat in seats]
    },
    "private events": lambda record, public, seats: {"told": [seat["texts"] for seat in seats]},
    "how often somebody was asked": lambda record, public, seats: {"decisions": len(record.steps)},
    "when somebody was asked": lambda record, public, seats: {
        "asked": [sorted(seat["steps"], key=int) for seat in seats]
    },
    "the seed": lambda record, public, seats: {"seed": record.seed},
}


def told_apart(game: str, edition: str, reader: bool) -> bool:
    for number in range(24):
        seat = number % 4 if reader else None
        plan = plan_of(game, edition, 4, seat, f"story leak {edition} {number}", decisions=5 + 2 * number)
        first, other = two_worlds(plan, Random(number))
        if differ(plan, first, other):
            return True
    return False


@pytest.mark.parametrize("leak", LEAKS)
@PLAYED
def test_a_leak_into_what_all_may_know_is_found(
    leak: str, game: str, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = page_data.build_page_data

    def build_page_data(record: GameRecord, rules: Rules, edition: Data) -> tuple[Data, list[Data]]:
        public, seats = plain(record, rules, edition)
        return public | LEAKS[leak](record, public, seats), seats  # type: ignore[operator]

    monkeypatch.setattr(page_data, "build_page_data", build_page_data)
    assert told_apart(game, edition, reader=True)


@pytest.mark.parametrize("to", ["all", "another seat"])
@PLAYED
def test_an_event_that_the_wrong_reader_sees_is_found(
    to: str, game: str, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def visible(event: Event, reader: int | None) -> bool:
        return True if (reader is None) == (to == "all") else event.to in (None, reader)

    monkeypatch.setattr(page_data, "visible", visible)
    # Hands cannot be followed by another seat's cards, and need not be to find the leak.
    monkeypatch.setattr(type(GAMES[game].rules), "hand_after", lambda self, hand, seat, event: hand)
    monkeypatch.setattr(type(GAMES[game].rules), "scene_changes", lambda self, scene, event, edition: {})
    assert told_apart(game, edition, reader=True)


@pytest.mark.slow
@PLAYED
def test_without_a_leak_none_is_found(game: str, edition: str) -> None:
    assert not told_apart(game, edition, reader=True)
    assert not told_apart(game, edition, reader=False)
