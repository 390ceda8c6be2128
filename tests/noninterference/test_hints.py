"""Compare in two worlds the hints that real processes of a bot give two persons at pages of their own.

Both ask at each of their decisions, and the bot's choices depend on all that its process was ever sent. So one word
too much in what is sent for the reader's seat, or an answer for the other seat, gives the reader other hints.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

import pytest

from arena.entrants import Built, build, expand
from arena.game.clock import TimeControl
from arena.play.hints import Answer, HintBots
from arena.play.person import Message
from tests.noninterference.sockets import Session, other_world
from tests.noninterference.tables import ApartSession, NotedHints, first_world

pytestmark = [pytest.mark.slow, pytest.mark.process]

BOT = Path(__file__).with_name("telltale_bot.py")
TIME = TimeControl(start=60.0, move=60.0, bank=0.0)
PATIENCE = 120.0
"""Seconds until a test fails that waits for a hint."""
DECISIONS = 16
"""Of the reader, in each game."""
GAMES = (("kosmos", "ru"), ("ravensburger", "standard"))


class _Answered(NotedHints):
    """Lets `HintBots` answer, and waits for it. Notes what it is asked for the reader's seat, and for the other one."""

    def __init__(self, bots: HintBots, reader: int, sent: list[tuple[str, bytes]]) -> None:
        super().__init__(sent)
        self.elsewhere: list[tuple[str, bytes]] = []
        self._by_reader = {True: NotedHints(sent), False: NotedHints(self.elsewhere)}
        self._bots = bots
        self._reader = reader

    def ask(self, seat: int, sent: Sequence[Message], answer: Answer) -> None:
        self._by_reader[seat == self._reader].ask(seat, sent, lambda *_: None)
        answered = threading.Event()

        def take(index: int | None, why: str) -> None:
            answer(index, why)
            answered.set()

        self._bots.ask(seat, sent, take)
        assert answered.wait(PATIENCE), "no hint"


class HintSession(ApartSession):
    """Both persons ask for hints."""

    built: Built
    hinting: _Answered

    def _hinting(self, reader: int) -> NotedHints:
        self._bots = HintBots(self.built, TIME)
        self.hinting = _Answered(self._bots, reader, self.kept.all)
        return self.hinting

    def _is_for(self, number: int, message: Mapping[str, Any], faults: Any) -> bool:
        found = super()._is_for(number, message, faults)
        if message["type"] == "decide" and number == self.elsewhere:
            self._ask_for_a_hint(self.other_visitor)
        return found

    def play(self) -> Session:
        """Play until the cut, or to the end."""
        try:
            return super().play()
        finally:
            self._bots.close()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    [entrant] = expand([BOT]).found
    return build(entrant, tmp_path_factory.mktemp("cache"))


def hints_differ(built: Built, game: str, edition: str, number: int, decisions: int = DECISIONS) -> tuple[bool, bool]:
    """Whether the reader's hints differ in two worlds, and whether what the other person's bot was sent does."""

    class Here(HintSession):
        pass

    Here.built = built
    players = 3 + number % 2
    session = first_world(Here, game, edition, players, 2 * number + 1, decisions)
    pair = other_world(session, len(session.cuts), Random(number))
    assert isinstance(pair.other, HintSession)
    one, other = ([each for each in world.kept.all if each[0] == "hint"] for world in (session, pair.other))
    assert len(one) >= decisions - 1
    return one != other, session.hinting.elsewhere != pair.other.hinting.elsewhere


@pytest.mark.parametrize(("game", "edition"), GAMES)
def test_hints_for_one_seat_say_nothing_of_what_another_was_sent(built: Built, game: str, edition: str) -> None:
    others_differ = 0
    for number in range(8):
        differ, others_differ_here = hints_differ(built, game, edition, number)
        assert not differ, f"world {number}"
        others_differ += others_differ_here
        if others_differ == 2:
            return
    raise AssertionError("the other person's bot was sent the same in all worlds")


def one_process_for_all_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = HintBots.ask
    monkeypatch.setattr(HintBots, "ask", lambda self, seat, *given: plain(self, 0, *given))


def a_question_put_to_whoever_was_asked_last(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, before = HintBots.ask, list[Any]()

    def ask(self: HintBots, seat: int, sent: Sequence[Message], answer: Answer) -> None:
        before.append((seat, sent))
        plain(self, *before[-2:][0], answer)  # type: ignore[call-arg]

    monkeypatch.setattr(HintBots, "ask", ask)


@pytest.mark.parametrize("plant", [one_process_for_all_seats, a_question_put_to_whoever_was_asked_last])
def test_a_leak_from_one_seats_bot_to_another_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(hints_differ(built, *GAMES[number % 2], number, decisions=5)[0] for number in range(8))


def test_a_hint_does_not_wait_for_another_seats(tmp_path: Path) -> None:
    """In seat 1 the bot waits until it is told to go on, which is not before seat 0 has its hint."""
    program, waiting = tmp_path / "waiting.py", tmp_path / "told"
    answer = 'if message["type"] == "decide":'
    program.write_text(
        BOT.read_text().replace(answer, f"{answer}\n        message['view'] and open('{waiting}').read(1)")
    )
    os.mkfifo(waiting)
    [entrant] = expand([program]).found
    bots = HintBots(build(entrant, tmp_path / "cache"), TimeControl(start=60.0, move=20.0, bank=0.0))
    answered = SimpleQueue[tuple[int, str]]()
    try:
        for seat in (1, 0):
            start = {"type": "start", "game_id": "a", "seat": seat}
            decide = {"type": "decide", "game_id": "a", "turn": 1, "view": seat, "actions": [{}, {}]}
            bots.ask(seat, [start, decide], lambda _, why, seat=seat: answered.put((seat, why)))  # type: ignore[misc]
        assert answered.get(timeout=PATIENCE) == (0, "")
        told = os.open(waiting, os.O_RDWR)
        os.write(told, b"x")
        assert answered.get(timeout=PATIENCE) == (1, "")
        os.close(told)
    finally:
        bots.close()


@pytest.mark.parametrize("choices", [2, 3])
def test_the_log_does_not_say_why_there_is_no_hint(
    choices: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The person is told; persons elsewhere, who may read the log, would learn how many choices it has."""
    program = tmp_path / "wrong.py"
    program.write_text(BOT.read_text().replace('% len(message["actions"])', "% 9 + 9"))
    [entrant] = expand([program]).found
    bots = HintBots(build(entrant, tmp_path / "cache"), TIME)
    answered = SimpleQueue[str]()
    try:
        with caplog.at_level(logging.INFO, "arena.play"):
            decide = {"type": "decide", "game_id": "a", "turn": 1, "view": {}, "actions": [{}] * choices}
            bots.ask(0, [{"type": "start", "game_id": "a"}, decide], lambda _, why: answered.put(why))
            assert f"there are {choices} actions" in answered.get(timeout=PATIENCE)
        assert [record.getMessage() for record in caplog.records] == ["wrong gives no hint"]
    finally:
        bots.close()
