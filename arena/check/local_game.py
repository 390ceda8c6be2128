"""A game within this process: the bot has one seat, and the others choose at random."""

from __future__ import annotations

from random import Random

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.protocol.messages import Act, Decide, End, Fault, Start
from engine.chance import derive
from engine.rules import Data, Rules


class LocalGame:
    """One game. `next` returns the bot's next question; `answer` plays what it chose."""

    def __init__(
        self,
        game_id: str,
        rules: Rules,
        edition: Data,
        players: int,
        seat: int,
        deal: int,
        time: TimeControl,
        charged: bool = True,
    ) -> None:
        """Start the game.

        Args:
            game_id: Its id.
            rules: The rules.
            edition: The resolved edition.
            players: The number of players.
            seat: The bot's seat.
            deal: The same number gives the same cards, the same choices of the others and the same `bot_seed`.
            time: The time limits.
            charged: False: the bot's clock stays full, so that its questions depend only on its answers.
        """
        seed = derive(b"the seed of a check", rules.name, players, seat, deal)
        self.id = game_id
        self.seat = seat
        self.players = players
        self._charged = charged
        spec = GameSpec(game_id, 0, players, 0, 0, seed.hex(), [""] * players)
        self._game = Game(rules, edition, spec, time, game_id=game_id)
        self._random = Random(seed)

    def start(self) -> Start:
        """Build the message that begins the game."""
        return self._game.start(self.seat)

    def next(self) -> Decide | None:
        """Play the others' moves, and return the bot's next decision. None: the game is over."""
        game = self._game
        while game.awaited is not None:
            question = game.decide()
            if game.awaited == self.seat:
                return question
            act = Act(self.id, question.turn, self._random.randrange(len(question.actions)))
            game.answer(game.awaited, act, 0.0)
        return None

    @property
    def allowed(self) -> float:
        """Seconds that the bot has for its decision."""
        allowed = self._game.allowed(self.seat)
        assert allowed is not None
        return allowed

    def answer(self, index: int, seconds: float) -> None:
        """Play what the bot chose. `seconds`: how long it took."""
        turn = self._game.asked(self.seat)
        assert turn is not None
        self._game.answer(self.seat, Act(self.id, turn.turn, index), seconds if self._charged else 0.0)

    def lose_turn(self) -> Fault:
        """Let the substitute play in place of the bot, whose decision is lost."""
        return self._game.late(0.0, "")

    def end(self) -> End:
        """Build the message that ends the game. If it is not over, it ends because all others fail."""
        for seat in range(self.players):
            if seat != self.seat and not self._game.over:
                self._game.fault(seat, "crash", "left")
        return self._game.end()
