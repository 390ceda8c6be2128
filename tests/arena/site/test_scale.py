"""Ticks, labels and tips with whatever numbers and names a tournament has."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.site.chart_layout import Box, Scale, beside, cut, nice_ticks, padded, px, spread, text, text_width

unhurried = settings(deadline=None, derandomize=True)
numbers = st.floats(-1e6, 1e6)
lengths = st.floats(0, 640)


@pytest.mark.parametrize(
    ("low", "high", "most", "labels"),
    [
        (0, 1, 6, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 100, 3, ["0", "50", "100"]),
        (13.2, 42.9, 8, ["15", "20", "25", "30", "35", "40"]),
        (-0.3, 0.3, 7, ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"]),
        (0, 20_000, 4, ["0", "10000", "20000"]),
        (0.001, 0.0031, 5, ["0.0010", "0.0015", "0.0020", "0.0025", "0.0030"]),
        (25, 25, 4, ["24.5", "25.0", "25.5"]),
    ],
)
def test_ticks_are_multiples_of_round_steps(low: float, high: float, most: int, labels: list[str]) -> None:
    assert [tick.label for tick in nice_ticks(low, high, most)] == labels


@unhurried
@given(numbers, numbers, st.integers(2, 12))
def test_ticks_lie_in_the_range_at_equal_distances_and_no_more_than_asked(one: float, other: float, most: int) -> None:
    low, high = sorted((one, other))
    ticks = nice_ticks(low, high, most)
    assert 1 <= len(ticks) <= most
    values = [tick.value for tick in ticks]
    slack = max(1e-6 * (high - low), 1e-9 * max(1, abs(low), abs(high)))
    if high - low > slack:
        assert low - slack <= values[0]
        assert values[-1] <= high + slack
    steps = [after - before for before, after in pairwise(values)]
    assert steps == pytest.approx([steps[0]] * len(steps)) if steps else True
    if most > 3 and steps:
        assert len(values) >= most / 2.5 - 1  # steps grow by 2.5 at most
        digits = steps[0] / 10 ** math.floor(math.log10(steps[0] * 1.0001))
        assert round(digits, 3) in (1, 2, 5)
    # What is read is what is drawn.
    assert [float(tick.label.replace("−", "-")) for tick in ticks] == values


@unhurried
@given(st.integers(0, 10**6), st.integers(2, 12))
def test_ticks_of_games_are_whole(games: int, most: int) -> None:
    ticks = nice_ticks(0, games, most, whole=True)
    assert ticks[0].label == "0"
    assert all(tick.label == str(int(tick.value)) for tick in ticks)
    assert len(ticks) <= most


@pytest.mark.parametrize(
    ("low", "high", "most"),
    [(0, math.nan, 5), (math.nan, 1, 5), (0, math.inf, 5), (-1e300, 1e300, 5), (2, 1, 5), (0, 1, 1), (0, 1, 0)],
)
def test_what_is_no_range_of_numbers_has_no_ticks(low: float, high: float, most: int) -> None:
    with pytest.raises(ValueError, match="ticks"):
        nice_ticks(low, high, most)


@unhurried
@given(st.lists(numbers, min_size=1, max_size=50))
def test_a_scale_keeps_every_value_in_its_place(values: list[float]) -> None:
    low, high = padded(values, 0.05, 0.5)
    scale = Scale(low, high, 200, 10)
    assert all(10 <= scale.at(value) <= 200 for value in values)
    order = sorted(values)
    assert [scale.at(value) for value in order] == sorted((scale.at(value) for value in order), reverse=True)


@unhurried
@given(st.lists(lengths, max_size=30), st.floats(1, 40))
def test_labels_are_spread_without_touching_and_in_order(wanted: list[float], gap: float) -> None:
    found = spread(wanted, gap, 10, 600)
    assert all(10 - 0.1 <= each <= 600 + 0.1 for each in found)
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    least = min(gap, 590 / max(1, len(wanted) - 1))
    for one, other in pairwise(order):
        assert found[other] - found[one] >= least - 0.11  # places are rounded to tenths


def test_labels_that_have_room_stay_where_they_are() -> None:
    assert spread([100, 50, 150], 17, 0, 200) == [100, 50, 150]
    assert spread([100, 100], 20, 0, 200) == [90, 110]
    assert spread([199, 198, 5], 20, 0, 200) == [200, 180, 5]
    assert spread([], 20, 0, 200) == []


@unhurried
@given(lengths, lengths, st.floats(10, 300), st.floats(10, 300))
def test_a_tip_lies_within_its_chart(x: float, y: float, width: float, height: float) -> None:
    tip = beside(x, y, width, height, (640, 300))
    assert tip.x >= 0
    assert tip.y >= 0
    assert tip.right <= 640.1
    assert tip.bottom <= 300.1


def test_a_tip_covers_its_point_only_where_nothing_else_is_left() -> None:
    frame = (300, 300)
    assert beside(100, 150, 100, 60, frame) == Box(114, 120, 100, 60)
    assert beside(250, 150, 100, 60, frame) == Box(136, 120, 100, 60)
    assert beside(150, 100, 200, 60, frame) == Box(50, 114, 200, 60)
    assert beside(150, 250, 200, 60, frame) == Box(50, 176, 200, 60)
    assert beside(150, 150, 280, 280, frame) == Box(10, 10, 280, 280)


@pytest.mark.slow
@unhurried
@given(st.text(max_size=60), st.floats(20, 400))
def test_a_text_that_was_cut_has_room(words: str, room: float) -> None:
    found = cut(words, 13, room)
    assert text_width(found, 13) <= room
    assert found == words or (found.endswith("…") and words.startswith(found[:-1]))
    assume(len(words) <= room / 15)
    assert found == words


def test_numbers_are_short_and_never_a_negative_nought() -> None:
    assert [str(px(each)) for each in (3, 2.04, -0.04, 7.949, -1.25)] == ["3", "2", "0", "7.9", "-1.2"]
    assert [text(each, ".2f") for each in (-0.001, -1, 25.456)] == ["0.00", "−1.00", "25.46"]
