"""The games of the catalog for PettingZoo, as turn-based (AEC) environments.

    from engine.adapters.pettingzoo import env
    world = env("<name>", players=4)
    world.reset(seed=1)
    for agent in world.agent_iter():
        observation, reward, termination, truncation, info = world.last()
        done = termination or truncation
        world.step(None if done else world.action_space(agent).sample(observation["action_mask"]))

Agents are the seats, called `player_0`, `player_1`, ... An observation is made of what the seat itself is sent:

- `observation`: the view as numbers;
- `action_mask`: 1 for each legal action, all 0 for an agent that is not to act;
- `actions`: one row for each legal action, the action as numbers. Actions are numbered by their position in the list
  offered, so a number alone means little from one decision to the next; these rows say what each one stands for.

`ArenaEnv.encoders` describes the numbers (see `engine.adapters.numbers`). For the agent that is to act, `infos`
contains the view and the actions as data, and the events that it could read since its last decision. Do not modify
them: the observation is made of the same view, and other games offer the same actions.

Rewards come at the end: the share of rivals ranked behind minus the share ranked before, so they add up to 0. A game
that is not over after `max_decisions` is truncated, and the rewards follow the ranks of that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from secrets import token_bytes
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engine import catalog
from engine.adapters.numbers import Encoder, survey
from engine.adapters.tree import MAX_ACTIONS, MAX_DECISIONS, TreeGame, offered, payoffs, resolve
from engine.chance import Chance, Seeded, derive
from engine.rules import Action, Data, Event, State

Observation = dict[str, NDArray[Any]]

ILLEGAL: Final = -1.0
"""The reward of an illegal action in `env`, where it ends the game."""
KEPT_ROWS: Final = 1 << 13
"""How many actions an environment keeps as numbers."""


def env(name: str, players: int | None = None, edition: str = "", **settings: Any) -> Any:
    """Return an `ArenaEnv` in PettingZoo's usual wrappers.

    Calls out of order and numbers out of range are errors. An illegal action ends the game with the reward `ILLEGAL`.
    """
    bare = ArenaEnv(name, players, edition, **settings)
    return OrderedWrapper(InBoundsWrapper(LegalWrapper(bare, illegal_reward=ILLEGAL)))


class ArenaEnv(AECEnv):
    """One game of the catalog without wrappers: an illegal action raises IndexError and changes nothing."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        edition: str = "",
        *,
        max_actions: int = MAX_ACTIONS,
        max_decisions: int = MAX_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        """Set up the game.

        Args:
            name: The game's name.
            players: The number of players; None: the fewest.
            edition: A name or a TOML file; empty: the game's first edition.
            max_actions: The most actions at one decision.
            max_decisions: A game is truncated after this many decisions.
            render_mode: None or `ansi`.

        Raises:
            UnknownRules: No rules have that name.
            EditionError: There is no such edition, or it is not valid.
            ValueError: The game is not for that many players, or there is no such render mode.
        """
        super().__init__()
        self._rules = catalog.rules(name)
        fewest, most = self._rules.players
        count = fewest if players is None else players
        if not fewest <= count <= most:
            raise ValueError(f"{name} is for {fewest} to {most} players, not {count}")
        self.metadata = {"name": f"{name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        if render_mode not in (None, "ansi"):
            raise ValueError(f"there is no render mode {render_mode!r}: ansi, or None")
        self.render_mode = render_mode
        self.setup = TreeGame(name, count, resolve(self._rules, edition))
        self.encoders = survey(self.setup)
        self.max_actions = max_actions
        self.max_decisions = max_decisions
        self.possible_agents = [f"player_{seat}" for seat in range(count)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(max_actions) for agent in self.possible_agents}
        self._master = token_bytes(16)
        self._games = 0
        self._state: State | None = None
        self._rows: dict[int, tuple[Action, bytes]] = {}  # by the action's identity, which ends with the action

    def __getstate__(self) -> dict[str, Any]:
        """Return what to pickle or deep-copy: the rest belongs to this process, where `__setstate__` finds its own."""
        return {name: value for name, value in self.__dict__.items() if name not in ("encoders", "_rows")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on from there, with the encoders of this process."""
        self.__dict__.update(state)
        self.encoders = survey(self.setup)
        self._rows = {}

    def _observation_space(self) -> spaces.Dict:
        low, high = self.encoders.action.bounds()
        rows = (self.max_actions, 1)
        return spaces.Dict({
            "observation": _box(self.encoders.view),
            "action_mask": spaces.Box(0, 1, (self.max_actions,), np.int8),
            "actions": spaces.Box(np.tile(low, rows), np.tile(high, rows), dtype=np.float32),
        })  # fmt: skip

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: Fixes this game, and in turn the games of later resets without a seed.
            options: May contain `chance`, an `engine.chance.Chance` from which the game draws instead.
        """
        if seed is not None:
            self._master, self._games = derive(b"pettingzoo adapter", seed), 0
        chance: Chance = Seeded(derive(self._master, self._games))
        self._games += 1
        if options is not None and isinstance(options.get("chance"), Chance):
            chance = options["chance"]
        self._state = self._rules.start(self.setup.players, self.setup.edition, chance)
        self._decisions = 0
        self._unread: dict[str, list[Data]] = {agent: [] for agent in self.possible_agents}
        self._last: Sequence[Event] = ()
        self._offer: Sequence[Action] = ()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._stand()

    @property
    def game_state(self) -> State:
        """The engine's state, with everything hidden in it: for experiments, not for agents. ValueError: no game."""
        if self._state is None:
            raise ValueError("there is no game before reset")
        return self._state

    def view(self, agent: str | None) -> Data:
        """Return what an agent (None: a spectator) may know, as data. ValueError: no game."""
        return self.game_state.view(None if agent is None else self._seats[agent])

    def actions(self, agent: str) -> Sequence[Action]:
        """Return what an agent may do now, as data; nothing unless it is to act. ValueError: no game."""
        return self._offer if self.game_state.to_act == self._seats[agent] else ()

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation (see the module's description). ValueError: no game."""
        mask = np.zeros(self.max_actions, np.int8)
        width = self.encoders.action.width
        rows = np.zeros((self.max_actions, width), np.float32)
        if offer := self.actions(agent):
            mask[: len(offer)] = 1
            known = b"".join(map(self._row, offer))
            rows[: len(offer)] = np.frombuffer(known, np.float32).reshape(len(offer), width)
        info = self.infos.get(agent)
        view = info["view"] if info else self.view(agent)
        return {"observation": self.encoders.view.write(view), "action_mask": mask, "actions": rows}

    def _row(self, action: Action) -> bytes:
        """Return an action as numbers. A game offers the same objects again and again, and nobody may modify them."""
        found = self._rows.get(id(action))
        if found is None or found[0] is not action:
            if len(self._rows) == KEPT_ROWS:
                self._rows.clear()
            found = self._rows[id(action)] = action, self.encoders.action.write(action).tobytes()
        return found[1]

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent. `action`: None if the agent is done and leaves.

        Raises:
            IndexError: There is no such action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IndexError(f"{agent} has to act")
        events = self.game_state.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._decisions += 1
        self._hear(events)
        self._stand()

    def _hear(self, events: Sequence[Event]) -> None:
        """Queue each event for the agents that may read it."""
        for to, what in events:
            if to is None:
                for unread in self._unread.values():
                    unread.append(what)
            else:
                self._unread[self.possible_agents[to]].append(what)
        self._last = events

    def _is_over(self) -> bool:
        return self.game_state.to_act is None or self._decisions >= self.max_decisions

    def _stand(self) -> None:
        """Select the agent to act and fill in its `infos`, or at the end distribute the rewards."""
        state = self.game_state
        self.infos = {agent: {} for agent in self.agents}
        if not self._is_over():
            assert state.to_act is not None
            agent = self.agent_selection = self.possible_agents[state.to_act]
            events, self._unread[agent] = self._unread[agent], []
            self._offer = offered(state, self.max_actions)
            self.infos[agent] = {"view": self.view(agent), "actions": list(self._offer), "events": events}
            return
        self._offer = ()
        done = self.terminations if state.to_act is None else self.truncations
        for agent, reward in zip(self.possible_agents, payoffs(state.ranks()), strict=True):
            done[agent] = True
            self.rewards[agent] = reward
            self.infos[agent] = {"view": self.view(agent), "actions": [], "events": self._unread[agent]}
        self._accumulate_rewards()  # those of the steps before were 0
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Return, in mode `ansi`, what everybody could see of the last move, one line for each event."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(self._rules.words(event.what) for event in self._last if event.to is None)

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _box(form: Encoder) -> spaces.Box:
    low, high = form.bounds()
    return spaces.Box(low, high, dtype=np.float32)


class _Direct(wrappers.BaseWrapper):
    """One of PettingZoo's usual wrappers, which skips those between it and the environment where it only reads.

    PettingZoo's own ask the one that they wrap for `agent_selection`, `terminations` and the like, some twenty times a
    step, and that one asks the next. To ask the innermost environment does the same in a fifth of the time.
    What is missing before `reset` is asked for in PettingZoo's way, which tells the caller so.
    """

    def __init__(self, env: AECEnv, **settings: Any) -> None:
        super().__init__(env, **settings)
        self._innermost = env.unwrapped

    agent_selection = property(attrgetter("_innermost.agent_selection"))
    infos = property(attrgetter("_innermost.infos"))
    rewards = property(attrgetter("_innermost.rewards"))
    terminations = property(attrgetter("_innermost.terminations"))
    truncations = property(attrgetter("_innermost.truncations"))
    _cumulative_rewards = property(attrgetter("_innermost._cumulative_rewards"))

    def __str__(self) -> str:
        """Return the name of the environment."""
        return str(self.env)


class LegalWrapper(_Direct, wrappers.TerminateIllegalWrapper):
    """Ends the game where an action is illegal."""


class InBoundsWrapper(_Direct, wrappers.AssertOutOfBoundsWrapper):
    """Lets no number pass that is never an action."""

    def step(self, action: int | None) -> None:
        """Play an action, or None for an agent that is done."""
        if type(action) is int and 0 <= action < self._innermost.max_actions:
            self.env.step(action)
        else:
            super().step(action)


class OrderedWrapper(_Direct, wrappers.OrderEnforcingWrapper):
    """Says so where `reset` was not called first, or calls come in another wrong order."""

    @property
    def agents(self) -> list[str]:
        """The agents that are not done."""
        if self._has_reset:
            agents: list[str] = self._innermost.agents
            return agents
        raise AttributeError
