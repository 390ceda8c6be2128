"""Skull, a game from outside with simultaneous and hidden choices; and leaks planted in it, which the kit finds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.chance import Seeded
from engine.rules import Data, Event, ForcedMove
from engine.simultaneous import HiddenChoices
from engine.testing import Case, RulesCheckError, check, check_leaks, find_leaks

sys.path.append(str(Path(__file__).parent / "skull"))
from skull import ROSE, RULES, SKULL, Skull, SkullState

PHASES = {"lay", "act", "raise", "reveal", "lose"}


def played(state: type[SkullState], **parts: Any) -> Skull:
    """The game of such a state, for three players."""
    return type("Planted", (Skull,), {"state": type("State", (state,), parts), "players": (3, 3)})()


def a_public_event_that_names_a_disc(self: SkullState, seat: int, disc: str) -> list[Event]:
    return [Event(None, {"event": "laid", "seat": seat, "disc": disc}), SkullState.lay_disc(self, seat, disc)[1]]


def the_count_of_skulls_in_the_view(self: SkullState, seat: int | None) -> Data:
    return {**SkullState.view(self, seat), "skulls": sum(hand.count(SKULL) for hand in self.hands)}


def forced_moves_that_take_no_time(self: SkullState) -> list[ForcedMove]:
    return []


def actions_in_an_order_by_a_hidden_disc(self: SkullState) -> list[Data]:
    laid = [pile[-1:] for seat, pile in enumerate(self.piles) if seat != self.turn]
    return SkullState.actions(self)[:: -1 if [SKULL] in laid else 1]


def a_score_too_early(self: SkullState) -> list[dict[str, int]]:
    return [{**row, "roses": pile.count(ROSE)} for row, pile in zip(SkullState.scores(self), self.piles, strict=True)]


PLANTS: dict[Callable[..., Any], tuple[str, str]] = {
    a_public_event_that_names_a_disc: ("lay_disc", "event"),
    the_count_of_skulls_in_the_view: ("view", "view"),
    forced_moves_that_take_no_time: ("forced_moves", "forced moves"),
    actions_in_an_order_by_a_hidden_disc: ("actions", "actions"),
    a_score_too_early: ("scores", "scores"),
}
"""What is planted, the method that it replaces, and by what two worlds can be told apart then."""


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Callable[..., Any]) -> None:
    method, what = PLANTS[plant]
    report = find_leaks(Case(played(SkullState, **{method: plant}), "standard", 3), 4)
    assert what in {leak.what for leak in report.leaks}


@pytest.mark.slow
def test_nothing_is_found_without_a_plant_and_every_phase_is_tested() -> None:
    report = find_leaks(Case(RULES, "standard", 3), 4)
    assert (report.leaks, report.untested(), report.phases.keys()) == ([], {}, PHASES)
    assert {*report.sources} == {"determinize", "chance"}
    assert {*report.revealed} == {"turned: disc", "lost: disc"}


@pytest.mark.slow
def test_it_keeps_the_contract() -> None:
    check(RULES)


def test_a_phase_that_cannot_be_tested_is_missed() -> None:
    with pytest.raises(RulesCheckError, match="edition standard: not tested for leaks: phase scored"):
        check_leaks(played(SkullState), ["lay", "scored"], 1)


def laying(hands: list[list[str]]) -> SkullState:
    """The beginning of a round with these hands."""
    state = SkullState(2, Seeded(bytes(16)), hands, 0)
    state.begin_round(0)
    return state


def test_who_has_one_kind_of_disc_lays_it_when_its_turn_comes_and_the_others_wait_for_it() -> None:
    state = laying([[ROSE, SKULL], [ROSE, ROSE], [ROSE, SKULL], [SKULL]])
    assert (state.to_act, state.forced_moves()) == (0, [])
    events = state.play(0)
    assert [event.what for event in events if event.to is None] == [{"event": "laid", "seat": each} for each in (0, 1)]
    assert [event.to for event in events if "disc" in event.what] == [0, 1]
    assert (state.to_act, state.forced_moves()) == (2, [ForcedMove(1, "lay", 2)])
    state.play(1)
    assert (state.phase, state.forced_moves()) == ("act", [ForcedMove(3, "lay", 2)])
    state.play(0)
    assert state.forced_moves() == []


def test_choices_are_asked_for_in_order_and_a_copy_goes_its_own_way() -> None:
    choices = HiddenChoices("lay", {2: "ab", 0: "a", 1: "ab"})
    clone = choices.copy()
    assert (choices.to_act, choices.actions()) == (2, "ab")
    assert choices.choose(1) == [2, 0]
    assert choices.choose(0) == [1]
    assert (choices.to_act, choices.actions(), choices.chosen) == (None, [], {2: "b", 0: "a", 1: "a"})
    assert (clone.to_act, clone.chosen) == (2, {})
    for wrong in (-1, 2):
        with pytest.raises(IndexError):
            clone.choose(wrong)
    with pytest.raises(IndexError):
        choices.choose(0)
