"""The games of the catalog for Gymnasium: one seat learns and opponents have the others, or all rows learn together.

    import gymnasium
    import arena.environments
    world = gymnasium.make("arena/<name>-v0", players=4, opponents=["@planner", "@greedy"])
    observation, info = world.reset(seed=1)
    observation, reward, terminated, truncated, info = world.step(world.action_space.sample(info["action_mask"]))

An observation is what the seat knows, as the numbers of a form (`arena.features`), and in games whose actions have
neither ids nor a vocabulary a dictionary that also has `actions`, the features of each action in a row.
`info["action_mask"]` has 1 for each step that is allowed. The reward comes at the end: the share of rivals ranked
behind minus the share ranked before. A step that is not allowed ends the game with the reward `ILLEGAL`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from arena.client import GameStart
from arena.environments.opponents import Opponent, SeatedBot, at_random, player
from arena.environments.spaces import observation_space
from arena.environments.stepped import ILLEGAL, SteppedGame, rendered, stepped_setup
from arena.environments.tree import MAX_ACTIONS, payoffs
from arena.features import Form
from engine import catalog
from engine.batch import MAX_DECISIONS, Batch
from engine.chance import Seeded, derive
from engine.rules import Action, Data, Event


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game against opponents."""

    def __init__(
        self,
        game: str,
        players: int | None = None,
        edition: str = "",
        *,
        opponents: Sequence[Opponent] = (at_random,),
        seat: int | None = None,
        form: Form | str | None = None,
        max_actions: int = MAX_ACTIONS,
        max_decisions: int = MAX_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        """Set up the game by the settings of `arena.environments.stepped.stepped_setup`, and two more.

        `opponents` have the seats after the learner's; if they are fewer, they are taken again from the first. `seat`
        is the learner's; None: drawn for each game.
        """
        self.setup = stepped_setup(game, players, edition, form, max_actions, max_decisions, render_mode)
        self.metadata = {"render_modes": ["ansi"]}
        if not opponents or (seat is not None and not 0 <= seat < self.setup.game.players):
            raise ValueError("there must be an opponent" if not opponents else f"there is no seat {seat}")
        self.render_mode = render_mode
        self._players = [player(opponent) for opponent in opponents]
        self._wanted = seat
        space = observation_space(self.setup)
        self.observation_space = (
            gymnasium.spaces.Dict({name: space[name] for name in ("observation", "actions")})
            if self.setup.has_rows
            else space["observation"]
        )
        self.action_space = gymnasium.spaces.Discrete(self.setup.steps)
        self._last: list[Event] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new game, and go on to the first decision of the learner.

        Args:
            seed: Fixes this game, and in turn the games of later resets without a seed.
            options: None are known.
        """
        super().reset(seed=seed)
        while True:
            master = self.np_random.bytes(16)
            setup, count = self.setup.game, self.setup.game.players
            chance = Seeded(derive(master, "players of an environment"))
            self.seat = chance.below("seat", count) if self._wanted is None else self._wanted
            self.game: SteppedGame = self.setup.start(Seeded(derive(master, "game")))
            self._bots: dict[int, SeatedBot] = {}
            for place in range(count - 1):
                at = (self.seat + 1 + place) % count
                start = GameStart(
                    "environment", setup.game, setup.edition, at, count, None, chance.below("bot's seed", 1 << 32)
                )
                self._bots[at] = SeatedBot(self._players[place % len(self._players)], start)
            self._go_on()
            if self.game.seat is not None:  # else the game ended before the learner had anything to decide
                return self._seen()

    def _go_on(self) -> None:
        """Let opponents play until the learner has to act."""
        game = self.game
        while (seat := game.seat) is not None and seat != self.seat:
            self._last += game.play(self._bots[seat].decide(game.view, game.actions, game.read(seat)))
        if seat is None:
            for bot in self._bots.values():
                bot.end(game.state.ranks(), game.state.scores())

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        found = self.game.observation(self.seat)
        info = {"action_mask": found.pop("action_mask"), "seat": self.seat}
        return (found if self.setup.has_rows else found["observation"]), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take a step, and go on to the learner's next one."""
        try:
            events = self.game.step(int(action))
        except ValueError:
            if self.game.seat is None:
                raise
            self.game.seat, self.game.choice = None, None
            observation, info = self._seen()
            return observation, ILLEGAL, True, False, info
        if events is not None:
            self._last = [*events]
            self._go_on()
        over, long = self.game.seat is None, self.game.is_truncated
        reward = payoffs(self.game.state.ranks())[self.seat] if over else 0.0
        observation, info = self._seen()
        return observation, reward, over and not long, long, info

    @property
    def view(self) -> Data:
        """What the learner's seat knows, as data."""
        return self.game.state.view(self.seat)

    @property
    def actions(self) -> Sequence[Action]:
        """What it may do now, as data; nothing at the end."""
        return self.game.actions

    def render(self) -> str | None:
        """Return, in mode `ansi`, what everybody could see since the learner's last decision."""
        return rendered(self.render_mode, self.setup.game.game, self._last)


class SelfPlayVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games at once (`engine.batch`), in which one model has all seats.

    A row shows what its seat to act knows, and `info` has `action_mask`, `seat` and `players` of each row. The reward
    of a row belongs to the seat whose step ended its game; `info["payoffs"]` has those of all seats, 0 in other rows.
    The next game begins in the same step.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | Sequence[int] | None = None,
        edition: str = "",
        *,
        form: Form | str | None = None,
        max_decisions: int = MAX_DECISIONS,
    ) -> None:
        """Set up so many games by the settings of `arena.environments.stepped.stepped_setup`.

        If `players` are several numbers, the games take them in turn.

        Raises:
            ValueError: The actions of the game have neither ids nor a vocabulary.
        """
        asked = [players] if players is None or isinstance(players, int) else [*players]
        setups = [stepped_setup(game, count, edition, form, max_decisions=max_decisions) for count in asked]
        self.setup = setups[0]
        if self.setup.has_rows:
            raise ValueError(f"the actions of {game} have neither ids nor a vocabulary: take PettingZoo's environment")
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self._counts = [setup.game.players for setup in setups]
        self.single_observation_space = observation_space(self.setup)["observation"]
        self.single_action_space = gymnasium.spaces.Discrete(self.setup.steps)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games anew. `seed`: fixes all of them; of a list, the first one does."""
        super().reset(seed=seed[0] if isinstance(seed, list | tuple) else seed)
        setup = self.setup
        self.batch = Batch(
            catalog.rules(setup.game.game), setup.game.edition, setup.form, self.num_envs, self._counts,
            self.np_random.bytes(16), setup.steps, setup.max_decisions,
        )  # fmt: skip
        return self.batch.observations.copy(), self._info()

    def _info(self) -> dict[str, Any]:
        batch = self.batch
        mask = batch.masks.astype(np.int8)
        return {"action_mask": mask, "seat": batch.seats.copy(), "players": batch.players.copy()}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take a step in each row. Raises ValueError if one is not allowed."""
        rewards = np.zeros(self.num_envs, np.float64)
        terminated, truncated = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        shares = np.zeros((self.num_envs, max(self._counts)), np.float64)
        for row, ranks, seat, is_truncated in self.batch.step(np.asarray(actions)):
            shares[row, : len(ranks)] = payoffs(ranks)
            rewards[row] = shares[row, seat]
            (truncated if is_truncated else terminated)[row] = True
        return self.batch.observations.copy(), rewards, terminated, truncated, {**self._info(), "payoffs": shares}
