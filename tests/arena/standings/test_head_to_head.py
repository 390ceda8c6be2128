"""Who is better, from all games together, with the record of the games that both played."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import pytest

from arena.ledger import GameRecord, Ledger
from arena.rating import SkillDifference
from arena.standings import leaderboard, rated_results
from arena.standings.head_to_head import HeadToHead, Pairing, records

Play = Callable[..., GameRecord]


def test_a_difference_with_its_error_is_a_probability() -> None:
    for mean, error in [(0.1, 0.05), (-0.3, 0.2), (0.0, 0.1), (0.9, 0.01)]:
        assert SkillDifference(mean, error).above(0.0) == pytest.approx(NormalDist().cdf(mean / error), abs=1e-9)
    assert [SkillDifference(mean, 0.0).above(0.0) for mean in (-0.1, 0.0, 0.1)] == [0.0, 0.5, 1.0]


def test_two_that_never_met_are_compared_by_their_games_against_others(ledger: Ledger, play: Play) -> None:
    for block in range(30):
        play("ant", "bee", block=block)
        play("bee", "cat", block=100 + block)
    play("cat", "bee", block=200)
    board = leaderboard(ledger)
    assert board.overall is not None
    against = HeadToHead(records(rated_results(ledger)), board.differences)
    never = against.pairing("ant", "cat")
    rating = {row.bot: row.values["rating"] for row in board.overall}
    assert never[:3] == (0, 0, 0)
    assert never.difference == pytest.approx(rating["ant"] - rating["cat"], abs=1e-5)
    assert never.better is not None
    assert never.better > 0.95
    assert never.bound == "at least", "no game says how much better than both ant is"
    assert never.one_sided is not None
    assert never.one_sided.one_sided(1) == f"> {never.difference - 1.96 * (never.error or 0):+.1f}"
    assert never.one_sided.ends(1.96)[1] is None
    assert against.pairing("cat", "ant").bound == "at most"
    assert against.pairing("bee", "cat").one_sided is None
    back = against.pairing("cat", "bee")
    assert (back.games, back.ahead, back.ties, back.behind) == (31, 1, 0, 30)
    assert back.better == pytest.approx(1 - (against.pairing("bee", "cat").better or 0))


def test_nothing_is_known_of_a_bot_without_a_game(ledger: Ledger, play: Play) -> None:
    play("ant", "bee", ranks=[1, 1])
    against = HeadToHead(records(rated_results(ledger)), leaderboard(ledger).differences)
    assert against.pairing("ant", "cat") == Pairing(0, 0, 0, None, None, None)
    assert against.pairing("bee", "ant")[:3] == (1, 0, 0)
    assert against.pairing("bee", "ant").ties == 1
