"""The games of the catalog for PettingZoo, as turn-based (AEC) environments.

    from arena.environments.pettingzoo import env
    world = env("<name>", players=4)
    world.reset(seed=1)
    for agent in world.agent_iter():
        observation, reward, termination, truncation, info = world.last()
        done = termination or truncation
        world.step(None if done else world.action_space(agent).sample(observation["action_mask"]))

Agents are the seats, called `player_0`, `player_1`, ... An observation is made of what the seat itself is sent:

- `observation`: the view, and the steps that were taken of this decision, as the numbers of a form (`arena.features`);
- `action_mask`: 1 for each step that is allowed, all 0 for an agent that is not to act;
- `actions`, only in games whose actions have neither ids nor a vocabulary: the features of each, in a row. There a step
  is the action's place among these rows.

An action may take several steps: then the same agent is selected again. For the agent that is to act, `infos` contains
the view and the actions as data, and the events that it could read since its last decision. Do not modify them: the
observation is made of the same view, and other games offer the same actions.

Rewards come at the end: the share of rivals ranked behind minus the share ranked before, so they add up to 0. A game
that is not over after `max_decisions` is truncated, and the rewards follow the ranks of that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from secrets import token_bytes
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena.environments.spaces import observation_space
from arena.environments.stepped import ILLEGAL, SteppedGame, rendered, stepped_setup
from arena.environments.tree import MAX_ACTIONS, payoffs
from arena.features import Form
from engine.batch import MAX_DECISIONS
from engine.chance import Chance, Seeded, derive
from engine.rules import Action, Data, Event, State


def env(name: str, players: int | None = None, edition: str = "", **settings: Any) -> Any:
    """Return an `ArenaEnv` in PettingZoo's usual wrappers.

    Calls out of order and numbers out of range are errors. An illegal step ends the game with the reward `ILLEGAL`.
    """
    bare = ArenaEnv(name, players, edition, **settings)
    return OrderedWrapper(InBoundsWrapper(LegalWrapper(bare, illegal_reward=ILLEGAL)))


class ArenaEnv(AECEnv):
    """One game of the catalog without wrappers: an illegal step raises ValueError and changes nothing."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        edition: str = "",
        *,
        form: Form | str | None = None,
        max_actions: int = MAX_ACTIONS,
        max_decisions: int = MAX_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        """Set up the game; the settings are those of `arena.environments.stepped.stepped_setup`."""
        super().__init__()
        self.setup = stepped_setup(name, players, edition, form, max_actions, max_decisions, render_mode)
        self.metadata = {"name": f"{name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.setup.game.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(self.setup) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.setup.steps) for agent in self.possible_agents}
        self._master = token_bytes(16)
        self._games = 0
        self._game: SteppedGame | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's steps, always the same object."""
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
        self._game = self.setup.start(chance)
        self._last: Sequence[Event] = ()
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
    def game(self) -> SteppedGame:
        """The game, with everything hidden in it: for experiments, not for agents. ValueError: no game."""
        if self._game is None:
            raise ValueError("there is no game before reset")
        return self._game

    @property
    def game_state(self) -> State:
        """The engine's state, with everything hidden in it. ValueError: no game."""
        return self.game.state

    def view(self, agent: str | None) -> Data:
        """Return what an agent (None: a spectator) may know, as data. ValueError: no game."""
        return self.game.state.view(None if agent is None else self._seats[agent])

    def actions(self, agent: str) -> Sequence[Action]:
        """Return what an agent may do now, as data; nothing unless it is to act. ValueError: no game."""
        return self.game.actions if self.game.seat == self._seats[agent] else ()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation (see the module's description). ValueError: no game."""
        return self.game.observation(self._seats[agent])

    def step(self, action: int | None) -> None:
        """Take a step of the selected agent. `action`: None if the agent is done and leaves.

        Raises:
            ValueError: The step is not allowed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to act")
        events = self.game.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        if events is None:
            self.infos[agent] = self.infos[agent] | {"events": []}
            return
        self._last = events
        self._stand()

    def _stand(self) -> None:
        """Select the agent to act and fill in its `infos`, or at the end distribute the rewards."""
        game = self.game
        self.infos[self.agent_selection] = {}
        if (seat := game.seat) is not None:
            agent = self.agent_selection = self.possible_agents[seat]
            self.infos[agent] = {"view": game.view, "actions": list(game.actions), "events": game.read(seat)}
            return
        done = self.truncations if game.is_truncated else self.terminations
        for seat, (agent, reward) in enumerate(zip(self.possible_agents, payoffs(game.state.ranks()), strict=True)):
            done[agent] = True
            self.rewards[agent] = reward
            self.infos[agent] = {"view": self.view(agent), "actions": [], "events": game.read(seat)}
        self._accumulate_rewards()  # those of the steps before were 0
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Return, in mode `ansi`, what everybody could see of the last move, one line for each event."""
        return rendered(self.render_mode, self.setup.game.game, self._last)

    def close(self) -> None:
        """Do nothing: nothing is open."""


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
        if type(action) is int and 0 <= action < self._innermost.setup.steps:
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
