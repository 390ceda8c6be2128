"""Compare what pages show of a game without pictures in two worlds that differ in what another seat drew and chose.

The game is the example of docs/add-a-game.md. With a leak planted what is shown differs.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.ledger import Step
from arena.play.page_data_by_seat import _unplayed
from arena.replays import page_data
from arena.replays.page_data import RunningPageData
from arena.replays.running_game import RunningGame, ShownGame
from arena.replays.views import PublicView
from arena.tournament import spectator_feed
from arena.tournament.spectator_feed import WrittenGame

EXAMPLE = Path(__file__).parents[2] / "docs" / "number_race" / "number_race.py"
NAMES = ["Ann", "Bob", "Cem"]
SPEC = GameSpec("game", 0, 3, 0, 0, "", NAMES)
READER, OTHER = 0, 1
KEEP, REDRAW = 0, 1
SAME = [KEEP] * 3
WORLDS = {"first": ([2, 3], [*SAME, KEEP, KEEP]), "twin": ([2, 6, 4], [*SAME, KEEP, REDRAW])}
"""What the other one draws, and all choices, up to that one in the second round."""


class Drawn:
    """Chance that draws what is listed for the other seat, and always a 4 elsewhere."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._left = list(numbers)

    def below(self, stream: str, limit: int) -> int:
        return self._left.pop(0) - 1 if stream.endswith(f" {OTHER}") else 3

    def copy(self) -> Drawn:
        return Drawn(self._left)


@pytest.fixture
def race() -> Any:
    spec = importlib.util.spec_from_file_location("number_race", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def begun(race: Any, world: str) -> Any:
    return race.RULES.start(3, race.RULES.edition("standard"), Drawn(WORLDS[world][0]))


def game_steps(state: Any, world: str) -> Iterator[GameStep]:
    for index in WORLDS[world][1]:
        offered, seat = list(state.actions()), state.to_act
        events = state.play(index)
        yield GameStep(
            Step(seat=seat, kind="play", by="bot", index=index, action=offered[index]), offered, events, state
        )


def shown(race: Any, world: str) -> tuple[Any, list[Any]]:
    """The public part, and each seat's."""
    edition = race.RULES.edition("standard")
    record = _unplayed(SPEC)
    state = begun(race, world)
    data = RunningPageData(NAMES, race.RULES, edition, state)
    for each in game_steps(state, world):
        data.add(each)
    return data.public(record), [data.seat(record, seat) for seat in range(3)]


def written(race: Any, world: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What spectators of the running game can read."""
    monkeypatch.setattr(spectator_feed, "begin", lambda *_: begun(race, world))
    monkeypatch.setattr(spectator_feed, "_REST", 0)
    steps = list(game_steps(begun(race, world), world))
    game = WrittenGame(
        "key", GameSpec("game", 0, 3, 0, 0, "", NAMES), steps, race.RULES, race.RULES.edition("standard")
    )
    game.go_on(None)
    return game.data()


def test_neither_a_seat_nor_a_spectator_is_shown_what_another_one_drew(race, monkeypatch):
    (public, seats), (public_too, seats_too) = shown(race, "first"), shown(race, "twin")
    assert public["seen"]["scores"] == {"steps": [0, 0, 0]}
    assert public["steps"][0][3] == {"scores": {"steps": [0, 1, 0]}}
    assert public == public_too
    assert seats[READER]["steps"]["0"]["choices"][-1]["view"] == {"number": "4"}
    assert seats[READER] == seats_too[READER]
    assert seats[OTHER] != seats_too[OTHER], "the worlds are the same"
    live = written(race, "first", monkeypatch)
    assert live == written(race, "twin", monkeypatch)
    game = RunningGame(begins := msgspec.json.decode(live, type=ShownGame), race.RULES, race.RULES.edition("standard"))
    game.take_events(begins)
    assert game.head()["seen"] == public["seen"]
    [(_, piece)] = game.pieces()
    assert [step[3] for step in piece["steps"]] == [step[3] for step in public["steps"]]


def test_a_leak_into_the_spectators_view_is_found(race, monkeypatch):
    plain = race.RaceState.view

    def view(state: Any, seat: int | None) -> Any:
        return plain(state, seat) | {"numbers": state.numbers[:]}

    monkeypatch.setattr(race.RaceState, "view", view)
    assert shown(race, "first")[0] != shown(race, "twin")[0]
    assert written(race, "first", monkeypatch) != written(race, "twin", monkeypatch)


def test_the_view_of_another_seat_would_be_found(race, monkeypatch):
    class Careless(PublicView):
        def besides(self, view: Any) -> Any:
            return super().besides(view) | {"all": str(self.state.numbers)}

        def __init__(self, state: Any) -> None:
            self.state = state
            super().__init__(state)

    monkeypatch.setattr(page_data, "PublicView", Careless)
    assert shown(race, "first")[1][READER] != shown(race, "twin")[1][READER]
