"""Hundreds of random games of every game that comes with the arena, over all its editions and numbers of players."""

from __future__ import annotations

import pickle
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

import pytest

from docs.number_race import number_race
from engine import catalog
from engine.chance import Seeded, derive
from tests.engine.plays import DEPTH, random_play
from tests.engine.suite import RandomGames, Suite, snapshot, suites

GAMES = 400 * DEPTH
PIECES = 2 * DEPTH
LONGEST = 10_000
COPIED = 500
"""Decisions, the copies before and after each of which are compared; chance alone seldom brings a game to its end."""
CASES = pytest.mark.parametrize(
    ("suite", "edition", "players"),
    [
        pytest.param(suite, *case, id="-".join(map(str, (suite.name, *case))))
        for suite in suites()
        for case in suite.cases()
    ],
)


def play(games: RandomGames, numbers: range) -> None:
    for number in numbers:
        random = Random(f"{games.edition} {games.players} {number}")
        state = games.begin(number, random)
        for decision in range(1, LONGEST):
            if state.to_act is None:
                break
            games.look(state, state.play(games.choose(state, random)), decision)
        assert state.to_act is None
        games.over(state)
    games.done(len(numbers))


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(PIECES))
@CASES
def test_random_games_end_and_lose_nothing(suite: Suite, edition: str, players: int, piece: int) -> None:
    each = GAMES // (len(suite.cases()) * PIECES)
    play(suite.random_games(suite.rules, edition, players), range(piece * each, (piece + 1) * each))


@pytest.mark.parametrize(
    ("suite", "edition", "players"),
    [
        pytest.param(suite, *case, id="-".join(map(str, (suite.name, *case))), marks=[pytest.mark.slow] * (at % 2))
        for suite in suites()
        for at, case in enumerate(suite.cases())
    ],
)
def test_some_random_games_end_and_lose_nothing(suite: Suite, edition: str, players: int) -> None:
    """Others than those above, and so few that nobody waits for them."""
    play(suite.random_games(suite.rules, edition, players), range(GAMES, GAMES + 4))


@pytest.mark.slow
@CASES
def test_copies_are_independent(suite: Suite, edition: str, players: int) -> None:
    """Every earlier copy of a game stays as it was, and goes on as the game itself did."""
    seed = derive(b"copies", suite.name, edition, players)
    state = suite.rules.start(players, suite.rules.edition(edition), Seeded(seed))
    kept: list[tuple[Any, Any]] = [(state.copy(), suite.snapshot(state))]
    history = []
    for index, events in islice(random_play(state, Random(f"copies {edition} {players}")), COPIED):
        history.append((index, events))
        kept.append((state.copy(), suite.snapshot(state)))
    assert [number for number, (copy, then) in enumerate(kept) if suite.snapshot(copy) != then] == []
    for number in range(0, len(kept), max(1, len(kept) // 4)):
        copy = kept[number][0].copy()
        for index, events in history[number:]:
            assert copy.play(index) == events
        assert suite.snapshot(copy) == suite.snapshot(state)
        assert suite.snapshot(kept[number][0]) == kept[number][1]


@pytest.mark.parametrize("name", catalog.installed())
def test_a_pickled_or_deep_copied_state_goes_on_alike_and_apart(name: str) -> None:
    rules = catalog.installed()[name]
    state = rules.start(rules.players[0], rules.edition(rules.editions()[0]), Seeded(derive(b"pickled", name)))
    for _ in islice(random_play(state, Random(name)), 30):
        pass
    then = snapshot(state)
    others = [deepcopy(state), pickle.loads(pickle.dumps(state))]
    rest = list(random_play(state, Random(f"{name} goes on")))
    for other in others:
        assert snapshot(other) == then
        assert [(index, other.play(index)) for index, _ in rest] == rest
        assert snapshot(other) == snapshot(state)


def test_a_new_game_gets_random_games_for_nothing() -> None:
    suite = Suite(number_race.RULES)
    for edition, players in suite.cases():
        play(suite.random_games(suite.rules, edition, players), range(10))


class Stuck(RandomGames):
    """It looks for what is not there."""

    def over(self, state: Any) -> None:
        super().over(state)
        assert max(state.ranks()) == 1


def test_what_does_not_hold_is_noticed() -> None:
    with pytest.raises(AssertionError):
        play(Stuck(number_race.RULES, "standard", 4), range(10))
