from number_race import RULES

from engine.chance import Seeded
from engine.testing import check


def begun(seed=b"sixteen bytes at"):
    return RULES.start(2, RULES.edition("standard"), Seeded(seed))


def test_every_edition_with_every_number_of_players_keeps_to_the_interface():
    check(RULES)


def test_the_lowest_number_steps_on():
    state = begun()
    lowest = min(state.numbers)
    ahead = [int(number == lowest) for number in state.numbers]
    state.play(0)
    state.play(0)
    assert [score["steps"] for score in state.scores()] == ahead


def test_a_number_is_shown_to_its_seat_alone():
    state = begun()
    assert [state.view(seat)["number"] for seat in (0, 1, None)] == [*state.numbers, None]
