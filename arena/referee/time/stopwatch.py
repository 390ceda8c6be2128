"""How long the bot that a game waits for has thought, and what of it is charged.

- It has thought since it was asked, on the waiting clock (`waited` of `arena.referee.transport.RefereeTransport`): what
  the referee computes itself is nobody's time.
- The time that it waited for a core which others had is credited (`arena.referee.time.run_queue`), as long as its
  allowance lasts for what nobody can explain. So is the way to a bot elsewhere and back, within a bound
  (`arena.referee.source.LocalProcess.latency`). What is left is charged.
- It is late when it is charged all that it is allowed: what its seat clock says (`arena.game.clock.SeatClock`), and the
  time that was left for answers to games that have ended. As long as it may wait for a core, it is checked again later.

`arena.game.game.Game` notes the charged seconds, and takes them from the seat clock. All times here are of the waiting
clock; pauses have another one (`arena.referee.time.pause_queue`).
"""

from __future__ import annotations

from typing import Final

from arena.referee.time.run_queue import UNCREDITED_SECONDS, Allowance, RunQueue, RunQueueReading

_NEVER: Final = float("inf")
_AGAIN: Final = 0.005
"""Seconds until a bot that should be late, but may be waiting for a core, is checked again."""


class Stopwatch:
    """Measures the decisions of one game, one at a time."""

    def __init__(self, seats: int) -> None:
        """Begin a game of so many seats, each with its allowance."""
        self.due = _NEVER
        """When the bot that is measured is late, or when to check again whether it is; infinite: none is measured."""
        self._asked_at = 0.0
        self._allowed = _NEVER
        self._latency = 0.0
        self._queue: RunQueue | None = None
        self._reading: RunQueueReading | None = None
        self._allowances = [Allowance() for _ in range(seats)]
        """By seat."""
        self._allowance = self._allowances[0]
        """That of the seat that was asked last."""

    def start(
        self,
        seat: int,
        allowed: float,
        queue: RunQueue | None,
        reading: RunQueueReading | None,
        waited: float,
        latency: float = 0.0,
    ) -> None:
        """Measure a bot that has been asked, or can turn to the question only now.

        Args:
            seat: Its seat.
            allowed: The seconds that it may take; infinite: no limit.
            queue: How long its processes wait for a core. None: it has none of ours, and is credited nothing.
            reading: What its processes had used just before. None: that was not read.
            waited: The time.
            latency: Seconds that are not charged, as the question and the answer travel so long.
        """
        self._asked_at, self._allowed, self._latency = waited, allowed, latency
        self._queue, self._reading = queue, reading
        self._allowance.settle()
        self._allowance = self._allowances[seat]
        self.due = waited + allowed + latency

    def stop(self) -> None:
        """Let nobody be late any more; what was measured can still be asked for."""
        self.due = _NEVER

    def take_reading(self, waited: float) -> None:
        """Read the bot's waiting times from now on, unless that was done before: it did not answer immediately."""
        if self._reading is None and self._queue is not None:
            self._reading = self._queue.take_reading(waited)

    def thought(self, waited: float) -> float:
        """Return the seconds since the bot was asked."""
        return waited - self._asked_at

    def charged(self, waited: float) -> float:
        """Return the seconds that are charged for its decision."""
        credit = 0.0
        if self._queue is not None:
            credit = self._queue.credit(self._asked_at, self._reading, waited, self._allowance)
        return max(0.0, self.thought(waited) - credit - self._latency)

    def check_late(self, waited: float) -> bool:
        """Return whether the bot has used all its time; if not, set `due` to the next time to check."""
        left = self._allowed - self.charged(waited)
        if left <= 0:
            queue = self._queue
            if queue is None or not queue.may_wait(self._reading, waited, self._allowed, self._allowance):
                return True
            left = _AGAIN
        self.due = waited + max(left, UNCREDITED_SECONDS)
        return False

    def left(self, waited: float) -> float:
        """Return the seconds until `due`, at least 0."""
        return max(0.0, self.due - waited)
