"""One bot of a referee: its process, where its messages come from, and the games it sits in."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from enum import Enum
from typing import Final

from arena.entrants import BotProcess, Built
from arena.match.match import Match
from arena.match.spec import MatchSpec
from arena.protocol.messages import Hello
from arena.referee.run_queue import AT_ONCE, RunQueue, RunQueueReading
from arena.referee.trace import MatchTrace

_AGAIN: Final = 0.005
"""Seconds after which a bot that should be late but may wait for a core is looked at again."""


class OpenMatch:
    """A table with the bots that sit at it."""

    def __init__(self, match: Match, sessions: list[BotSession], trace: MatchTrace | None) -> None:
        """`links` by seat."""
        self.match = match
        self.sessions = sessions
        self.trace = trace
        self.gathering = True
        """Whether a bot is still starting."""
        self.asked: BotSession | None = None
        """Whose answer is waited for."""
        self.asked_at = 0.0
        self._look: RunQueueReading | None = None
        self._queue: RunQueue | None = None
        self._allowed = float("inf")
        self.due = float("inf")
        """When the awaited bot is late, or when to look whether it is."""

    def ask(self, session: BotSession, now: float, look: RunQueueReading | None) -> None:
        """The bot of the awaited seat is asked, or can turn to it only now: its clock starts. `look` of before that."""
        self.asked = session
        self.asked_at = now
        self._queue, self._look = session.queue, look
        allowed = self.match.allowed()
        self._allowed = float("inf") if allowed is None else allowed
        if session.excused:
            # What it was asked for in vain may keep it busy as long as it might have taken for that.
            self._allowed += sum(session.excused.values())
        self.due = now + self._allowed

    def look(self, now: float) -> None:
        """The bot did not answer at once: from now on at least, what it waits for a core is known."""
        if self.asked is not None and self._look is None and self._queue is not None:
            self._look = self._queue.look(now)

    def spent(self, now: float) -> float:
        """Seconds of its own that the bot that was asked last has had."""
        credit = 0.0 if self._queue is None else self._queue.credit(self.asked_at, self._look, now)
        return now - self.asked_at - credit

    def is_late(self, now: float) -> bool:
        """Whether the awaited bot has had all its time; if not, `due` is when to look again."""
        left = self._allowed - self.spent(now)
        if left <= 0:
            if self._queue is None or not self._queue.may_wait(self._look, now, self._allowed):
                return True
            left = _AGAIN
        self.due = now + max(left, AT_ONCE)
        return False


class SessionState(Enum):
    """How far a bot has come."""

    DOWN = "not started"
    STARTING = "started, has not said hello"
    READY = "has said hello"


class BotSession:
    """A bot by name. It is started when a game needs it, and again when it failed in an earlier one."""

    def __init__(self, name: str, built: Built | None) -> None:
        """`built` None: somebody starts it by hand."""
        self.name = name
        self.built = built
        self.stage = SessionState.DOWN
        self.token = ""
        self.process: BotProcess | None = None
        self.queue: RunQueue | None = None
        """What its process waits for."""
        self.address: bytes | None = None
        """The routing id that said hello last: where messages for this bot go."""
        self.hello: Hello | None = None
        self.hello_by = 0.0
        """When it is `mute`, on the host's clock."""
        self.frames = 0
        """Frames since it was last asked for a decision."""
        self.connections = 0
        """Connections made since then."""
        self.seats: dict[str, tuple[OpenMatch, int]] = {}
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
        return self.stage is SessionState.READY and len(self.seats) < self.parallel

    def renew(self) -> str:
        """A new token, for a new start."""
        self.token = secrets.token_hex(16)
        self.stage = SessionState.STARTING
        self.address = None
        self.hello = None
        self.frames = self.connections = 0
        self.excused.clear()
        return self.token

    def stderr(self) -> str:
        """The last lines of what the bot wrote to standard error."""
        return "" if self.process is None else self.process.stderr_tail()

    def detach(self) -> None:
        """The bot does not run any more; its process is left to whoever calls this."""
        self.stage = SessionState.DOWN
        self.address = None
        self.process = None
        if self.queue is not None:
            self.queue.close()
            self.queue = None

    def end(self, grace: float = 0.0) -> None:
        """End the bot's process, if it has one."""
        process = self.process
        self.detach()
        if process is not None:
            process.end(grace)


def has_room(open_matches: Sequence[OpenMatch], spec: MatchSpec, sessions: Sequence[BotSession]) -> bool:
    """Whether a game of these bots may be opened beside the open ones: all bots of all of them play several at once,
    and nobody plays two games of one block."""
    if not open_matches:
        return True
    if not all(session.spare and session.parallel > 1 for session in sessions):
        return False
    for open_match in open_matches:
        if any(session.parallel < 2 for session in open_match.sessions):
            return False
        same_block = (open_match.match.spec.players, open_match.match.spec.block) == (spec.players, spec.block)
        if same_block and not set(sessions).isdisjoint(open_match.sessions):
            return False
    return True
