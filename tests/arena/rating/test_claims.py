"""Claims of an order: few games make none, however one-sided they are, and many make one."""

from __future__ import annotations

import pytest

from arena.rating import SYSTEMS, RankBand, RatingInput
from tests.arena.rating.fields import LUCK, simulated

ALL_AT_ONCE = ["trueskill", "plackett-luce", "bradley-terry"]


def one_sided(wins: int, *, players: int = 2) -> list[RatingInput]:
    """Return games in blocks, all of which end in the same order."""
    bots = [f"b{number}" for number in range(players)]
    ranks = list(range(1, players + 1))
    return [RatingInput(bots, ranks, [{}] * players, (players, game // players)) for game in range(wins)]


@pytest.mark.parametrize("system", ALL_AT_ONCE)
def test_four_wins_of_four_lead_nobody(system: str) -> None:
    """Of equal bots one wins all of four games in one of eight pairs."""
    bands = SYSTEMS[system].rate(one_sided(4), ["b0", "b1"]).bands
    assert bands == {"b0": RankBand(1, 2), "b1": RankBand(1, 2)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_said_of_a_field_without_bots(system: str) -> None:
    assert not SYSTEMS[system].rate([], []).values


@pytest.mark.parametrize("system", ALL_AT_ONCE)
def test_who_won_all_of_many_games_leads(system: str) -> None:
    bands = SYSTEMS[system].rate(one_sided(12), ["b0", "b1"]).bands
    assert bands == {"b0": RankBand(1, 1), "b1": RankBand(2, 2)}
    bots = [f"b{number}" for number in range(4)]
    bands = SYSTEMS[system].rate(one_sided(40, players=4), bots).bands
    assert [bands[bot] for bot in bots] == [RankBand(place, place) for place in (1, 2, 3, 4)]


def test_who_is_ahead_at_one_number_of_players_is_not_yet_so_at_all() -> None:
    """Who won all of many games of two need not be the better one overall if the other mostly wins games of three."""
    more = [
        RatingInput(["b0", "b1", "b2"], [2, 1, 3] if game % 3 else [1, 2, 3], [{}] * 3, (3, game)) for game in range(60)
    ]
    games = [*one_sided(60), *more]
    bands = {
        players: SYSTEMS["trueskill"].rate(games, ["b0", "b1", "b2"], None, players).bands for players in (None, 2)
    }
    assert bands[2]["b0"].worst == 1, "nobody else played there but whom it beat"
    assert bands[None]["b0"].best == bands[None]["b1"].best == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "bots", "players", "games"),
    [("trueskill", 6, 6, 6), ("trueskill", 6, 6, 12), ("trueskill", 8, 4, 56), ("plackett-luce", 6, 6, 12)],
)
def test_of_equal_bots_an_order_is_claimed_as_seldom_as_promised(
    system: str, bots: int, players: int, games: int
) -> None:
    """That is in 5 % of the fields, of which these are 60."""
    names = [f"b{number}" for number in range(bots)]
    claimed = 0
    for seed in range(60):
        drawn = simulated(dict.fromkeys(names, 0.0), games, [players], seed, suits=0.2 * LUCK)
        bands = SYSTEMS[system].rate(drawn, names).bands.values()
        claimed += any(band != RankBand(1, bots) for band in bands)
    assert claimed <= 5
