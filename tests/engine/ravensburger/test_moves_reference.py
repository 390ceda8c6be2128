"""What the engine offers and what `tests.reference.ravensburger` allows: the same actions in 40,000 positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine.chance import Seeded, derive
from engine.ravensburger import RULES
from engine.ravensburger.edition import PARAMETERS
from tests.engine.lockstep import GAMES, PIECES, cases, counted
from tests.engine.plays import DEPTH, spread_pairs
from tests.reference.ravensburger import Rights, legal

pytestmark = pytest.mark.slow

EDITIONS = ("standard", "expert")
COUNTS = (2, 3, 4, 5, 6)
POSITIONS = 5_000 * DEPTH
EACH = POSITIONS // (len(EDITIONS) * len(COUNTS))
"""In each edition with each number of players."""
MOST_GAMES = 100
"""Played for the sake of rare phases."""


@pytest.mark.parametrize(("name", "players"), spread_pairs(EDITIONS, COUNTS))
def test_every_position_of_random_games(name: str, players: int) -> None:
    """R-11 to R-16, R-20 to R-24, R-33, R-35, R-41, R-50, R-51, R-54, R-70 to R-73, R-75, R-76."""
    edition = RULES.edition(name)
    random = Random(f"reference {name} {players}")
    phases: Counter[str] = Counter()
    number = 0
    expert_only = {"event"} if name == "expert" else set()
    expected = {"setup", "turn", "further", "rose", "exchange", "lay_off", "leap", "defend"} | expert_only
    while phases.total() < EACH or (min(phases[phase] for phase in expected) < 5 and number < MOST_GAMES):
        state = RULES.start(players, edition, Seeded(derive(b"reference", name, players, number)))
        number += 1
        while (seat := state.to_act) is not None:
            view, actions = state.view(seat), state.actions()
            assert counted(actions) == counted(legal(view, edition)), view
            phases[view["phase"]] += 1
            index = forward(actions, random)
            check_move(seat, view, actions[index], state.play(index))
    assert set(phases) == expected


@pytest.mark.parametrize("piece", range(PIECES))
def test_games_in_lockstep(piece: int) -> None:
    """R-11 to R-16, R-20 to R-24, R-30, R-33 to R-35, R-40 to R-44, R-50, R-51, R-54, R-70 to R-76, any parameters."""
    phases: Counter[str] = Counter()
    most = 0
    for number, data, players, random in cases(RULES, PARAMETERS, range(5, 60), piece):
        state = RULES.start(players, data, Seeded(derive(b"lockstep", number)))
        rights = Rights(data)
        while (seat := state.to_act) is not None:
            view, actions = state.view(seat), state.actions()
            assert counted(actions) == counted(legal(view, data)), view
            phases[view["phase"]] += 1
            if view["phase"] in ("turn", "further"):
                turn = view["turn"]
                assert (turn["further"], turn["stage"]) == (len(rights.given), "stage" in rights.given), view
                most = max(most, len(rights.given))
            index = forward(actions, random)
            events = state.play(index)
            check_move(seat, view, actions[index], events)
            rights.follow(view, [event.what for event in events if event.to is None], view["phase"] == "turn")
    assert phases["further"] > 20
    assert GAMES < 200 or (most == 2 and len(phases) == 9)


def forward(actions: Any, random: Random) -> int:
    """A random action, more often than not one that plays: games of pure chance hardly get on."""
    plays = [index for index, action in enumerate(actions) if action["do"] in ("play", "leap")]
    return random.choice(plays) if plays and random.random() < 0.6 else random.randrange(len(actions))


def check_move(seat: int, view: Mapping[str, Any], action: Mapping[str, Any], events: Any) -> None:
    """A played card moves the pawn exactly where it says, before anything else moves it."""
    if action["do"] == "play" and "to" in action:
        moves = [event.what for event in events if event.what["event"] == "move"]
        expected = {"event": "move", "seat": seat, "from": view["square"][seat], "to": action["to"], "by": "card"}
        assert moves[0] == expected
