"""Partners that are drawn: ratings of games of teams whose bots have known skills."""

from __future__ import annotations

import math
from itertools import permutations
from random import Random

import pytest

from arena.common.errors import ArenaError
from arena.rating import SYSTEMS, RatingInput
from arena.rating.joint.approximation import LUCK
from arena.rating.joint.fit import JointFit
from arena.rating.rated_table import once, rated_table, rating_input

TEAMS = {4: ((0, 2), (1, 3)), 6: ((0, 1), (2, 3), (4, 5)), 3: ((0,), (1, 2))}
SKILLS = {f"b{number}": 2.5 * number - 8.75 for number in range(8)}


def games(players: int, blocks: int, seed: int, skills: dict[str, float] = SKILLS) -> list[RatingInput]:
    """Blocks of games in which a team performs as the mean of its bots' skills, with the luck of one bot."""
    chance, found = Random(seed), []
    for block in range(blocks):
        bots = chance.sample(sorted(skills), players)
        for rotation in range(players):
            seated = bots[rotation:] + bots[:rotation]
            performance = {}
            for team in TEAMS[players]:
                mean = sum(skills[seated[seat]] for seat in team) / len(team)
                performance |= dict.fromkeys(team, mean + chance.gauss(0, LUCK))
            ranks = [1 + sum(other > performance[seat] for other in performance.values()) for seat in range(players)]
            found.append(RatingInput(seated, ranks, [{}] * players, (players, block), TEAMS[players]))
    return found


@pytest.mark.parametrize("players", [3, 4, 6])
def test_bots_of_known_skill_get_their_order_and_their_distances(players: int) -> None:
    table = rated_table(games(players, 300, players))
    assert [row.bot for row in table.rows] == sorted(SKILLS, key=SKILLS.__getitem__, reverse=True)
    errors = [(row.values["rating"] - 25 - SKILLS[row.bot]) / row.values["error"] for row in table.rows]
    assert max(map(abs, errors)) < 3.5, "skills are on the scale of those of bots that play for themselves"


def test_errors_hold_for_equal_bots_and_unequal_ones() -> None:
    covered = total = 0
    for seed in range(40):
        skills = {bot: skill / 2 for bot, skill in SKILLS.items()}
        table = rated_table(games(4, 30, 100 + seed, skills))
        for row in table.rows:
            total += 1
            covered += abs(row.values["rating"] - 25 - skills[row.bot]) < 1.96 * row.values["error"]
    assert 0.91 < covered / total < 0.99, covered / total


def test_partners_are_no_tie_between_rivals() -> None:
    always = [RatingInput(["a", "x", "b", "y"], [1, 3, 1, 3], [{}] * 4, (4, block), TEAMS[4]) for block in range(12)]
    table = rated_table(always)
    finishes = {row.bot: (row.mean_finish, row.wins) for row in table.rows}
    assert finishes == {"a": (0, 1), "b": (0, 1), "x": (1, 0), "y": (1, 0)}
    fit = JointFit(["a", "b", "x", "y"])
    fit.add(always)
    assert math.isclose(fit.mean[0], fit.mean[1], abs_tol=1e-6)
    covariance = fit.covariance(4)
    apart = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    alone = JointFit(["a", "b", "x", "y"]).overall_covariance()
    assert apart > 0.9 * (alone[0, 0] + alone[1, 1] - 2 * alone[0, 1]), "their games say nothing of who is better"


def test_the_order_of_seats_and_of_games_makes_no_difference() -> None:
    some = games(4, 6, 1)
    turned = [
        RatingInput([game.bots[seat] for seat in (1, 2, 3, 0)], [game.ranks[seat] for seat in (1, 2, 3, 0)], *game[2:])
        for game in reversed(some)
    ]
    first, second = rated_table(some), rated_table(turned)
    for one in first.rows:
        other = next(row for row in second.rows if row.bot == one.bot)
        assert math.isclose(one.values["rating"], other.values["rating"], abs_tol=1e-3)


def test_games_of_a_running_table_give_nearly_the_same() -> None:
    some = games(4, 20, 3)
    running = SYSTEMS["trueskill"].running(SKILLS)
    for game in some:
        running.add(game.bots, game.ranks, game.teams)
    for row in rated_table(some).rows:
        assert abs(running.values(row.bot)["rating"] - row.values["rating"]) < 0.1


def test_other_systems_say_that_they_rate_no_partners() -> None:
    for name in SYSTEMS:
        if name != "trueskill":
            with pytest.raises(ArenaError, match="partners are rated by trueskill"):
                rated_table(games(4, 1, 1), system=SYSTEMS[name])


def test_an_entrant_that_holds_a_team_is_one_player() -> None:
    assert once(["a", "b", "a", "b"], [1, 3, 1, 3]) == (["a", "b"], [1, 2])
    assert once(["a", "b", "c"], [2, 1, 2]) == (["a", "b", "c"], [2, 1, 2])
    assert once(["a", "a", "b", "b", "c", "c"], [3, 3, 1, 1, 3, 3]) == (["a", "b", "c"], [2, 1, 2])
    game = rating_input(["a", "b", "a", "b"], [1, 3, 1, 3], [{"n": 3}, {"n": 1}, {"n": 4}, {"n": 1}], (4, 0))
    assert list(game.scores) == [{"n": 3.5}, {"n": 1.0}]
    assert len({once(seats, [1, 1, 1, 1])[1] == [1, 1] for seats in permutations("aabb")}) == 1
