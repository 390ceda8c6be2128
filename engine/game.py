"""The contract that every game fulfils.

A game is a value that moves from decision to decision. A state keeps no history: `State.play` returns the events of
a move, each with its own audience, and whoever needs a history keeps them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from engine.chance import Chance

Data = dict[str, Any]
"""Plain data: None, bool, int, str, lists and dicts with string keys. It goes to JSON and msgpack as it stands."""

Action = Mapping[str, Any]
"""One legal action as plain data. Shared between calls: never change one."""


class EditionError(ValueError):
    """An edition that does not exist or does not hold together; the text says file, key and what is allowed."""


class Event(NamedTuple):
    """Something that happened: `what` as plain data, for everyone (`to` is None) or for one seat only."""

    to: int | None
    what: Data


class State(Protocol):
    """Where a game stands: always at a decision with two or more actions, or at its end."""

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""

    def actions(self) -> Sequence[Action]:
        """The legal actions of the seat to act, in a stable order; empty when the game is over."""

    def play(self, index: int) -> list[Event]:
        """Play action `index` and move on to the next decision. IndexError: no such action."""

    def view(self, seat: int | None) -> Data:
        """What `seat` (None: a spectator) may know, complete enough to play on with."""

    def ranks(self) -> list[int]:
        """One rank a seat, 1 is best, equal numbers tie. Meaningful at any time, final when the game is over."""

    def scores(self) -> list[dict[str, int]]:
        """Named numbers a seat, the same names for every seat."""

    def copy(self) -> State:
        """An independent state that goes on exactly as this one would."""

    def default_action(self) -> int:
        """The index of the passive action that plays for a seat whose bot does not."""

    def penalize(self, seat: int) -> list[Event]:
        """Charge `seat` what the edition asks for an illegal or late answer; by default nothing."""

    def retire(self, seat: int) -> list[Event]:
        """`seat` is no longer played by its bot: from now on the substitute is asked for it."""


class Parameter(NamedTuple):
    """One setting of an edition, for people: its name, its value and where the value comes from."""

    name: str
    value: str
    source: str


class Game(Protocol):
    """The rules of one game in all its editions."""

    @property
    def name(self) -> str:
        """The game's name, as typed on the command line."""

    @property
    def players(self) -> tuple[int, int]:
        """The smallest (2 at least) and the largest number of players."""

    def editions(self) -> list[str]:
        """The named editions, the default one first."""

    def edition(self, name: str | Path) -> Data:
        """The whole resolved edition of that name or in that TOML file, its `name` in it. Raises `EditionError`."""

    def parameters(self, name: str | Path) -> list[Parameter]:
        """The settings of that edition, for people. Raises `EditionError`."""

    def strip_unknown(self, edition: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the game does not know.

        A referee of a later minor version may send such fields, and a bot has to bear them: what it gets back can be
        given to `start`.
        """

    def start(self, players: int, edition: Data, chance: Chance) -> State:
        """A new game. ValueError: not for that many players, or not an edition that `edition` could give.

        An edition may come from a stranger's file: say so before anything is made that has its sizes.
        """

    def determinize(self, view: Data, edition: Data, chance: Chance) -> State:
        """A state that this view allows, hidden cards and future chances drawn from `chance`."""

    def opening(self, view: Data) -> Sequence[Data]:
        """Return what a spectator should be told before the first move, as data of events that `words` knows.

        `view` is a spectator's view of a game that has just begun. Nothing to tell: an empty list.
        """

    def words(self, what: Mapping[str, Any]) -> str:
        """An event's data or an action as one line of English; of the same always the same line, in any process."""
