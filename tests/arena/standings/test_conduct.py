"""How bots behaved: figures of all games are those of the games with each number of players together."""

from __future__ import annotations

import statistics

from hypothesis import given
from hypothesis import strategies as st

from arena.ledger import GameResult
from arena.ledger.packing import TIMES_RATIO, pack
from arena.standings.compute import Conducts

TIMES = st.lists(st.integers(0, 10**9), max_size=250)


def result(index: int, times: list[list[int]], faults: list[tuple[int, str]]) -> GameResult:
    bots = ["a", "b", "c"][: len(times)]
    ranks, scores = list(range(1, len(bots) + 1)), [{} for _ in bots]
    packed = pack(times, TIMES_RATIO)
    return GameResult(f"g{index}", index, len(bots), index, bots, ranks, scores, [1], faults, packed)


@given(TIMES, TIMES, TIMES)
def test_times_are_the_median_and_the_99th_percentile_of_all_decisions(
    two: list[int], more: list[int], three: list[int]
) -> None:
    conducts = Conducts([result(0, [two, []], []), result(1, [more, [7]], []), result(2, [three, [], []], [])])
    for players, expected in (2, two + more), (3, three), (None, two + more + three):
        found = conducts.of("a", players).times
        if not expected:
            assert (found.median_ms, found.p99_ms) == (None, None)
            continue
        most = statistics.quantiles(expected, n=100, method="inclusive")[98] if expected[1:] else expected[0]
        assert found.median_ms == round(statistics.median(expected) / 1000, 3)
        assert found.p99_ms == round(most / 1000, 3)


def test_faults_and_retirements_are_counted_by_number_of_players_and_in_all() -> None:
    late, none = (0, "late"), (5, "late")  # there is no such seat
    conducts = Conducts([result(0, [[], []], [late, none]), result(1, [[], [], []], [late, (0, "crash")])])
    assert conducts.of("a").faults == {"late": 2, "crash": 1}
    assert conducts.of("a", 2).faults == {"late": 1}
    assert (conducts.of("b").retired, conducts.of("b", 3).retired, conducts.of("a").retired) == (2, 1, 0)
    assert conducts.of("d").retired == 0
