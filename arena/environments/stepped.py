"""A game that is played in the steps of a form, with what its seats may know as numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.environments.tree import MAX_ACTIONS, TreeGame, offered, resolve
from arena.features import Form
from arena.features.choices import ActionChoice
from engine import catalog
from engine.batch import MAX_DECISIONS
from engine.chance import Chance
from engine.rules import Action, Data, Event, State

Numbers = NDArray[np.float32]
Mask = NDArray[np.int8]
ILLEGAL: Final = -1.0
"""The reward of an illegal step where it ends the game."""


@cache
def usual_form(name: str, edition: str) -> Form:
    """Return the form of an edition (empty: the first one) for all numbers of players."""
    return Form.of(name, edition or catalog.rules(name).editions()[0])


class SteppedSetup:
    """What is played, and the form by which it becomes numbers."""

    def __init__(
        self, game: TreeGame, form: Form, max_actions: int = MAX_ACTIONS, max_decisions: int = MAX_DECISIONS
    ) -> None:
        """Take the parts. ValueError: the form is another game's, or not for so many players."""
        fewest, most = form.players
        if form.game != game.game or not fewest <= game.players <= most:
            made = f"{form.game} with {fewest} to {most} players"
            raise ValueError(f"the form was made for {made}, not for {game.game} with {game.players}")
        self.game, self.form, self.max_decisions = game, form, max_decisions
        self.has_rows = form.actions.kind == "features"
        self.max_actions = max_actions if self.has_rows else 1 << 30
        self.steps = form.actions.count or max_actions
        """How many different steps there are."""

    def start(self, chance: Chance) -> SteppedGame:
        """Begin a game."""
        rules = catalog.rules(self.game.game)
        return SteppedGame(self, rules.start(self.game.players, self.game.edition, chance))

    def order(self, seat: int) -> list[int]:
        """Return all seats, this one and those after it first, as a form shows them."""
        players = self.game.players
        return [*((seat + place) % players for place in range(players)), *range(players, self.form.players[1])]


def rendered(mode: str | None, name: str, events: Iterable[Event]) -> str | None:
    """Return, in mode `ansi`, what everybody could see of some events, a line for each."""
    words = catalog.rules(name).words
    return "\n".join(words(event.what) for event in events if event.to is None) if mode == "ansi" else None


def stepped_setup(
    name: str,
    players: int | None,
    edition: str,
    form: Form | str | None,
    max_actions: int = MAX_ACTIONS,
    max_decisions: int = MAX_DECISIONS,
    render_mode: str | None = None,
) -> SteppedSetup:
    """Return what environments are made of, by the settings that all have.

    Args:
        name: The name of the game.
        players: The number of players; None: the fewest.
        edition: A name or a TOML file; empty: the game's first edition.
        form: A form or its file; None: the usual one of the edition.
        max_actions: The most actions at one decision, where the form scores the features of each.
        max_decisions: A game is truncated after so many.
        render_mode: None or `ansi`.

    Raises:
        UnknownRules: No rules have that name.
        EditionError: There is no such edition, or it is not valid.
        ValueError: The game or the form is not for so many players, or there is no such render mode.
    """
    if render_mode not in (None, "ansi"):
        raise ValueError(f"there is no render mode {render_mode!r}: ansi, or None")
    rules = catalog.rules(name)
    fewest, most = rules.players
    count = fewest if players is None else players
    if not fewest <= count <= most:
        raise ValueError(f"{name} is for {fewest} to {most} players, not {count}")
    game = TreeGame(name, count, resolve(rules, edition))
    if not isinstance(form, Form):
        form = Form.load(form) if form else usual_form(name, edition)
    return SteppedSetup(game, form, max_actions, max_decisions)


class SteppedGame:
    """One game, at a step of a decision or at its end."""

    def __init__(self, setup: SteppedSetup, state: State) -> None:
        """Stand at the first step."""
        self.setup, self.state = setup, state
        self.decisions = 0
        self.unread: list[list[Data]] = [[] for _ in range(setup.game.players)]
        """By seat, the events that it may read and that `read` has not returned."""
        self._heard: list[deque[Data]] = []
        if setup.form.history:
            self._heard = [deque(maxlen=setup.form.history) for _ in self.unread]
        self._stand()

    def _stand(self) -> None:
        state, setup = self.state, self.setup
        self.seat: int | None = state.to_act if self.decisions < setup.max_decisions else None
        """The seat to act; None at the end."""
        self.actions: Sequence[Action] = ()
        self.choice: ActionChoice | None = None
        self._encoded: Numbers | None = None
        if self.seat is not None:
            self.view = state.view(self.seat)
            self.actions = offered(state, setup.max_actions)
            self.choice = setup.form.choice(self.actions)

    @property
    def is_truncated(self) -> bool:
        """Whether the game has ended because it took too long."""
        return self.seat is None and self.state.to_act is not None

    def step(self, step: int) -> Sequence[Event] | None:
        """Take a step, and return the events once the action is settled. Raises ValueError if it is not allowed."""
        if self.choice is None:
            raise ValueError("the game is over: begin another one")
        index = self.choice.take(step)
        return None if index is None else self.play(index)

    def play(self, index: int) -> Sequence[Event]:
        """Play the action with this index. Raises IndexError if there is none."""
        events = self.state.play(index)
        unread, heard = self.unread, self._heard
        for to, what in events:
            for queue in unread if to is None else (unread[to],):
                queue.append(what)
            if heard:
                for latest in heard if to is None else (heard[to],):
                    latest.append(what)
        self.decisions += 1
        self._stand()
        return events

    def read(self, seat: int) -> list[Data]:
        """Return the events that a seat has not read."""
        events, self.unread[seat] = self.unread[seat], []
        return events

    def observe(self, seat: int) -> Numbers:
        """Return what a seat knows, as numbers."""
        form, choice = self.setup.form, self.choice if seat == self.seat else None
        width, numbers = form.width, np.zeros(form.observation_width, np.float32)
        if choice is not None and self._encoded is not None:
            numbers[:width] = self._encoded
        else:
            heard = tuple(self._heard[seat]) if self._heard else ()
            form.encode(self.state.view(seat) if choice is None else self.view, heard, numbers[:width])
            if choice is not None and len(numbers) > width:  # there may be another step
                self._encoded = numbers[:width].copy()
        if choice is not None and choice.steps and len(numbers) > width:
            numbers[width:] = choice.taken
        return numbers

    def mask(self, seat: int) -> Mask:
        """Return 1 for each step that a seat may take, all 0 unless it is to act."""
        if seat != self.seat or self.choice is None:
            return np.zeros(self.setup.steps, np.int8)
        mask = self.choice.mask.view(np.int8)
        return np.pad(mask, (0, self.setup.steps - len(mask))) if self.setup.has_rows else mask

    def rows(self, seat: int) -> Numbers:
        """Return the features of each action that a seat may take, each in a row, and rows of 0 after these."""
        encoded = self.setup.form.actions
        rows = np.zeros((self.setup.steps, encoded.width), np.float32)
        if seat == self.seat:
            rows[: len(self.actions)] = encoded.encode(self.actions, self.setup.order(seat))
        return rows

    def observation(self, seat: int) -> dict[str, Any]:
        """Return what a seat knows and may do, as programs that learn take it."""
        found: dict[str, Any] = {"observation": self.observe(seat), "action_mask": self.mask(seat)}
        return {**found, "actions": self.rows(seat)} if self.setup.has_rows else found
