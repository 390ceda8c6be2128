"""Compare two worlds at decisions that random play seldom reaches: see `late_states`."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.chance import Seeded
from tests.noninterference import late_states
from tests.noninterference.late_states import SEATS, LateState
from tests.noninterference.test_two_worlds import GAMES, PHASES, PLAYED
from tests.noninterference.worlds import Told, two_worlds

pytestmark = pytest.mark.slow

STATES = late_states.read()
AGAIN = "the rules or the random play have changed: python -m tests.noninterference.late_states write"


def worlds_at(state: LateState) -> tuple[Told, Told]:
    first, other = two_worlds(state.plan, Random(state.deal))
    reached = (first.phases[-1:], [sorted(each) for each in first.milestones[-1:]], len(first.phases))
    assert reached == ([state.phase], [state.milestones], state.decision), AGAIN
    assert first.hands != other.hands, AGAIN
    return first, other


@PLAYED
def test_nothing_tells_of_hidden_cards_late_in_a_game(game: str, edition: str) -> None:
    compared = set()
    for state in STATES:
        if (state.game, state.edition) == (game, edition):
            first, other = worlds_at(state)
            assert first.frames == other.frames, state
            assert first.questions == other.questions, state
            compared.add((state.phase, state.players))
    assert compared == {(phase, players) for phase in PHASES[game, edition] for players in SEATS if phase != "setup"}


@pytest.mark.parametrize("game", GAMES)
def test_every_milestone_is_among_them_in_several_phases(game: str) -> None:
    rules = GAMES[game].rules
    start = rules.start(2, rules.edition("standard"), Seeded(bytes(16)))
    phases = {
        each: {state.phase for state in STATES if state.game == game and each in state.milestones}
        for each in GAMES[game].milestones(start)
    }
    assert all(len(found) > 1 for found in phases.values()), phases


RAREST = [
    max((each for each in STATES if (each.game, each.phase) == (game, phase)), key=lambda each: len(each.milestones))
    for game, phase in (("kosmos", "escape"), ("kosmos", "limit"), ("ravensburger", "defend"), ("ravensburger", "rose"))
]


@pytest.mark.parametrize("state", RAREST, ids=lambda state: f"{state.phase}-{state.players}")
def test_a_leak_that_there_is_only_in_such_a_state_is_found(state: LateState, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the view, with that many seats, in that phase, when all that has happened."""
    watched = GAMES[state.game]
    plain = watched.state.view

    def view(self: Any, seat: int | None) -> dict[str, Any]:
        found: dict[str, Any] = plain(self, seat)
        milestones = watched.milestones(self)
        is_there = (len(watched.hands(self)), self.table.phase) == (state.players, state.phase)
        if is_there and all(milestones[each] for each in state.milestones):
            found = {**found, "hint": watched.hands(self)}
        return found

    monkeypatch.setattr(watched.state, "view", view)
    first, other = worlds_at(state)
    assert first.frames != other.frames
