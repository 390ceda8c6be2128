"""A game being played, with the sessions of its bots: for whom it waits, since when, and until when."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Final

from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.referee.pauses import RETIRED_SECONDS, AnswerTimes, Before, pause_source
from arena.referee.run_queue import UNCREDITED_SECONDS, Allowance, RunQueue, RunQueueReading
from arena.referee.session import BotSession
from arena.referee.trace import GameTrace
from engine.rules import ForcedMove

_NEVER: Final = float("inf")
_AGAIN: Final = 0.005
"""Seconds until a bot that should be late, but may be waiting for a core, is checked again."""


class OpenGame:
    """One game and its bots."""

    def __init__(
        self, game: Game, sessions: list[BotSession], trace: GameTrace | None, is_slow: Sequence[bool]
    ) -> None:
        """Begin to wait for the bots.

        Args:
            game: The game.
            sessions: The bots, by seat.
            trace: Where messages are written; None: nowhere.
            is_slow: By seat: whether the bot was slow in its last game that has ended (`AnswerTimes.is_slow`).
        """
        self.game_id = game.game_id
        self.game = game
        self.sessions = sessions
        self.trace = trace
        self.gathering = True
        """Whether a bot is still starting."""
        self.is_slow = list(is_slow)
        """By seat. It stays the same for the whole game: others notice it, and may not learn what was asked in it."""
        self.answer_seconds: list[list[float]] = [[] for _ in is_slow]
        """By seat: how long its answers took."""
        self.asked: BotSession | None = None
        """The bot whose answer the game waits for."""
        self.asked_at = 0.0
        self._look: RunQueueReading | None = None
        self._queue: RunQueue | None = None
        self._allowances = [Allowance() for _ in is_slow]
        """By seat."""
        self._allowance = self._allowances[0]
        """That of the bot asked last."""
        self._allowed = _NEVER
        self.due = _NEVER
        """When the awaited bot is late, or when to check again whether it is."""
        self.asked_since = 0.0
        """When the awaited bot was first asked, on the transport's real clock, as are the next two."""
        self.judged_at = 0.0
        """When something that came from a bot was last judged."""
        self.resume_at: float | None = None
        """When the pause that the game makes now ends; None: it makes none."""
        self._pause_seconds = 0.0
        """How long that pause is to be."""
        self._last = (-1, Before.OTHER)
        """The seat for which the game waited last, and how that ended: by an answer, by a pause, or otherwise."""
        self._before = Before.OTHER
        """How that was when the awaited seat was asked."""
        self._unasked: deque[ForcedMove] = deque()
        self._seeming: list[int] = []
        self._pauses = pause_source(game.spec.seed)

    def begin(self) -> None:
        """Note that every bot is ready."""
        self.gathering = False

    def ask(self, session: BotSession, now: float, look: RunQueueReading | None) -> None:
        """Start the clock of the awaited seat's bot, which has been asked or can turn to this game only now.

        Args:
            session: The bot.
            now: The time, on the transport's clock.
            look: A reading of what its processes had used just before.
        """
        self.asked = session
        self.asked_at = now
        self._queue, self._look = session.queue, look
        awaited = self.game.awaited
        assert awaited is not None
        self._allowance.settle()
        self._allowance = self._allowances[awaited]
        allowed = self.game.allowed(awaited)
        self._allowed = _NEVER if allowed is None else allowed
        # Questions of games that have ended may keep it busy for as long as it had for them.
        self._allowed += session.excused_seconds
        self.due = now + self._allowed

    def release(self) -> BotSession | None:
        """Stop waiting, and return the bot whose answer the game waited for."""
        session, self.asked = self.asked, None
        return session

    def pause(self, times: AnswerTimes, now: float, unlimited: float) -> bool:
        """Begin or go on with the pauses that are due; return whether the game pauses (`arena.referee.pauses`).

        Args:
            times: What bots took for earlier answers.
            now: The time, on the transport's real clock.
            unlimited: The longest pause for a seat without a clock, in seconds.
        """
        if unasked := self.game.take_unasked():
            self._unasked += unasked
        elif self.resume_at is None and not self._unasked:
            return False
        while self.resume_at is None or self.resume_at <= now:
            began, self.resume_at = self.resume_at, None
            if not self._unasked:
                if began is not None:
                    times.ended(self._pause_seconds, now - began)
                return False
            move = self._unasked.popleft()
            is_retired = self.game.is_retired(move.seat)
            if not is_retired:
                self._seeming.append(move.seat)
            allowed = RETIRED_SECONDS if is_retired else self.game.allowed(move.seat)
            self._last = (move.seat, Before.PAUSE)
            is_asked_next = not self._unasked and self.game.awaited == move.seat
            seconds = times.draw(self.game.spec.bots[move.seat], move.phase, self._pauses, is_asked_next)
            if began is None:  # for a retired seat, what the rules took is part of the pause
                began = self.judged_at if is_retired else now
            self._pause_seconds = min(seconds, unlimited if allowed is None else allowed)
            self.resume_at = began + self._pause_seconds
            self.due = _NEVER
        return True

    def question(self, seat: int, now: float) -> None:
        """Note that a seat is asked. `now`: the time, on the transport's real clock."""
        self.asked_since = now
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

    def take_seeming(self) -> list[int]:
        """Return and forget the seats for which pauses were begun, as if they were asked."""
        if not self._seeming:
            return []
        seeming, self._seeming = self._seeming, []
        return seeming

    def look(self, now: float) -> None:
        """Read the bot's waiting times from now on, unless that was done before: it did not answer immediately."""
        if self.asked is not None and self._look is None and self._queue is not None:
            self._look = self._queue.look(now)

    def spent(self, now: float) -> float:
        """Return the seconds of its own time that the bot asked last has used."""
        credit = 0.0 if self._queue is None else self._queue.credit(self.asked_at, self._look, now, self._allowance)
        return now - self.asked_at - credit

    def check_late(self, now: float) -> bool:
        """Return whether the awaited bot has used all its time; if not, set `due` to the next time to check."""
        left = self._allowed - self.spent(now)
        if left <= 0:
            if self._queue is None or not self._queue.may_wait(self._look, now, self._allowed, self._allowance):
                return True
            left = _AGAIN
        self.due = now + max(left, UNCREDITED_SECONDS)
        return False


def has_room(open_games: Collection[OpenGame], spec: GameSpec, sessions: Sequence[BotSession]) -> bool:
    """Return whether a game of these bots may be opened next to the open ones.

    It may if all bots of all these games play several at once, and if no bot would play two games of one block.
    """
    if not open_games:
        return True
    if not all(session.spare and session.parallel > 1 for session in sessions):
        return False
    for open_game in open_games:
        if any(session.parallel < 2 for session in open_game.sessions):
            return False
        same_block = (open_game.game.spec.players, open_game.game.spec.block) == (spec.players, spec.block)
        if same_block and not set(sessions).isdisjoint(open_game.sessions):
            return False
    return True
