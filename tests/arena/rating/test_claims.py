"""Claims of an order: few games make none, however one-sided they are, and many make one."""

from __future__ import annotations

import pytest

from arena.rating import SYSTEMS, RankBand, RatingInput
from tests.arena.rating.fields import LUCK, simulated

JOINT = SYSTEMS["trueskill"]


def one_sided(wins: int, *, players: int = 2) -> list[RatingInput]:
    """Return games in blocks, all of which end in the same order."""
    bots = [f"b{number}" for number in range(players)]
    ranks = list(range(1, players + 1))
    return [RatingInput(bots, ranks, [{}] * players, (players, game // players)) for game in range(wins)]


def test_four_wins_of_four_lead_nobody() -> None:
    """Of equal bots one wins all of four games in one of eight pairs."""
    bands = JOINT.rate(one_sided(4), ["b0", "b1"]).bands
    assert bands == {"b0": RankBand(1, 2), "b1": RankBand(1, 2)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_said_of_a_field_without_bots(system: str) -> None:
    assert not SYSTEMS[system].rate([], []).values
    assert SYSTEMS[system].rate([], "a").values.keys() == {"a"}


def test_who_won_all_of_many_games_leads() -> None:
    bands = JOINT.rate(one_sided(12), ["b0", "b1"]).bands
    assert bands == {"b0": RankBand(1, 1), "b1": RankBand(2, 2)}
    bots = [f"b{number}" for number in range(4)]
    bands = JOINT.rate(one_sided(40, players=4), bots).bands
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
    ("bots", "players", "games"),
    [(6, 6, 6), (6, 6, 12), (8, 4, 56)],
)
def test_of_equal_bots_an_order_is_claimed_as_seldom_as_promised(bots: int, players: int, games: int) -> None:
    """That is in 5 % of the fields, of which these are 60."""
    names = [f"b{number}" for number in range(bots)]
    claimed = 0
    for seed in range(60):
        drawn = simulated(dict.fromkeys(names, 0.0), games, [players], seed, suits=0.2 * LUCK)
        bands = JOINT.rate(drawn, names).bands.values()
        claimed += any(band != RankBand(1, bots) for band in bands)
    assert claimed <= 5


def test_a_newcomer_that_won_three_of_three_may_be_as_good_as_those_it_beat() -> None:
    """Of bots that win three games in ten, one in 37 wins three of three, whatever skills are before any game."""
    weaker = 3.0
    field = [f"f{number}" for number in range(8)]
    known = simulated(dict.fromkeys(field, 0.0), 400, [2], 4)
    for won, bound in ((True, "at least"), (False, "at most")):
        games = [RatingInput(["new", bot], [1, 2] if won else [2, 1], [{}] * 2, (2, 1000)) for bot in field[:3]]
        found = JOINT.rate([*known, *games], ["new", *field])
        assert found.bounds == {"new": bound}
        low, middle, high = JOINT.columns.ends(found.values["new"], found.bounds["new"])
        mean = sum(found.values[bot]["rating"] for bot in field[:3]) / 3
        assert (low < mean - weaker < middle) if won else (middle < mean + weaker < high)
        assert found.bands["new"].best == 1 or not won
        assert found.bands["new"].worst == 9 or won


@pytest.mark.parametrize("bots", [2, 8])
def test_more_games_of_who_always_wins_lead_to_nothing_that_was_excluded_before(bots: int) -> None:
    names = [f"b{number}" for number in range(bots)]
    games = simulated({bot: 50.0 * (bot == "b0") for bot in names}, 960, [2, 3] if bots > 2 else [2], 5)
    low = float("-inf")
    for count in (30, 60, 240, 960):
        found = JOINT.rate(games[:count], names)
        assert found.bounds["b0"] == "at least"
        assert found.values["b0"]["rating"] > low
        low = max(low, JOINT.columns.ends(found.values["b0"], "at least")[0])


def test_bots_that_lose_everything_spoil_nobody_else() -> None:
    """The others are rated from each other, and as well as without them."""
    good = {f"g{number}": float(skill) for number, skill in enumerate((9, 8, 3, 2, 1, 0, -1, -2))}
    bad = dict.fromkeys(("x0", "x1", "x2"), -60.0)
    without = JOINT.rate(simulated(good, 400, [2, 3, 4], 6), good)
    found = JOINT.rate(simulated(good | bad, 760, [2, 3, 4], 6), [*good, *bad])
    assert dict.fromkeys(bad, "at most") == found.bounds
    middle = sum(found.values[bot]["rating"] for bot in good) / len(good)
    assert middle == pytest.approx(JOINT.rate([], ["a"]).values["a"]["rating"])
    for bot in good:
        assert found.values[bot]["error"] < 1.15 * without.values[bot]["error"]
        assert found.bands[bot].worst <= 8
    assert [found.bands[bot] for bot in ("g0", "g1")] == [RankBand(1, 2)] * 2
