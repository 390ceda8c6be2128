"""Compare all that a bot can notice in two worlds, over sockets: bytes, their times, and when it is stopped.

Each pair of runs is cut at a decision of the reader, rather late in its games than early.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.game import game as game_module
from arena.game.game import Game
from arena.protocol.messages import Fault, Start
from arena.referee.games import OpenGames
from arena.referee.open_game import OpenGame
from arena.referee.time.pause_lengths import AnswerTimes, Before
from arena.referee.time.pause_queue import PauseQueue
from engine.rules import Data
from tests.engine.kosmos.strategies import edition_data as kosmos_editions
from tests.engine.ravensburger.strategies import edition_data as ravensburger_editions
from tests.noninterference import sockets
from tests.noninterference.sockets import Session, late_cut, other_world
from tests.noninterference.test_two_worlds import EVERYTHING, GAMES, PHASES, plan_of
from tests.noninterference.worlds import Diverged, Plan

PLAYED = pytest.mark.parametrize(
    ("game", "edition"),
    [pytest.param(*each, marks=() if each == ("kosmos", "ru") else pytest.mark.slow) for each in PHASES],
)


def session_of(game: str, edition: str, players: int, number: int, games: int = 2, faults: bool = True) -> Session:
    """Play a first world to its end."""
    label = f"sockets {game} {edition} {players} {number}"
    plans = [
        plan_of(game, edition, players, number % players, f"{label} game {index}", faults=faults)
        for index in range(games)
    ]
    return Session(plans, reconnects=faults).play()


@PLAYED
def test_a_bot_notices_nothing_of_what_lies_hidden(game: str, edition: str) -> None:
    """Two games at once, with faults, crashes and reconnections; with two players and with up to six."""
    asked_otherwise = hands = decks = 0
    faults = set()
    for number, players in enumerate((2, 3, 4, 5, 6)):
        random = Random(number)
        session = session_of(game, edition, players, number)
        faults |= {fault for each in session.games.values() for fault in each.told.faults.values()}
        pair = other_world(session, late_cut(session.cuts, random), random)
        assert not pair.differs(), f"{players} players, world {number}: {pair.first_difference()}"
        for told, other in zip(pair.first.games, pair.other.cuts[-1].games, strict=True):
            asked_otherwise += told.asked != other.asked
            hands += told.hands != other.hands
            decks += told.decks != other.decks
    assert hands >= 3
    assert decks >= 3
    assert asked_otherwise
    assert len(faults) >= 5


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edition"), PHASES)
def test_a_bot_notices_nothing_of_a_retired_seats_cards(
    game: str, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are exchanged too, as far as what the substitute plays and discards for that seat allows it."""
    monkeypatch.setattr(sockets, "FAULTS", ("crash", "illegal"))
    changed = 0
    for number in range(40):
        random = Random(number)
        session = session_of(game, edition, 3 + number % 3, number, games=1)
        cut = late_cut(session.cuts, random)
        told = session.cuts[cut - 1].games[0]
        if not told.retired:
            continue
        try:
            pair = other_world(session, cut, random, of_retired=1 + number % 2)
        except Diverged:  # the substitute plays otherwise with those cards
            continue
        assert not pair.differs(), pair.first_difference()
        [other] = pair.other.cuts[-1].games
        rivals = [seat for seat in range(session.players) if seat != session.plans[0].reader]
        changed += any(told.hands[rivals.index(seat)] != other.hands[rivals.index(seat)] for seat in told.retired)
        if changed == 3:
            return
    raise AssertionError("no retired seat's cards could be exchanged")


def check_edition(game: str, edition: Data, players: int, number: int) -> None:
    plan = Plan(GAMES[game], edition, players, number % players, EVERYTHING, f"own edition {number}", faults=True)
    session = Session([plan], reconnects=True).play()
    if session.cuts:
        random = Random(number)
        pair = other_world(session, late_cut(session.cuts, random), random)
        assert not pair.differs(), pair.first_difference()


OWN = settings(deadline=None, max_examples=12, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.slow
@OWN
@given(edition=kosmos_editions(), players=st.integers(2, 6), number=st.integers(0, 10**6))
def test_nor_in_any_edition_of_kosmos(edition: Data, players: int, number: int) -> None:
    check_edition("kosmos", edition, players, number)


@pytest.mark.slow
@OWN
@given(edition=ravensburger_editions(), players=st.integers(2, 6), number=st.integers(0, 10**6))
def test_nor_in_any_edition_of_ravensburger(edition: Data, players: int, number: int) -> None:
    check_edition("ravensburger", edition, players, number)


# Leaks planted in the referee


Planted = Callable[[pytest.MonkeyPatch], None]


def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PauseQueue, "pause", lambda *given: False)


def a_pause_of_a_fixed_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnswerTimes, "draw", lambda *given: 1 / 128)


def a_pause_that_a_clock_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = PauseQueue.pause

    def pause(self: PauseQueue, *given: Any) -> bool:
        before = self.resume_at
        paused = plain(self, *given)
        if self.resume_at is not None and self.resume_at != before:
            for clock in self._game._clocks:
                assert clock is not None
                clock.charge(1.0)
        return paused

    monkeypatch.setattr(PauseQueue, "pause", pause)


def bots_stopped_in_a_pause_but_not_when_another_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = OpenGames._ask

    def ask(self: OpenGames, open_game: OpenGame, seat: int, now: float) -> None:
        plain(self, open_game, seat, now)
        self._roster._hold_back_at = self._transport.waited + 100.0

    monkeypatch.setattr(OpenGames, "_ask", ask)


def bots_stopped_at_once_if_the_last_answer_was_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = PauseQueue.answered

    def answered(self: PauseQueue, seat: int, seconds: float) -> Before:
        self.is_slow[seat] = not self.is_slow[seat]
        return plain(self, seat, seconds)

    monkeypatch.setattr(PauseQueue, "answered", answered)


def a_start_after_reconnecting_that_names_who_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Game.start

    def start(self: Game, seat: int) -> Start:
        message = plain(self, seat)
        asked = self.awaited if self.awaited is not None and self.asked(self.awaited) else None
        return msgspec.structs.replace(message, edition={**message.edition, "asked": asked})

    monkeypatch.setattr(Game, "start", start)


def a_fault_that_says_how_often_all_were_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = game_module.fault_message  # type: ignore[attr-defined]

    def fault(game_id: str, turn: int | None, code: str, text: str, strikes_left: int) -> Fault:
        return plain(game_id, turn, code, f"{text} ({asked[-1]})", strikes_left)

    asked = [0]
    decide = Game.decide

    def count(self: Game) -> Any:
        asked.append(asked[-1] + 1)
        return decide(self)

    monkeypatch.setattr(Game, "decide", count)
    monkeypatch.setattr(game_module, "fault_message", fault)


def a_clock_that_counts_decisions_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bank that is shown is a millisecond less for every decision of anybody."""
    plain = Game.decide

    def decide(self: Game) -> Any:
        message = plain(self)
        assert message.clock is not None
        clock = msgspec.structs.replace(message.clock, bank=message.clock.bank - sum(self._turns))
        return msgspec.structs.replace(message, clock=clock)

    monkeypatch.setattr(Game, "decide", decide)


def an_order_of_games_that_depends_on_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decide in one game that waits a little if a rival of the other game was asked an odd number of times."""
    plain = OpenGames._ask

    def ask(self: OpenGames, open_game: OpenGame, seat: int, now: float) -> None:
        others = [each.game for each in self.open.values() if each is not open_game]
        if not hasattr(open_game, "waited_once") and sum(sum(game._turns) for game in others) % 2:
            open_game.waited_once = True  # type: ignore[attr-defined]
            open_game.pauses.resume_at = self._transport.now() + 1 / 8192
            return
        if hasattr(open_game, "waited_once"):
            del open_game.waited_once
        plain(self, open_game, seat, now)

    monkeypatch.setattr(OpenGames, "_ask", ask)


def a_fault_told_to_whoever_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = OpenGames.send

    def send(self: OpenGames, session: Any, message: Any, open_game: Any = None, seat: int = 0) -> None:
        awaited = open_game and open_game.game.awaited
        if isinstance(message, Fault) and awaited is not None:
            session = open_game.sessions[awaited]
        plain(self, session, message, open_game, seat)

    monkeypatch.setattr(OpenGames, "send", send)


def a_stale_answer_that_is_told_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Game.fault

    def fault(self: Game, seat: int, code: str, text: str, stderr: str = "") -> Fault:
        return plain(self, seat, code, f"{text} in phase {self.phase}", stderr)

    monkeypatch.setattr(Game, "fault", fault)


LEAKS: list[Planted] = [
    a_fault_told_to_whoever_is_asked,
    a_stale_answer_that_is_told_what_is_asked,
    no_pause,
    a_pause_of_a_fixed_length,
    a_pause_that_a_clock_pays,
    bots_stopped_in_a_pause_but_not_when_another_is_asked,
    bots_stopped_at_once_if_the_last_answer_was_slow,
    a_start_after_reconnecting_that_names_who_is_asked,
    a_fault_that_says_how_often_all_were_asked,
    a_clock_that_counts_decisions_of_all,
    an_order_of_games_that_depends_on_what_is_hidden,
]


@pytest.mark.slow
@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_leak_of_the_referee_is_found(plant: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    for number in range(24):
        random = Random(number)
        try:
            session = session_of("kosmos" if number % 2 else "ravensburger", "standard", 3, number)
            if other_world(session, late_cut(session.cuts, random), random).differs():
                return
        except (Diverged, AssertionError):  # it cannot even be played, or not in the same way
            return
    raise AssertionError("not found")
