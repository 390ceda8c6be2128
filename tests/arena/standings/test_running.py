"""A table that goes on with every game."""

from __future__ import annotations

from random import Random

import pytest

from arena.ledger import BriefResult, Ledger, LedgerError, brief_results
from arena.rating import SYSTEMS, RatingInput, rate
from arena.standings.running import RunningTable
from tests.arena.ledger.conftest import make_game
from tests.arena.rating.fields import simulated


def games(count: int, ties: bool = False) -> list[BriefResult]:
    drawn = Random(4)
    found = []
    for index in range(count):
        bots = drawn.sample("abcd", 3)
        ranks = sorted(drawn.choices([1, 2, 3], k=3) if ties else [1, 2, 3])
        found.append(BriefResult(f"g{index}", index, bots, ranks, [], [(1, "late")] if index % 5 == 0 else []))
    return found


def expected(some: list[BriefResult]) -> list[tuple[object, ...]]:
    results = [RatingInput(each.bots, each.ranks, [{}] * 3, (3, each.index)) for each in some]
    return [
        (row.bot, pytest.approx(row.values["rating"], abs=1e-6), row.games, row.mean_finish, row.wins)
        for row in rate(results)
    ]


def shown(table: RunningTable) -> list[tuple[object, ...]]:
    return [
        (row.bot, row.values["rating"], row.games, pytest.approx(row.mean_finish), pytest.approx(row.wins))
        for row in table.rows()
    ]


def test_after_the_same_games_in_the_same_order_it_is_the_table() -> None:
    table = RunningTable("abcd")
    for game in games(40):
        table.add(game)
    table.rate()
    assert shown(table) == expected(games(40))
    assert sum(row.faults.get("late", 0) for row in table.rows()) == 8


def test_the_first_games_are_rated_jointly_as_in_the_table() -> None:
    table = RunningTable("abcde")
    for game in games(150, ties=True):
        table.add(game)
    table.rate()
    results = [RatingInput(each.bots, each.ranks, [{}] * 3, (3, each.index)) for each in games(150, ties=True)]
    *played, idle = table.rows()
    for now, row in zip(played, rate(results), strict=True):
        assert now.bot == row.bot
        assert now.values["rating"] == pytest.approx(row.values["rating"], abs=1e-6)
        assert now.values["error"] == pytest.approx(row.values["error"], rel=0.3)
    assert (idle.bot, idle.place(5)) == ("e", "1–5")


@pytest.mark.parametrize("games", [4, 60])
def test_what_is_claimed_while_games_are_played_is_what_is_claimed_in_the_end(games: int) -> None:
    """With few games that is nothing, and who is far ahead does not move what ratings are measured from."""
    skills = {"far": 40.0} | {bot: float(number) for number, bot in enumerate("abcde")}
    results = simulated(skills, games, [2, 3], 3)
    running = SYSTEMS["trueskill"].running(skills)
    for game in results:
        running.add(game.bots, game.ranks)
    end = SYSTEMS["trueskill"].rate(results, skills)
    assert running.bands() == end.bands
    assert running.bounds() == end.bounds
    assert games == 4 or end.bounds == {"far": "at least"}
    for bot in skills:
        assert running.values(bot)["rating"] == pytest.approx(end.values[bot]["rating"], abs=0.05)
        assert running.values(bot)["error"] == pytest.approx(end.values[bot]["error"], rel=0.3)


def test_versions_that_left_count_for_the_others_and_have_no_place() -> None:
    running = SYSTEMS["trueskill"].running("ab")
    for _ in range(250):
        running.add("ac", [1, 2])
    for _ in range(20):
        running.add("bd", [2, 1])
    assert running.values("a")["rating"] > running.values("b")["rating"]
    assert running.bands().keys() == {"a", "b"}
    assert max(band.worst for band in running.bands().values()) == 2


@pytest.mark.slow
def test_with_many_games_it_is_that_of_a_beginning_which_lacks_few() -> None:
    results = simulated({bot: 2.0 * number for number, bot in enumerate("abcdef")}, 1100, [2, 4], 1)
    running = SYSTEMS["trueskill"].running("abcdef")
    for game in results:
        running.add(game.bots, game.ranks)
    for row in rate(results[:1082]):
        assert running.values(row.bot)["rating"] == pytest.approx(row.values["rating"], abs=1e-3)
        assert running.values(row.bot)["error"] == pytest.approx(row.values["error"], rel=0.3)
        assert running.bands()[row.bot] == row.band


@pytest.mark.slow
@pytest.mark.parametrize("games", [450, 1_300])
def test_what_is_shown_does_not_depend_on_when_somebody_looks(games: int) -> None:
    results = simulated(dict.fromkeys("abcd", 0.0), games, [2, 3], 2)
    looked, unseen = (SYSTEMS["trueskill"].running("abcd") for _ in range(2))
    for number, game in enumerate(results):
        looked.add(game.bots, game.ranks)
        unseen.add(game.bots, game.ranks)
        if number % 150 == 149:
            looked.bands()
    for bot in "abcd":
        assert looked.values(bot) == pytest.approx(unseen.values(bot), abs=1e-3)


def test_a_large_field_is_rated_game_by_game() -> None:
    names = [f"b{number}" for number in range(101)]
    running = SYSTEMS["trueskill"].running(names)
    running.add(names[:3], [1, 2, 3])
    assert running.bands() == {}
    assert running.values("b0")["rating"] > 25 > running.values("b2")["rating"]
    assert set(running.values("b0")) == set(running.columns.names)


def test_a_game_counts_once_and_is_rated_when_there_is_time() -> None:
    first, *others = games(10)
    table = RunningTable("abcd")
    table.add(first)
    table.add_earlier(others)
    table.add_earlier([first, *others])
    assert (table.games, table.rated) == (10, 0)
    assert sum(row.games for row in table.rows()) == 30
    now = iter(range(100))
    table.rate(3.5, lambda: next(now))
    assert table.rated == 3
    table.rate()
    assert table.rated == 10


def test_what_it_needs_of_a_part_of_the_ledger(tmp_path) -> None:
    with Ledger.create(tmp_path, {}) as ledger:
        for index in (3, 1, 2, 0):
            ledger.record(make_game(index))
        found = brief_results(tmp_path, 1, 3)
        assert [each.index for each in found] == [1, 2]
        scores = found[0].scores
        assert found[0] == BriefResult("2-0-1", 1, ["naïve", "greedy"], [1, 2], [1], [(1, "late")], scores=scores)
        assert [row["days"] for row in scores] == [21, 31]
        assert brief_results(tmp_path, 4, 9) == []


def test_a_damaged_game_is_an_error(tmp_path) -> None:
    with Ledger.create(tmp_path, {}) as ledger:
        ledger.record(make_game(0))
        ledger._db.execute("UPDATE games SET retired = 'x'")
        ledger._db.commit()
    with pytest.raises(LedgerError, match="game 2-0-0 cannot be read"):
        brief_results(tmp_path, 0, 9)


def test_before_the_first_game_nobody_has_a_place() -> None:
    table = RunningTable("ab")
    assert [row.place(order) for order, row in enumerate(table.rows(), start=1)] == ["", ""]
    table.suspend("b")
    assert [row.place(order) for order, row in enumerate(table.rows(), start=1)] == ["", "–"]
    table.add(BriefResult("g", 0, ["a", "b"], [1, 2], [], []))
    table.rate()
    assert table.rows()[0].place(1)
