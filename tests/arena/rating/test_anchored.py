"""A bot rated by games with anchors, whose ratings are held."""

from __future__ import annotations

import random

import pytest

from arena.rating import RatingInput
from arena.rating.anchored import Anchors
from benchmarks.rate import simulated as trial
from engine import catalog
from tests.arena.rating.fields import simulated

SKILLS = {"a": 30.0, "b": 27.0, "c": 24.0, "d": 21.0}
COUNTS = (2, 3, 4)
LEDUC = "openspiel:leduc_poker(players=2)"


@pytest.fixture(scope="module")
def anchors() -> Anchors:
    return Anchors(list(SKILLS), simulated(SKILLS, 300, COUNTS, 1), "kosmos")


def with_mine(skill: float, games: int, seed: int = 2) -> list[RatingInput]:
    """Games of `mine` with anchors."""
    found = simulated({**SKILLS, "mine": skill}, 5 * games, COUNTS, seed)
    return [each for each in found if "mine" in each.bots][:games]


def test_a_rating_lies_where_the_bot_is_and_says_how_surely(anchors: Anchors) -> None:
    rated = anchors.rate("mine", with_mine(28.5, 300))
    overall = rated[0][0]
    centre = sum(SKILLS.values()) / len(SKILLS)
    assert overall.players is None
    assert overall.games == 300
    assert overall.bound is None
    assert abs(overall.rating - (25 + 28.5 - centre)) < 3 * overall.error + 0.5
    assert [each.players for each in rated[0][1:]] == list(COUNTS)
    assert rated[1].difference("mine", "d").above(0) > 0.99
    assert rated[1].difference("a", "d").mean == pytest.approx(
        anchors.ratings.values["a"]["rating"] - anchors.ratings.values["d"]["rating"], abs=1e-4
    )


def test_anchors_stay_as_they_are_whoever_is_rated(anchors: Anchors) -> None:
    strong, weak = (anchors.rate("mine", with_mine(skill, 200)) for skill in (40.0, 10.0))
    for one, other in ("ab", "bc", "cd"):
        said = [rated[1].difference(one, other).mean for rated in (strong, weak)]
        assert said[0] == pytest.approx(said[1], abs=1e-3)


def test_an_anchor_that_always_won_does_not_move_what_ratings_are_distances_from() -> None:
    skills = {"a": 90.0, "b": 26.0, "c": 25.0, "d": 24.0}
    far = Anchors(list(skills), simulated(skills, 200, COUNTS, 1), "kosmos")
    assert far.ratings.bounds == {"a": "at least"}
    found = simulated({**skills, "mine": 25.0}, 600, COUNTS, 2)
    games = [each for each in found if "mine" in each.bots][:200]
    beaten = games[0]._replace(bots=["a", "mine"], ranks=[2, 1], scores=[{}] * 2, block=(2, 999))
    for some in (games, [*games, beaten]):
        rated = far.rate("mine", some)
        ahead = rated[1].difference("mine", "c").mean
        own = rated[0][0].rating
        assert own == pytest.approx(far.ratings.values["c"]["rating"] + ahead, abs=1e-3)


def test_more_games_make_the_error_smaller(anchors: Anchors) -> None:
    few, many = (anchors.rate("mine", with_mine(26.0, games))[0][0].error for games in (40, 400))
    assert many < few / 2


def test_errors_of_anchors_are_in_differences_and_not_in_the_rating(anchors: Anchors) -> None:
    vague = Anchors(list(SKILLS), simulated(SKILLS, 24, COUNTS, 1), "kosmos")
    games = with_mine(26.0, 400)
    sure, unsure = (each.rate("mine", games) for each in (anchors, vague))
    assert unsure[1].difference("mine", "a").error > 2 * sure[1].difference("mine", "a").error
    assert unsure[0][0].error == pytest.approx(sure[0][0].error, rel=0.5)


@pytest.mark.parametrize(("place", "bound"), [(1, "at least"), (9, "at most")])
def test_who_only_wins_or_only_loses_is_known_on_one_side(anchors: Anchors, place: int, bound: str) -> None:
    chance = random.Random(3)
    games = [
        RatingInput(["mine", chance.choice("abcd")], [place, 2], [{}] * 2, (2, number // 2)) for number in range(40)
    ]
    overall = anchors.rate("mine", games)[0][0]
    assert overall.bound == bound
    low, high = overall.interval
    assert (low is None, high is None) == (bound == "at most", bound == "at least")
    best, worst = (anchors.ratings.values[name]["rating"] for name in "ad")
    assert (low or best) >= best - 2
    assert (high or worst) <= worst + 2


def test_the_order_of_games_changes_nothing(anchors: Anchors) -> None:
    games = with_mine(26.0, 90)
    one, other = (anchors.rate("mine", some)[0][0].rating for some in (games, games[::-1]))
    assert one == pytest.approx(other, abs=1e-5)


def test_by_score_it_is_the_mean_score_against_the_anchors() -> None:
    pytest.importorskip("pyspiel")
    chance, name = random.Random(5), catalog.rules(LEDUC).capabilities.score
    assert name is not None
    score = name.name

    def game(one: str, other: str, by: float, number: int) -> RatingInput:
        won = by + chance.gauss(0, 2)
        scores = [{score: won}, {score: -won}]
        return RatingInput([one, other], [1 if won > 0 else 2, 2 if won > 0 else 1], scores, (2, number))

    pytest.importorskip("pyspiel")
    pairs = (("x", "y", 1.0), ("x", "z", 2.0), ("y", "z", 1.0))
    known = [game(one, other, by, number) for number in range(40) for one, other, by in pairs]
    anchors = Anchors(list("xyz"), known, LEDUC)
    own = [
        game("mine", other, by, 1000 + 3 * number + place)
        for number in range(60)
        for place, (other, by) in enumerate((("x", -0.5), ("y", 0.5), ("z", 1.5)))
    ]
    overall = anchors.rate("mine", own)[0][0]
    mean = sum(each.scores[0][score] for each in own) / len(own)
    assert overall.rating == pytest.approx(mean, abs=0.02)
    assert abs(overall.rating - 0.5) < 3 * overall.error


@pytest.mark.slow
def test_intervals_hold_though_games_end_when_they_are_short_enough() -> None:
    off = [trial(number, 2.0)[0] for number in range(1000, 1040)]
    assert sum(abs(each) < 1.96 for each in off) >= 33  # of 40; of 95 % so few come once in some thousands
