"""A game within this process: the bot has one seat, and the others choose at random."""

from __future__ import annotations

from random import Random

from arena.match.clock import TimeControl
from arena.match.match import Match
from arena.match.spec import MatchSpec
from arena.protocol.messages import Act, Decide, End, Fault, Start
from engine.chance import derive
from engine.game import Data, Game


class LocalMatch:
    """One game. `next` returns the bot's next question; `answer` plays what it chose."""

    def __init__(
        self,
        game_id: str,
        rules: Game,
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
        spec = MatchSpec(game_id, 0, players, 0, 0, seed.hex(), [""] * players)
        self._match = Match(rules, edition, spec, time, game_id=game_id)
        self._random = Random(seed)

    def start(self) -> Start:
        """Build the message that begins the game."""
        return self._match.start(self.seat)

    def next(self) -> Decide | None:
        """Play the others' moves, and return the bot's next decision. None: the game is over."""
        match = self._match
        while match.awaited is not None:
            question = match.decide()
            if match.awaited == self.seat:
                return question
            act = Act(self.id, question.turn, self._random.randrange(len(question.actions)))
            match.answer(match.awaited, act, 0.0)
        return None

    @property
    def allowed(self) -> float:
        """Seconds that the bot has for its decision."""
        allowed = self._match.allowed(self.seat)
        assert allowed is not None
        return allowed

    def answer(self, index: int, seconds: float) -> None:
        """Play what the bot chose. `seconds`: how long it took."""
        turn = self._match.asked(self.seat)
        assert turn is not None
        self._match.answer(self.seat, Act(self.id, turn.turn, index), seconds if self._charged else 0.0)

    def lose_turn(self) -> Fault:
        """Let the substitute play in place of the bot, whose decision is lost."""
        return self._match.late(0.0, "")

    def end(self) -> End:
        """Build the message that ends the game. If it is not over, it ends because all others fail."""
        for seat in range(self.players):
            if seat != self.seat and not self._match.over:
                self._match.fault(seat, "crash", "left")
        return self._match.end()
