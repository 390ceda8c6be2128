"""The interface that all rules implement.

`Rules` start a game. Its `State` moves from decision to decision and keeps no history: `State.play` returns the events
of a move, each with its own audience, and the caller collects them if it needs a history.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from engine.chance import Chance

Data = Mapping[str, Any]
"""Plain data: None, bool, int, str, lists, and dicts with string keys.

JSON and msgpack can encode it without conversion.
"""

_T = TypeVar("_T")

Index = Annotated[int, "from 0"]
"""A number that counts from 0: schemas say so of it."""

Seat = Annotated[int, "seat"]
"""A seat. This mark and the following ones say in the types of views what a model's input is made of
(`arena.features`)."""

BySeat = Annotated[list[_T], "by seat"]
"""A list with an element for each seat."""

Latest = Annotated[dict[str, _T], "latest"]
"""A map with numbers as keys, of which only the largest ones matter much."""

Stack = Annotated[list[_T], "stack"]
"""A list whose last element matters most."""

Record = Annotated[_T, "record"]
"""What led to the rest of a view and is needed to draw worlds: too long to be put into numbers."""

Action = Mapping[str, Any]
"""One legal action as plain data. Calls share these objects: never modify one."""


class EditionError(ValueError):
    """An edition that does not exist or is not valid; the message names the file, the key and the allowed values."""


class Event(NamedTuple):
    """Something that happened, with its audience."""

    to: int | None
    """The audience: one seat, or None for everyone. The rules set it where they create the event, so a mistake there
    is a leak. For every reader, `arena.game.transcript.visible` filters events by it."""
    what: Data
    """The event as plain data."""


class ForcedMove(NamedTuple):
    """A decision for which no bot is asked, because there is only one action, as nobody but its seat can know."""

    seat: int
    phase: str
    """As in `State.phase`."""
    events: int = 0
    """How many events of the `play` that made it came before it: people who wait are shown no others until the time of
    an answer has passed."""


class State(Protocol):
    """A position: always at a decision with two or more actions, or at the end of the game."""

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""

    @property
    def phase(self) -> str:
        """The kind of decision at which the game stands, as a word: a bot takes about as long for all of a kind."""

    def forced_moves(self) -> Sequence[ForcedMove]:
        """Return the moves that the rules made after the last `play` because hidden cards left only one action.

        A decision belongs here if there was only one action, but as far as others know there might have been several.
        The referee waits for as long as an answer would have taken (`arena.referee.time`). Otherwise the others would
        learn from the time that nobody was asked, and so what the seat does not hold. Hence, whatever is hidden, in the
        same public course of a game the same decisions must be asked for or be in this list.
        """

    def actions(self) -> Sequence[Action]:
        """Return the legal actions of the seat to act, in a stable order; empty when the game is over.

        Neither the caller nor the game may modify an action that was offered: later calls, copies and other games may
        offer the same object again, and callers may keep what they once made of it.

        What a seat was told determines what it is offered: if its first view, the events that it may see and its own
        actions were the same, it is asked with the same view and the same actions. So whatever changes what a seat
        finds at its decision is also told to it by an event.
        """

    def play(self, index: int) -> list[Event]:
        """Play the action with this index and go on to the next decision.

        Returns:
            The events of the move, in order, each with its audience.

        Raises:
            IndexError: There is no action with this index.
        """

    def view(self, seat: int | None) -> Data:
        """Return what `seat` (None: a spectator) may know, complete enough to play on from.

        All of it is sent to the seat's bot: `arena.game.bot_messages` puts it into a message, with the actions and the
        events that the seat may see. So whatever a view holds that the seat may not know is a leak; each game builds
        views in its `view.py`, and `tests/noninterference/` looks for leaks.

        If a game has no pictures, people are shown views as tables, or the view's `text` if it has one: a string with
        line breaks by which the game draws the position. What is in its `tensor`, a list of whole numbers, is for
        programs that learn and not shown. On pages, a spectator's view is shown after each event that
        everyone may read, so it must not tell there whether a forced move has been made since.
        """

    def ranks(self) -> list[int]:
        """Return the rank of each seat: 1 is best, equal numbers tie.

        Ranks can be asked for at any time and are final when the game is over.
        """

    def scores(self) -> list[dict[str, Any]]:
        """Return named whole numbers for each seat, with the same names for every seat.

        The one that `Score` names may have a fraction.
        """

    def copy(self) -> State:
        """Return an independent state that continues exactly as this one would."""

    def substitute_action(self) -> int:
        """Return the index of the action that the substitute takes for the seat to act.

        `arena.game.game.Game` plays it in place of an answer that does not count, and at every decision of a seat
        that has retired. When at most one seat is left that can act, the game ends as a walkover, unless it is played
        for a `Score`: then it goes on to its end.
        """

    def penalize(self, seat: int) -> list[Event]:
        """Charge `seat` what the edition asks for an illegal or late answer (by default nothing); return the events."""

    def retire(self, seat: int) -> list[Event]:
        """Note that the bot of `seat` plays no longer, and return the events.

        From now on the substitute decides for this seat. A second call changes nothing and returns no events.
        """


class Score(NamedTuple):
    """What is played for, if it counts by how much a game is won: money, points, chips."""

    name: str
    """Which of the numbers of `State.scores` it is. Of that one fractions are allowed."""
    unit: str = "points"
    """What it is counted in, for people."""
    best: Literal["most", "least"] = "most"
    zero_sum: bool = False
    """Whether the scores of all seats always add up to 0 at the end."""
    cooperative: bool = False
    """Whether all seats win and lose together, and so have the same score."""


NO_TEAMS: Final[Mapping[int, Sequence[Sequence[int]]]] = MappingProxyType({})
"""Every seat plays for itself, however many there are."""


class Capabilities(NamedTuple):
    """What rules have beyond the least that a game needs. `engine.testing` checks that it is so."""

    worlds: bool = False
    """Whether `Rules.determinize` draws worlds."""
    chance: bool = True
    """Whether games with the same actions can differ: by a deal, by dice, by who begins."""
    score: Score | None = None
    """What is played for. None: the rank alone counts."""
    span: Mapping[int, tuple[float, float]] = MappingProxyType({})
    """By number of players, the least and the most of that score that a seat can have at the end. A number that is
    missing: nobody knows, and no test that is looked at while games are played says who is better."""
    teams: Mapping[int, Sequence[Sequence[int]]] = NO_TEAMS
    """By number of players, the seats of each team; partners always have the same rank. A number that is missing: every
    seat plays for itself."""
    action_ids: int | None = None
    """How many different actions there are in all states together, if every action has an `id` below this number that
    means the same in every state, whatever the words for it there. None: actions have no ids."""


class Parameter(NamedTuple):
    """One setting of an edition, for people: its name, its value, and where the value comes from."""

    name: str
    value: str
    source: str


class DataTypes(NamedTuple):
    """Of what types the data of a game are: each a `TypedDict`, or a union of several."""

    view: Any
    action: Any = Any
    event: Any = Any


class Rules(Protocol):
    """What can be played, in all its editions."""

    @property
    def name(self) -> str:
        """The name by which they are chosen: `--game` on the command line."""

    @property
    def players(self) -> tuple[int, int]:
        """The smallest number of players (at least 2) and the largest."""

    @property
    def capabilities(self) -> Capabilities:
        """What the rules have beyond the least."""

    def editions(self) -> list[str]:
        """Return the names of the editions, the default one first."""

    def edition(self, name: str | Path) -> Data:
        """Return a whole resolved edition, which contains its own `name`.

        Args:
            name: The name of an edition, or the path of a TOML file.

        Raises:
            EditionError: There is no such edition, or it is not valid.
        """

    def parameters(self, name: str | Path) -> list[Parameter]:
        """Return the settings of an edition, for people.

        Args:
            name: The name of an edition, or the path of a TOML file.

        Raises:
            EditionError: There is no such edition, or it is not valid.
        """

    def strip_unknown(self, edition: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the rules does not know.

        A referee of a later minor version may send such fields, and a bot must be able to ignore them. The result can
        be passed to `start`.
        """

    def start(self, players: int, edition: Data, chance: Chance) -> State:
        """Begin a new game.

        Args:
            players: The number of players.
            edition: A resolved edition. It may come from a stranger's file, so it is checked before anything is built
                with the sizes that it gives.
            chance: The source of all random numbers of the game. Who begins is drawn from its stream `FIRST_PLAYER`,
                so that the arena can let every bot of a block begin once.

        Raises:
            ValueError: The rules are not for that many players, or `edition` could never return such an edition.
        """

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> State | None:
        """Return a state that `view` allows, with the hidden cards and all future draws taken from `chance`.

        None: no world is known for this view, as for every view of rules whose `capabilities` have no worlds.
        """

    def opening(self, view: Data) -> Sequence[Data]:
        """Return what a spectator should read before the first move, as data of events that `words` can describe.

        Args:
            view: A spectator's view of a game that has just begun.

        Returns:
            The data in order; empty if there is nothing to show.
        """

    def words(self, what: Data) -> str:
        """Describe an event's data or an action in one line of English.

        The same data give the same line in every process.
        """


@runtime_checkable
class TypedRules(Protocol):
    """`Rules` that say of which types their data are; checked with `isinstance`."""

    @property
    def data_types(self) -> DataTypes:
        """The types, in which `Seat` and the marks after it stand."""


@runtime_checkable
class Redealt(Protocol):
    """`Rules` that can also lay anew what a seat may not know; checked with `isinstance`.

    By it `engine.testing.check_leaks` draws its worlds, where `determinize` draws none or none of some phase.
    """

    def redeal(self, state: State, seat: int, chance: Chance) -> State | None:
        """Return a state at the same decision that `seat` cannot tell from this one, or None if there is none.

        What the seat may not know is taken from `chance`, and so is all that is drawn later.
        """


Spelling = Mapping[str, Sequence[str | Sequence[str]]]
"""By what an action does (`do`), its steps in order.

A text is a step, and names in braces stand for what the action has by that name, or for nothing. A pair is a step for
each element of what the action has by the first name: the second is the text, in which `{}` stands for the element.
"""


@runtime_checkable
class Spelled(Protocol):
    """`Rules` whose actions are spelled in steps, by which learning programs choose; checked with `isinstance`.

    At every decision the actions have different spellings, none of which begins with another.
    """

    @property
    def spelling(self) -> Spelling:
        """How actions are spelled, as data."""

    def vocabulary(self, edition: Data) -> Sequence[str]:
        """Return all steps that there are in a resolved edition, each once, in a stable order."""


def spell(action: Action, spelling: Spelling) -> list[str]:
    """Return the steps of an action."""
    steps = []
    for part in spelling[action["do"]]:
        if isinstance(part, str):
            steps.append(_filled(part, action))
        elif (found := action.get(part[0])) is not None:
            for element in found if isinstance(found, list | tuple) else [found]:
                filled = isinstance(element, Mapping)
                steps.append(_filled(part[1], element) if filled else part[1].format(element))
    return steps


def _filled(text: str, values: Data) -> str:
    if "{" not in text:
        return text
    known = {name: value for name, value in values.items() if value is not None}
    return " ".join(text.format_map(defaultdict(str, known)).split())
