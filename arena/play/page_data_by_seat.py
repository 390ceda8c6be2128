"""What a person's page shows of a game that goes on: the page data of what its seat may know at this moment.

The referee reports each step as it happens, but a step may hold a move for which nobody was asked because hidden cards
left no choice (`engine.rules.ForcedMove`). What came after it is kept back until the time of an answer has passed, as
it would have come if somebody had been asked. What a person is shown follows from what it may read, and from when.

`arena.replays.page_data` divides what happened into what all see and what one seat sees, by the audience of each event;
`arena.play.table` sends each browser the public part and that of its own seats alone.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Collection
from typing import NamedTuple

from arena.game.game import begin
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep, visible
from arena.ledger import GameRecord
from arena.replays.page_data import RunningPageData, encode
from arena.replays.views import Rows, after, rows
from engine.picture import Illustrated
from engine.rules import Data, Rules


class SeatPageData(NamedTuple):
    """The page data of a seat, as JSON."""

    public: bytes
    own: bytes
    steps: int
    """How many public steps there are."""
    view: Rows | None
    """Of a game without pictures, what the seat saw when it was asked last and was told since."""


class PageDataBySeat:
    """Follows one game. The referee's thread and those of persons may use it at once."""

    def __init__(self, rules: Rules, edition: Data, spec: GameSpec, persons: Collection[int]) -> None:
        """Begin before the first step. `persons`: the seats to keep data of."""
        self._guard = threading.Lock()
        state = begin(rules, edition, spec.players, bytes.fromhex(spec.seed))
        self._record = _unplayed(spec)
        self._data = RunningPageData(spec.bots, rules, edition, state, has_views=False)
        drawn = isinstance(rules, Illustrated)
        self._views = {seat: None if drawn else rows(state.view(seat)) for seat in persons}
        self._public, self._shown = b"", 0
        """The public part, made anew when it has changed, and its steps."""
        self._events = 0
        """How many events there have been."""
        self._kept_back: deque[tuple[int, GameStep, bool]] = deque()
        """By number: the events that nobody is shown yet, each as a step or the continuation of one."""
        self.steps: list[GameStep] = []
        """All steps so far, for the ledger's page data."""

    def add(self, game_step: GameStep) -> None:
        """Add a step. The referee's thread calls this, while nobody's clock runs."""
        with self._guard:
            self.steps.append(game_step)
            for number, event in enumerate(game_step.events or [None]):
                events = [] if event is None else [event]
                self._kept_back.append((self._events + number, game_step._replace(events=events), number > 0))
            self._events += len(game_step.events)

    def open(self, events: int | None) -> set[int]:
        """Show the first so many events, or all, and return the persons' seats that see something new."""
        found = set[int]()
        with self._guard:
            while self._kept_back and (events is None or self._kept_back[0][0] < events):
                _, piece, is_continued = self._kept_back.popleft()
                self._data.add(piece, is_continued=is_continued)
                self._public = b""
                for event in piece.events:
                    for seat, view in self._views.items():
                        if visible(event, seat):
                            found.add(seat)
                            self._views[seat] = view and after(view, event.what)
        return found

    def asked(self, seat: int, view: Data) -> None:
        """Note what a seat sees when it is asked."""
        with self._guard:
            if self._views[seat] is not None:
                self._views[seat] = rows(view)

    def of(self, seat: int) -> SeatPageData:
        """Return the data of a seat now."""
        with self._guard:
            if not self._public:
                public = self._data.public(self._record)
                self._public, self._shown = encode(public), len(public["steps"])
            own = encode(self._data.seat(self._record, seat))
            return SeatPageData(self._public, own, self._shown, self._views[seat])


def _unplayed(spec: GameSpec) -> GameRecord:
    """Return the record of a game of which nothing has been played."""
    return GameRecord(
        **spec.planned(), ending="void", ranks=[], scores=[], steps=[], retired=[], faults=[],
        times=[[] for _ in spec.bots], digest="", engine="",
    )  # fmt: skip
