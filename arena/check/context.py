"""What the steps of one check share, and what they find out for later steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Any

from arena.check import expect
from arena.check.report import Requirement, Skipped
from arena.check.requirements import TWICE
from arena.check.session import CheckSession, Message, ReceivedFrame
from arena.entrants import Built, Entrant
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.isolation.settings import NONE, Isolation
from arena.protocol.messages import Act, Decide, End, Fault, Hello, Start
from engine import catalog
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


Alter = Callable[[Message], Message]
"""Returns the message to send in place of a message."""


def as_it_is(message: Message) -> Message:
    """Return the message itself."""
    return message


@dataclass
class CheckContext:
    """The bot, and what is known about it so far."""

    entrant: Entrant
    time: TimeControl
    only: str | None = None
    """The only game to play; None: all that the bot plays."""
    cache: Path | None = None
    isolation: Isolation = NONE
    built: Built | None = None
    made: CheckSession | None = None
    first: ReceivedFrame | None = None
    """The first frame of the bot's first start."""
    rules: list[Rules] = field(default_factory=list)
    """The rules to try the bot with."""
    _deals: Any = field(default_factory=count)

    @property
    def session(self) -> CheckSession:
        """The bot at the referee's socket."""
        if self.made is None:
            assert self.built is not None
            self.made = CheckSession(self.built, self.time, self.only or "")
        return self.made

    def came_first(self) -> list[ReceivedFrame]:
        """Return the bot's first frame, to show it."""
        return [] if self.first is None else [self.first]

    def ready(self) -> Hello:
        """Return the bot's `hello`, starting the bot if necessary."""
        return self.session.get_ready()

    def choose_rules(self, hello: Hello) -> None:
        """Choose the installed rules that the bot plays and that were requested."""
        said = hello.games or None
        wanted = catalog.installed(said).values() if self.only is None else [catalog.rules(self.only)]
        self.rules = [rules for rules in wanted if said is None or rules.name in said]

    def game(self, rules: Rules | None = None, players: int | None = None, **chosen: Any) -> LocalGame:
        """Set up a game, by default of the bot's first rules with the fewest players.

        Args:
            rules: The rules.
            players: The number of players.
            chosen: Other arguments of `LocalGame`.
        """
        rules = rules or self.rules[0]
        least, _ = rules.players
        options: dict[str, Any] = {
            "game_id": self.session.new_game(),
            "edition": rules.edition(rules.editions()[0]),
            "players": players or least,
            "seat": 0,
            "deal": next(self._deals),
            "time": self.time,
        }
        return LocalGame(rules=rules, **{**options, **chosen})

    def editions(self, rules: Rules) -> cycle[Data]:
        """Return an endless cycle of all editions of these rules."""
        return cycle(rules.edition(name) for name in rules.editions())

    def play(
        self, game: LocalGame, most: int | None = None, alter: Alter = as_it_is, stray: Requirement = TWICE
    ) -> list[int]:
        """Play a game from `start` to `end`, and return what the bot chose.

        Args:
            game: The game.
            most: The most decisions to ask for; None: all.
            alter: Applied to every message before it is sent.
            stray: The requirement that a message breaks which comes before the right answer.
        """
        session = self.session
        session.send(alter(game.start()))
        chosen: list[int] = []
        while (most is None or len(chosen) < most) and (question := game.next()) is not None:
            chosen.append(self.ask(game, question, alter, stray))
        session.send(alter(game.end()))
        return chosen

    def ask(self, game: LocalGame, question: Decide, alter: Alter = as_it_is, stray: Requirement = TWICE) -> int:
        """Ask for one decision, and return the index that the bot chose."""
        self.session.send(alter(question))
        act, seconds = expect.answer(self.session, game.allowed, stray)
        # An altered message may offer actions that this version does not have.
        index = min(act.index, len(question.actions) - 1)
        game.answer(index, seconds)
        return index


def need(condition: bool, otherwise: str) -> None:
    """Skip this step unless `condition` holds. `otherwise`: why it is skipped."""
    if not condition:
        raise Skipped(otherwise)


def with_fields(message: Message, **fields: Any) -> Mapping[str, Any]:
    """Return a message with fields replaced or added."""
    return {**expect.data(message), **fields}
