import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.sequential_trueskill import TrueSkillModel

DOCUMENTED = [
    # what the package's documentation and the published calculator give for players without a past, 10 % ties
    ([1, 2], [(29.396, 7.171), (20.604, 7.171)]),
    ([1, 1], [(25.000, 6.458), (25.000, 6.458)]),
    ([1, 2, 3], [(31.675, 6.656), (25.000, 6.208), (18.325, 6.656)]),
    ([1, 2, 3, 4], [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]),
    ([1, 2, 3, 4, 5], [(34.363, 6.136), (29.058, 5.536), (25.000, 5.420), (20.942, 5.536), (15.637, 6.136)]),
]


@pytest.mark.parametrize(("ranks", "expected"), DOCUMENTED)
def test_fresh_players_get_the_documented_ratings(ranks: list[int], expected: list[tuple[float, float]]) -> None:
    model = TrueSkillModel(0.1)
    rated = model.rate([(model.create_rating(),) for _ in ranks], ranks=ranks)
    # the documented figures have the default drift, which is worth less than 0.002 in a first game
    assert [tuple(rating) for (rating,) in rated] == [pytest.approx(pair, abs=0.002) for pair in expected]


def test_nothing_drifts() -> None:
    model = TrueSkillModel(0.1)
    sure = trueskill.Rating(200.0, 0.5), trueskill.Rating(0.0, 0.5)
    for _ in range(50):
        ((sure_winner,), (sure_loser,)) = model.rate([(sure[0],), (sure[1],)], ranks=[1, 2])
        sure = sure_winner, sure_loser
    assert [tuple(rating) for rating in sure] == [pytest.approx((200.0, 0.5)), pytest.approx((0.0, 0.5))]


@pytest.mark.parametrize("gap", [250.0, 1_000.0, 100_000.0])
def test_an_upset_beyond_the_range_of_floats_moves_both_towards_each_other(gap: float) -> None:
    plain = trueskill.TrueSkill(tau=0.0, draw_probability=0.1)
    strong, weak = trueskill.Rating(gap, 1.0), trueskill.Rating(0.0, 1.0)
    with pytest.raises(FloatingPointError):  # or there would be no need of a model of our own
        plain.rate([(weak,), (strong,)], ranks=[1, 2])
    ((winner,), (loser,)) = TrueSkillModel(0.1).rate([(weak,), (strong,)], ranks=[1, 2])
    # by the model's own update in the limit: each is moved by the gap times its share of the whole variance
    shift = gap / (1 + 1 + 2 * trueskill.BETA**2)
    assert winner.mu == pytest.approx(shift, rel=0.02)
    assert gap - loser.mu == pytest.approx(shift, rel=0.02)
    assert winner.sigma == loser.sigma < 1.0


@pytest.mark.parametrize("gap", [250.0, 1_000.0, 100_000.0])
def test_an_expected_result_beyond_the_range_of_floats_teaches_nothing_about_the_far_one(gap: float) -> None:
    model = TrueSkillModel(0.1)
    giant, one, other = trueskill.Rating(gap, 1.0), model.create_rating(), model.create_rating()
    rated = model.rate([(giant,), (one,), (other,)], ranks=[1, 2, 3])
    pair = model.rate([(one,), (other,)], ranks=[1, 2])
    assert tuple(rated[0][0]) == pytest.approx((gap, 1.0))
    assert [tuple(rating) for (rating,) in rated[1:]] == [pytest.approx(tuple(rating)) for (rating,) in pair]


@pytest.mark.slow
@settings(deadline=None)
@given(st.floats(0.0, 20.0), st.floats(30.5, 33.0))
def test_the_limits_join_on_to_the_exact_figures(margin: float, far: float) -> None:
    exact = trueskill.TrueSkill(tau=0.0, backend=(lambda x: math.erfc(-x / math.sqrt(2)) / 2, _density, lambda x: x))
    model = TrueSkillModel(0.1)
    assert model.v_win(margin - far, margin) == pytest.approx(exact.v_win(margin - far, margin), rel=1e-6)
    assert model.w_win(margin - far, margin) == pytest.approx(exact.w_win(margin - far, margin), rel=1e-5)
    assert model.v_win(margin + far, margin) == pytest.approx(exact.v_win(margin + far, margin), abs=1e-12)
    assert model.w_win(margin + far, margin) == pytest.approx(exact.w_win(margin + far, margin), abs=1e-12)


@pytest.mark.slow
@settings(deadline=None)
@given(st.floats(0.01, 3.0), st.floats(30.5, 33.0), st.sampled_from([-1, 1]))
def test_the_limits_of_a_tie_join_on_too(margin: float, far: float, sign: int) -> None:
    exact = trueskill.TrueSkill(tau=0.0, backend=(lambda x: math.erfc(-x / math.sqrt(2)) / 2, _density, lambda x: x))
    model = TrueSkillModel(0.1)
    diff = sign * (margin + far)
    assert model.v_draw(diff, margin) == pytest.approx(exact.v_draw(diff, margin), rel=1e-5)
    assert model.w_draw(diff, margin) == pytest.approx(exact.w_draw(diff, margin), rel=1e-5)


skills = st.tuples(st.floats(-1e5, 1e5), st.floats(1e-3, 10.0))


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(st.tuples(skills, st.integers(1, 6)), min_size=2, max_size=6),
    st.sampled_from([0.001, 0.1, 0.5, 0.999]),
)
def test_any_result_of_any_players_can_be_rated_and_leaves_nobody_less_sure(
    seats: list[tuple[tuple[float, float], int]], ties: float
) -> None:
    rated = TrueSkillModel(ties).rate(
        [(trueskill.Rating(*skill),) for skill, _ in seats], ranks=[rank for _, rank in seats]
    )
    for ((_, sigma), _), (after,) in zip(seats, rated, strict=True):
        assert math.isfinite(after.mu)
        assert 0 < after.sigma <= sigma * (1 + 1e-6)


def _density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


@pytest.mark.slow
@pytest.mark.process
def test_it_is_loaded_in_silence_also_where_no_installer_has_compiled_it(tmp_path: Path) -> None:
    """Python 3.12 prints its doubts about the package's source to standard error, where a command says one line."""
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", "import arena.rating.rated_table"],
        env=os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
