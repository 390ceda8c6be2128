"""Compare two worlds around a retirement: somebody retires in each game, and its cards are exchanged too.

What is looked at: all that a rival notices, all that is logged, and all that the retired bot itself is still told.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any

import msgspec
import pytest

from arena.game.game import Game
from arena.protocol.messages import Fault
from arena.referee.config import RefereeConfig
from engine.rules import Event
from tests.noninterference import test_page_data, test_running_games
from tests.noninterference.sockets import TIME, Pair, Session, other_world
from tests.noninterference.test_two_worlds import GAMES, PLAYED, plan_of
from tests.noninterference.witness import Watched
from tests.noninterference.worlds import Diverged, Plan, Told, dealt_anew, played

pytestmark = pytest.mark.slow

Logged = list[tuple[str, str]]
"""Loggers with lines."""
ENOUGH = 6
"""Pairs in which what the retired seat holds was exchanged, wanted of each edition."""
MANY = 24
"""The same where it is quick: so many that one bit would be noticed."""
TICK = 0.173
"""Seconds between two looks at what a retired bot is told."""
TICKS = 6
"""So many that it is not ended for a flood of connections."""


def plan_with_retirement(game: str, edition: str, number: int, retires_reader: bool = False) -> Plan:
    players = 3 + number % 3
    plan = plan_of(game, edition, players, number % players, f"retires {game} {edition} {number}")
    by = "crash" if number % 2 and not retires_reader else "illegal"
    return replace(plan, retires_after=3 + 5 * (number // 2 % 12), retires_by=by, retires_reader=retires_reader)


def exchanged(pair: Pair) -> bool:
    """Whether what those hold who retired differs."""
    [told], [other] = pair.first.games, pair.other.cuts[-1].games
    rivals = [seat for seat in range(pair.other.players) if seat != pair.other.plans[0].reader]
    return any(told.hands[rivals.index(seat)] != other.hands[rivals.index(seat)] for seat in told.retired)


def other_with_their_cards(session: Session, cut: int, number: int) -> Pair | None:
    """Another world in which who retired holds other cards; fewer of them if the substitute would play otherwise."""
    for of_retired in (99, 2, 1):
        try:
            return other_world(session, cut, Random(number), of_retired)
        except Diverged:
            continue
    return None


class _Log(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: Logged = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append((record.name, record.getMessage()))


@contextmanager
def logged() -> Iterator[Logged]:
    """What the arena logs at its usual level meanwhile."""
    logger, log = logging.getLogger("arena"), _Log()
    level = logger.level
    logger.addHandler(log)
    logger.setLevel(logging.INFO)
    try:
        yield log.lines
    finally:
        logger.removeHandler(log)
        logger.setLevel(level)


class LoggedSession(Session):
    """A run of which it is known what had been logged at each cut."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._lines: Logged = []
        self.logged: list[Logged] = []

    def play(self) -> LoggedSession:
        """Play until the cut, or to the end."""
        with logged() as self._lines:
            super().play()
        return self

    def _cut(self) -> None:
        self.logged.append(self._lines[:])
        super()._cut()


# What rivals and a reader of the log notice


def rivals_pairs(game: str, edition: str) -> Iterator[tuple[Session, int, Pair]]:
    """Runs with a cut soon after somebody retired, and what it was in another world with other cards for it."""
    for number in range(60):
        session = LoggedSession([plan_with_retirement(game, edition, number)], reconnects=number % 3 == 0).play()
        after = [cut for cut, each in enumerate(session.cuts, start=1) if each.games[0].retired]
        for cut in after[:2]:
            pair = other_with_their_cards(session, cut, number)
            if pair is not None:
                yield session, cut, pair


def told_of_a_rival(game: str, edition: str) -> str:
    """What a rival or the log tells of the cards of somebody who retired; nothing, as it should be, after `ENOUGH`."""
    changed = 0
    for session, cut, pair in rivals_pairs(game, edition):
        assert isinstance(session, LoggedSession)
        assert isinstance(pair.other, LoggedSession)
        one, other = session.logged[cut - 1], pair.other.logged[-1]
        assert any(" retires, seat " in line for _, line in one)
        if pair.differs():
            return f"a rival: {pair.first_difference()}"
        if one != other:
            return f"the log: {next(pair for pair in zip_longest(one, other) if pair[0] != pair[1])}"
        changed += exchanged(pair)
        if changed == ENOUGH:
            return ""
    raise AssertionError(f"only in {changed} pairs a retired seat held other cards")


@PLAYED
def test_nothing_tells_of_the_cards_of_who_retires(game: str, edition: str) -> None:
    assert told_of_a_rival(game, edition) == ""


# What spectators are told, and read in the log


def told_to_spectators(game: str, edition: str) -> str:
    changed = 0
    for number in range(200):
        plan = replace(plan_with_retirement(game, edition, number), reader=None, decisions=120)
        retirement = played(plan).retirement
        if retirement is None:
            continue
        cut = replace(plan, decisions=retirement + 1 + number % 3)
        with logged() as log:
            first = played(cut)
        found = spectators_other(cut, first, Random(number))
        if found is None:
            continue
        other, there = found
        assert any(" retires, seat " in line for _, line in log)
        told = {
            "the log": any(one != same for one, same in zip(log, there, strict=False)),
            "events and views": first.differs(other),
            "the page data": changed < ENOUGH and test_page_data.differ(cut, first, other),
            "the live board": changed < ENOUGH and test_running_games.differ(cut, first, other),
        }
        if any(told.values()):
            return ", ".join(what for what, differs in told.items() if differs)
        changed += any(first.hands[seat] != other.hands[seat] for seat in first.retired)
        if changed == MANY:
            return ""
    raise AssertionError(f"only in {changed} pairs a retired seat held other cards")


def spectators_other(cut: Plan, first: Told, random: Random) -> tuple[Told, Logged] | None:
    """Another world up to the same cut, and what is logged there."""
    for of_retired in (99, 2, 1):
        try:
            with logged() as log:
                other = played(cut, first, dealt_anew(cut, first, random, of_retired))
        except Diverged:
            continue
        if all(one == same for one, same in zip(first.witness.moves, other.witness.moves, strict=False)):
            return other, log
    return None


@PLAYED
def test_spectators_are_told_nothing_of_the_cards_of_who_retires(game: str, edition: str) -> None:
    assert told_to_spectators(game, edition) == ""


# What the retired bot itself is told


class RetiredSession(Session):
    """The reader retires at its first fault, stays, and says all kinds of things until the game is over."""

    def _config(self, plan: Plan) -> RefereeConfig:
        return replace(super()._config(plan), time=msgspec.structs.replace(TIME, strikes=1))

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.told: list[set[str]] = []
        """The kinds of messages that came before each cut, since the one before."""
        self._kinds: set[str] = set()

    def _is_for(self, number: int, message: Mapping[str, Any], faults: Counter[tuple[Any, ...]]) -> bool:
        if number == self.plans[0].reader:
            self._kinds.add(message["type"])
        return super()._is_for(number, message, faults)

    def _cut(self) -> None:
        self.told.append(self._kinds)
        self._kinds = set()
        super()._cut()

    def _reader_asked(self) -> None:
        """Cuts are made by time."""

    def _reader_fails(self, game: Any, seat: int) -> None:
        held = game.told.witness.held.items()
        game.told.seen = frozenset(place for place, (holder, _) in held if holder == seat)
        self.timer.after(TICK, lambda: self._tick(TICKS))

    def _tick(self, left: int) -> None:
        [game] = self.games
        self.reader.connect()
        self._probe(game)
        self.reader.send(b"\xc1")
        self.timer.after(TICK / 16, self._cut)  # once it has been answered
        if left > 1:
            self.timer.after(TICK, lambda: self._tick(left - 1))


def told_to_a_retired_bot(game: str, edition: str) -> str:
    changed = Counter[str]()
    for number in range(40):
        session = RetiredSession([plan_with_retirement(game, edition, number, retires_reader=True)]).play()
        for cut in range(1, len(session.cuts) + 1):
            pair = other_with_their_cards(session, cut, number)
            if pair is None:
                continue
            if pair.differs():
                return f"the retired bot: {pair.first_difference()}"
            [told], [other] = pair.first.games, pair.other.cuts[-1].games
            assert told.retired == [session.plans[0].reader]
            changed["hands"] += told.hands != other.hands
            changed["asked"] += told.asked != other.asked
            assert {"welcome", "start", "fault"} <= session.told[cut - 1]  # type: ignore[attr-defined]
            if changed["hands"] >= ENOUGH and changed["asked"]:
                return ""
    raise AssertionError(f"too few pairs differ: {changed}")


@PLAYED
def test_a_bot_that_has_retired_is_told_nothing_of_what_lies_hidden(game: str, edition: str) -> None:
    assert told_to_a_retired_bot(game, edition) == ""


# Planted


def a_line_in_the_log_when_somebody_retires(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    """One bit of what it holds."""
    plain = Game._retire

    def retire(self: Game, seat: int) -> None:
        if seat not in self._retired and sum(game.hands(self._state)[seat]) % 2:
            logging.getLogger("arena.game.game").info("%s: played on with care", self.spec.id)
        plain(self, seat)

    monkeypatch.setattr(Game, "_retire", retire)


def a_number_in_the_log_when_somebody_retires(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    plain = Game._retire

    def retire(self: Game, seat: int) -> None:
        plain(self, seat)
        logging.getLogger("arena.game.game").info("seat %d leaves %d", seat, sum(game.hands(self._state)[seat]))

    monkeypatch.setattr(Game, "_retire", retire)


def an_event_with_what_who_retires_holds(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    plain = game.state.retire

    def retire(self: Any, seat: int) -> list[Event]:
        held = game.hands(self)[seat]
        return [*plain(self, seat), Event(None, {"event": "retired", "seat": seat, "worth": sum(held)})]

    monkeypatch.setattr(game.state, "retire", retire)


def a_text_for_a_retired_bot_that_says_what_is_asked(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    _for_retired(monkeypatch, lambda game: f"{game.phase}, {len(game._state.actions())}")


def a_text_for_a_retired_bot_that_counts_decisions(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    _for_retired(monkeypatch, lambda game: sum(game._turns))


def a_text_for_a_retired_bot_with_the_next_card(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    _for_retired(monkeypatch, lambda game: [deck.order[-1:] for deck in game._state.decks])


def _for_retired(monkeypatch: pytest.MonkeyPatch, what: Callable[[Any], object]) -> None:
    plain = Game.fault

    def fault(self: Game, seat: int, code: str, text: str, stderr: str = "") -> Fault:
        if self.is_retired(seat) and not self.over:
            text = f"{text} ({what(self)})"
        return plain(self, seat, code, text, stderr)

    monkeypatch.setattr(Game, "fault", fault)


PLANTED: list[tuple[Callable[[pytest.MonkeyPatch, Watched], None], Callable[[str, str], str]]] = [
    (a_line_in_the_log_when_somebody_retires, told_to_spectators),
    (a_number_in_the_log_when_somebody_retires, told_of_a_rival),
    (an_event_with_what_who_retires_holds, told_of_a_rival),
    (an_event_with_what_who_retires_holds, told_to_spectators),
    (a_text_for_a_retired_bot_that_says_what_is_asked, told_to_a_retired_bot),
    (a_text_for_a_retired_bot_that_counts_decisions, told_to_a_retired_bot),
    (a_text_for_a_retired_bot_with_the_next_card, told_to_a_retired_bot),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("plant", "look"), PLANTED, ids=lambda each: each.__name__)
def test_a_leak_around_a_retirement_is_found(
    plant: Callable[[pytest.MonkeyPatch, Watched], None],
    look: Callable[[str, str], str],
    game: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch, GAMES[game])
    assert look(game, "standard")
