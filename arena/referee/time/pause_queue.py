"""How long the referee waits where it asks no bot, so that the time does not tell the others that nobody was asked.

Whether there is a decision may depend on hidden cards: who holds nothing to play against an attack is not asked for it.
Nothing that is sent says so, but the next message would come sooner. One rule closes all such places in all games:
whenever no bot is asked, though as far as others know one might be (`arena.game.game.Game.take_unasked`), the game
pauses for a time drawn from this bot's earlier answers in the same phase. So does every decision of a retired seat, for
which the substitute moves at once; these pauses are short, because everybody knows that no bot is asked there.

Who was asked answers its next question awake; who was not sleeps through the pause, and is slower after it. So a pause
before a question to the same bot is shorter: by what this bot's answers after pauses took longer than after answers.

Pauses change nothing but the time of the next message: nobody's clock runs, and nothing of them is recorded. They are
drawn from a stream of their own of the game's seed.

All times here are of the real clock (`arena.referee.transport.RefereeTransport.now`), by which others see messages
come; what a bot is charged for has another one (`arena.referee.time.stopwatch`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from arena.game.game import Game
from arena.referee.time.pause_lengths import AnswerTimes, Before, pause_source
from engine.rules import ForcedMove

RETIRED_SECONDS: Final = 0.001
"""The longest pause for a retired seat. It need only hide how long the rules take."""
UNLIMITED_SECONDS: Final = 1.0
"""The longest pause for a seat without a clock, unless `RefereeConfig` says otherwise: a person may take minutes."""


class PauseQueue:
    """The pauses of one game: the one that it makes now, and those that are due after it."""

    def __init__(self, game: Game, is_slow: Sequence[bool]) -> None:
        """Begin without any.

        Args:
            game: The game.
            is_slow: By seat: whether the bot was slow in its last game that has ended (`AnswerTimes.is_slow`).
        """
        self._game = game
        self._source = pause_source(game.spec.seed)
        self.is_slow = list(is_slow)
        """By seat. It stays the same for the whole game: others notice it, and may not learn what was asked in it."""
        self.answer_seconds: list[list[float]] = [[] for _ in is_slow]
        """By seat: how long its answers took."""
        self.asked_at = 0.0
        """When the awaited bot was first asked."""
        self.judged_at = 0.0
        """When something that came from a bot was last judged."""
        self.resume_at: float | None = None
        """When the pause that the game makes now ends; None: it makes none."""
        self._seconds = 0.0
        """How long that pause is to be."""
        self._last = (-1, Before.OTHER)
        """The seat for which the game waited last, and how that ended: by an answer, by a pause, or otherwise."""
        self._before = Before.OTHER
        """How that was when the awaited seat was asked."""
        self._unasked: deque[ForcedMove] = deque()
        self._seeming: list[ForcedMove] = []

    def pause(self, times: AnswerTimes, now: float, unlimited: float) -> bool:
        """Begin or go on with the pauses that are due; return whether the game pauses.

        Args:
            times: What bots took for earlier answers.
            now: The time.
            unlimited: The longest pause for a seat without a clock, in seconds.
        """
        if unasked := self._game.take_unasked():
            self._unasked += unasked
        elif self.resume_at is None and not self._unasked:
            return False
        while self.resume_at is None or self.resume_at <= now:
            began, self.resume_at = self.resume_at, None
            if not self._unasked:
                if began is not None:
                    times.pause_ended(self._seconds, now - began)
                return False
            move = self._unasked.popleft()
            is_retired = self._game.is_retired(move.seat)
            if not is_retired:
                self._seeming.append(move)
            allowed = RETIRED_SECONDS if is_retired else self._game.allowed(move.seat)
            self._last = (move.seat, Before.PAUSE)
            is_asked_next = not self._unasked and self._game.awaited == move.seat
            seconds = times.draw(self._game.spec.bots[move.seat], move.phase, self._source, is_asked_next)
            if began is None:  # for a retired seat, what the rules took is part of the pause
                began = self.judged_at if is_retired else now
            self._seconds = min(seconds, unlimited if allowed is None else allowed)
            self.resume_at = began + self._seconds
        return True

    def asked(self, seat: int, now: float) -> None:
        """Note that a seat is asked. `now`: the time."""
        self.asked_at = now
        last, how = self._last
        self._before = how if last == seat else Before.OTHER
        self._last = (seat, Before.OTHER)  # unless it answers

    def answered(self, seat: int, seconds: float) -> Before:
        """Note that the seat that was asked has answered, and return what the game had waited for before.

        `seconds`: since it was asked.
        """
        self._last = (seat, Before.ANSWER)
        self.answer_seconds[seat].append(seconds)
        return self._before

    def take_seeming(self) -> list[ForcedMove]:
        """Return and forget the moves for which pauses were begun, as if their seats were asked."""
        if not self._seeming:
            return []
        seeming, self._seeming = self._seeming, []
        return seeming
