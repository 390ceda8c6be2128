"""Bots rated by their scores: expected scores against this field, from all games at once, with honest errors."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import RandomState

from arena.rating import NAMES, RatingError, RatingInput, ScoreError, ScoreRating, rate, rating_system
from arena.rating.base import Ratings
from arena.rating.joint.score_fit import ScoreFit
from engine.rules import Score

CHIPS = Score("chips", "chips", zero_sum=True)
POINTS = Score("points")
STRIKES = Score("strikes", "strikes", best="least")
TOGETHER = Score("points", cooperative=True)


def game(score: Score, block: int, **won: float) -> RatingInput:
    return RatingInput(list(won), [1] * len(won), [{score.name: each} for each in won.values()], (len(won), block))


def scores(found: Ratings) -> dict[str, float]:
    return {bot: values["score"] for bot, values in found.values.items()}


def drawn(score: Score, bots: Sequence[str], players: int, blocks: int, seed: int = 1) -> list[RatingInput]:
    """Some games in which each bot is better than the one before it."""
    chance = RandomState(seed)
    found = []
    for block in range(blocks):
        group = chance.choice(len(bots), players, replace=False)
        for turn in range(players):
            seats = np.roll(group, turn)
            won = seats + chance.standard_normal(players) * 3
            if score.zero_sum:
                won -= won.mean()
            if score.cooperative:
                won[:] = won.mean()
            found.append(
                game(score, block, **{bots[seat]: each for seat, each in zip(seats, won.tolist(), strict=True)})
            )
    return found


def test_two_bots_win_what_they_won_on_average() -> None:
    games = [game(CHIPS, 0, a=5.0, b=-5.0), game(CHIPS, 0, b=1.0, a=-1.0), game(CHIPS, 1, a=0.5, b=-0.5)]
    found = ScoreRating(CHIPS).rate(games, "ab")
    assert scores(found) == pytest.approx({"a": 1.5, "b": -1.5}, rel=2e-2)


def test_what_games_say_is_that_of_least_squares() -> None:
    games = drawn(CHIPS, "abcde", 3, 20)
    rows, won = [], []
    for each in games:
        for seat, bot in enumerate(each.bots):
            row = np.full(5, 0.0)
            for other in each.bots:
                row["abcde".index(other)] = 1.0 if other == bot else -0.5
            rows.append(row)
            won.append(each.scores[seat]["chips"])
    effects = np.linalg.lstsq(np.array(rows), np.array(won), rcond=None)[0]
    expected = effects - (effects.sum() - effects) / 4
    found = scores(ScoreRating(CHIPS).rate(games, "abcde"))
    assert [found[bot] for bot in "abcde"] == pytest.approx(expected, abs=0.01)


def test_who_lets_others_win_is_told_apart_from_who_wins() -> None:
    # `c` wins 2 wherever it plays; with `d` at the table everybody else wins 3 more.
    games = []
    for block, (one, other) in enumerate(itertools.combinations("abcd", 2)):
        won = [10.0 + 2 * (bot == "c") + 3 * (rival == "d") for bot, rival in ((one, other), (other, one))]
        games += [game(POINTS, block, **{one: won[0], other: won[1]})] * 2
    found = scores(ScoreRating(POINTS).rate(games, "abcd"))
    assert found == pytest.approx({"a": 11.0, "b": 11.0, "c": 13.0, "d": 10.0}, abs=0.05)


def test_groups_that_all_win_together_rate_each_bot_by_the_groups_that_it_was_in() -> None:
    games = drawn(TOGETHER, "abcd", 2, 500)
    found = ScoreRating(TOGETHER).rate(games, "abcd")
    # With one of the three others, whose mean effects are 2, 5/3, 4/3 and 1.
    assert scores(found) == pytest.approx({"a": 1.0, "b": 4 / 3, "c": 5 / 3, "d": 2.0}, abs=0.35)
    assert sorted(scores(found), key=scores(found).__getitem__) == [*"abcd"]
    won = RandomState(2).standard_normal(400)
    pair = ScoreRating(TOGETHER).rate([game(TOGETHER, block, a=each, b=each) for block, each in enumerate(won)], "ab")
    assert pair.values["a"]["error"] == pytest.approx(1 / 20, rel=0.1), "a game is one observation, not one a seat"


def test_ratings_of_scores_that_add_up_to_0_add_up_to_0() -> None:
    for players in (2, 3, 4):
        found = scores(ScoreRating(CHIPS).rate(drawn(CHIPS, "abcdef", players, 15), "abcdef"))
        assert sum(found.values()) == pytest.approx(0, abs=1e-9)


def test_where_less_is_better_the_table_shows_scores_and_ranks_the_other_way_round() -> None:
    games = drawn(STRIKES, "abcd", 2, 200)
    rows = rate(games, "abcd", system=ScoreRating(STRIKES))
    assert [row.bot for row in rows] == [*"abcd"]
    shown = [row.values["score"] for row in rows]
    assert shown == sorted(shown)
    assert shown[0] == pytest.approx(rows[0].scores["strikes"], abs=0.5)
    assert [str(row.band) for row in rows] == ["1", "2", "3", "4"]
    found = ScoreRating(STRIKES).rate(games, "abcd")
    assert found.differences is not None
    better = found.differences.difference("a", "b")
    assert better.mean == pytest.approx(shown[1] - shown[0])
    assert better.mean > 0
    assert "strikes a game, where less is better." in ScoreRating(STRIKES).columns.note


def test_bots_that_did_not_play_and_bots_that_never_met_have_large_errors_and_cost_others_nothing() -> None:
    games = drawn(CHIPS, "abc", 2, 40)
    alone = ScoreRating(CHIPS).rate(games, "abc")
    found = ScoreRating(CHIPS).rate(games, "abcz")
    assert scores(found)["a"] == pytest.approx(scores(alone)["a"])
    assert found.values["a"]["error"] == pytest.approx(alone.values["a"]["error"], rel=0.01)
    assert found.values["z"]["error"] > 20 * found.values["a"]["error"]
    assert str(found.bands["z"]) == "1–4"
    apart = [*games, *[each._replace(bots=[bot.upper() for bot in each.bots]) for each in games]]
    split = ScoreRating(CHIPS).rate(apart, "abcABC")
    assert split.differences is not None
    assert split.differences.difference("a", "A").error > 20 * split.differences.difference("a", "b").error
    assert {str(split.bands[bot]) for bot in "aA"} != {"1", "2"}


@pytest.mark.parametrize("score", [CHIPS, POINTS, STRIKES, TOGETHER])
def test_no_games_one_game_and_games_that_are_all_alike_are_rated(score: Score) -> None:
    system = ScoreRating(score)
    assert not system.rate([], []).values
    assert scores(system.rate([], "ab")) == {"a": 0.0, "b": 0.0}
    one = system.rate([game(score, 0, a=0.0, b=0.0)], "ab")
    assert {str(band) for band in one.bands.values()} == {"1–2"}
    won = (2.0, 2.0) if score.cooperative else (2.0, -2.0)
    sure = system.rate([game(score, block, a=won[0], b=won[1]) for block in range(30)], "ab")
    assert all(np.isfinite([*values.values()]).all() for values in sure.values.values())
    assert [str(sure.bands[bot]) for bot in "ab"] == (
        ["1–2", "1–2"] if score.cooperative else ["2", "1"] if score.best == "least" else ["1", "2"]
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(-1000, 1000), st.sampled_from([POINTS, STRIKES, TOGETHER, CHIPS]))
def test_a_constant_moves_ratings_alone_and_the_order_of_games_nothing(seed: int, more: float, score: Score) -> None:
    games = drawn(score, "abcd", 2 + seed % 2, 8, seed)
    found = ScoreRating(score).rate(games, "abcd")
    more = 0.0 if score.zero_sum else more
    moved = [each._replace(scores=[{score.name: row[score.name] + more} for row in each.scores]) for each in games]
    RandomState(seed).shuffle(moved)  # type: ignore[arg-type]
    again = ScoreRating(score).rate(moved, "dcba")
    for bot, values in found.values.items():
        assert again.values[bot]["score"] == pytest.approx(values["score"] + more, abs=1e-6)
        assert again.values[bot]["error"] == pytest.approx(values["error"], rel=1e-6)
    assert again.bands == found.bands


def test_scores_in_another_unit_give_ratings_in_that_unit() -> None:
    games = drawn(POINTS, "abc", 3, 10)
    cents = [each._replace(scores=[{"points": 1e6 * row["points"]} for row in each.scores]) for each in games]
    few, many = (ScoreRating(POINTS).rate(each, "abc") for each in (games, cents))
    for bot in "abc":
        for name in ("score", "error"):
            assert many.values[bot][name] == pytest.approx(1e6 * few.values[bot][name], rel=1e-6)


def test_a_table_of_one_number_of_players_is_about_such_games() -> None:
    # `a` is good with two players and bad with three.
    chance = RandomState(3)
    games = []
    for block in range(60):
        two, three = chance.standard_normal(2), chance.standard_normal(3)
        two[0] += 4
        three[0] -= 4
        for won in (two - two.mean(), three - three.mean()):
            games.append(game(CHIPS, block, **dict(zip("abc", won.tolist(), strict=False))))
    games += [
        game(CHIPS, 100 + block, b=each, c=-each) for block, each in enumerate(chance.standard_normal(20).tolist())
    ]
    by_count = {players: ScoreRating(CHIPS).rate(games, "abc", None, players).values["a"] for players in (2, 3, None)}
    assert by_count[2]["score"] == pytest.approx(2, abs=0.5)
    assert by_count[3]["score"] == pytest.approx(-8 / 3, abs=0.5)
    assert by_count[None]["score"] == pytest.approx((by_count[2]["score"] + by_count[3]["score"]) / 2)


def test_ratings_while_games_are_played_are_those_of_the_table() -> None:
    games = drawn(CHIPS, "abcd", 2, 30)
    system = ScoreRating(CHIPS)
    running = system.running("abcd")
    for each in games:
        running.add(each.bots, each.ranks, (), each.scores)
        running.values("a")
    found = system.rate(games, "abcd")
    assert running.values("a")["score"] == pytest.approx(found.values["a"]["score"], abs=1e-9)
    assert running.bands().keys() == found.bands.keys()


def test_the_course_ends_with_the_table_and_the_same_games_give_the_same_bytes() -> None:
    games = drawn(POINTS, "abcd", 3, 30)
    courses: list[tuple[int, float]] = []
    found = ScoreRating(POINTS).rate(games, "abcd", lambda number, rated: courses.append((number, rated["a"]["score"])))
    assert courses[-1] == (len(games), found.values["a"]["score"])
    assert len(courses) > 5
    assert repr(ScoreRating(POINTS).rate(games, "abcd").values) == repr(found.values)


def test_games_without_the_score_are_refused_in_words() -> None:
    with pytest.raises(ScoreError, match="has no score 'chips'"):
        ScoreRating(CHIPS).rate([game(POINTS, 0, a=1.0, b=2.0)], "ab")


def test_the_system_follows_from_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rating_system(game="kosmos") is rating_system("trueskill")
    assert rating_system(game="not-installed") is rating_system("trueskill")
    with pytest.raises(RatingError, match="kosmos is not played for a score"):
        rating_system("score", "kosmos")
    with pytest.raises(RatingError, match=r"'elo' is none of .*score"):
        rating_system("elo")
    assert NAMES[:2] == ("trueskill", "score")


def test_a_bot_with_wild_luck_widens_its_own_error_most() -> None:
    chance = RandomState(5)
    games = []
    for block in range(150):
        one, other = chance.choice(list("abcdef"), 2, replace=False).tolist()
        won = chance.standard_normal() * (6 if "a" in (one, other) else 1)
        games.append(game(CHIPS, block, **{one: won, other: -won}))
    errors = {bot: values["error"] for bot, values in ScoreRating(CHIPS).rate(games, "abcdef").values.items()}
    assert errors["a"] > 1.5 * max(errors[bot] for bot in "bcdef")


def test_the_luck_that_scores_of_one_game_share_is_told_apart_from_that_of_each() -> None:
    chance = RandomState(7)
    games = []
    for block in range(100):
        bots = chance.choice(list("abcdef"), 4, replace=False).tolist()
        won = chance.dirichlet([1] * 4) * 26  # as in hearts: it always adds up to 26
        games.append((tuple(bots), tuple(won.tolist()), (4, block)))
    fit = ScoreFit([*"abcdef"], games, POINTS)
    mean, rest = fit._luck[4]
    assert mean < 1e-3 * rest
