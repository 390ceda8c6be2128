"""The joint normal distribution of skills: the same as one large matrix gives, and its slopes are those of itself.

And what is assumed of skills before any game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import RandomState

from arena.rating.joint.deviations import DEVIATION, prior_precision
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.normal import JointNormal
from arena.rating.joint.rank_bands import difference_errors

BOTS = 5
PRIOR = prior_precision(np.diag([3.0, 0.0, 2.0, 9.0], 1) + np.diag([3.0, 0.0, 2.0, 9.0], -1))
SPREADS = {2: 0.7, 3: 0.5, 4: 1.1}


def said() -> dict[int, tuple[Floats, Floats]]:
    """Return what games might say of skills, of some of them nothing."""
    chance = RandomState(1)
    found = {}
    for players in SPREADS:
        root = chance.standard_normal((BOTS, 3))
        found[players] = root @ root.T, chance.standard_normal(BOTS)
    return found


def test_it_is_what_one_matrix_for_all_skills_at_once_gives() -> None:
    """The variables are the skills at all numbers of players and, by number of players, the deviations from them."""
    games, parts = said(), len(SPREADS) + 1
    precision, shift = np.zeros((parts * BOTS, parts * BOTS)), np.zeros(parts * BOTS)
    precision[:BOTS, :BOTS] = PRIOR
    skills_at = {}
    for part, (players, (matrix, vector)) in enumerate(games.items(), start=1):
        apart = slice(part * BOTS, (part + 1) * BOTS)
        precision[apart, apart] = np.eye(BOTS) / SPREADS[players] ** 2
        at = np.zeros((BOTS, parts * BOTS))
        at[:, :BOTS] = at[:, apart] = np.eye(BOTS)
        precision += at.T @ matrix @ at
        shift += at.T @ vector
        skills_at[players] = at
    covariance = np.linalg.inv(precision)
    mean = covariance @ shift
    overall = np.mean(list(skills_at.values()), axis=0)

    found = JointNormal(PRIOR, games, SPREADS)
    assert found.skill == pytest.approx(mean[:BOTS])
    for players, at in skills_at.items():
        assert found.means[players] == pytest.approx(at @ mean)
        assert found.with_common(players) == pytest.approx(at @ covariance[:, :BOTS])
        assert found.overall_covariances[players] == pytest.approx(overall @ covariance @ at.T)
        apart = at.copy()  # type: ignore[assignment]
        apart[:, :BOTS] = 0
        assert found.deviation_variances(players) == pytest.approx(np.diag(apart @ covariance @ apart.T))  # type: ignore[attr-defined, operator]
        for other, there in skills_at.items():
            assert found.covariances(players)[other] == pytest.approx(at @ covariance @ there.T)


def test_squares_of_deviations_fall_as_fast_as_it_says_when_spreads_shrink() -> None:
    games, step = said(), 1e-5
    _, falls = JointNormal(PRIOR, games, SPREADS).deviation_squares()
    for number, players in enumerate(SPREADS):
        more, less = (
            JointNormal(PRIOR, games, SPREADS | {players: (SPREADS[players] ** -2 + change) ** -0.5})
            for change in (step, -step)
        )
        slope = (less.deviation_squares()[0] - more.deviation_squares()[0]) / (2 * step)
        assert falls[:, number] == pytest.approx(slope, rel=1e-4, abs=1e-6)


def test_where_all_meet_equally_often_all_skills_are_independent_before_any_game() -> None:
    alike = 7.0 * (1 - np.eye(BOTS))
    assert prior_precision(alike) == pytest.approx(np.eye(BOTS) / DEVIATION**2)
    with_one_more = np.pad(alike, (0, 1))
    assert prior_precision(with_one_more) == pytest.approx(np.eye(BOTS + 1) / DEVIATION**2), "it met nobody"


def test_who_is_many_steps_away_may_be_far_apart() -> None:
    steps = np.eye(12, k=1) + np.eye(12, k=-1)
    covariance: Any = np.linalg.inv(prior_precision(100 * steps))
    errors = difference_errors(covariance)[0, 1:]
    assert DEVIATION < errors[0] < 2 * DEVIATION
    assert np.all(np.diff(errors) > 0)
    assert errors[-1] > 3 * errors[0]
    apart = np.kron(np.eye(2), 1000 * (1 - np.eye(4)))
    assert difference_errors(np.linalg.inv(prior_precision(apart)))[0, 7] > 10 * DEVIATION, "they never meet"  # type: ignore[arg-type]
