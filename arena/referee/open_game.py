"""A game being played, with the sessions of its bots: which of them it waits for, its stopwatch and its pauses."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.referee.session import BotSession
from arena.referee.time.pause_queue import PauseQueue
from arena.referee.time.run_queue import RunQueueReading
from arena.referee.time.stopwatch import Stopwatch
from arena.referee.trace import GameTrace


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
            is_slow: By seat: as in `PauseQueue`.
        """
        self.game_id = game.game_id
        self.game = game
        self.sessions = sessions
        self.trace = trace
        self.gathering = True
        """Whether a bot is still starting."""
        self.asked: BotSession | None = None
        """The bot whose answer the game waits for."""
        self.stopwatch = Stopwatch(len(is_slow))
        """What that bot is charged for."""
        self.pauses = PauseQueue(game, is_slow)
        """Where the game waits without asking a bot."""

    def ask(self, session: BotSession, waited: float, reading: RunQueueReading | None) -> None:
        """Wait for the awaited seat's bot, which has been asked or can turn to this game only now.

        Args:
            session: The bot.
            waited: The time on the waiting clock.
            reading: What its processes had used just before.
        """
        self.asked = session
        seat = self.game.awaited
        assert seat is not None
        allowed = self.game.allowed(seat)
        # Questions of games that have ended may keep it busy for as long as it had for them.
        seconds = float("inf") if allowed is None else allowed + session.excused_seconds
        self.stopwatch.start(seat, seconds, session.queue, reading, waited, session.latency())

    def release(self) -> BotSession | None:
        """Stop waiting, and return the bot whose answer the game waited for."""
        session, self.asked = self.asked, None
        self.stopwatch.stop()
        return session


def has_room(open_games: Collection[OpenGame], spec: GameSpec, sessions: Sequence[BotSession]) -> bool:
    """Return whether a game of these bots may be opened next to the open ones.

    It may if all bots of all these games play several at once, and if no bot would play two games of one block.
    """
    if not open_games:
        return True
    if spec.is_fresh:  # a process that plays another game too would carry over what it knows
        return False
    if not all(session.spare and session.parallel > 1 for session in sessions):
        return False
    for open_game in open_games:
        if any(session.parallel < 2 for session in open_game.sessions):
            return False
        same_block = (open_game.game.spec.players, open_game.game.spec.block) == (spec.players, spec.block)
        if same_block and not set(sessions).isdisjoint(open_game.sessions):
            return False
    return True
