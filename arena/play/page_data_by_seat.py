"""What a person's page shows of a game that goes on: the page data up to the person's own decision, and no further.

The referee reports each step as it happens. What is kept for a seat is the page data at the moment at which this seat
is to act, which is sent when the seat's own `decide` comes. Between its decisions a person sees nothing new but, if it
is the only one at the table, who seems to be asked (`arena.play.table` says why).

`arena.replays.page_data` divides what happened into what all see and what one seat sees, by the audience of each event;
`arena.play.table` sends each browser the public part and that of its own seats alone.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from typing import NamedTuple

from arena.game.game import begin
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.ledger import GameRecord
from arena.replays.page_data import RunningPageData, encode
from engine.rules import Data, Rules


class SeatPageData(NamedTuple):
    """The page data of a seat at one of its decisions, as JSON."""

    public: bytes
    own: bytes
    steps: int
    """How many public steps there are."""


class PageDataBySeat:
    """Follows one game, and keeps the latest data of each person's seat."""

    def __init__(self, rules: Rules, edition: Data, spec: GameSpec, persons: Collection[int]) -> None:
        """Begin before the first step. `persons`: the seats to keep data of."""
        self._guard = threading.Lock()
        self._persons = persons
        state = begin(rules, edition, spec.players, bytes.fromhex(spec.seed))
        self._record = _unplayed(spec)
        self._data = RunningPageData(spec.bots, rules, edition, state)
        self._kept: dict[int, SeatPageData] = {}
        self.steps: list[GameStep] = []
        """All steps so far, for the ledger's page data."""
        self._keep(state.to_act)

    def add(self, game_step: GameStep) -> None:
        """Add a step. The referee's thread calls this, while nobody's clock runs."""
        self.steps.append(game_step)
        self._data.add(game_step)
        self._keep(game_step.state.to_act)

    def of(self, seat: int) -> SeatPageData:
        """Return the data at a seat's latest decision."""
        with self._guard:
            return self._kept[seat]

    def _keep(self, seat: int | None) -> None:
        if seat in self._persons and seat is not None:
            public = self._data.public(self._record)
            made = SeatPageData(encode(public), encode(self._data.seat(self._record, seat)), len(public["steps"]))
            with self._guard:
                self._kept[seat] = made


def _unplayed(spec: GameSpec) -> GameRecord:
    """Return the record of a game of which nothing has been played."""
    return GameRecord(
        **spec.planned(), ending="void", ranks=[], scores=[], steps=[], retired=[], faults=[],
        times=[[] for _ in spec.bots], digest="", engine="",
    )  # fmt: skip
