"""One check of one bot: what the steps have in common, and what they find out for each other."""

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
from arena.match.clock import TimeControl
from arena.protocol.messages import Decide, Hello
from engine import catalog
from engine.game import Data, Game

Alter = Callable[[Message], Message]
"""Returns what is sent in place of a message."""


def as_it_is(message: Message) -> Message:
    """Alter nothing."""
    return message


@dataclass
class CheckContext:
    """The bot, and what is known of it so far."""

    entrant: Entrant
    time: TimeControl
    only: str | None = None
    """The one game to play; None: all that the bot plays."""
    cache: Path | None = None
    built: Built | None = None
    made: CheckSession | None = None
    first: ReceivedFrame | None = None
    """The first frame of the bot's first start."""
    games: list[Game] = field(default_factory=list)
    """Those that it is tried with."""
    _deals: Any = field(default_factory=count)

    @property
    def session(self) -> CheckSession:
        """The bot at the referee's socket."""
        if self.made is None:
            assert self.built is not None
            self.made = CheckSession(self.built, self.time)
        return self.made

    def came_first(self) -> list[ReceivedFrame]:
        """Return the bot's first frame, to be shown."""
        return [] if self.first is None else [self.first]

    def ready(self) -> Hello:
        """Return the bot's `hello`, after starting the bot if need be."""
        return self.session.get_ready()

    def choose_games(self, hello: Hello) -> None:
        """Choose the installed games that the bot plays and that were asked for."""
        installed = catalog.games()
        wanted = installed if self.only is None else {self.only: catalog.game(self.only)}
        self.games = [each for name, each in wanted.items() if not hello.games or name in hello.games]

    def match(self, rules: Game | None = None, players: int | None = None, **chosen: Any) -> LocalMatch:
        """Set up a match: of the bot's first game with the fewest players, where nothing else is said."""
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
        """Return all editions of a game, over and over."""
        return cycle(rules.edition(name) for name in rules.editions())

    def play(
        self, match: LocalMatch, most: int | None = None, alter: Alter = as_it_is, stray: Rule = TWICE
    ) -> list[int]:
        """Play a match, or its first decisions, from `start` to `end`, and return what the bot chose."""
        session = self.session
        session.send(alter(match.start()))
        chosen: list[int] = []
        while (most is None or len(chosen) < most) and (question := match.next()) is not None:
            chosen.append(self.ask(match, question, alter, stray))
        session.send(alter(match.end()))
        return chosen

    def ask(self, match: LocalMatch, question: Decide, alter: Alter = as_it_is, stray: Rule = TWICE) -> int:
        """Ask for one decision, and return what the bot chose."""
        self.session.send(alter(question))
        act, seconds = expect.answer(self.session, match.allowed, stray)
        # In what is sent instead there may be actions that this version does not have.
        index = min(act.index, len(question.actions) - 1)
        match.answer(index, seconds)
        return index


def need(condition: bool, otherwise: str) -> None:
    """Skip this step unless it applies."""
    if not condition:
        raise Skipped(otherwise)


def with_fields(message: Message, **fields: Any) -> Mapping[str, Any]:
    """Return a message with other fields, or more."""
    return {**expect.data(message), **fields}
