"""One bot of a referee: its process, where its messages come from, and the games it sits in."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from enum import Enum

from arena.entrants import BotProcess, Built
from arena.protocol.messages import Hello
from arena.referee.orders import GameOrder
from arena.referee.table import Table
from arena.referee.trace import Trace


class Sitting:
    """A table with the bots that sit at it."""

    def __init__(self, table: Table, links: list[Link], trace: Trace | None) -> None:
        """`links` by seat."""
        self.table = table
        self.links = links
        self.trace = trace
        self.gathering = True
        """Whether a bot is still starting."""
        self.asked: Link | None = None
        """Whose answer is waited for."""
        self.asked_at = 0.0
        self.due = float("inf")
        """When the awaited bot is late."""

    def ask(self, link: Link, now: float) -> None:
        """The bot of the awaited seat is asked, or can turn to it only now: its clock starts."""
        self.asked = link
        self.asked_at = now
        allowed = self.table.allowed()
        self.due = float("inf") if allowed is None else now + allowed
        if link.excused:
            # What it was asked for in vain may keep it busy as long as it might have taken for that.
            self.due += sum(link.excused.values())


class Stage(Enum):
    """How far a bot has come."""

    DOWN = "not started"
    STARTING = "started, has not said hello"
    READY = "has said hello"


class Link:
    """A bot by name. It is started when a game needs it, and again when it failed in an earlier one."""

    def __init__(self, name: str, built: Built | None) -> None:
        """`built` None: somebody starts it by hand."""
        self.name = name
        self.built = built
        self.stage = Stage.DOWN
        self.token = ""
        self.process: BotProcess | None = None
        self.address: bytes | None = None
        """The routing id that said hello last: where messages for this bot go."""
        self.hello: Hello | None = None
        self.hello_by = 0.0
        """When it is `mute`, on the host's clock."""
        self.frames = 0
        """Frames since it was last asked for a decision."""
        self.seats: dict[str, tuple[Sitting, int]] = {}
        """By game: where it sits, and its seat there."""
        self.last_opened = 0
        """When its last game was opened, counted in games of this referee."""
        self.excused: dict[str, float] = {}
        """Games that ended while it was asked: an answer may still come. The seconds that it had left for it."""
        self.waiting = 0
        """How many of its games wait for its decision."""

    @property
    def manual(self) -> bool:
        """Whether somebody else starts this bot."""
        return self.built is None

    @property
    def parallel(self) -> int:
        """How many games it plays at once; before its `hello`, one."""
        return 1 if self.hello is None else self.hello.parallel

    @property
    def spare(self) -> bool:
        """Whether it can take one game more."""
        return self.stage is Stage.READY and len(self.seats) < self.parallel

    def renew(self) -> str:
        """A new token, for a new start."""
        self.token = secrets.token_hex(16)
        self.stage = Stage.STARTING
        self.address = None
        self.hello = None
        self.frames = 0
        self.excused.clear()
        return self.token

    def stderr(self) -> str:
        """The last lines of what the bot wrote to standard error."""
        return "" if self.process is None else self.process.stderr_tail()

    def detach(self) -> None:
        """The bot does not run any more; its process is left to whoever calls this."""
        self.stage = Stage.DOWN
        self.address = None
        self.process = None

    def end(self, grace: float = 0.0) -> None:
        """End the bot's process, if it has one."""
        process = self.process
        self.detach()
        if process is not None:
            process.end(grace)


def has_room(open_tables: Sequence[Sitting], order: GameOrder, links: Sequence[Link]) -> bool:
    """Whether a game of these bots may be opened beside the open ones: all bots of all of them play several at once,
    and nobody plays two games of one block."""
    if not open_tables:
        return True
    if not all(link.spare and link.parallel > 1 for link in links):
        return False
    for sitting in open_tables:
        if any(link.parallel < 2 for link in sitting.links):
            return False
        same_block = (sitting.table.order.players, sitting.table.order.block) == (order.players, order.block)
        if same_block and not set(links).isdisjoint(sitting.links):
            return False
    return True
