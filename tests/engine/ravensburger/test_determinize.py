"""A determinized world is one that its seat cannot tell from the real one, and differs in what is hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.determinization import FEW, KEPT
from engine.ravensburger import RULES
from engine.ravensburger.cards import ACTION, EMPTY
from engine.ravensburger.decision import RavensburgerState
from engine.rules import Data
from tests.engine import determinized as worlds
from tests.engine.determinized import orders
from tests.engine.plays import random_play, spread_pairs
from tests.engine.ravensburger.checks import COUNTS, check_sizes, check_whole, start
from tests.engine.ravensburger.positions import edition as edition_with
from tests.engine.ravensburger.strategies import edition_data
from tests.noninterference.ravensburger import choose

PHASES = ("setup", "turn", "further", "rose", "exchange", "lay_off", "leap", "defend")
READERS = ("acting", "other", "nobody")
ENOUGH = 8
"""Worlds that differ, wanted for each phase and each kind of reader."""


def determinized(view: Data, edition: Data, *label: str | int) -> RavensburgerState:
    world = worlds.determinized(RULES, view, edition, *label)
    assert isinstance(world, RavensburgerState)
    return world


def check_indistinguishable(
    state: RavensburgerState, seat: int | None, edition: Data, *label: str | int
) -> RavensburgerState:
    """Determinize a state for `seat`: the world is equal in what it sees, whole, and true to the record."""
    world = worlds.check_indistinguishable(RULES, state, seat, edition, *label)
    assert isinstance(world, RavensburgerState)
    check_whole(world)
    check_record(world)
    return world


def hands_but(state: RavensburgerState, seat: int | None) -> list[list[int]]:
    """What `seat` does not see of the hands."""
    return [[*hand.cards, hand.event, hand.drawn] for other, hand in enumerate(state.hands) if other != seat]


def check_record(state: RavensburgerState) -> None:
    """The cards are among those that the public record allows, by a plain count."""
    for number, deck in enumerate(state.decks):
        record = deck.record
        unaccounted = {shuffle: Counter(dict(enumerate(pool))) for shuffle, pool in record.pools.items()}
        unaccounted[record.shuffle].subtract(deck.order)
        for seat, hand in enumerate(state.hands):
            draws, shown = deck.draws[seat], record.shown[seat]
            for shuffle, kind in zip(record.drawn[seat], draws, strict=True):
                unaccounted[shuffle][kind] -= 1
            for place, (kind, before) in enumerate(shown, start=1):
                assert draws[:before].count(kind) >= sum(other == kind for other, _ in shown[:place])
            for kinds, before, earlier in record.lacked[seat]:
                held = Counter(draws[:before]) - Counter(kind for kind, _ in shown[:earlier])
                assert not held.keys() & set(kinds)
            cards = hand.cards if number == ACTION else [card for card in (hand.event, hand.drawn) if card != EMPTY]
            known = Counter(deck.known[seat])
            assert Counter(cards) == Counter(draws) - Counter(kind for kind, _ in shown) + known
        assert not any(count for pool in unaccounted.values() for count in pool.values())


def play_out(world: RavensburgerState, random: Random) -> None:
    """The determinized world can be played to its end and loses nothing on the way."""
    for _ in random_play(world, random):
        check_sizes(world)
    check_whole(world)


def lively(name: str, **parameters: int) -> Data:
    """An edition with more of what leads to rare questions."""
    data = RULES.edition(name)
    data["cards"] |= {"rose": 15, "handcuffs": 10, "purse": 15}
    data["parameters"] |= parameters
    for row in data["events"]:
        row["count"] *= 5 if row["effect"] == "lay_off" else 1
    return data


def varied_play(state: RavensburgerState, random: Random) -> Iterator[str]:
    """Play to the end, some seats hoarding cards and some playing them all; the phase of each decision before it."""
    while state.to_act is not None:
        yield state.table.phase
        state.play(choose(state, random))


def kinds_of_differences(phases: tuple[str, ...], players: int) -> Counter[tuple[str, str, str]]:
    """Phase, reader, and where the worlds are to differ.

    At the start nobody holds a card; before a leap the only rival of one of two does not.
    """
    return Counter(
        {
            (phase, reader, what): ENOUGH
            for phase in phases
            for reader in READERS
            for what in ("hands", "decks")
            if (phase, what) != ("setup", "hands") and (players, phase, reader, what) != (2, "leap", "other", "hands")
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players"), spread_pairs(["standard", "expert"], COUNTS))
def test_determinized_worlds_are_indistinguishable_in_every_phase_for_every_reader(edition: str, players: int) -> None:
    """R-90, R-91. The phases are counted, so that none is missed, and so are the worlds that differ."""
    data = lively(edition, max_rounds=60)
    missing = kinds_of_differences(PHASES if edition == "standard" else (*PHASES, "event"), players)
    random = Random(f"twins {edition} {players}")
    for number in range(600):
        if not +missing:
            break
        state = start(data, players, "twins", edition, players, number)
        for step, phase in enumerate(varied_play(state, random)):
            wanted = any(missing[phase, reader, what] > 0 for reader in READERS for what in ("hands", "decks"))
            if not wanted and random.random() > 0.002:
                continue
            for seat in (*range(players), None):
                who = worlds.reader(state, seat)
                if all(missing[phase, who, what] <= 0 for what in ("hands", "decks")) and random.random() > 0.1:
                    continue
                world = check_indistinguishable(state, seat, data, edition, players, number, step)
                for reader, what in worlds.differences(state, world, seat, hands_but):
                    missing[phase, reader, what] -= 1
                if random.random() < 0.02:
                    play_out(world, random)
    assert not +missing, f"not reached, or no world differed: {+missing}"


@pytest.mark.slow
@settings(deadline=None, max_examples=10, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(edition_data(), st.sampled_from(COUNTS), st.integers(0, 2**32))
def test_determinized_worlds_are_indistinguishable_in_editions_that_nobody_wrote(
    data: Data, players: int, seed: int
) -> None:
    """Small decks are shuffled often, crowded boards let many draw who have no card that fits."""
    state = start(data, players, "twins", seed)
    random = Random(seed)
    for step, _ in enumerate(random_play(state, random)):
        if step % 4 == 0:
            check_record(state)
        if random.random() < 0.02:
            for seat in (*range(players), None):
                check_indistinguishable(state, seat, data, "made up", seed, step)


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["standard", "expert"])
def test_the_truth_is_always_among_the_worlds_that_are_allowed(edition: str) -> None:
    """Also after many shuffles."""
    data = lively(edition)
    lacked = 0
    for number in range(5):
        state = start(data, 2 + number % 5, "truth", edition, number)
        for step, _ in enumerate(varied_play(state, Random(f"truth {edition} {number}"))):
            if step % 3 == 0:
                check_record(state)
                lacked += any(state.decks[ACTION].record.lacked)
    assert lacked > 20


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["standard", "expert"])
def test_worlds_are_drawn_late_in_long_games(edition: str) -> None:
    """After many shuffles hardly any order of the cards agrees with all that was shown, but one is still found."""
    data = RULES.edition(edition)
    hard = 0
    for number in range(6):
        state = start(data, 6, "long", edition, number)
        random = Random(f"long {edition} {number}")
        for step, _ in enumerate(random_play(state, random)):
            ambiguous = sum(map(len, state.decks[ACTION].record.shown))
            if state.to_act is not None and ambiguous >= 12 and random.random() < 0.01:
                hard += 1
                check_indistinguishable(state, state.to_act, data, "long", number, step)
    assert hard >= 10


@pytest.mark.slow
def test_who_is_asked_for_a_purse_is_hidden() -> None:
    """R-91: being asked means holding one; all others see the view that they saw before, but for the pawns."""
    asked = 0
    data = lively("standard", max_rounds=30)
    for number in range(30):
        state = start(data, 4, "purse", number)
        for _ in random_play(state, Random(number)):
            for seat in (*range(4), None):
                view = state.view(seat)
                if state.to_act is not None and seat != state.to_act:
                    assert (view["phase"], view["turn"]) == (None, None)
            asked += state.table.phase == "defend"
    assert asked >= 20


def test_determinize_draws_from_the_given_chance_alone() -> None:
    """Equal chance, equal world; another, another. Nothing of the game's own chance goes in."""
    data = RULES.edition("standard")
    state = start(data, 3, "chance")
    state.play(0)
    view = state.view(0)
    one, same, other = (determinized(view, data, label) for label in ("one", "one", "other"))
    assert worlds.orders(one) == worlds.orders(same)
    assert hands_but(one, 0) == hands_but(same, 0)
    assert worlds.orders(one) != worlds.orders(other)
    play_out(one, Random(1))
    assert state.view(0) == view


def test_a_view_that_no_world_agrees_with_is_an_error() -> None:
    data = edition_with(cards={"purse": 0})
    state = start(data, 3, "wrong")
    state.play(0)
    view = state.view(0)
    view["hidden"]["action"]["shown"][1] = [22, 5]  # a purse
    with pytest.raises(ValueError, match="no world"):
        determinized(view, data, "wrong")


def test_a_world_depends_on_nothing_but_the_view_and_the_chance() -> None:
    """What is kept from one world to the next of a view changes none of them, nor do worlds of other views between."""
    data = RULES.edition("standard")
    state, random = start(data, 3, "kept"), Random("kept")
    views = []
    while len(views) < 2 * KEPT:
        state.play(random.randrange(len(state.actions())))
        noted = sum(map(len, state.decks[ACTION].record.shown[1:]))
        if noted > FEW and state.to_act is not None:
            views.append(state.view(0))

    def drawn(view: Data, label: int) -> list[list[int]]:
        world = determinized(view, data, "kept", label)
        return [*orders(world), *world.decks[ACTION].draws]

    first = drawn(views[0], 0)
    assert drawn(views[0], 1) != first
    assert drawn(views[0], 0) == first
    for view in views[1:]:
        drawn(view, 0)
    assert drawn(views[0], 0) == first
