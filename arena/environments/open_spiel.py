"""The games of the catalog for OpenSpiel: importing this module registers each one as `python_arena_<name>`.

    import pyspiel
    import arena.environments.open_spiel
    game = pyspiel.load_game("python_arena_<name>", {"players": 4})

The parameters are `players`, `edition` (a name or a TOML file; empty: the game's first one), `form` (a form's file;
empty: the usual one of the edition), `max_actions` and `max_decisions`.

**Chance** is explicit: every random number that the rules ask for is a chance node with equally likely outcomes (see
`arena.environments.tree`). A shuffle is a sequence of such nodes, all before any player sees a card. There is no seed:
the program that walks the tree draws the outcomes.

**Actions** are the steps of a form (`arena.features`): an action of the game takes one or several of them, each an id
that means the same everywhere. In games whose actions have neither ids nor a vocabulary, a step is the action's place
in the list offered, which means something else at the next decision, but only one thing in all states of one
information state. `State.action_to_string` names a step, and `ArenaState.actions` returns the game's actions as data.

**Observations.** `observation_string` is the seat's view as JSON, with the steps that it has taken of its decision.
`information_state_string` also contains `past`, a digest of all that the seat was sent and chose before (its first
view, the events that it may read, its decisions): this is perfect recall in a string that does not grow.
`ArenaState.events` returns those events in full. `observation_tensor` is what a form makes of the view and of these
steps, and in games with such lists the features of each action. There is no information state tensor, because a past
has no fixed size.

**Returns** come at the end: the share of rivals ranked behind minus the share ranked before, so they add up to 0. A
game that is not over after `max_decisions` ends there with the ranks of that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pyspiel

from arena.environments.stepped import Numbers, stepped_setup
from arena.environments.tree import (
    MAX_ACTIONS,
    Node,
    canonical,
    determinize,
    offered,
    payoffs,
    root,
)
from arena.features.choices import ActionChoice
from engine import catalog
from engine.batch import MAX_DECISIONS
from engine.chance import derive
from engine.rules import Action, Data, Rules

PREFIX: Final = "python_arena_"
MAX_OUTCOMES: Final = 256
"""The most outcomes of one chance node: a deck with more cards cannot be shuffled here."""
STEPS_A_DECISION: Final = 12
"""More steps than any action takes."""
DRAWS_A_DECISION: Final = 20
"""A game that needs more chance nodes than `DRAWS_AT_START` plus this many a decision is assumed never to stop."""
DRAWS_AT_START: Final = 1_000


class ArenaGame(pyspiel.Game):
    """One game of the catalog with its parameters; each game has a subclass, which sets `rules`.

    Raises `EditionError`, and ValueError if the game is not for that many players.
    """

    rules: Rules

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Resolve the parameters. `params`: as in the module's description; missing ones have their defaults."""
        rules = self.rules
        given = _defaults(rules) | (params or {})
        self.setup = stepped_setup(rules.name, **given)
        self.max_decisions: int = given["max_decisions"]
        self._root: Node | None = None
        self._choice: tuple[Node, list[int], ActionChoice] | None = None
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.steps,
            max_chance_outcomes=MAX_OUTCOMES,
            num_players=self.setup.game.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_decisions * (STEPS_A_DECISION if self.setup.form.actions.kind == "steps" else 1),
        )
        super().__init__(_game_type(rules), info, params or {})

    @property
    def root(self) -> Node:
        """The node at which every game begins."""
        if self._root is None:
            self._root = root(self.setup.game)
        return self._root

    def choice(self, node: Node, steps: list[int]) -> ActionChoice:
        """Return the choice at a decision after some steps; only the latest one is kept, as states are copied often."""
        if self._choice is None or self._choice[0] is not node or self._choice[1] != steps:
            assert node.state is not None
            choice = self.setup.form.choice(offered(node.state, self.setup.max_actions))
            for step in steps:
                choice.take(step)
            self._choice = node, steps[:], choice
        return self._choice[2]

    def take(self, node: Node, steps: list[int], step: int) -> int | None:
        """Return the index of the action that a step settles, if it does. ValueError: the step is not allowed."""
        choice = self.choice(node, steps)
        self._choice = None
        if (index := choice.take(step)) is None:
            self._choice = node, [*steps, step], choice
        return index

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound far above what games need."""
        return DRAWS_AT_START + DRAWS_A_DECISION * self.max_decisions

    def new_initial_state(self) -> ArenaState:
        """Return a state before anything is dealt."""
        return ArenaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> ArenaObserver:
        """Return the object through which OpenSpiel observes states."""
        if params:
            raise ValueError(f"observers have no parameters: {params}")
        return ArenaObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class ArenaState(pyspiel.State):
    """A position in a game: a decision, a chance node, or the end."""

    def __init__(self, game: ArenaGame) -> None:
        """Begin at the root; `ArenaGame.new_initial_state` calls this."""
        super().__init__(game)
        self.node = game.root
        self.steps: list[int] = []
        """The steps that were taken of the decision."""

    @property
    def _choice(self) -> ActionChoice:
        choice: ActionChoice = self.get_game().choice(self.node, self.steps)
        return choice

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's ids for chance and for the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.node.to_act
        return int(pyspiel.PlayerId.CHANCE) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.node.to_act or self.is_terminal():
            return []
        return [int(step) for step in self._choice.mask.nonzero()[0]]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes with their probabilities, which are all equal."""
        if self.node.asked is None:
            raise ValueError("not a chance node")
        stream, outcomes = self.node.asked
        if outcomes > MAX_OUTCOMES:
            raise ValueError(f"{stream}: {outcomes} outcomes, and there may be {MAX_OUTCOMES}")
        return [(outcome, 1 / outcomes) for outcome in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        move: int | None = action
        if self.node.to_act is not None:
            move = self.get_game().take(self.node, self.steps, action)
            if move is None:
                self.steps = [*self.steps, action]
                return
        assert move is not None
        self.node, self.steps = self.node.child(move), []
        if self.node.draws > DRAWS_AT_START + DRAWS_A_DECISION * self.get_game().max_decisions:
            raise ValueError("the game does not stop drawing random numbers")

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            if self.node.asked is None:
                raise ValueError("not a chance node")
            stream, outcomes = self.node.asked
            return f"{stream}: {action} of {outcomes}"
        game = self.get_game()
        encoded = game.setup.form.actions
        if encoded.kind == "steps":
            return f"{action}: {encoded.names[action]}"
        offer = self.actions() if encoded.kind == "features" else {each["id"]: each for each in self.actions()}
        return f"{action}: {game.rules.words(offer[action])}"

    def is_terminal(self) -> bool:
        """Return whether the game is over, by its rules or because it took too long."""
        node = self.node
        return node.asked is None and (node.over or node.decisions >= self.get_game().max_decisions)

    def returns(self) -> list[float]:
        """Return what each seat won; 0 before the end."""
        if not self.is_terminal() or self.node.state is None:
            return [0.0] * self.num_players()
        return payoffs(self.node.state.ranks())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ArenaState:
        """Return a state that `player` cannot distinguish from this one, with its hidden cards drawn anew.

        The game's `determinize` draws them. The `history` of the new state begins here.

        Args:
            player: The seat.
            sampler: Returns random numbers from 0 to 1.

        Raises:
            ValueError: This is a chance node.
        """
        return self._determinized(player, b"".join(int(sampler() * 0xFFFFFFFF).to_bytes(4) for _ in range(4)))

    def _determinized(self, player: int, seed: bytes) -> ArenaState:
        clone = ArenaState(self.get_game())
        clone.node, clone.steps = determinize(self.node, player, seed), self.steps
        return clone

    def actions(self) -> Sequence[Action]:
        """Return the actions of the seat to act as data. Raises `TooManyActions`."""
        if self.node.to_act is None or self.node.state is None or self.is_terminal():
            return ()
        return offered(self.node.state, self.get_game().setup.max_actions)

    def view(self, player: int | None) -> Data | None:
        """Return what `player` (None: a spectator) may know, as data; None before the first decision.

        Calls share the view: never modify it.
        """
        return self.node.view(player)

    def events(self, player: int | None) -> list[Data]:
        """Return what `player` (None: a spectator) could read so far, in order."""
        return self.node.events(player)

    def __str__(self) -> str:
        """Return all that any player knows, and what is to be drawn or decided, as JSON."""
        seats = range(self.num_players())
        return canonical({
            "to_act": self.node.to_act,
            "drawing": self.node.asked,
            "drawn": self.node.numbers,
            "actions": self.actions(),
            "steps": self.steps,
            "past": [self.node.past(seat) for seat in seats],
            "views": [self.view(seat) for seat in seats],
        })  # fmt: skip


class ArenaObserver:
    """A state as one player sees it: as a string, and without perfect recall also as numbers."""

    def __init__(self, game: ArenaGame, kind: Any) -> None:
        """Prepare to observe the states of a game.

        Raises:
            ValueError: There is no such observation: it would show all hands at once, or leave out what is public.
        """
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or not kind.public_info:
            raise ValueError("a view shows what is public, and the private part of one player or of none")
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        self._setup = game.setup
        self.tensor: Numbers | None = None
        """None with perfect recall, which has no numbers."""
        self.dict: dict[str, Numbers] = {}
        self._encoded: dict[int | None, tuple[Data, Numbers]] = {}
        """By reader, the view that was encoded last with its numbers: the chance nodes of a move share a view."""
        self._texts: dict[int | None, tuple[Data | None, str]] = {}
        """By reader, the view that was asked for last as JSON."""
        if not self._recalls:
            form, steps = self._setup.form, self._setup.steps
            rows = (steps, form.actions.width) if self._setup.has_rows else (0, 0)
            self.tensor = np.zeros(form.observation_width + rows[0] * rows[1], np.float32)
            parts = np.split(self.tensor, [form.width, form.observation_width])
            self.dict = {"view": parts[0], "steps": parts[1], "actions": parts[2].reshape(rows)}
            self.dict = {name: part for name, part in self.dict.items() if part.size}

    def set_from(self, state: ArenaState, player: int) -> None:
        """Encode the view of `player` and, if it is to act, the steps that it has taken or its actions."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        reader, form = player if self._own else None, self._setup.form
        view = state.view(reader)
        if view is not None:
            last, numbers = self._encoded.get(reader, (None, None))
            if numbers is None or last is not view:
                numbers = form.encode(view, state.events(reader) if form.history else ())
                self._encoded[reader] = view, numbers
            self.dict["view"][:] = numbers
        if self._own and state.node.to_act == player and not state.is_terminal():
            if "steps" in self.dict:
                self.dict["steps"][:] = state.get_game().choice(state.node, state.steps).taken
            elif "actions" in self.dict:
                rows = form.actions.encode(state.actions(), self._setup.order(player))
                self.dict["actions"][: len(rows)] = rows

    def string_from(self, state: ArenaState, player: int) -> str:
        """Return the view of `player` as JSON, with the steps that it has taken, and with perfect recall its past."""
        reader = player if self._own else None
        view = state.view(reader)
        last, text = self._texts.get(reader, (None, ""))
        if not text or last is not view:
            text = canonical(view)
            self._texts[reader] = view, text
        past = f'"past":{canonical(state.node.past(reader))},' if self._recalls else ""
        steps = f'"steps":{state.steps},' if state.steps and reader == state.node.to_act else ""
        return f'{{{past}{steps}"view":{text}}}' if past or steps else text


def resampler(seed: bytes) -> Callable[[ArenaState, int], ArenaState]:
    """Make a `resample_from_infostate` with random numbers of its own, for `ISMCTSBot.set_resampler`.

    Args:
        seed: 16 to 64 bytes.
    """
    drawn = 0

    def resample(state: ArenaState, player: int) -> ArenaState:
        nonlocal drawn
        drawn += 1
        return state._determinized(player, derive(seed, "resample", drawn))

    return resample


def _defaults(rules: Rules) -> dict[str, Any]:
    return {
        "players": rules.players[0],
        "edition": "",
        "form": "",
        "max_actions": MAX_ACTIONS,
        "max_decisions": MAX_DECISIONS,
    }


def _game_type(rules: Rules) -> Any:
    return pyspiel.GameType(
        short_name=PREFIX + rules.name,
        long_name=f"Arena {rules.name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.players[1],
        min_num_players=rules.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(rules),
    )


def register() -> list[str]:
    """Register the games of the catalog that are not registered yet, and return the names of all games."""
    known = set(pyspiel.registered_names())
    for rules in catalog.installed().values():
        if PREFIX + rules.name not in known:
            # A class instead of a function: the toolkit drops its reference after the interpreter has ended, when
            # nothing can be freed any more, and a class keeps itself alive by a reference cycle.
            pyspiel.register_game(_game_type(rules), type(f"Arena_{rules.name}", (ArenaGame,), {"rules": rules}))
    return [PREFIX + name for name in catalog.installed()]


register()
