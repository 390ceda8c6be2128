"""A game as a tree with explicit chance nodes.

The engine draws random numbers whenever the rules require it, in the middle of a move. Search and analysis need to stop
*before* the draw and look at what may come. So a move is played on a copy with the numbers known so far. Where it needs
one more, it stops with `ChanceNeeded`, the copy is thrown away, and the tree has a chance node with as many equally
likely outcomes as the draw has. A node never changes, so clones share it.

For perfect recall, each node also records what every seat was sent on the way: its first view, the events that it may
read, and at its own decisions the view and the index that it chose. It records nothing else, so two histories that a
seat cannot distinguish have the same past.

Besides the tree there is what any toolkit must know of a game before it is played: the number of actions, its length,
and its payoffs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine import catalog
from engine.chance import Chance, Seeded
from engine.rules import Action, Data, Event, Rules, State

_source: ContextVar[Chance] = ContextVar("what a state in a tree draws from")
MAX_ACTIONS: Final = 128
"""Actions at one decision, in games whose actions have neither ids nor a vocabulary."""


class TooManyActions(ValueError):
    """A decision has more actions than was allowed for; the message says how many."""


def offered(state: State, limit: int) -> Sequence[Action]:
    """Return the legal actions. Raises `TooManyActions` instead of leaving some of them out."""
    actions = state.actions()
    if len(actions) > limit:
        raise TooManyActions(f"a decision with {len(actions)} actions: set max_actions, now {limit}, higher")
    return actions


def payoffs(ranks: Sequence[int]) -> list[float]:
    """Return what each seat wins: the share of rivals ranked behind it minus the share ranked before it.

    The numbers range from -1 (alone last) to 1 (alone first) and add up to 0.
    """
    rivals = len(ranks) - 1
    return [(sum(rank < other for other in ranks) - sum(other < rank for other in ranks)) / rivals for rank in ranks]


def resolve(rules: Rules, edition: str) -> Data:
    """Return the edition of that name (empty: the default one) or in that TOML file. Raises `EditionError`."""
    names = rules.editions()
    name = edition or names[0]
    return rules.edition(name if name in names else Path(name))


class ChanceNeeded(Exception):
    """A move needs another random number."""

    def __init__(self, stream: str, bound: int) -> None:
        """Ask for a number below `bound` for the purpose `stream`."""
        super().__init__(stream, bound)
        self.stream = stream
        self.bound = bound


class _Borrowed(Chance):
    """The chance of every state in a tree: it has no numbers of its own and uses those of the move being played."""

    def below(self, stream: str, bound: int) -> int:
        return _source.get().below(stream, bound)

    def copy(self) -> _Borrowed:
        return self


class _Known(Chance):
    """The numbers known so far, in the order in which the move asks for them; `used` lists those it has asked for."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self.used: list[int] = []
        self._numbers = numbers

    def below(self, stream: str, bound: int) -> int:
        if bound == 1:  # no chance at all
            return 0
        number = next(self._numbers, None)
        if number is None:
            raise ChanceNeeded(stream, bound)
        if not 0 <= number < bound:
            raise IndexError(f"there is no outcome {number}: there are {bound}")
        self.used.append(number)
        return number

    def copy(self) -> _Known:
        raise TypeError("numbers belong to one move")


@contextmanager
def _drawing(source: Chance) -> Iterator[None]:
    """Let all states of trees draw from `source`, in this thread."""
    token = _source.set(source)
    try:
        yield
    finally:
        _source.reset(token)


_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> str:
    """Encode plain data as JSON, always in the same way."""
    return _CANONICAL.encode(value)


def _chain(digest: str, value: object) -> str:
    return blake2b(f"{digest} {canonical(value)}".encode(), digest_size=16).hexdigest()


def _chose(digest: str, at: State, seat: int | None, index: int) -> str:
    """Return the digest of a seat's past right after a decision of its own."""
    return _chain(digest, {"view": at.view(seat), "chose": index})


Line = tuple[Any, int] | None
"""Outcomes and actions, the last first, as nested pairs."""


def _after(line: Line, move: int) -> Line:
    return line, move


class TreeGame(NamedTuple):
    """What is played: a game of the catalog, the number of players, and the resolved edition."""

    game: str
    players: int
    edition: Data


class Determinized(NamedTuple):
    """The origin of a tree that does not begin at the start of a game but was drawn from what one seat knows."""

    view: Data
    seat: int
    seed: bytes
    past: str
    """The seat's own past, as in `Node.past`."""
    decisions: int


@dataclass(frozen=True, eq=False)
class _Step:
    """One move and its results; steps form a chain back to the beginning. Digests are computed when needed."""

    before: _Step | None
    seat: int
    index: int
    at: State
    events: Sequence[Event]
    digests: dict[int | None, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Node:
    """A place in the tree: a decision, a chance node, or the end. Made by `root` and `determinize`."""

    setup: TreeGame
    origin: Determinized | None
    first: State | None = None
    """The first decision; None while the start is still being dealt."""
    state: State | None = None
    """The last decision that was reached, or the end; None before the first decision."""
    pending: int | None = None
    """At a chance node: the action being played; None: the start of the game."""
    numbers: tuple[int, ...] = ()
    """At a chance node: the numbers drawn so far."""
    asked: tuple[str, int] | None = None
    """At a chance node: the purpose, and how many outcomes there are."""
    decisions: int = 0
    draws: int = 0
    last: _Step | None = None
    line: Line = None
    """The outcomes and actions from the origin to here."""
    views: dict[int | None, Data] = field(default_factory=dict)
    """The views of `state` that were asked for. The chance nodes of a move share them with the decision before it."""

    @property
    def to_act(self) -> int | None:
        """The seat that decides; None at a chance node and at the end."""
        return None if self.asked or self.state is None else self.state.to_act

    @property
    def over(self) -> bool:
        """Whether the game has ended by its own rules."""
        return self.asked is None and self.state is not None and self.state.to_act is None

    def child(self, move: int) -> Node:
        """Return the node after an outcome (at a chance node) or an action. IndexError: there is no such move."""
        return self.descendant(move, iter(()))

    def descendant(self, move: int, ahead: Iterator[int]) -> Node:
        """Return the node after `move` and after those of the moves `ahead` that are outcomes on the way to the next.

        A decision is played once, however many outcomes it needs, whereas each `child` of a chance node plays it anew.
        IndexError: there is no such move.
        """
        if self.over:
            raise IndexError("the game is over")
        if self.asked is None:
            return replace(self, pending=move, line=_after(self.line, move))._go_on(ahead)
        return self._go_on(chain((move,), ahead))

    def _go_on(self, ahead: Iterator[int]) -> Node:
        """Play what is pending as far as the numbers allow: those drawn so far, and then those `ahead`."""
        known = _Known(chain(self.numbers, ahead))
        try:
            with _drawing(known):
                node = self._begun() if self.state is None else self._played(self.state)
        except ChanceNeeded as asked:
            node = replace(self, numbers=tuple(known.used), asked=(asked.stream, asked.bound))
        new = known.used[len(self.numbers) :]
        return replace(node, draws=self.draws + len(new), line=reduce(_after, new, self.line)) if new else node

    def _begun(self) -> Node:
        state = catalog.rules(self.setup.game).start(self.setup.players, self.setup.edition, _Borrowed())
        return replace(self, first=state, state=state, numbers=(), asked=None, views={})

    def _played(self, at: State) -> Node:
        seat, index = at.to_act, self.pending
        assert seat is not None
        assert index is not None
        state = at.copy()
        step = _Step(self.last, seat, index, at, state.play(index))
        return replace(
            self, state=state, pending=None, numbers=(), asked=None, decisions=self.decisions + 1, last=step, views={}
        )

    def past(self, seat: int | None) -> str:
        """Return a digest of all that `seat` (None: a spectator) was sent and chose up to here.

        Histories that the seat cannot distinguish have equal digests.
        """
        if self.first is None:
            return ""
        steps: list[_Step] = []
        step = self.last
        while step is not None and seat not in step.digests:
            steps.append(step)
            step = step.before
        digest = step.digests[seat] if step is not None else self._beginning(seat)
        for step in reversed(steps):
            if step.seat == seat:
                digest = _chose(digest, step.at, seat, step.index)
            for event in step.events:
                if event.to in (None, seat):
                    digest = _chain(digest, event.what)
            step.digests[seat] = digest
        if self.pending is not None and self.state is not None and self.state.to_act == seat:
            digest = _chose(digest, self.state, seat, self.pending)
        return digest

    def _beginning(self, seat: int | None) -> str:
        if self.origin is not None and self.origin.seat == seat:
            return self.origin.past
        assert self.first is not None
        return _chain("", self.first.view(seat))

    def events(self, seat: int | None) -> list[Data]:
        """Return all events since the origin that `seat` (None: a spectator) may read, in order."""
        found: list[Data] = []
        step = self.last
        while step is not None:
            found += [event.what for event in reversed(step.events) if event.to is None or event.to == seat]
            step = step.before
        return found[::-1]

    def view(self, seat: int | None) -> Data | None:
        """Return what `seat` may know; None before the first decision.

        At a chance node: what it knew before the move. Calls share the view: never modify it.
        """
        if self.state is None:
            return None
        if seat not in self.views:
            self.views[seat] = self.state.view(seat)
        return self.views[seat]

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The outcomes and actions from the origin to here."""
        found: list[int] = []
        line = self.line
        while line is not None:
            line, move = line
            found.append(move)
        return tuple(reversed(found))

    def __deepcopy__(self, memo: object) -> Node:
        """Return this node: it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Store the node as the moves that lead to it."""
        return follow, (self.setup, self.origin, self.moves)


def root(setup: TreeGame) -> Node:
    """Return the very beginning, with nothing dealt. ValueError: the game is not for that many players."""
    return Node(setup, None)._go_on(iter(()))


def determinize(node: Node, seat: int, seed: bytes) -> Node:
    """Return a node that `seat` cannot distinguish from `node`, with its hidden cards drawn anew.

    The game's own `determinize` draws them. What the rivals experienced before is unknown and not kept.

    Raises:
        ValueError: `node` is a chance node, in the middle of a move, or the rules know no world for its view.
    """
    if node.asked is not None or node.state is None:
        raise ValueError("a chance node cannot be drawn anew: ask at a decision")
    return _begin(node.setup, Determinized(node.state.view(seat), seat, seed, node.past(seat), node.decisions))


def _begin(setup: TreeGame, origin: Determinized) -> Node:
    with _drawing(Seeded(origin.seed)):
        state = catalog.rules(setup.game).determinize(origin.view, setup.players, setup.edition, _Borrowed())
    if state is None:
        raise ValueError(f"{setup.game} knows no world for this view")
    return Node(setup, origin, first=state, state=state, decisions=origin.decisions)


def follow(setup: TreeGame, origin: Determinized | None, moves: Sequence[int]) -> Node:
    """Return the node at the end of `moves`. IndexError: there is no such move."""
    node = root(setup) if origin is None else _begin(setup, origin)
    ahead = iter(moves)
    for move in ahead:
        node = node.descendant(move, ahead)
    return node
