"""The history of a field that changes, from made-up ledgers: versions, dates, and which of two is better."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.ledger import EntrantRecord, FieldEvent, Ledger
from arena.standings import leaderboard
from arena.standings.versions import BotHistory, field_history
from tests.arena.ledgers import Play
from tests.arena.rating.test_second_rating import WinShare


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the day on which everything that follows is recorded."""

    def set_day(day: str) -> None:
        monkeypatch.setattr("arena.ledger.dates.now", lambda: f"{day}T12:00:00.000000Z")

    return set_day


def change(ledger: Ledger, *, join: str = "", leave: str = "", note: str = "") -> None:
    """Have versions join and leave behind all games played so far."""
    place = len(ledger.ids())
    known = {each.name for each in ledger.entrants()}
    new = [EntrantRecord(label, "bots/x.py", label) for label in join.split() if label not in known]
    events = [FieldEvent("leave", label, 1, place) for label in leave.split()]
    events += [FieldEvent("join", label, 1, place) for label in join.split()]
    ledger.change_field(new, events, place, note)


def history_of(ledger: Ledger, bot: str) -> BotHistory:
    found = field_history(ledger).bot(bot)
    assert found is not None
    return found


def test_each_version_says_when_it_joined_and_left_and_why(
    ledger: Ledger, play: Play, today: Callable[[str], None]
) -> None:
    today("2026-03-01")
    ledger.set_entrants(ledger.entrants(), "the first ones")
    play("ant", "bee", "cat")
    play("bee", "ant")
    today("2026-03-02")
    change(ledger, join="ant@2", leave="ant", note="turns back")
    play("ant@2", "bee", "cat")
    ant = history_of(ledger, "ant")
    assert [each.label for each in ant.versions] == ["ant", "ant@2"]
    first, second = ant.versions
    assert (first.joined, first.left, second.joined, second.left) == (
        ant.changes[0],
        ant.changes[1],
        ant.changes[1],
        None,
    )
    assert [(each.games, each.moment, each.note) for each in ant.changes] == [
        (0, "2026-03-01T12:00:00.000000Z", "the first ones"),
        (2, "2026-03-02T12:00:00.000000Z", "turns back"),
    ]
    assert [each.words() for each in ant.changes] == ["ant@1 joins", "ant@2 joins, ant@1 leaves"]
    assert (ant.is_changed, history_of(ledger, "bee").is_changed) == (True, False)
    assert field_history(ledger).days == [("2026-03-01", 0), ("2026-03-02", 2)]


def test_a_version_has_the_figures_of_the_table_and_is_compared_with_the_last_one_that_played(
    ledger: Ledger, play: Play
) -> None:
    for block in range(6):
        play("bee", "cat", "ant", block=block)
    change(ledger, join="ant@2", leave="ant")  # plays no game
    change(ledger, join="ant@3", leave="ant@2")
    for block in range(6, 12):
        play("ant@3", "bee", "cat", block=block)
    ant = history_of(ledger, "ant@3")
    board = leaderboard(ledger)
    rows = {row.bot: row for row in [*(board.overall or []), *board.former]}
    assert {each.label: each.row for each in ant.versions} == {
        label: rows.get(label) for label in ("ant", "ant@2", "ant@3")
    }
    assert [each.against_before is None for each in ant.versions] == [True, True, False]
    step = ant.versions[2].against_before
    assert step is not None
    assert step.error is not None
    assert step.better is not None
    assert step.before == "ant"
    assert step.difference == pytest.approx(rows["ant@3"].values["rating"] - rows["ant"].values["rating"], abs=1e-5)
    assert step.error > 0
    assert step.better > 0.99


def test_a_system_without_errors_compares_too(ledger: Ledger, play: Play) -> None:
    play("bee", "ant")
    change(ledger, join="ant@2", leave="ant")
    play("ant@2", "bee")
    found = field_history(ledger, WinShare()).bot("ant")  # type: ignore[arg-type]
    assert found is not None
    step = found.versions[1].against_before
    assert step is not None
    assert (step.difference > 0, step.error, step.better) == (True, None, None)


def test_one_that_comes_back_leaves_and_is_suspended(ledger: Ledger, play: Play) -> None:
    play("ant", "bee", "cat")
    change(ledger, leave="cat")
    play("ant", "bee")
    change(ledger, join="cat")
    play("ant", "cat", "bee")
    ledger.set_meta("rated", {"games": None, "suspended": {"bee": 2}})
    cat, bee = history_of(ledger, "cat"), history_of(ledger, "bee")
    assert [each.words() for each in cat.changes] == ["cat@1 joins", "cat@1 leaves", "cat@1 joins"]
    [version] = cat.versions
    assert (version.joined, version.left) == (cat.changes[2], None)
    assert bee.versions[0].suspended == 2


def test_who_could_not_take_part_is_there_with_the_reason(ledger: Ledger, play: Play) -> None:
    play("ant", "bee")
    ledger.change_field([EntrantRecord("ant@2", "bots/ant.py", "ff", left_out="says no hello")], [], 2)
    second = history_of(ledger, "ant").versions[1]
    assert (second.joined, second.row, second.left_out) == (None, None, "says no hello")
    assert field_history(ledger).bot("nobody") is None


def test_places_are_counted_in_rated_games_and_so_are_the_points_of_a_course(ledger: Ledger, play: Play) -> None:
    play("ant", "bee")
    play("bee", "cat", order=5)
    ledger.change_field([EntrantRecord("ant@2", "bots/ant.py", "ff")], [FieldEvent("join", "ant@2", 1, 6)], 6)
    play("ant@2", "bee", order=6)
    play("ant@2", "bee", order=9)
    ledger.set_meta("rated", {"games": 9, "suspended": {}})
    history = field_history(ledger)
    assert history.games == 3
    assert [(each.place, each.games) for each in history_of(ledger, "ant").changes] == [(0, 0), (6, 2)]
    assert [(point.games, point.number) for point in history.courses["ant@2"]] == [(1, 3)]
    assert [(point.games, point.number) for point in history.courses["bee"]] == [(3, 3)]
