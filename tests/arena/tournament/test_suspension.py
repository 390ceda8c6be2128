"""Who is suspended follows from the schedule's order, whatever the order in which games end."""

from __future__ import annotations

from itertools import permutations

from arena.formats import GameOutcome
from arena.tournament.schedule.history import TournamentHistory

BAD, GOOD, OTHER = "bad", "good", "other"


def played(bots: list[str], retired: list[int]) -> GameOutcome:
    return GameOutcome(bots, [1] * len(bots), [{}] * len(bots), retired)


def test_three_games_in_a_row_and_no_fewer() -> None:
    suspensions = TournamentHistory()
    assert suspensions.played(0, played([BAD, GOOD], [0])) == []
    assert suspensions.played(1, played([GOOD, BAD], [1])) == []
    assert suspensions.suspended(100) == {}
    assert suspensions.played(2, played([BAD, GOOD], [0])) == [BAD]
    assert suspensions.suspended(100) == {BAD: 3}


def test_a_game_to_the_end_starts_the_count_anew() -> None:
    suspensions = TournamentHistory()
    for spec, retired in enumerate([[0], [0], [], [0], [0]]):
        suspensions.played(spec, played([BAD, GOOD], retired))
    assert suspensions.suspended(100) == {}


def test_a_game_in_which_a_bot_was_asked_for_nothing_is_passed_over() -> None:
    suspensions = TournamentHistory()
    for spec in range(4):
        game = played([BAD, OTHER], [spec % 2])
        assert suspensions.played(spec, game, idle=[0] if spec % 2 else []) == []
    assert suspensions.played(4, played([BAD, GOOD], [0])) == [BAD], "its rivals' crashes shelter it no more"


def test_games_of_others_between_do_not_break_the_row() -> None:
    suspensions = TournamentHistory()
    for spec in range(5):
        suspensions.played(spec, played([BAD, GOOD], [0]) if spec % 2 == 0 else played([OTHER, GOOD], []))
    assert suspensions.suspended(100) == {BAD: 5}


def test_games_beyond_a_gap_wait_until_it_is_closed() -> None:
    suspensions = TournamentHistory()
    for spec in (1, 2, 3):
        assert suspensions.played(spec, played([BAD, GOOD], [0])) == []
    assert suspensions.missing(0) == [BAD]
    assert suspensions.suspended(100) == {BAD: 4}


def test_every_order_of_arrival_suspends_the_same() -> None:
    games = [([BAD, GOOD], [0]), ([OTHER, BAD], [1]), ([BAD, OTHER], [0, 1]), ([OTHER, BAD], [0]), ([OTHER, GOOD], [0])]
    for arrival in permutations(range(5)):
        suspensions = TournamentHistory()
        for spec in arrival:
            suspensions.played(spec, played(games[spec][0], games[spec][1]))
        # At place 3 `bad` is on the bench already, so that this game does not count against `other` either.
        assert suspensions.suspended(100) == {BAD: 3}


def test_only_games_of_suspended_bots_from_there_on_are_left_out() -> None:
    suspensions = TournamentHistory()
    for spec in range(3):
        suspensions.played(spec, played([BAD, GOOD], [0]))
    assert suspensions.excludes([OTHER, BAD], 3)
    assert not suspensions.excludes([OTHER, BAD], 2)
    assert not suspensions.excludes([OTHER, GOOD], 3)
