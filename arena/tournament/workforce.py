"""What a tournament needs to know of workers on other machines, which come and go while it is played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from concurrent.futures import BrokenExecutor, Executor

from arena.common.errors import ArenaError
from arena.referee.config import RefereeConfig


class WorkerLost(BrokenExecutor):
    """A machine is gone, silent or late. No bot is blamed: its games are played again as they were, elsewhere."""

    def __init__(self, text: str, begun: bool = True) -> None:
        """Keep what is known. `begun`: whether it may have begun the call."""
        super().__init__(text, begun)
        self.begun = begun

    def __str__(self) -> str:
        """Return why."""
        return str(self.args[0])


class WorkforceError(ArenaError):
    """Nobody is left to play games, or nobody may play them. The text says why and what to do."""


class RemoteWorker(Executor, ABC):
    """One core of another machine. It runs one call at a time; a call that is lost with it raises `WorkerLost`."""

    @abstractmethod
    def renew(self) -> None:
        """Run the next call in a new process, without the bots of the one before."""

    @abstractmethod
    def kill(self) -> None:
        """End what it runs."""


class Workforce(ABC):
    """Gives a tournament its workers."""

    @abstractmethod
    def leave_out(self, machines: Collection[str]) -> None:
        """Use no worker on machines of these names. Call it before `begin`."""

    @abstractmethod
    def begin(
        self, config: RefereeConfig, most: int | None, arrived: Callable[[RemoteWorker | Exception], object]
    ) -> None:
        """Make workers ready for these games, and hand over each that is ready, now and whenever one is found.

        Args:
            config: What all games share.
            most: The most workers at the same time. None: all that there are.
            arrived: Called from another thread with a worker; with a `WorkforceError` if there can be none any more.
        """
