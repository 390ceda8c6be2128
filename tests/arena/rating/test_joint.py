"""Rating systems that fit all games at once: what they agree with, what they depend on, and how sure they are."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import trueskill

from arena.rating import SYSTEMS, RankBand, RatedBot, RatingInput, rate
from arena.rating.joint.approximation import inverted
from arena.rating.joint.deviations import FittedDeviations, SpreadSearch, widened_by_deviations
from arena.rating.joint.fit import JointFit
from arena.rating.joint.gaussian_tails import scaled_erfc, tie_moments, win_moments
from arena.rating.joint.normal import inverse
from arena.rating.joint.rank_bands import rank_bands
from tests.arena.rating.fields import LUCK, simulated

JOINT = SYSTEMS["trueskill"]


def band(row: RatedBot) -> RankBand:
    assert row.band is not None
    return row.band


def cut_off(mean: float, low: float, high: float) -> tuple[float, float]:
    """Compute the mean and the variance of a normal variable that lies between two ends, by summing it up."""
    points = np.linspace(low, high, 400_001)
    logs = -((points - mean) ** 2) / 2
    weights = np.exp(logs - logs.max())
    centre = float((points * weights).sum() / weights.sum())
    return centre, float(((points - centre) ** 2 * weights).sum() / weights.sum())


@pytest.mark.parametrize("size", [1, 2, 5])
def test_many_matrices_are_inverted_at_once(size: int) -> None:
    drawn = np.random.RandomState(1).standard_normal((3, size, size + 1))
    matrices = drawn @ drawn.transpose(0, 2, 1)
    found = inverted(np.moveaxis(matrices, 0, 2))
    assert np.moveaxis(found, 2, 0) == pytest.approx(np.linalg.inv(matrices))


@pytest.mark.parametrize("size", [1, 64, 65, 300])
def test_a_large_matrix_is_inverted(size: int) -> None:
    drawn = np.random.RandomState(1).standard_normal((size, size + 1))
    matrix = drawn @ drawn.T + np.eye(size)
    found = inverse(matrix)
    assert found == pytest.approx(np.linalg.inv(matrix), abs=1e-12)
    assert np.array_equal(found, found.T)


def test_an_inverse_has_no_number_that_is_too_small_for_all_its_digits() -> None:
    """In a row of bots of which each met the next, the first and the last hardly know anything of each other."""
    row = 1e3 * np.eye(200) - np.eye(200, k=1) - np.eye(200, k=-1)
    found = inverse(row)
    assert np.abs(found[found != 0]).min() > 1e-101
    assert found[0, -1] == 0
    assert found @ row == pytest.approx(np.eye(200), abs=1e-12)


@pytest.mark.parametrize("mean", [-9.0, -3.0, -0.2, 0.0, 0.7, 4.0])
def test_what_a_result_does_to_a_difference(mean: float) -> None:
    v, w = win_moments(np.array([mean]))
    assert (mean + v[0], 1 - w[0]) == pytest.approx(cut_off(mean, 0.0, max(mean, 0.0) + 12), abs=2e-5)
    for margin in (0.05, 1.0, 5.0):
        v, w = tie_moments(np.array([mean]), np.array([margin]))
        assert (mean + v[0], 1 - w[0]) == pytest.approx(cut_off(mean, -margin, margin), abs=2e-5)


def test_far_out_tails_are_as_they_should_be() -> None:
    for z in (0.0, 0.3, 2.0, 9.0, 25.0):
        assert scaled_erfc(np.array([z]))[0] == pytest.approx(math.exp(z * z) * math.erfc(z), rel=1e-12)
    assert scaled_erfc(np.array([1e8]))[0] == pytest.approx(1e-8 / math.sqrt(math.pi), rel=1e-12)
    v, w = win_moments(np.array([-1e4, 1e4]))
    assert v == pytest.approx([1e4, 0.0])
    assert np.all((w >= 0) & (w <= 1))


@pytest.mark.parametrize("ranks", [[1, 2], [2, 1], [1, 2, 3], [1, 2, 3, 4, 5, 6], [3, 1, 4, 2]])
def test_one_game_is_rated_as_the_package_does(ranks: list[int]) -> None:
    """The package lets the factors of a game take each other into account until nothing changes; so does the fit.

    A sure game of three is one factor to the fit, which is somewhat more exact.
    """
    within = 1e-2 if len(ranks) == 3 else 2e-3
    bots = "abcdef"[: len(ranks)]
    fit = JointFit(bots)
    fit.add([RatingInput(bots, ranks, [{}] * len(bots), (len(bots), 0))])
    model = trueskill.TrueSkill(tau=0.0, draw_probability=0.001)
    rated = model.rate([(model.create_rating(),) for _ in bots], ranks=ranks, min_delta=1e-9)
    assert (fit.mean + 25).tolist() == pytest.approx([rating.mu for (rating,) in rated], abs=within)
    players = len(bots)
    deviations = np.sqrt(np.diag(fit.covariance(players))).tolist()
    assert deviations == pytest.approx([rating.sigma for (rating,) in rated], abs=within)


def test_a_table_does_not_depend_on_the_order_of_games() -> None:
    games = simulated({bot: float(number) for number, bot in enumerate("abcdefgh")}, 400, [2, 4, 6], 1)
    first = {row.bot: row.values for row in rate(games, system=JOINT)}
    for seed in range(3):
        shuffled = random.Random(seed).sample(games, len(games))
        table = rate(shuffled, system=JOINT)
        assert [row.bot for row in table] == [row.bot for row in sorted(table, key=lambda row: -row.values["rating"])]
        for row in table:
            assert row.values == pytest.approx(first[row.bot], abs=1e-6)


@pytest.mark.slow
def test_more_games_lead_to_the_same_fit_as_all_at_once() -> None:
    games = simulated({bot: 2.0 * number for number, bot in enumerate("abcdef")}, 300, [2, 3, 5], 2)
    whole, grown = JointFit("abcdef"), JointFit("abcdef")
    whole.add(games)
    for start in (0, 100, 250, 290):
        grown.add(games[start : min([end for end in (100, 250, 290, len(games)) if end > start])])
    assert grown.mean.tolist() == pytest.approx(whole.mean.tolist(), abs=1e-6)
    assert grown.overall_errors().ravel().tolist() == pytest.approx(whole.overall_errors().ravel().tolist(), abs=1e-6)
    assert grown.rounds < whole.rounds, "what was known needs little time"


@pytest.mark.parametrize(("seed", "deviation"), [(8, 3.0), (13, 5.0)])
def test_spreads_that_are_far_from_their_beginning_are_found_all_the_same(seed: int, deviation: float) -> None:
    """Their search turns back at first, and must not stop short for it."""
    chance = random.Random(seed)
    bots = [f"b{number}" for number in range(5)]
    counts = (2, 3, 4, 5)
    base = {bot: chance.gauss(0, 3) for bot in bots}
    apart = {(players, bot): chance.gauss(0, deviation) for players in counts for bot in bots}
    games = []
    for number in range(800):
        players = chance.choice(counts)
        seated = chance.sample(bots, players)
        shown = [base[bot] + apart[players, bot] + chance.gauss(0, LUCK) for bot in seated]
        ranks = [sorted(shown, reverse=True).index(each) + 1 for each in shown]
        games.append(
            RatingInput(bots=tuple(seated), ranks=ranks, block=(players, number // players), scores=[{}] * players)
        )
    at_once, in_parts = JointFit(bots), JointFit(bots)
    at_once.add(games)
    in_parts.add(games[:400])
    in_parts.add(games[400:])
    assert max(at_once.rounds, in_parts.rounds) < 50
    np.testing.assert_allclose(at_once.mean, in_parts.mean, atol=1e-6)
    assert at_once.spreads == pytest.approx(in_parts.spreads, rel=1e-4)


def test_a_large_field_with_few_games_is_fitted_in_few_rounds() -> None:
    chance = random.Random(1)
    skills = {f"b{number:03}": chance.gauss(0, LUCK) for number in range(100)}
    fit = JointFit(sorted(skills))
    fit.add(simulated(skills, 3000, (2, 3, 4, 5, 6), 1))
    assert fit.rounds <= 12


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_single_game_can_end_anyhow(players: int) -> None:
    """Ties say much of a difference, compared with what is known of bots that have not played before."""
    bots = [f"b{number}" for number in range(players)]
    for tied in range(1, players + 1):
        ranks = [1] * tied + list(range(tied + 1, players + 1))
        fit = JointFit(bots)
        with np.errstate(all="raise", under="ignore"):
            fit.add([RatingInput(bots, ranks, (), (players, 0))])
        assert np.all(np.isfinite(fit.errors(players)))
        assert list(fit.mean) == pytest.approx(sorted(fit.mean, reverse=True), abs=1e-9)
        assert np.ptp(fit.mean[:tied]) < 1e-9


@pytest.mark.parametrize("bots", [10, 1000])
def test_spreads_of_which_games_tell_nothing_are_as_uncertain_as_before_any_game(bots: int) -> None:
    spreads = {2: 0.5, 4: 1.0, 6: 0.7}
    at = np.array(list(spreads.values()))
    squares = bots * at**2
    search = SpreadSearch()
    search.step(spreads, dict.fromkeys(spreads, bots), squares, np.diag(squares * at**2))
    assert search.covariance is not None
    assert np.sqrt(np.diag(search.covariance)) == pytest.approx(math.hypot(0.5, math.log(2)))


def test_known_skills_are_found() -> None:
    skills = {bot: 3.0 * number for number, bot in enumerate("abcdef")}
    rows = rate(simulated(skills, 4000, [2, 3, 4], 3, step=0.0), system=JOINT)
    middle = sum(skills.values()) / len(skills)
    for row in rows:
        error = abs(row.values["rating"] - 25 - (skills[row.bot] - middle))
        assert error < 3 * row.values["error"] + 0.1
        assert row.values["error"] < 0.3
    assert [row.bot for row in rows] == [*"fedcba"]
    assert [row.band for row in rows] == [(n, n) for n in range(1, 7)]


def test_few_games_at_one_number_of_players_borrow_from_the_others() -> None:
    """Who is as good at four players as at two is told apart there after a dozen games; by these alone nobody is."""
    skills = {bot: 2.0 * number for number, bot in enumerate("abcdef")}
    many = simulated(skills, 1500, [2, 3], 4)
    few = simulated(skills, 12, [4], 5)
    alone = {row.bot: row for row in rate(few, system=JOINT)}
    pooled = {row.bot: row for row in rate([*many, *few], system=JOINT, players=4)}
    errors = [sum(row.values["error"] for row in rows.values()) for rows in (pooled, alone)]
    assert errors[0] < 0.8 * errors[1]
    assert band(pooled["f"]).worst < band(alone["f"]).worst


def test_who_is_better_at_one_number_of_players_is_so_in_its_table_alone() -> None:
    skills = dict.fromkeys("abcdef", 0.0)
    games = simulated(skills, 3000, [2, 3, 4], 6, deviations={("a", 4): 5.0})
    tables = {players: rate(games, system=JOINT, players=players) for players in (2, 3, 4)}
    places = {players: [row.bot for row in table].index("a") for players, table in tables.items()}
    assert places[4] == 0
    assert band(tables[4][0]).worst == 1
    assert all(band(table[places[players]]).worst > 1 for players, table in tables.items() if players < 4)


def test_each_number_of_players_has_its_own_spread_of_deviations() -> None:
    chance = random.Random(7)
    skills = {f"b{number}": chance.gauss(0, LUCK) for number in range(12)}
    games = simulated(skills, 3000, [2, 3, 4], 8, deviations={(bot, 2): chance.gauss(0, LUCK) for bot in skills})
    fit = JointFit(sorted(skills))
    fit.add(games)
    assert 0.6 * LUCK < fit.spreads[2] < 1.6 * LUCK
    assert max(fit.spreads[3], fit.spreads[4]) < 0.3 * LUCK


def test_who_deviates_more_than_others_is_known_less_well() -> None:
    """It is drawn to its skill at other numbers of players by the spread of all, which its games contradict."""
    half, known = np.full(3, 0.5), np.zeros((2, 2))
    deviations = FittedDeviations(np.array([3.0, math.sqrt(0.5), 0.0]), half, 1.0, 0.5 * np.eye(3))
    errors = widened_by_deviations(np.eye(3), [deviations, deviations], known)
    assert errors[0, 0] > 4, "its deviations are 6 times as great as the spread of all lets one expect"
    assert errors[1, 1] == 1, "its are as great as expected"
    assert errors[2, 2] == 1, "its are smaller, but two may be so by chance"
    unknown = widened_by_deviations(np.eye(3), [deviations, deviations], np.eye(2)) - errors
    assert unknown[0, 0] == pytest.approx(2 * 3.0**2), "with other spreads it would be drawn further or less far"
    assert unknown[2, 2] == 0, "it would stay where it is"
    nothing = FittedDeviations(np.zeros(3), np.ones(3), 1.0, np.zeros((3, 3)))
    assert widened_by_deviations(np.eye(3), [nothing], np.ones((1, 1))).tolist() == np.eye(3).tolist()


def test_equal_copies_share_one_band_in_every_table() -> None:
    skills = {"strong": 8.0, "weak": -8.0} | {f"copy{number}": 0.0 for number in range(5)}
    games = simulated(skills, 1200, [2, 3, 4], 7)
    for players in (None, 2, 3, 4):
        rows = {row.bot: row for row in rate(games, system=JOINT, players=players)}
        assert {rows[bot].band for bot in skills if "copy" in bot} == {(2, 6)}
        assert rows["strong"].band == (1, 1)


def test_a_bot_without_games_may_stand_anywhere() -> None:
    (*_, last) = rate(simulated({"a": 0.0, "b": 9.0}, 50, [2], 8), bots=["new"], system=JOINT)
    assert (last.bot, last.band) == ("new", (1, 3))
    assert [row.values["rating"] for row in rate([], bots=["x", "y"], system=JOINT)] == [25.0, 25.0]


@pytest.mark.slow
def test_a_bot_that_plays_against_itself_in_an_altered_ledger_is_rated() -> None:
    games = simulated({"a": 0.0, "b": 4.0, "c": 8.0}, 30, [2, 3], 8)
    itself = [RatingInput(bots, [1, 2, 3][: len(bots)], [{}] * len(bots), (len(bots), 99)) for bots in ("aa", "aba")]
    assert [row.bot for row in rate([*games, *itself], system=JOINT)] == ["c", "b", "a"]


@pytest.mark.slow
def test_many_bots_without_games_neither_change_a_fit_nor_prolong_it() -> None:
    """Their deviations show no spread, least of all the one that the fit has just assumed."""
    games = simulated({bot: 2.0 * number for number, bot in enumerate("abcdef")}, 30, [2, 3], 10)
    alone, among_many = JointFit("abcdef"), JointFit([*"abcdef", *(f"new{number}" for number in range(150))])
    for fit in (alone, among_many):
        fit.add(games)
    assert among_many.mean[:6].tolist() == pytest.approx(alone.mean.tolist(), abs=1e-9)
    assert among_many.spreads == pytest.approx(alone.spreads, abs=1e-9)
    assert among_many.rounds == alone.rounds


def test_groups_that_suit_some_bots_widen_the_errors() -> None:
    """The model takes the games of a block for independent; blocks show that they are not."""
    skills = {bot: float(number) for number, bot in enumerate("abcdefgh")}
    plain = rate(simulated(skills, 1500, [4], 9), system=JOINT)
    suited = rate(simulated(skills, 1500, [4], 9, suits=2 * LUCK), system=JOINT)
    mean = [sum(row.values["error"] for row in rows) / len(rows) for rows in (plain, suited)]
    assert mean[1] > 1.5 * mean[0]


@pytest.mark.slow
@pytest.mark.parametrize("suits", [0.0, LUCK / 2])
def test_intervals_and_bands_hold_as_often_as_they_promise(suits: float) -> None:
    """Right is what games without end would give. With these seeds; `python -m benchmarks.calibration` tries many."""
    skills = {bot: 1.5 * number for number, bot in enumerate("abcdef")}
    truth = {
        row.bot: row.values["rating"] for row in rate(simulated(skills, 15_000, [2, 4], 0, suits=suits), system=JOINT)
    }
    inside, bands = 0, 0
    for seed in range(1, 41):
        rows = rate(simulated(skills, 300, [2, 4], seed, suits=suits), system=JOINT)
        inside += sum(abs(row.values["rating"] - truth[row.bot]) < 1.96 * row.values["error"] for row in rows)
        real = {bot: place for place, bot in enumerate(sorted(truth, key=lambda bot: -truth[bot]), 1)}
        bands += all(band(row).best <= real[row.bot] <= band(row).worst for row in rows)
    assert 0.92 < inside / 240 < 0.98
    assert bands >= 36


def test_bands_follow_from_differences_and_their_errors() -> None:
    ratings = np.array([3.0, 2.0, 0.0])
    assert rank_bands(ratings, 0.01 * np.eye(3)) == [RankBand(1, 1), RankBand(2, 2), RankBand(3, 3)]
    assert rank_bands(ratings, 0.4 * np.eye(3)) == [RankBand(1, 2), RankBand(1, 3), RankBand(2, 3)]
    assert rank_bands(ratings, 100.0 * np.eye(3)) == [RankBand(1, 3)] * 3
    shared = 100.0 * np.ones((3, 3)) + 0.01 * np.eye(3)
    assert rank_bands(ratings, shared) == [RankBand(1, 1), RankBand(2, 2), RankBand(3, 3)], "differences are certain"
    assert rank_bands(np.array([1.0]), np.eye(1)) == [RankBand(1, 1)]


def test_who_is_certainly_apart_need_not_be_guarded_against() -> None:
    """The largest error of all pairs of eight bots is 3.05 at most, that of all that could still be wrong 2.8."""
    gap = 2.95 * math.sqrt(2)
    far = [100.0 * number for number in range(7)]
    assert rank_bands(np.array([*far, 600.0 + gap]), np.eye(8))[-2:] == [RankBand(2, 2), RankBand(1, 1)]
    near = rank_bands(np.array([0.0] * 7 + [gap]), np.eye(8))
    assert near == [RankBand(1, 8)] * 8, "here all pairs could be wrong"


@pytest.mark.slow
def test_bands_of_equal_bots_are_wrong_as_seldom_as_promised() -> None:
    chance = np.random.default_rng(1)
    drawn = [rank_bands(chance.standard_normal(20), np.eye(20)) for _ in range(30)]
    assert sum(any(band != (1, 20) for band in bands) for bands in drawn) <= 5


def test_bots_that_tie_are_equally_strong() -> None:
    games = [RatingInput("abc", [1, 1, 3], [{}] * 3, (3, number)) for number in range(5)]
    rows = {row.bot: row.values["rating"] for row in rate(games, system=JOINT)}
    assert rows["a"] == pytest.approx(rows["b"])
    assert rows["a"] > rows["c"]
