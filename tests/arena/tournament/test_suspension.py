"""Who is benched follows from the schedule's order, whatever the order in which games end."""

from __future__ import annotations

from itertools import permutations

from arena.tournament.suspension import Bench

BAD, GOOD, OTHER = "bad", "good", "other"


def test_three_games_in_a_row_and_no_fewer() -> None:
    bench = Bench()
    assert bench.played(0, [BAD, GOOD], [0]) == []
    assert bench.played(1, [GOOD, BAD], [1]) == []
    assert bench.benched == {}
    assert bench.played(2, [BAD, GOOD], [0]) == [BAD]
    assert bench.benched == {BAD: 3}


def test_a_game_to_the_end_starts_the_count_anew() -> None:
    bench = Bench()
    for order, retired in enumerate([[0], [0], [], [0], [0]]):
        bench.played(order, [BAD, GOOD], retired)
    assert bench.benched == {}


def test_games_of_others_between_do_not_break_the_row() -> None:
    bench = Bench()
    for order in range(5):
        bench.played(order, [BAD, GOOD] if order % 2 == 0 else [OTHER, GOOD], [0] if order % 2 == 0 else [])
    assert bench.benched == {BAD: 5}


def test_games_beyond_a_gap_wait_until_it_is_closed() -> None:
    bench = Bench()
    for order in (1, 2, 3):
        assert bench.played(order, [BAD, GOOD], [0]) == []
    assert bench.missing(0) == [BAD]
    assert bench.benched == {BAD: 4}


def test_every_order_of_arrival_benches_the_same() -> None:
    games = [([BAD, GOOD], [0]), ([OTHER, BAD], [1]), ([BAD, OTHER], [0, 1]), ([OTHER, BAD], [0]), ([OTHER, GOOD], [0])]
    for arrival in permutations(range(5)):
        bench = Bench()
        for order in arrival:
            bench.played(order, *games[order])
        # At place 3 `bad` is on the bench already, so that this game does not count against `other` either.
        assert bench.benched == {BAD: 3}


def test_only_games_of_benched_bots_from_there_on_are_left_out() -> None:
    bench = Bench()
    for order in range(3):
        bench.played(order, [BAD, GOOD], [0])
    assert bench.excludes([OTHER, BAD], 3)
    assert not bench.excludes([OTHER, BAD], 2)
    assert not bench.excludes([OTHER, GOOD], 3)
