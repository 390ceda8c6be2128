"""PettingZoo's usual wrappers, which find what they ask for at every step in the environment itself.

Each of PettingZoo's wrappers asks the one that it wraps for `agent_selection`, `terminations` and the like, some twenty
times a step, and that one asks the next. Here they ask the innermost environment, which does the same in a fifth of the
time.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers


class _Direct(wrappers.BaseWrapper):
    """A wrapper that skips those between it and the environment where it only reads.

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
