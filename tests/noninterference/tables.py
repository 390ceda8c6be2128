"""Persons at a table in two worlds: what their pages and terminals are sent, kept message by message.

The worlds are played by a real referee (see `sockets`). The reader's bot is a person at a table: the table hears what
the bot is sent and follows the game as in `arena play`. Kept is every message that it puts up for the person, with what
a bot is sent that gives hints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from unittest.mock import patch

import pytest

from arena.game.game import Game
from arena.play import page_data_by_seat
from arena.play.person import Message
from arena.play.run import APART_PAUSE
from arena.play.table import PlayTable, TableSettings
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.web.visitors import Bulletin, NotNowError, Visitor
from tests.noninterference.sockets import EVERY, Session
from tests.noninterference.test_two_worlds import EVERYTHING, plan_of
from tests.noninterference.worlds import Plan

SomeSession = TypeVar("SomeSession", bound="TableSession")


class _Kept(Bulletin):
    """A bulletin that keeps everything that was ever put up."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[tuple[str, bytes]] = []
        self.moments: list[float] = []
        """When each was put up."""
        self.now: Callable[[], float] = lambda: 0.0

    def put(self, event: str, data: bytes, **more: Any) -> None:
        self.all.append((event, data))
        self.moments.append(self.now())
        super().put(event, data, **more)


class NotedHints:
    """Notes what a bot that gives hints is sent, and always would take the first action."""

    name = "advisor"

    def __init__(self, sent: list[tuple[str, bytes]]) -> None:
        self._sent = sent
        self._written: dict[int, tuple[Message, bytes]] = {}
        """By the identity of a message, which is among what is sent many times: the message and its text."""

    def ask(self, seat: int, sent: Sequence[Message], answer: Callable[[int | None, str], object]) -> None:
        self._sent.append((f"to the bot for seat {seat}", b"\n".join(map(self._write, sent))))
        answer(0, "")

    def _write(self, message: Message) -> bytes:
        if id(message) not in self._written:
            self._written[id(message)] = message, repr(message).encode()
        return self._written[id(message)][1]

    def assert_unaltered(self) -> None:
        """Each message still is what was written of it when it was first sent."""
        for message, text in self._written.values():
            assert repr(message).encode() == text


class TableSession(Session):
    """A run in which some bots are persons at one table; `with_curtain`: two of them at one page."""

    with_curtain = False

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        reader = self.plans[0].reader
        assert reader is not None
        numbers = [reader, (reader + 1) % self.players] if self.with_curtain else [reader]
        self.visitor = Visitor("person")
        self.kept = _Kept()
        self.kept.now = self.timer.now
        object.__setattr__(self.visitor, "bulletin", self.kept)
        places = {self._name(number): self.visitor for number in numbers} | self._elsewhere(reader)
        settings = TableSettings(self.plans[0].game.rules, self.plans[0].edition)
        self._hints = self._hinting(reader)
        self.table = PlayTable(settings, places, self._hints)
        self._persons = {number: name for number in range(self.players) if (name := self._name(number)) in places}
        self._reader = reader
        self.refused: list[tuple[float, list[str]]] = []
        """When the person asked for this and that which was not possible, and in which words it was refused."""

    def play(self) -> Session:
        """Play until the cut, or to the end."""
        self.timer.after(EVERY / 3, self._ask_for_anything)
        super().play()
        self._hints.assert_unaltered()
        return self

    def _hinting(self, reader: int) -> NotedHints:
        """What gives hints."""
        return NotedHints(self.kept.all)

    def _elsewhere(self, reader: int) -> dict[str, Visitor]:
        """Persons at other pages."""
        return {}

    def _is_for(self, number: int, message: Mapping[str, Any], faults: Counter[tuple[Any, ...]]) -> bool:
        """Every message passes here: a person's table hears it, too."""
        if number in self._persons:
            self.table.hear(self._persons[number], message)
            if message["type"] == "decide" and number == self._reader:
                self._ask_for_a_hint(self.visitor)
        return super()._is_for(number, message, faults)

    def _ask_for_a_hint(self, visitor: Visitor) -> None:
        [asked] = [each for each in visitor.bulletin.newer_than(0) if each.event in ("turn", "curtain")]
        decision = int(asked.data.split(b'"decision":')[1].split(b",")[0])
        self.table.show(visitor, decision)
        self.table.hint(visitor, decision)

    def _ask_for_anything(self) -> None:
        """Ask again and again for what is not possible, whoever is asked meanwhile."""
        table, visitor, decision = self.table, self.visitor, self.table._decisions[self.visitor]
        asked: list[Callable[[], object]] = [
            lambda: table.want_rematch(visitor),
            lambda: table.choose(visitor, decision, 9999),
            *(partial(do, visitor, decision + 1) for do in (table.hint, table.show)),
            lambda: table.choose(visitor, decision + 1, 0),
        ]
        if any(each.event == "curtain" for each in visitor.bulletin.newer_than(0)):
            asked += [lambda: table.choose(visitor, decision, 0), lambda: table.hint(visitor, decision)]
        self.refused.append((self.timer.now(), [_refusal(each) for each in asked]))
        self.timer.after(EVERY, self._ask_for_anything)

    @contextmanager
    def _patched(self) -> Iterator[None]:
        plain_play = Referee.play

        def play(referee: Referee, specs: Any) -> Any:
            return plain_play(referee, specs, self.table.on_step, None, self.table.on_thinking)

        with super()._patched():
            init = Game.__init__

            def begun(game: Game, *args: Any, **named: Any) -> None:
                init(game, *args, **named)
                with patch.object(page_data_by_seat, "begin", lambda *_: game._state):
                    self.table.set_up(game.spec)

            with patch.object(Game, "__init__", begun), patch.object(Referee, "play", play):
                yield


def _refusal(ask: Callable[[], object]) -> str:
    with pytest.raises(NotNowError) as refused:
        ask()
    return str(refused.value)


class CurtainSession(TableSession):
    """Two persons at one page; the other one never comes to it."""

    with_curtain = True


class ApartSession(TableSession):
    """Two persons at pages of their own, without clocks. The other one takes seconds for each answer."""

    def _elsewhere(self, reader: int) -> dict[str, Visitor]:
        self.elsewhere = (reader + 1) % self.players
        self.other_visitor = Visitor("other")
        return {self._name(self.elsewhere): self.other_visitor}

    def _config(self, plan: Plan) -> RefereeConfig:
        unlimited = frozenset(self.table.persons)
        return replace(super()._config(plan), unlimited=unlimited, unlimited_pause=APART_PAUSE)

    def _seconds(self, number: int, phase: str) -> float:
        return super()._seconds(number, phase) + (8.0 if number == self.elsewhere else 0.0)


def first_world(
    kind: type[SomeSession], game: str, edition: str, players: int, number: int, decisions: int = EVERYTHING
) -> SomeSession:
    """Play as far as so many decisions of the reader. Only with an even number there are faults."""
    label = f"persons {game} {edition} {players} {number}"
    plan = plan_of(game, edition, players, number % players, label, decisions, faults=number % 2 == 0)
    session = kind([plan], reconnects=number % 2 == 0)
    session.play()
    return session


def is_refused_alike(session: TableSession, other: TableSession) -> bool:
    """Whether the same is refused in the same words up to the end of the other run."""
    assert len(other.refused) > 1
    return session.refused[: len(other.refused)] == other.refused


def times_are_equal(session: TableSession, other: TableSession, messages: Sequence[tuple[str, bytes]]) -> bool:
    """Whether these messages were put up at the same times."""
    put_up = sum(not event.startswith("to the bot") for event, _ in messages)
    return session.kept.moments[:put_up] == other.kept.moments[:put_up]


def messages_at(session: TableSession, cut: int) -> list[tuple[str, bytes]]:
    """What was put up until the reader was asked for the decision of that number."""
    asked = 0
    for number, (event, _) in enumerate(session.kept.all):
        asked += event.startswith("to the bot")
        if asked == cut:
            return session.kept.all[: number + 1]
    raise AssertionError(f"asked {asked} times, not {cut}")
