"""The decisive format: it plays where the order is uncertain, ends by itself, and is right as often as it says."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings

from arena.tournament.formats import Decisive
from tests.arena.tournament.simulated import SimulatedTournament, names, spread
from tests.arena.tournament.simulated_fields import FieldHistory, field_histories, play

MARGIN = 0.1


def decisive(skills: dict[str, float], counts: list[int], seed: int = 0, error: float = 0.05) -> SimulatedTournament:
    return SimulatedTournament(lambda: Decisive(seed.to_bytes(16, "big"), error, MARGIN), skills, counts, seed)


def format_of(tournament: SimulatedTournament) -> Decisive:
    assert isinstance(tournament.format, Decisive)
    return tournament.format


def games_of(tournament: SimulatedTournament, rounds: int = 0) -> Counter[str]:
    """The games of each bot in the last rounds, so many; in all if 0."""
    return Counter(
        bot for each in tournament.rounds[-rounds:] for block in each.blocks for bot in block.bots * len(block.bots)
    )


def normal(bots: int, seed: int, scale: float = 1.0) -> dict[str, float]:
    chance = random.Random(seed)
    return {bot: chance.gauss(0, scale) for bot in names(bots)}


@pytest.mark.parametrize(("bots", "counts"), [(2, [2]), (5, [2, 5]), (8, [2, 3, 4])])
def test_it_ends_when_all_neighbours_are_apart_or_tied(bots: int, counts: list[int]) -> None:
    tournament = decisive(normal(bots, bots), counts)
    tournament.finish()
    verdicts = format_of(tournament).verdicts(tournament.field)
    assert [verdict.upper for verdict in verdicts[1:]] == [verdict.lower for verdict in verdicts[:-1]]
    for verdict in verdicts:
        assert verdict.kind in ("apart", "tied")
        assert (verdict.ahead >= 0.95) == (verdict.kind == "apart")
        assert verdict.kind == "apart" or verdict.tied >= 0.95
    assert tournament.play_round() == []
    assert tournament.draws_the_same_when_resumed()


def test_equal_bots_are_tied_and_very_different_ones_soon_apart() -> None:
    equal = decisive(dict.fromkeys(names(4), 0.0), [2, 4])
    equal.finish()
    assert {verdict.kind for verdict in format_of(equal).verdicts(equal.field)} == {"tied"}
    different = decisive({bot: -3.0 * place for place, bot in enumerate(names(4))}, [2, 4])
    different.finish()
    verdicts = format_of(different).verdicts(different.field)
    assert [verdict.upper for verdict in verdicts] == names(3)
    assert {verdict.kind for verdict in verdicts} == {"apart"}
    assert different.games * 2 < equal.games


def test_who_is_hard_to_tell_apart_plays_most() -> None:
    skills = {"a": 4.0, "b": 2.0, "c": 0.1, "d": -0.1, "e": -2.0, "f": -4.0}
    tournament = decisive(skills, [2])
    tournament.finish()
    games = games_of(tournament)
    assert min(games["c"], games["d"]) > 3 * max(games["a"], games["f"])


def test_a_smaller_error_takes_more_games() -> None:
    games = [decisive(normal(5, 1), [2], error=error) for error in (0.2, 0.05, 0.01)]
    for tournament in games:
        tournament.finish()
    assert games[0].games < games[1].games < games[2].games


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(field_histories(40))
def test_nobody_with_an_undecided_neighbour_waits(history: FieldHistory) -> None:
    """And counts have equally many games while the field stays the same."""
    for tournament in play(history, lambda seed: Decisive(seed, margin=MARGIN)):
        field = tournament.field
        verdicts = format_of(tournament).verdicts(field)
        open_ones = {bot for each in verdicts if each.kind == "undecided" for bot in (each.upper, each.lower)}
        drawn = {bot for block in tournament.format.draw(len(tournament.rounds), field) for bot in block.bots}
        assert open_ones <= drawn
        assert bool(drawn) == bool(open_ones)
        same = [each for each in tournament.rounds if each.field == tournament.rounds[-1].field]
        played = [len(block.bots) for each in same for block in each.blocks]
        counted = [played.count(count) * count for count in same[-1].field.counts]
        if same == tournament.rounds[-len(same) :]:
            assert spread(counted) <= max(history.counts)


def test_newcomers_play_first_and_have_a_base_of_games() -> None:
    tournament = decisive(normal(6, 3, 3.0), [2])
    tournament.finish()
    before = len(tournament.rounds)
    tournament.change({"new": 9.0})
    first = tournament.play_round()
    assert "new" in first[0].bots
    tournament.finish()
    assert games_of(tournament, len(tournament.rounds) - before)["new"] >= 12
    assert format_of(tournament).verdicts(tournament.field)[0].upper == "new"


def test_games_that_were_not_played_are_no_base() -> None:
    tournament = decisive(dict.fromkeys("abc", 0.0), [2])
    tournament.suspend("c", 0)
    tournament.play(30)
    assert tournament.field.bots == ("a", "b")
    assert format_of(tournament).verdicts(tournament.field)[0].ahead != 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("bots", "counts", "fields"), [(12, [2], 20), (12, [4], 20), (12, [2, 3, 4, 5, 6], 20)])
def test_verdicts_are_as_right_as_they_say(bots: int, counts: list[int], fields: int) -> None:
    """Over many fields: how often the lower of two that are apart is better, or two that are tied differ by more."""
    margin = math.log((0.5 + MARGIN) / (0.5 - MARGIN))
    wrong: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for seed in range(fields):
        tournament = decisive(normal(bots, seed), counts, seed)
        tournament.finish()
        for verdict in format_of(tournament).verdicts(tournament.field):
            difference = tournament.skills[verdict.upper] - tournament.skills[verdict.lower]
            total[verdict.kind] += 1
            wrong[verdict.kind] += difference < 0 if verdict.kind == "apart" else abs(difference) > margin
    assert total["apart"] > 50 < total["tied"]
    assert wrong["apart"] <= 0.05 * total["apart"]
    assert wrong["tied"] <= 0.05 * total["tied"]
