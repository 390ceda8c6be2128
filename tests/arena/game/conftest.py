"""A game as small as can be, and tables of it: the referee must not need to know which game it plays."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.protocol.messages import Act
from engine.chance import Chance
from engine.rules import Capabilities, Data, Event, ForcedMove, Parameter

GOAL = 5


class RaceState:
    """Everybody steps 1 or 2; who reaches the goal ends the game; a hidden number of each seat breaks ties."""

    def __init__(self, players: int, chance: Chance) -> None:
        self.at = [0] * players
        self.hidden = [chance.below(f"hidden {seat}", 100) for seat in range(players)]
        self.turn = 0
        self.penalties = [0] * players
        self.fails_at: int | None = None
        self.forced: list[ForcedMove] = []
        self.forced_after: Mapping[int, list[ForcedMove]] = {}

    phase = "step"

    def forced_moves(self) -> list[ForcedMove]:
        return self.forced

    @property
    def to_act(self) -> int | None:
        return None if max(self.at) >= GOAL else self.turn % len(self.at)

    def actions(self) -> list[Data]:
        return [] if self.to_act is None else [{"step": 1}, {"step": 2}]

    def play(self, index: int) -> list[Event]:
        seat = self.to_act
        assert seat is not None
        if self.at[seat] == self.fails_at:
            raise RuntimeError("the rules have a hole here")
        self.at[seat] += self.actions()[index]["step"]
        self.turn += 1
        self.forced = self.forced_after.get(self.turn, [])
        return [
            Event(None, {"event": "stepped", "seat": seat, "at": self.at[seat]}),
            Event(seat, {"event": "felt", "seat": seat, "hidden": self.hidden[seat]}),
        ]

    def view(self, seat: int | None) -> Data:
        return {"at": self.at[:], "hidden": None if seat is None else self.hidden[seat]}

    def ranks(self) -> list[int]:
        merit = list(zip(self.at, self.hidden, strict=True))
        return [1 + sum(other > own for other in merit) for own in merit]

    def scores(self) -> list[dict[str, int]]:
        return [{"at": at, "penalties": penalties} for at, penalties in zip(self.at, self.penalties, strict=True)]

    def copy(self) -> RaceState:
        return deepcopy(self)

    def substitute_action(self) -> int:
        return 0

    def penalize(self, seat: int) -> list[Event]:
        self.penalties[seat] += 1
        return [Event(None, {"event": "slipped", "seat": seat})]

    def retire(self, seat: int) -> list[Event]:
        return [Event(None, {"event": "retired", "seat": seat})]


class Race:
    name = "race"
    players = (2, 6)
    capabilities = Capabilities()

    def __init__(self) -> None:
        self.fails_at: int | None = None
        self.forced_after: Mapping[int, list[ForcedMove]] = {}
        """By number of moves made: what is then forced."""

    def editions(self) -> list[str]:
        return ["standard"]

    def edition(self, name: str | Path) -> Data:
        return {"name": "standard"}

    def parameters(self, name: str | Path) -> list[Parameter]:
        return []

    def start(self, players: int, edition: Data, chance: Chance) -> RaceState:
        state = RaceState(players, chance)
        state.fails_at = self.fails_at
        state.forced_after = self.forced_after
        return state

    def words(self, what: Mapping[str, Any]) -> str:
        return str(dict(what))


STANDARD = {"name": "standard"}
TIME = TimeControl(start=20.0, move=1.0, bank=3.0, strikes=3)


class Scripted:
    """A table and short words to drive it."""

    def __init__(self, players: int = 3, time: TimeControl = TIME, edition: Data = STANDARD, **more: Any) -> None:
        self.rules = Race()
        spec = GameSpec("g1", 0, players, 0, 0, "00" * 16, [f"bot{seat}" for seat in range(players)], **more)
        self.game = Game(self.rules, edition, spec, time)  # type: ignore[arg-type]

    def ask(self):
        return self.game.decide()

    def answer(self, index: int, seconds: float = 0.1, **changes: Any):
        seat = self.game.awaited
        message = self.game.decide()
        act = Act(**{"game_id": "g1", "turn": message.turn, "index": index, **changes})
        return self.game.answer(seat, act, seconds)


@pytest.fixture
def scripted() -> type[Scripted]:
    return Scripted


@pytest.fixture
def race() -> Race:
    return Race()
