from itertools import pairwise
from random import Random

import pytest

from arena.rating import SYSTEMS, RatingInput, rate
from arena.rating.joint.systems import MOST_CHECKPOINTS
from arena.rating.rated_table import History

SEQUENTIAL = SYSTEMS["sequential"]


def games(number: int, seed: int = 1) -> list[RatingInput]:
    chance = Random(seed)
    found = []
    for block in range(number):
        players = chance.choice([2, 3])
        bots = chance.sample("abcd", players)
        found.append(RatingInput(bots, chance.sample(range(1, players + 1), players), [{}] * players, (players, block)))
    return found


@pytest.mark.parametrize("system", ["sequential", "trueskill"])
@pytest.mark.parametrize("number", [1, 30, pytest.param(700, marks=pytest.mark.slow)])
def test_the_last_point_is_what_the_table_says(number: int, system: str) -> None:
    results = games(number)
    history = History(results)
    for row in rate(results, "abcd", history.on_rated, SYSTEMS[system]):
        if not row.games:
            assert row.bot not in history.bots
            continue
        last = history.bots[row.bot][-1]
        assert (last.games, last.values) == (row.games, row.values)


def test_every_point_is_the_rating_after_so_many_of_a_bots_games() -> None:
    results = games(40)
    history = History(results)
    rate(results, on_rated=history.on_rated, system=SEQUENTIAL)
    mine = [place for place, result in enumerate(results) if "a" in result.bots]
    assert [point.games for point in history.bots["a"]] == list(range(1, len(mine) + 1))
    # Ratings depend on the tie rate of all games: there is no tie, so that it is the same for some of them.
    half = mine[len(mine) // 2 - 1]
    [row] = [row for row in rate(results[: half + 1], system=SEQUENTIAL) if row.bot == "a"]
    point = history.bots["a"][len(mine) // 2 - 1]
    assert point.values == row.values


@pytest.mark.slow
@pytest.mark.parametrize("points", [2, 7, 200])
def test_long_histories_are_thinned_out_evenly(points: int) -> None:
    results = games(700)
    history = History(results, points)
    rate(results, on_rated=history.on_rated, system=SEQUENTIAL)
    for found in history.bots.values():
        assert len(found) == points
        steps = [after.games - before.games for before, after in pairwise(found)]
        assert max(steps) - min(steps) <= 1


@pytest.mark.slow
def test_all_games_so_far_are_fitted_at_some_points_of_the_schedule() -> None:
    results = games(100)
    history = History(results)
    rate(results, "abcd", history.on_rated, SYSTEMS["trueskill"])
    numbers = sorted({point.number for points in history.bots.values() for point in points})
    assert len(numbers) == MOST_CHECKPOINTS
    assert numbers[-1] == 100
    middle = numbers[len(numbers) // 2]
    rows = {row.bot: row for row in rate(results[:middle], "abcd", system=SYSTEMS["trueskill"])}
    there = [(bot, point) for bot, points in history.bots.items() for point in points if point.number == middle]
    assert len(there) > 1
    for bot, point in there:
        assert point.games == rows[bot].games
        assert point.values == pytest.approx(dict(rows[bot].values), abs=1e-5)
