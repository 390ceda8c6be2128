"""Who is suspended follows from the schedule's order, whatever the order in which games end."""

from __future__ import annotations

from itertools import permutations

from arena.tournament.schedule.suspension import ConductInGame, Suspensions

BAD, GOOD, OTHER = "bad", "good", "other"


def test_three_games_in_a_row_and_no_fewer() -> None:
    suspensions = Suspensions()
    assert suspensions.played(0, [BAD, GOOD], ConductInGame([0])) == []
    assert suspensions.played(1, [GOOD, BAD], ConductInGame([1])) == []
    assert suspensions.suspended(100) == {}
    assert suspensions.played(2, [BAD, GOOD], ConductInGame([0])) == [BAD]
    assert suspensions.suspended(100) == {BAD: 3}


def test_a_game_to_the_end_starts_the_count_anew() -> None:
    suspensions = Suspensions()
    for spec, retired in enumerate([[0], [0], [], [0], [0]]):
        suspensions.played(spec, [BAD, GOOD], ConductInGame(retired))
    assert suspensions.suspended(100) == {}


def test_a_game_in_which_a_bot_was_asked_for_nothing_is_passed_over() -> None:
    suspensions = Suspensions()
    games = [ConductInGame([0]), ConductInGame([1], idle=[0]), ConductInGame([0]), ConductInGame([1], idle=[0])]
    for spec, conduct in enumerate(games):
        assert suspensions.played(spec, [BAD, OTHER], conduct) == []
    assert suspensions.played(4, [BAD, GOOD], ConductInGame([0])) == [BAD], "its rivals' crashes shelter it no more"


def test_games_of_others_between_do_not_break_the_row() -> None:
    suspensions = Suspensions()
    for spec in range(5):
        conduct = ConductInGame([0] if spec % 2 == 0 else [])
        suspensions.played(spec, [BAD, GOOD] if spec % 2 == 0 else [OTHER, GOOD], conduct)
    assert suspensions.suspended(100) == {BAD: 5}


def test_games_beyond_a_gap_wait_until_it_is_closed() -> None:
    suspensions = Suspensions()
    for spec in (1, 2, 3):
        assert suspensions.played(spec, [BAD, GOOD], ConductInGame([0])) == []
    assert suspensions.missing(0) == [BAD]
    assert suspensions.suspended(100) == {BAD: 4}


def test_every_order_of_arrival_suspends_the_same() -> None:
    games = [([BAD, GOOD], [0]), ([OTHER, BAD], [1]), ([BAD, OTHER], [0, 1]), ([OTHER, BAD], [0]), ([OTHER, GOOD], [0])]
    for arrival in permutations(range(5)):
        suspensions = Suspensions()
        for spec in arrival:
            suspensions.played(spec, games[spec][0], ConductInGame(games[spec][1]))
        # At place 3 `bad` is on the bench already, so that this game does not count against `other` either.
        assert suspensions.suspended(100) == {BAD: 3}


def test_only_games_of_suspended_bots_from_there_on_are_left_out() -> None:
    suspensions = Suspensions()
    for spec in range(3):
        suspensions.played(spec, [BAD, GOOD], ConductInGame([0]))
    assert suspensions.excludes([OTHER, BAD], 3)
    assert not suspensions.excludes([OTHER, BAD], 2)
    assert not suspensions.excludes([OTHER, GOOD], 3)
