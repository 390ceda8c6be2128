"""Compare what a person's page and terminal are sent in two worlds that the person's seat cannot tell apart.

The worlds are those of `tables`. With a leak planted what they are sent differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from arena.cli import play_terminal
from arena.cli.play_terminal import LineReader, TerminalPlayer
from arena.ledger import GameRecord
from arena.play.page_data_by_seat import PageDataBySeat
from arena.play.table import PlayTable
from arena.replays.page_data import RunningPageData
from arena.web.visitors import BulletinMessage, NotNowError, Visitor
from tests.noninterference.sockets import late_cut, other_world
from tests.noninterference.tables import (
    ApartSession,
    CurtainSession,
    TableSession,
    first_world,
    is_refused_alike,
    messages_at,
    times_are_equal,
)
from tests.noninterference.test_two_worlds import PHASES

PLAYED = pytest.mark.parametrize(("game", "edition"), PHASES)


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
        assert times_are_equal(session, pair.other, one)
        assert is_refused_alike(session, pair.other)
        assert {"turn", "live", "thinking", "hint", "to the bot for seat " + str(number % players)} <= {
            each[0] for each in one
        }
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
        assert is_refused_alike(session, pair.other)
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
            b'{"seat":%d}' % seat for seat in range(players)
        }
        assert sum(event == "live" for event, _ in one) > cut, "what happens is shown while the reader waits"
        assert times_are_equal(session, pair.other, one), f"world {number}"
        assert is_refused_alike(session, pair.other), f"world {number}"
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

    def asking(table: PlayTable, seat: Any) -> dict[str, Any]:
        return plain(table, seat) | {key: leaked(table)}

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

    def public(data: RunningPageData, record: GameRecord, over: bool = False) -> dict[str, Any]:
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


@pytest.mark.slow
def test_a_refusal_that_tells_of_the_next_seats_choices_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the curtain is down, whoever sits at the page asks for what only the next person may do."""
    plain = PlayTable._asked

    def asked(table: PlayTable, visitor: Visitor, decision: int) -> Any:
        seat = plain(table, visitor, decision)
        if table._shown[visitor] != seat.seat:
            raise NotNowError(f"one of {len(seat.order)} actions is to be chosen, once the curtain is up")
        return seat

    monkeypatch.setattr(PlayTable, "_asked", asked)
    monkeypatch.setattr(CurtainSession, "_ask_for_a_hint", lambda *_: None)
    for number in range(16):
        players, random = 2 + number % 3, Random(number)
        session = first_world(CurtainSession, "ravensburger", "standard", players, number)
        pair = other_world(session, late_cut(session.cuts, random), random)
        [told], [there] = pair.first.games, pair.other.cuts[-1].games
        assert isinstance(pair.other, CurtainSession)
        if told.asked == there.asked and not is_refused_alike(session, pair.other):
            return
    raise AssertionError("not found")


@pytest.mark.slow
def test_what_comes_before_its_pause_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows a move without a choice is shown at once, and so earlier than if somebody had been asked."""
    plain = PageDataBySeat.open
    monkeypatch.setattr(PageDataBySeat, "open", lambda data, _: plain(data, None))
    for number in range(1, 40, 2):
        random, players = Random(number), 2 + number // 2 % 3
        session = first_world(ApartSession, "kosmos", "ru", players, number)
        cut = late_cut(session.cuts, random)
        pair = other_world(session, cut, random)
        assert isinstance(pair.other, ApartSession)
        one, other = messages_at(session, cut), messages_at(pair.other, cut)
        if one != other or not times_are_equal(session, pair.other, one):
            return
    raise AssertionError("not found")
