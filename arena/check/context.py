"""What the steps of one check share, and what they find out for later steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from typing import Any

from arena.check import expect
from arena.check.local_match import LocalMatch
from arena.check.report import Rule, Skipped
from arena.check.rules import TWICE
from arena.check.session import CheckSession, Message, ReceivedFrame
from arena.entrants import Built, Entrant
from arena.isolation.settings import NONE, Isolation
from arena.match.clock import TimeControl
from arena.protocol.messages import Decide, Hello
from engine import catalog
from engine.game import Data, Game

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
    games: list[Game] = field(default_factory=list)
    """The games to try the bot with."""
    _deals: Any = field(default_factory=count)

    @property
    def session(self) -> CheckSession:
        """The bot at the referee's socket."""
        if self.made is None:
            assert self.built is not None
            self.made = CheckSession(self.built, self.time)
        return self.made

    def came_first(self) -> list[ReceivedFrame]:
        """Return the bot's first frame, to show it."""
        return [] if self.first is None else [self.first]

    def ready(self) -> Hello:
        """Return the bot's `hello`, starting the bot if necessary."""
        return self.session.get_ready()

    def choose_games(self, hello: Hello) -> None:
        """Choose the installed games that the bot plays and that were requested."""
        installed = catalog.games()
        wanted = installed if self.only is None else {self.only: catalog.game(self.only)}
        self.games = [each for name, each in wanted.items() if not hello.games or name in hello.games]

    def match(self, rules: Game | None = None, players: int | None = None, **chosen: Any) -> LocalMatch:
        """Set up a match, by default of the bot's first game with the fewest players.

        Args:
            rules: The game.
            players: The number of players.
            chosen: Other arguments of `LocalMatch`.
        """
        rules = rules or self.games[0]
        least, _ = rules.players
        options: dict[str, Any] = {
            "game_id": self.session.new_game(),
            "edition": rules.edition(rules.editions()[0]),
            "players": players or least,
            "seat": 0,
            "deal": next(self._deals),
            "time": self.time,
        }
        return LocalMatch(rules=rules, **{**options, **chosen})

    def editions(self, rules: Game) -> cycle[Data]:
        """Return an endless cycle of all editions of a game."""
        return cycle(rules.edition(name) for name in rules.editions())

    def play(
        self, match: LocalMatch, most: int | None = None, alter: Alter = as_it_is, stray: Rule = TWICE
    ) -> list[int]:
        """Play a match from `start` to `end`, and return what the bot chose.

        Args:
            match: The match.
            most: The most decisions to ask for; None: all.
            alter: Applied to every message before it is sent.
            stray: The rule that a message breaks which comes before the right answer.
        """
        session = self.session
        session.send(alter(match.start()))
        chosen: list[int] = []
        while (most is None or len(chosen) < most) and (question := match.next()) is not None:
            chosen.append(self.ask(match, question, alter, stray))
        session.send(alter(match.end()))
        return chosen

    def ask(self, match: LocalMatch, question: Decide, alter: Alter = as_it_is, stray: Rule = TWICE) -> int:
        """Ask for one decision, and return the index that the bot chose."""
        self.session.send(alter(question))
        act, seconds = expect.answer(self.session, match.allowed, stray)
        # An altered message may offer actions that this version does not have.
        index = min(act.index, len(question.actions) - 1)
        match.answer(index, seconds)
        return index


def need(condition: bool, otherwise: str) -> None:
    """Skip this step unless `condition` holds. `otherwise`: why it is skipped."""
    if not condition:
        raise Skipped(otherwise)


def with_fields(message: Message, **fields: Any) -> Mapping[str, Any]:
    """Return a message with fields replaced or added."""
    return {**expect.data(message), **fields}
