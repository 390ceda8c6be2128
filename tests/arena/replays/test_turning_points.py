"""The turns that changed the chances most, and who or what in them did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.replays.turning_points import MOST, TurnMove, TurnWalk, turning_points
from engine.picture import CHANCE, RULES
from engine.rules import Data

Turns = list[tuple[int, list[int]]]


def moves(*found: TurnMove) -> Callable[[int, int], list[TurnMove]]:
    """The same moves for every turn."""
    return lambda begin, end: list(found)


def move(steps: list[int], by: int | None, chances: list[int], by_chance: bool = False) -> TurnMove:
    return TurnMove(steps, by, by_chance, chances, steps[-1] + 1, False)


def test_a_mistake_of_a_rival_is_its_own_turning_point_and_says_who_gained() -> None:
    """The leader's chance rises as much as the rival's falls: it is the rival who did something."""
    turns: Turns = [(0, [590, 410]), (6, [820, 180])]
    [found] = turning_points(turns, moves(move([1], 1, [600, 400]), move([3, 4], 1, [820, 180])))
    assert found == {
        "step": 6, "at": 5, "seat": 1, "before": 410, "after": 180, "other": [0, 590, 820], "why": [3, 4], "by": 1,
        "by_chance": False,
    }  # fmt: skip


def test_what_a_seat_does_to_another_one_is_about_the_one_that_it_is_done_to() -> None:
    turns: Turns = [(0, [300, 400, 300]), (4, [330, 100, 570])]
    [found] = turning_points(turns, moves(move([2], 0, [330, 100, 570])))
    assert (found["seat"], found["by"], found["other"]) == (1, 0, [2, 300, 570])


def test_a_draw_is_nobodys_decision() -> None:
    turns: Turns = [(0, [500, 500]), (4, [300, 700])]
    [found] = turning_points(turns, moves(move([1], 0, [490, 510]), move([2, 3], None, [300, 700], by_chance=True)))
    assert (found["by"], found["by_chance"], found["why"]) == (None, True, [2, 3])
    [found] = turning_points(turns, moves(move([1], 0, [490, 510]), move([2], 0, [300, 700], by_chance=True)))
    assert (found["seat"], found["by"], found["by_chance"]) == (1, 0, True)


def test_several_moves_of_a_turn_are_named_together_if_each_did_much() -> None:
    turns: Turns = [(0, [200, 800]), (9, [800, 200])]
    made = (move([1], 0, [450, 550]), move([2], 0, [440, 560]), move([5], 0, [800, 200]))
    [found] = turning_points(turns, moves(*made))
    assert (found["seat"], found["why"]) == (0, [1, 5])


def test_every_move_that_changed_a_place_is_told_in_order_and_the_greatest_one_is_opened() -> None:
    """Else a pawn would be told to go from 36 to 40 that was last seen on 33, or not to have come home."""
    turns: Turns = [(0, [400, 600]), (9, [950, 50])]
    made = (
        move([1], 0, [500, 500]),
        TurnMove([2], 0, False, [510, 490], 3, True),
        move([4], 0, [515, 485]),
        move([5], 0, [940, 60]),
        TurnMove([7], 0, False, [950, 50], 8, True),
    )
    [found] = turning_points(turns, moves(*made))
    assert (found["why"], found["at"], found["step"]) == ([2, 5, 7], 6, 9)


def test_the_end_of_a_game_is_why_if_it_changed_most_and_the_last_move_if_that_did() -> None:
    turns: Turns = [(0, [500, 500]), (4, [0, 1000])]
    [found] = turning_points(turns, moves(move([1], 0, [450, 550])), end=[0, 1000])
    assert (found["seat"], found["step"], found["why"], found["by"]) == (1, 4, [], None)
    [found] = turning_points(turns, moves(move([1], 0, [50, 950])), end=[0, 1000])
    assert (found["seat"], found["why"], found["by"]) == (0, [1], 0)
    drawn = moves(move([1], None, [350, 650], by_chance=True))
    [found] = turning_points(turns, drawn, end=[0, 1000])
    assert (found["why"], found["by"], found["by_chance"]) == ([], None, False), "the end is no move among others"


def test_that_the_turn_passes_on_is_nobodys_move() -> None:
    turns: Turns = [(0, [500, 500]), (4, [300, 700])]
    [found] = turning_points(turns, moves(move([1, 2], 0, [520, 480])))
    assert (found["seat"], found["why"], found["by"], found["by_chance"]) == (0, [], None, False)


def test_only_the_greatest_changes_are_turning_points_and_they_keep_their_order() -> None:
    turns = [(at, [500 + (at % 2) * 10 * (20 + at), 500 - (at % 2) * 10 * (20 + at)]) for at in range(20)]

    def risen(begin: int, end: int) -> list[TurnMove]:
        before, after = dict(turns)[begin], dict(turns)[end]
        return [move([begin], 0 if after[0] > before[0] else 1, after)]

    found = turning_points(turns, risen)
    assert len(found) == MOST
    assert [each["step"] for each in found] == sorted(each["step"] for each in found)
    assert min(each["step"] for each in found) > 10
    assert all(each["before"] < each["after"] for each in found), "whoever moved gained"


def test_a_mistake_takes_the_place_of_the_least_if_there_is_none_among_the_greatest() -> None:
    turns: Turns = [(0, [100, 900])]
    for number in range(1, 6):
        turns.append((2 * number - 1, [400 + 10 * number, 600 - 10 * number]))
        turns.append((2 * number, [100, 900]))
    turns.append((11, [240, 760]))

    def made(begin: int, end: int) -> list[TurnMove]:
        after = dict(turns)[end]
        return [move([begin], 1 if end == 11 or after[0] == 100 else 0, after)]

    found = turning_points(turns, made)
    assert len(found) == MOST
    assert (found[-1]["step"], found[-1]["seat"], found[-1]["by"]) == (11, 1, 1)


class Race:
    """Two runners. Whoever is further is stronger."""

    def __init__(self) -> None:
        self.asked: list[Data] = []

    def strengths(self, scene: Data, edition: Data) -> list[float]:
        self.asked.append(scene)
        return [float(place) for place in scene["at"]]

    def begins(self, event: Data) -> bool:
        return event["event"] in ("turn", "play")

    def follows(self, event: Data) -> bool:
        return event["event"] in ("draw", "shuffle")

    def bookkeeping(self, event: Data) -> bool:
        return event["event"] in ("turn", "draw", "shuffle")

    def cause(self, scene: Data, event: Data) -> int | str:
        if event["event"] == "wind":
            return CHANCE
        seat: int | str = event["seat"] if event["event"] in ("play", "trip") else RULES
        return seat


def test_a_turn_is_walked_through_move_by_move_with_whoever_is_on_turn() -> None:
    events = [
        {"event": "turn", "seat": 0}, {"event": "play", "seat": 0}, {"event": "run", "seat": 0}, {"event": "draw"},
        {"event": "trip", "seat": 0}, {"event": "wind"}, {"event": "turn", "seat": 1}, {"event": "play", "seat": 1},
    ]  # fmt: skip
    changes: list[Any] = [{"turn": 0}, {}, {"at": {"0": 3}}, {}, {"at": {"1": -2}}, {"at": {"1": 1}}, {"turn": 1}, {}]
    steps = [[None, 0, [number], change, None] for number, change in enumerate(changes)]
    race = Race()
    walk = TurnWalk({"at": [0, 0], "turn": None}, steps, events, race, {})  # type: ignore[arg-type]
    ran, tripped, blown, passed = walk.moves(0, 6)
    assert (ran.steps, ran.by, ran.by_chance) == ([1, 2], 0, False)
    assert (tripped.steps, tripped.by) == ([4], 0)
    assert (blown.steps, blown.by, blown.by_chance) == ([5], None, True)
    assert ran.chances[0] < tripped.chances[0] > blown.chances[0] == passed.chances[0]
    assert {scene["turn"] for scene in race.asked} == {0}
    assert [each.steps for each in walk.moves(6, 8)] == [[7]]
