"""The games of the catalog for OpenSpiel: importing this module registers each as `python_arena_<name>`.

    import pyspiel
    import engine.adapters.open_spiel
    game = pyspiel.load_game("python_arena_<name>", {"players": 4})

Parameters: `players`; `edition`, a name or a TOML file (empty: the game's first one); `max_actions`, `max_decisions`.

**Chance** is explicit: every random number that the rules ask for is a chance node of its own, with equally likely
outcomes (see `engine.adapters.tree`). A shuffle is a row of such nodes, all of them before anybody sees a card. There
is no seed: whoever walks the tree draws the outcomes.

**Actions** are numbered by their place in the list that the seat to act is offered. A number means different things at
different decisions, and one thing at one decision: the list is part of what the seat is sent, so it is the same in all
states of one information state, also in those drawn by `resample_from_infostate`, and statistics that a search keeps by
information state and action id are about one and the same action. `State.action_to_string` says what it is,
`ArenaState.actions` gives it as data.

**Observations.** `observation_string` is the seat's view as JSON. `information_state_string` has in addition `past`, a
digest of all that the seat was sent and chose before (its first view, the events that it may read, its decisions):
perfect recall in a string that does not grow. `ArenaState.events` gives those events in full. `observation_tensor` is
the view and, at one's own decision, the actions as numbers (see `engine.adapters.numbers`; `ArenaObserver.forms` says
what each number means). There is no information state tensor: a past has no fixed size.

**Returns** come at the end: the share of rivals ranked behind less the share ranked before, so they add up to 0. A game
that is not over after `max_decisions` ends there with the ranks of that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pyspiel

from engine.adapters.bounds import MAX_ACTIONS, MAX_DECISIONS, offered, payoffs, resolve
from engine.adapters.numbers import Encoders, Numbers, survey
from engine.adapters.tree import Node, TreeGame, canonical, determinize, root
from engine.catalog import games
from engine.chance import derive
from engine.game import Action, Data, Game

PREFIX: Final = "python_arena_"
MAX_OUTCOMES: Final = 256
"""Outcomes of one chance node: a deck of more cards cannot be shuffled here."""
DRAWS_A_DECISION: Final = 20
"""More chance nodes than `DRAWS_AT_START` and so many a decision are taken for a game that never stops drawing."""
DRAWS_AT_START: Final = 1_000


class ArenaGame(pyspiel.Game):
    """One game of the catalog with its parameters; a subclass for each game says which.

    Raises `EditionError`; ValueError: not for that many players.
    """

    rules: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """`params`: see the module; what is missing has its default."""
        rules = self.rules
        given = _defaults(rules) | (params or {})
        players = given["players"]
        if not rules.players[0] <= players <= rules.players[1]:
            raise ValueError(f"{rules.name} is for {rules.players[0]} to {rules.players[1]} players, not {players}")
        self.setup = TreeGame(rules.name, players, resolve(rules, given["edition"]))
        self.max_actions: int = given["max_actions"]
        self.max_decisions: int = given["max_decisions"]
        self._root: Node | None = None
        info = pyspiel.GameInfo(
            num_distinct_actions=self.max_actions,
            max_chance_outcomes=MAX_OUTCOMES,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_decisions,
        )
        super().__init__(_game_type(rules), info, params or {})

    @property
    def root(self) -> Node:
        """Where every game begins."""
        if self._root is None:
            self._root = root(self.setup)
        return self._root

    def max_chance_nodes_in_history(self) -> int:
        """A bound far above what games need."""
        return DRAWS_AT_START + DRAWS_A_DECISION * self.max_decisions

    def new_initial_state(self) -> ArenaState:
        """A state before anything is dealt."""
        return ArenaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> ArenaObserver:
        """What OpenSpiel looks at states through."""
        if params:
            raise ValueError(f"observers have no parameters: {params}")
        return ArenaObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class ArenaState(pyspiel.State):
    """A place in a game: a decision, a chance node, or the end."""

    def __init__(self, game: ArenaGame) -> None:
        """The root; made by `ArenaGame.new_initial_state`."""
        super().__init__(game)
        self.node = game.root

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's ids for chance and for the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.node.to_act
        return int(pyspiel.PlayerId.CHANCE) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.actions()))) if player == self.node.to_act else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All equally likely."""
        if self.node.asked is None:
            raise ValueError("not a chance node")
        stream, outcomes = self.node.asked
        if outcomes > MAX_OUTCOMES:
            raise ValueError(f"{stream}: {outcomes} outcomes, and there may be {MAX_OUTCOMES}")
        return [(outcome, 1 / outcomes) for outcome in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(action)
        if self.node.draws > DRAWS_AT_START + DRAWS_A_DECISION * self.get_game().max_decisions:
            raise ValueError("the game does not stop drawing random numbers")

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            if self.node.asked is None:
                raise ValueError("not a chance node")
            stream, outcomes = self.node.asked
            return f"{stream}: {action} of {outcomes}"
        return f"{action}: {self.get_game().rules.words(self.actions()[action])}"

    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules or because it took too long."""
        node = self.node
        return node.asked is None and (node.over or node.decisions >= self.get_game().max_decisions)

    def returns(self) -> list[float]:
        """What each seat won; 0 before the end."""
        if not self.is_terminal() or self.node.state is None:
            return [0.0] * self.num_players()
        return payoffs(self.node.state.ranks())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ArenaState:
        """A state that `player` cannot tell from this one, its hidden cards drawn anew by the game's `determinize`.

        `sampler` gives numbers from 0 to 1. ValueError: a chance node. Its `history` begins at this place.
        """
        return self._imagined(player, b"".join(int(sampler() * 0xFFFFFFFF).to_bytes(4) for _ in range(4)))

    def _imagined(self, player: int, seed: bytes) -> ArenaState:
        clone = ArenaState(self.get_game())
        clone.node = determinize(self.node, player, seed)
        return clone

    def actions(self) -> Sequence[Action]:
        """The actions of the seat to act as data, by their ids. Raises `TooManyActions`."""
        if self.node.to_act is None or self.node.state is None or self.is_terminal():
            return ()
        return offered(self.node.state, self.get_game().max_actions)

    def view(self, player: int | None) -> Data | None:
        """What `player` (None: a spectator) may know, as data; None before the first decision."""
        return self.node.view(player)

    def events(self, player: int | None) -> list[Data]:
        """What `player` (None: a spectator) could read so far, in order."""
        return self.node.events(player)

    def __str__(self) -> str:
        """Everything that anybody knows, and what stands to be drawn or decided."""
        seats = range(self.num_players())
        return canonical({
            "to_act": self.node.to_act,
            "drawing": self.node.asked,
            "drawn": self.node.numbers,
            "actions": self.actions(),
            "past": [self.node.past(seat) for seat in seats],
            "views": [self.view(seat) for seat in seats],
        })  # fmt: skip


class ArenaObserver:
    """A state as one player sees it: as a string, and as numbers where recall is not perfect."""

    def __init__(self, game: ArenaGame, kind: Any) -> None:
        """ValueError: a kind of observation that there is none of (all hands at once, or without what is public)."""
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or not kind.public_info:
            raise ValueError("a view shows what is public, and the private part of one player or of none")
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        self._max_actions = game.max_actions
        self.forms: Encoders | None = None
        """How the numbers come about; None with perfect recall, which has none."""
        self.tensor: Numbers | None = None
        self.dict: dict[str, Numbers] = {}
        if not self._recalls:
            self.forms = survey(game.setup)
            views = self.forms.view.width
            actions = (self._max_actions, self.forms.action.width)
            self.tensor = np.zeros(views + actions[0] * actions[1], np.float32)
            self.dict = {"view": self.tensor[:views], "actions": self.tensor[views:].reshape(actions)}

    def set_from(self, state: ArenaState, player: int) -> None:
        """Write the view of `player`, and the actions if it is to act."""
        if self.forms is None or self.tensor is None:
            return
        self.tensor.fill(0)
        view = state.view(player if self._own else None)
        if view is not None:
            self.dict["view"][:] = self.forms.view.write(view)
        if self._own and state.node.to_act == player:
            for row, action in zip(self.dict["actions"], state.actions(), strict=False):
                row[:] = self.forms.action.write(action)

    def string_from(self, state: ArenaState, player: int) -> str:
        """The view of `player` as JSON; with perfect recall, its past beside it."""
        reader = player if self._own else None
        view = state.view(reader)
        if not self._recalls:
            return canonical(view)
        return canonical({"past": state.node.past(reader), "view": view})


def resampler(seed: bytes) -> Callable[[ArenaState, int], ArenaState]:
    """`resample_from_infostate` with randomness of its own, for `ISMCTSBot.set_resampler`. `seed`: 16 to 64 bytes."""
    drawn = 0

    def resample(state: ArenaState, player: int) -> ArenaState:
        nonlocal drawn
        drawn += 1
        return state._imagined(player, derive(seed, "resample", drawn))

    return resample


def _defaults(rules: Game) -> dict[str, Any]:
    return {
        "players": rules.players[0],
        "edition": "",
        "max_actions": MAX_ACTIONS,
        "max_decisions": MAX_DECISIONS,
    }


def _game_type(rules: Game) -> Any:
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
    """Register the games of the catalog that are not yet; the names of all of them."""
    known = set(pyspiel.registered_names())
    for rules in games().values():
        if PREFIX + rules.name not in known:
            # A class and not a function made for it: the toolkit lets go of it after the interpreter has ended, when
            # nothing can be freed any more; a class holds on to itself.
            pyspiel.register_game(_game_type(rules), type(f"Arena_{rules.name}", (ArenaGame,), {"rules": rules}))
    return [PREFIX + name for name in games()]


register()
