"""A determinized world is one that its seat cannot tell from the real one, and differs in what is hidden."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.kosmos.cards import FACE_DOWN
from engine.kosmos.decision import KosmosState
from engine.rules import Data
from tests.engine import determinized as worlds
from tests.engine.kosmos.checks import (
    COUNTS,
    KOSMOS,
    PHASES,
    Chits,
    check_sizes,
    check_whole,
    random_play,
    start,
)
from tests.engine.kosmos.strategies import edition_data
from tests.engine.plays import spread_pairs

ENOUGH = 10
"""Worlds that differ, wanted for each phase and each kind of reader."""


def determinized(view: Data, edition: Data, *label: str | int) -> KosmosState:
    world = worlds.determinized(KOSMOS, view, edition, *label)
    assert isinstance(world, KosmosState)
    return world


def hands_but(state: KosmosState, seat: int | None) -> list[list[int]]:
    """What `seat` does not see of the hands."""
    return [hand.travel + hand.events for other, hand in enumerate(state.hands) if other != seat]


def check_indistinguishable(state: KosmosState, seat: int | None, edition: Data, *label: str | int) -> KosmosState:
    """Determinize a state for `seat`: the world is equal in what it sees, and whole."""
    world = worlds.check_indistinguishable(KOSMOS, state, seat, edition, *label)
    assert isinstance(world, KosmosState)
    check_whole(world)
    return world


def play_out(world: KosmosState, random: Random) -> None:
    """The determinized world can be played to its end and loses nothing on the way."""
    for _ in random_play(world, random):
        check_sizes(world)
    check_whole(world)


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players"), spread_pairs(["standard", "ru"], COUNTS))
def test_determinized_worlds_are_indistinguishable_in_every_phase_for_every_reader(edition: str, players: int) -> None:
    """K-90 to K-92. The phases are counted, so that none is missed, and so are the worlds that differ."""
    data = KOSMOS.edition(edition)
    phases = [phase for phase in PHASES if not (edition == "ru" and phase == "limit")]  # picked blindly there
    missing = Counter(
        {(phase, reader, what): ENOUGH for phase in phases for reader in ("acting", "other", "nobody")
         for what in ("hands", "decks")}
    )  # fmt: skip
    random = Random(f"twins {edition} {players}")
    for number in range(400):
        if not +missing:
            break
        state = start(data, players, "twins", edition, players, number)
        for step, _ in enumerate(random_play(state, random)):
            if state.to_act is None:
                break
            phase = state.table.phase
            wanted = any(missing[phase, reader, "hands"] > 0 for reader in ("acting", "other", "nobody"))
            if not wanted and random.random() > 0.002:
                continue
            for seat in (*range(players), None):
                world = check_indistinguishable(state, seat, data, edition, players, number, step)
                for reader, what in worlds.differences(state, world, seat, hands_but):
                    missing[phase, reader, what] -= 1
                if random.random() < 0.05:
                    play_out(world, random)
    assert not +missing, f"not reached, or no world differed: {+missing}"


@pytest.mark.slow
@settings(deadline=None, max_examples=20, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(edition_data(), st.sampled_from(COUNTS), st.integers(0, 2**32))
def test_determinized_worlds_are_indistinguishable_in_editions_that_nobody_wrote(
    data: Data, players: int, seed: int
) -> None:
    """Event decks without grey cards are shuffled from their pile like the travel deck."""
    state = start(data, players, "twins", seed)
    random = Random(seed)
    for step, _ in enumerate(random_play(state, random)):
        if random.random() < 0.1:
            for seat in (*range(players), None):
                check_indistinguishable(state, seat, data, "made up", seed, step)


def test_who_is_asked_to_escape_is_hidden() -> None:
    """K-91: being asked means holding a card for it; for all others the phase is the one before."""
    asked = 0
    for number in range(200):
        state = start(KOSMOS.edition("standard"), 4, "escape", number)
        for _ in random_play(state, Random(number)):
            if state.table.phase == "escape":
                asked += 1
                for seat in (*range(4), None):
                    expected = "escape" if seat == state.to_act else "travel"
                    assert state.view(seat)["phase"] == expected
        if asked >= 5:
            break
    assert asked >= 5


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["standard", "ru"])
def test_worlds_are_drawn_late_in_long_games(edition: str) -> None:
    """After many shuffles hardly any order of the cards agrees with all that was shown, but one is still found."""
    data = KOSMOS.edition(edition)
    hard = 0
    for number in range(12):
        state = start(data, 6, "long", edition, number)
        random = Random(f"long {edition} {number}")
        for step, _ in enumerate(random_play(state, random)):
            ambiguous = sum(map(len, state.decks[0].record.shown))
            if state.to_act is not None and ambiguous >= 12 and random.random() < 0.03:
                hard += 1
                check_indistinguishable(state, state.to_act, data, "long", number, step)
    assert hard >= 10


def test_determinize_draws_from_the_given_chance_alone() -> None:
    """Equal chance, equal world; another, another. Nothing of the game's own chance goes in."""
    data = KOSMOS.edition("standard")
    state = start(data, 3, "chance")
    view = state.view(0)
    one, same, other = (determinized(view, data, label) for label in ("one", "one", "other"))
    assert worlds.orders(one) == worlds.orders(same)
    assert hands_but(one, 0) == hands_but(same, 0)
    assert worlds.orders(one) != worlds.orders(other)
    play_out(one, Random(1))
    assert state.view(0) == view


def test_a_view_that_no_world_agrees_with_is_an_error() -> None:
    data = KOSMOS.edition("standard")
    view = start(data, 3, "wrong").view(0)
    view["hidden"]["travel"]["pools"]["0"] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 53]
    view["hidden"]["travel"]["shown"][1] = [0, 3]  # a t2
    with pytest.raises(ValueError, match="no world"):
        determinized(view, data, "wrong")


@pytest.mark.slow
def test_chits_that_lie_face_down_lie_elsewhere_in_other_worlds() -> None:
    """K-10, K-92: those that were turned over stay, of the others nobody knows which lies where."""
    data = KOSMOS.edition("ru")
    differing = turned = 0
    for number in range(20):
        state = start(data, 2 + number % 5, "face down", number)
        for step, _ in enumerate(random_play(state, Random(number))):
            if step % 25 == 0 and state.to_act is not None:
                for seat in (0, 1, None):
                    world = check_indistinguishable(state, seat, data, "face down", number, step)
                    differing += world.chits != state.chits
                    turned += FACE_DOWN in state.table.red and state.table.red.count(FACE_DOWN) < 9
    assert differing > 50
    assert turned > 50


def test_a_view_with_too_few_chits_is_an_error() -> None:
    data = KOSMOS.edition("ru")
    view = start(data, 3, "wrong").view(0)
    view["face_down"]["red"]["gold"] += 1
    with pytest.raises(ValueError, match="no world"):
        determinized(view, data, "wrong")


def test_chits_that_lie_open_are_the_same_in_every_world() -> None:
    """K-10: chits lie face up."""
    data = KOSMOS.edition("standard")
    state = start(data, 2, "chits")
    Chits(determinized(state.view(1), data, "chits"))
