"""Compare what a person's page and terminal are sent in two worlds that the person's seat cannot tell apart.

The worlds are played by a real referee (see `sockets`). The reader's bot is a person at a table: the table hears what
the bot is sent and follows the game as in `arena play`. Kept is every message that it puts up for the person, with what
a bot is sent that gives hints. With a leak planted they differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from arena.cli import play_terminal
from arena.cli.input_lines import LineReader
from arena.cli.play_terminal import TerminalPlayer
from arena.ledger import MatchRecord
from arena.match.match import Match
from arena.play import page_data_by_seat
from arena.play.games import APART_PAUSE
from arena.play.person import Message
from arena.play.table import PlayTable, TableSettings
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.replays.page_data import RunningPageData
from arena.web.bulletin import Bulletin, BulletinMessage
from arena.web.visitors import Visitor
from tests.noninterference.sockets import Session, late_cut, other_world
from tests.noninterference.test_two_worlds import PHASES, plan_of
from tests.noninterference.worlds import Plan

PLAYED = pytest.mark.parametrize(("game", "edition"), PHASES)


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


class _Hints:
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
        self._hints = _Hints(self.kept.all)
        self.table = PlayTable(settings, places, self._hints)
        self._persons = {number: name for number in range(self.players) if (name := self._name(number)) in places}
        self._reader = reader

    def play(self) -> Session:
        """Play until the cut, or to the end."""
        super().play()
        self._hints.assert_unaltered()
        return self

    def _elsewhere(self, reader: int) -> dict[str, Visitor]:
        """Persons at other pages."""
        return {}

    def _is_for(self, number: int, message: Mapping[str, Any], faults: Counter[tuple[Any, ...]]) -> bool:
        """Every message passes here: a person's table hears it, too."""
        if number in self._persons:
            self.table.hear(self._persons[number], message)
            if message["type"] == "decide" and number == self._reader:
                self._ask_for_a_hint()
        return super()._is_for(number, message, faults)

    def _ask_for_a_hint(self) -> None:
        [asked] = [each for each in self.kept.newer_than(0) if each.event in ("turn", "curtain")]
        decision = int(asked.data.split(b'"decision":')[1].split(b",")[0])
        self.table.show(self.visitor, decision)
        self.table.hint(self.visitor, decision)

    @contextmanager
    def _patched(self) -> Iterator[None]:
        plain_play = Referee.play

        def play(referee: Referee, specs: Any) -> Any:
            return plain_play(referee, specs, self.table.on_step, None, self.table.on_thinking)

        with super()._patched():
            init = Match.__init__

            def begun(match: Match, *args: Any, **named: Any) -> None:
                init(match, *args, **named)
                with patch.object(page_data_by_seat, "begin", lambda *_: match._state):
                    self.table.set_up(match.spec)

            with patch.object(Match, "__init__", begun), patch.object(Referee, "play", play):
                yield


class CurtainSession(TableSession):
    """Two persons at one page; the other one never comes to it."""

    with_curtain = True


class ApartSession(TableSession):
    """Two persons at pages of their own, without clocks. The other one takes seconds for each answer."""

    def _elsewhere(self, reader: int) -> dict[str, Visitor]:
        self.elsewhere = (reader + 1) % self.players
        return {self._name(self.elsewhere): Visitor("other")}

    def _config(self, plan: Plan) -> RefereeConfig:
        unlimited = frozenset(self.table.persons)
        return replace(super()._config(plan), unlimited=unlimited, unlimited_pause=APART_PAUSE)

    def _seconds(self, number: int, phase: str) -> float:
        return super()._seconds(number, phase) + (8.0 if number == self.elsewhere else 0.0)


def printed(messages: Sequence[tuple[str, bytes]], session: TableSession, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a terminal prints that is sent these messages."""
    lines: list[str] = []
    monkeypatch.setattr(play_terminal, "say", lambda text="": lines.append(text))
    plan = session.plans[0]
    player = TerminalPlayer(
        session.table, session.visitor, plan.game.rules, plan.edition, LineReader(-1), may_clear=False
    )
    for event, data in messages:
        if not event.startswith("to the bot") and event != "lobby":
            player._take(BulletinMessage(0, event, data, None))
    return lines


def first_world(kind: type[TableSession], game: str, edition: str, players: int, number: int) -> TableSession:
    label = f"persons {game} {edition} {players} {number}"
    plan = plan_of(game, edition, players, number % players, label, faults=number % 2 == 0)
    session = kind([plan], reconnects=number % 2 == 0)
    session.play()
    return session


def messages_at(session: TableSession, cut: int) -> list[tuple[str, bytes]]:
    """What was put up until the reader was asked for the decision of that number."""
    asked = 0
    for number, (event, _) in enumerate(session.kept.all):
        asked += event.startswith("to the bot")
        if asked == cut:
            return session.kept.all[: number + 1]
    raise AssertionError(f"asked {asked} times, not {cut}")


@pytest.mark.slow
@PLAYED
def test_a_person_sees_nothing_of_what_lies_hidden(game: str, edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Page, hints and terminal, up to a decision of the person; with faults and lost connections."""
    hands = 0
    for number, players in enumerate((2, 3, 4, 6)):
        random = Random(number)
        session = first_world(TableSession, game, edition, players, number)
        cut = late_cut(session.cuts, random)
        pair = other_world(session, cut, random)
        assert isinstance(pair.other, TableSession)
        one, other = messages_at(session, cut), messages_at(pair.other, cut)
        assert one == other, f"{players} players, world {number}"
        assert {"turn", "thinking", "hint", "to the bot for seat " + str(number % players)} <= {each[0] for each in one}
        said = printed(one, session, monkeypatch)
        assert len(said) > 10
        own, rivals = (sum(mark in line for line in said) for mark in ("(you): ", "chance to win"))
        assert own > 0
        assert rivals == players * own, "one line for each seat"
        assert said == printed(other, pair.other, monkeypatch)
        for told, there in zip(pair.first.games, pair.other.cuts[-1].games, strict=True):
            hands += told.hands != there.hands
    assert hands >= 2


@pytest.mark.slow
@PLAYED
def test_a_curtain_hides_the_next_seat(game: str, edition: str) -> None:
    """The other person at the page is asked, too, and does not come to it: nothing of that seat is put up."""
    curtains = hands = 0
    for number in range(16):
        players = 2 + number % 3
        random = Random(number)
        session = first_world(CurtainSession, game, edition, players, number)
        cut = late_cut(session.cuts, random)
        pair = other_world(session, cut, random)
        assert isinstance(pair.other, TableSession)
        one, other = messages_at(session, cut), messages_at(pair.other, cut)
        [told], [there] = pair.first.games, pair.other.cuts[-1].games
        if told.asked != there.asked:  # at one screen, all see whether somebody is asked
            continue
        assert one == other
        hands += told.hands != there.hands
        curtains += sum(event == "curtain" for event, _ in one)
        if hands and curtains > 10:
            return
    raise AssertionError(f"{curtains} curtains, {hands} pairs with other hands")


@pytest.mark.slow
def test_a_page_does_not_show_whether_a_person_elsewhere_had_a_choice() -> None:
    """The other person takes longer than a second, and is asked in one world where in the other one it is not."""
    for number in range(1, 40, 2):  # without faults: a person without a clock is never late
        players = 2 + number // 2 % 3
        random = Random(number)
        session = first_world(ApartSession, "kosmos", "ru", players, number)
        cut = late_cut(session.cuts, random)
        pair = other_world(session, cut, random)
        assert isinstance(pair.other, ApartSession)
        one, other = messages_at(session, cut), messages_at(pair.other, cut)
        assert one == other, f"world {number}"
        assert {data for event, data in one if event == "thinking"} == {
            b'{"seat":null,"others":true}',
            b'{"seat":%d,"others":false}' % (number % players),
        }
        put_up = sum(not event.startswith("to the bot") for event, _ in one)
        assert session.kept.moments[:put_up] == pair.other.kept.moments[:put_up], f"world {number}"
        [told], [there] = pair.first.games, pair.other.cuts[-1].games
        asked, asked_there = ([each for each in it.asked if each[0] == session.elsewhere] for it in (told, there))
        if asked != asked_there:
            return
    raise AssertionError("the same was asked in all worlds")


LEAKS: dict[str, tuple[str, Callable[[PlayTable], Any]]] = {
    "all hands": (
        "hands",
        lambda table: [each._hand for each in table._page_data._data._seats],
    ),
    "what others were offered": (
        "offered",
        lambda table: [len(step.offered) for step in table._page_data.steps if step.step.seat != 0],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_into_what_a_person_sees_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key, leaked = LEAKS[leak]
    plain = PlayTable._asking

    def asking(table: PlayTable, message: Message) -> dict[str, Any]:
        return plain(table, message) | {key: leaked(table)}

    monkeypatch.setattr(PlayTable, "_asking", asking)
    for number in range(0, 24, 4):
        random = Random(number)
        session = first_world(TableSession, "kosmos", "ru", 4, number)
        cut = late_cut(session.cuts, random)
        pair = other_world(session, cut, random)
        assert isinstance(pair.other, TableSession)
        if messages_at(session, cut) != messages_at(pair.other, cut):
            return
    raise AssertionError(f"not found: {leak}")


@pytest.mark.slow
def test_a_leak_into_what_a_terminal_says_of_rivals_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rivals' hands stand among what lies open of them, and so in the lines that say where all are."""
    plain = RunningPageData.public

    def public(data: RunningPageData, record: MatchRecord, over: bool = False) -> dict[str, Any]:
        found = plain(data, record, over)
        start = deepcopy(found["start"])
        for own, seat in zip(start["seats"], data._seats, strict=True):
            own["hand"] = " ".join(seat._hand)
        return {**found, "start": start}

    monkeypatch.setattr(RunningPageData, "public", public)
    for number in range(0, 24, 4):
        random = Random(number)
        session = first_world(TableSession, "kosmos", "ru", 4, number)
        cut = late_cut(session.cuts, random)
        pair = other_world(session, cut, random)
        assert isinstance(pair.other, TableSession)
        said, there = (printed(messages_at(world, cut), world, monkeypatch) for world in (session, pair.other))
        assert any("(you): " in line and "hand " in line for line in said)
        if [line for line in said if "hand " in line] != [line for line in there if "hand " in line]:
            return
    raise AssertionError("not found")
