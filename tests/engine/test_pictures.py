"""Pictures of our games: what they show follows from events that one may read, and is what the views say."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random

import pytest

from engine import catalog
from engine.chance import Seeded, derive
from engine.picture import Illustrated, follow
from engine.rules import Data, Event, State

CASES = pytest.mark.parametrize(
    ("name", "edition"),
    [(name, edition) for name, rules in catalog.installed().items() for edition in rules.editions()],
)
COUNTS = pytest.mark.parametrize("players", [2, *(pytest.param(more, marks=pytest.mark.slow) for more in (3, 4, 6))])


def illustrated(name: str) -> Illustrated:
    rules = catalog.rules(name)
    assert isinstance(rules, Illustrated)
    return rules


def games(name: str, edition: str, players: int, number: int = 3) -> Iterator[tuple[State, Data, Random]]:
    """New games, each with chances of its own."""
    for each in range(number):
        data = deepcopy(catalog.rules(name).edition(edition))
        data["parameters"]["max_rounds"] = 60
        random = Random(f"{name} {edition} {players} {each}")
        seed = derive(b"pictures in testing", edition, players, each)
        yield catalog.rules(name).start(players, data, Seeded(seed)), data, random


def moves(state: State, random: Random) -> Iterator[list[Event]]:
    """Random play with slips and retirements on the way; the substitute's action seldom: a game shall get on."""
    for number in range(5_000):
        if state.to_act is None:
            return
        if number % 40 == 39:
            yield state.penalize(state.to_act)
        if number == 150:
            yield state.retire(state.to_act)
        index = random.randrange(len(state.actions()))
        if index == state.substitute_action() and random.random() < 0.7:
            index = random.randrange(len(state.actions()))
        yield state.play(index)
    raise AssertionError("not over")


@pytest.mark.slow
@COUNTS
@CASES
def test_a_scene_follows_from_events_for_all(name: str, edition: str, players: int) -> None:
    pictures = illustrated(name)
    ahead = compared = 0
    for state, data, random in games(name, edition, players):
        scene = pictures.scene(state.view(None))
        made_then: list[tuple[Data, Data]] = []
        for events in moves(state, random):
            for event in events:
                if event.to is None:
                    before = deepcopy(scene)
                    changes = pictures.scene_changes(scene, event.what, data)
                    assert scene == before, "it only says what changes"
                    made = follow(scene, changes)
                    made_then.append((made, deepcopy(made)))
                    assert follow(before, made) == made, "none of them was so already"
                    assert scene == before
                    assert follow(scene, changes) == {}
            seen = pictures.scene(state.view(None))
            assert {**scene, "turn": None} == {**seen, "turn": None}
            compared += 1
            ahead += scene["turn"] != seen["turn"]
        assert scene["turn"] is None
        assert all(now == then for now, then in made_then), "what was told is not changed by what follows"
    assert ahead < compared / 3


@COUNTS
@CASES
def test_a_hand_follows_from_what_its_seat_may_read(name: str, edition: str, players: int) -> None:
    pictures = illustrated(name)
    for state, _, random in games(name, edition, players):
        hands = [pictures.hand(state.view(seat)) for seat in range(players)]
        for events in moves(state, random):
            for event in events:
                for seat in range(players):
                    if event.to in (None, seat):
                        hands[seat] = pictures.hand_after(hands[seat], seat, event.what)
            assert hands == [pictures.hand(state.view(seat)) for seat in range(players)]
        assert pictures.hand(state.view(None)) == []


@CASES
def test_a_scene_is_the_same_in_every_view(name: str, edition: str) -> None:
    pictures = illustrated(name)
    for state, _, random in games(name, edition, 3, 1):
        for _ in moves(state, random):
            scenes = [pictures.scene(state.view(seat)) for seat in (None, 0, 1, 2)]
            assert scenes[1:] == scenes[:1] * 3
