import math
import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import SYSTEMS, RatedBot, RatingInput
from arena.rating import rate as rate_with
from arena.rating.rated_table import finish, standard_error, win_share
from arena.rating.sequential_trueskill import tie_rate


def rate(results: Sequence[RatingInput], bots: Sequence[str] = ()) -> list[RatedBot]:
    """Rate with the system that is quickest for few games; the other figures are the same with all."""
    return rate_with(results, bots, system=SYSTEMS["sequential"])


def game(bots: str, ranks: Sequence[int], block: int = 0, days: Sequence[float] | None = None) -> RatingInput:
    scores = [{"days": float(day)} for day in (days or [0] * len(bots))]
    return RatingInput(list(bots), list(ranks), scores, (len(bots), block))


def test_finish_is_0_for_first_and_1_for_last_and_ties_share() -> None:
    assert [finish([1, 2, 3], seat) for seat in range(3)] == [0, 0.5, 1]
    assert [finish([2, 1], seat) for seat in range(2)] == [1, 0]
    assert [finish([1, 1], seat) for seat in range(2)] == [0.5, 0.5]
    assert [finish([1, 2, 2, 4, 5], seat) for seat in range(5)] == [0, 0.375, 0.375, 0.75, 1]


def test_tied_firsts_share_the_win() -> None:
    assert [win_share([2, 1, 3], seat) for seat in range(3)] == [0, 1, 0]
    assert [win_share([1, 1, 3, 1], seat) for seat in range(4)] == [1 / 3, 1 / 3, 0, 1 / 3]


def test_the_tie_rate_is_that_of_adjacent_ranks() -> None:
    assert tie_rate([game("abc", [1, 1, 3]), game("ab", [2, 1])]) == pytest.approx(1 / 3)
    assert tie_rate([game("abc", [3, 1, 3])]) == pytest.approx(1 / 2)  # whichever seats they are


def test_the_tie_rate_stays_where_the_model_can_use_it() -> None:
    assert tie_rate([]) == tie_rate([game("ab", [1, 2])]) == 0.001
    assert tie_rate([game("ab", [1, 1])]) < 1
    (one, other) = rate([game("ab", [1, 1])])
    assert (one.values["mu"], other.values["mu"]) == (25.0, 25.0)
    assert one.values["sigma"] < 25 / 3


def test_the_figures_of_a_small_table_by_hand() -> None:
    results = [
        game("abc", [1, 2, 3], 0, [10, 20, 30]),
        game("bca", [1, 2, 2], 0, [12, 22, 26]),
        game("cab", [1, 1, 3], 0, [11, 11, 29]),
        game("abc", [2, 1, 3], 1, [17, 16, 31]),
    ]
    table = {row.bot: row for row in rate(results)}
    a = table["a"]
    assert a.games == 4
    assert a.mean_finish == pytest.approx((0 + 0.75 + 0.25 + 0.5) / 4)
    assert a.wins == pytest.approx((1 + 0 + 0.5 + 0) / 4)
    assert a.scores == {"days": pytest.approx((10 + 26 + 11 + 17) / 4)}
    # two blocks: three games at 1/3, one game at 1/2, weighed by their games
    centre = 0.375
    by_hand = math.sqrt(2 * ((3 * (1 / 3 - centre)) ** 2 + (0.5 - centre) ** 2)) / 4
    assert a.mean_finish_error == pytest.approx(by_hand)
    assert a.values["rating"] == pytest.approx(a.values["mu"] - 3 * a.values["sigma"])


def test_the_table_is_by_rating_and_then_by_name() -> None:
    table = rate([game("ab", [1, 2]), game("cd", [1, 2])], bots=["z", "y"])
    # a and c have won once, b and d have lost (a rating below 0), y and z have not played
    assert [row.bot for row in table] == ["a", "c", "b", "d", "y", "z"]
    ties = [row.bot for row in rate([], bots=["z", "y", "x"])]
    assert ties == ["x", "y", "z"]


def test_who_has_shown_more_stands_before_who_may_be_better() -> None:
    # a: three wins of four; x: the only game that it played
    results = [game("ab", ranks) for ranks in ([1, 2], [2, 1], [1, 2], [1, 2])] + [game("xy", [1, 2])]
    one, other, *_ = rate(results)
    assert (one.bot, other.bot) == ("a", "x")
    assert one.values["mu"] < other.values["mu"]


def test_a_bot_without_a_game_stands_in_the_table_with_no_figures() -> None:
    (row,) = [row for row in rate([game("ab", [1, 2])], bots=["idle"]) if row.bot == "idle"]
    assert (row.games, row.mean_finish, row.mean_finish_error, row.wins, row.scores) == (0, None, None, None, {})
    assert (row.values["mu"], row.values["sigma"]) == (25.0, pytest.approx(25 / 3))


def test_one_block_has_no_error_and_more_have_that_of_their_means() -> None:
    assert standard_error([[0.1, 0.9]]) is None
    assert standard_error([]) is None
    blocks = [[0.0, 0.5], [0.25, 0.25], [1.0, 0.5]]
    means = [mean(block) for block in blocks]
    assert standard_error(blocks) == pytest.approx(stdev(means) / math.sqrt(3))


def test_blocks_that_agree_do_not_make_a_mean_certain() -> None:
    """One more that differs by half a field would move the mean by this."""
    assert standard_error([[0.5, 0.5], [0.25, 0.75]]) == pytest.approx(0.5 / 3)
    assert standard_error([[0.1, 0.2]] * 99) == pytest.approx(0.5 / 100)


@pytest.mark.parametrize(
    ("ranks", "times"), [([1, 1, 1], 100), ([1, 2, 2, 2, 2, 2], 1), ([3, 1, 3, 1], 20), ([1, 1], 5)]
)
def test_equal_bots_that_tie_are_rated_equal_game_by_game(ranks: list[int], times: int) -> None:
    bots = "abcdef"[: len(ranks)]
    running = SYSTEMS["sequential"].running()
    for _ in range(times):
        running.add(bots, ranks)
    table = SYSTEMS["sequential"].rate([game(bots, ranks)] * times, bots)
    for rank in set(ranks):
        those = [bot for bot, own in zip(bots, ranks, strict=True) if own == rank]
        for find in (table.values.__getitem__, running.values):
            assert all(find(bot) == pytest.approx(find(those[0])) for bot in those)


def test_a_large_block_weighs_more_than_a_small_one() -> None:
    # as if the small block were one more game of a cluster: the same as the textbook's formula for unequal clusters
    blocks = [[0.5] * 6, [0.5] * 6, [1.0, 1.0]]
    centre = (6 + 2) / 14
    squares = 2 * (6 * (0.5 - centre)) ** 2 + (2 * (1 - centre)) ** 2
    assert standard_error(blocks) == pytest.approx(math.sqrt(squares * 3 / 2) / 14)


def test_the_error_is_how_far_means_of_other_samples_lie() -> None:
    source = random.Random(7)

    def sample() -> list[list[float]]:
        # the games of a block lean the same way: errors from single games would be too small
        return [[source.gauss(lean, 0.1) for _ in range(4)] for lean in (source.gauss(0.5, 0.3) for _ in range(40))]

    trials = [sample() for _ in range(300)]
    spread = stdev(mean(value for block in trial for value in block) for trial in trials)
    claimed = mean(standard_error(trial) or 0.0 for trial in trials)
    assert claimed == pytest.approx(spread, rel=0.15)


@pytest.mark.slow
def test_the_order_of_games_is_the_callers_and_matters_to_ratings_only() -> None:
    results = random_games(random.Random(3), 60)
    once, again = rate(results), rate(results)
    assert once == again
    backwards = {row.bot: row for row in rate(results[::-1])}
    for row in once:
        other = backwards[row.bot]
        assert (row.games, row.mean_finish, row.wins, row.scores) == (
            other.games,
            pytest.approx(other.mean_finish),
            pytest.approx(other.wins),
            pytest.approx(other.scores),
        )
        # without drift the order hardly tells even in the ratings
        assert row.values["mu"] == pytest.approx(other.values["mu"], abs=1.0)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False), st.permutations("abcdef"))
def test_a_name_is_but_a_name(source: random.Random, names: Sequence[str]) -> None:
    results = random_games(source, 12)
    renamed = dict(zip("abcdef", names, strict=True))
    other = [result._replace(bots=[renamed[bot] for bot in result.bots]) for result in results]
    before = {renamed[row.bot]: replace(row, bot=renamed[row.bot]) for row in rate(results)}
    assert {row.bot: row for row in rate(other)} == before


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_figures_without_a_model_do_not_depend_on_the_order_of_games(source: random.Random) -> None:
    results = random_games(source, 15)
    shuffled = source.sample(results, len(results))
    before = {row.bot: row for row in rate(results)}
    for row in rate(shuffled):
        other = before[row.bot]
        for figure in ("mean_finish", "mean_finish_error", "wins"):
            assert getattr(row, figure) == pytest.approx(getattr(other, figure), abs=1e-9)
        assert row.games == other.games


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_finishes_average_to_a_half_and_wins_to_the_games(source: random.Random) -> None:
    results = random_games(source, 15)
    table = rate(results)
    seats = sum(len(result.bots) for result in results)
    assert sum((row.mean_finish or 0) * row.games for row in table) == pytest.approx(seats / 2)
    assert sum((row.wins or 0) * row.games for row in table) == pytest.approx(len(results))


def test_the_stronger_bot_is_found() -> None:
    source = random.Random(11)
    results = []
    for block in range(40):
        group = source.sample("abcdef", 4)
        days = [source.gauss(30 + 3 * "abcdef".index(bot), 6) for bot in group]
        results.append(game("".join(group), [1 + sum(other < day for other in days) for day in days], block, days))
    table = rate(results)
    assert table[0].bot == "a"
    assert table[-1].bot == "f"


def random_games(source: random.Random, count: int) -> list[RatingInput]:
    games = []
    for number in range(count):
        group = source.sample("abcdef", source.randint(2, 6))
        days = [source.randint(20, 30) for _ in group]
        ranks = [1 + sum(other < day for other in days) for day in days]
        games.append(game("".join(group), ranks, number // 3, days))
    return games
