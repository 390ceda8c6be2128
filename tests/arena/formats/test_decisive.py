"""The decisive format: it plays where the order is uncertain, ends by itself, and is right as often as it says."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings

from arena.formats import Decisive
from arena.formats.decisive import OrderKnowledge
from arena.ledger import NeighbourVerdict
from tests.arena.formats.simulated import SimulatedTournament, names, spread
from tests.arena.formats.simulated_fields import FieldHistory, field_histories, play

MARGIN = 0.2


def decisive(skills: dict[str, float], counts: list[int], seed: int = 0, error: float = 0.05) -> SimulatedTournament:
    def make() -> Decisive:
        return Decisive(seed.to_bytes(16, "big"), OrderKnowledge(error, MARGIN))

    return SimulatedTournament(make, skills, counts, seed)


def format_of(tournament: SimulatedTournament) -> Decisive:
    assert isinstance(tournament.format, Decisive)
    return tournament.format


def verdicts_of(tournament: SimulatedTournament) -> list[NeighbourVerdict]:
    return format_of(tournament).resolution(tournament.field).verdicts


def games_of(tournament: SimulatedTournament, rounds: int = 0) -> Counter[str]:
    """The games of each bot in the last rounds, so many; in all if 0."""
    return Counter(
        bot for each in tournament.rounds[-rounds:] for block in each.blocks for bot in block.bots * len(block.bots)
    )


def normal(bots: int, seed: int, scale: float = 1.0) -> dict[str, float]:
    chance = random.Random(seed)
    return {bot: chance.gauss(0, scale) for bot in names(bots)}


@pytest.mark.slow
@pytest.mark.parametrize(("bots", "counts"), [(2, [2]), (5, [2, 5]), (8, [2, 3, 4])])
def test_it_ends_when_all_neighbours_are_apart_or_tied(bots: int, counts: list[int]) -> None:
    tournament = decisive(normal(bots, bots), counts)
    tournament.finish()
    verdicts = verdicts_of(tournament)
    assert [verdict.upper for verdict in verdicts[1:]] == [verdict.lower for verdict in verdicts[:-1]]
    for verdict in verdicts:
        assert verdict.kind in ("apart", "tied")
        assert verdict.games >= 10
        assert verdict.difference is not None
        assert verdict.difference > 0 if verdict.kind == "apart" else abs(verdict.difference) < MARGIN
    assert tournament.play_round() == []
    assert tournament.draws_the_same_when_resumed()


def test_equal_bots_are_tied_and_very_different_ones_soon_apart() -> None:
    equal = decisive(dict.fromkeys(names(4), 0.0), [2, 4])
    equal.finish()
    assert {verdict.kind for verdict in verdicts_of(equal)} == {"tied"}
    different = decisive({bot: -3.0 * place for place, bot in enumerate(names(4))}, [2, 4])
    different.finish()
    verdicts = verdicts_of(different)
    assert [verdict.upper for verdict in verdicts] == names(3)
    assert {verdict.kind for verdict in verdicts} == {"apart"}
    assert different.games * 2 < equal.games


def test_who_is_hard_to_tell_apart_plays_most() -> None:
    skills = {"a": 4.0, "b": 2.0, "c": 0.1, "d": -0.1, "e": -2.0, "f": -4.0}
    tournament = decisive(skills, [2])
    tournament.finish()
    games = games_of(tournament)
    assert min(games["c"], games["d"]) > 3 * max(games["a"], games["f"])


@pytest.mark.slow
def test_a_smaller_error_takes_more_games() -> None:
    games = [decisive(normal(5, 1), [2], error=error) for error in (0.4, 0.02, 0.001)]
    for tournament in games:
        tournament.finish()
    assert games[0].games < games[1].games < games[2].games


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(field_histories(40))
def test_nobody_with_an_undecided_neighbour_waits(history: FieldHistory) -> None:
    """And counts have equally many games while the field stays the same."""
    for tournament in play(history, lambda seed: Decisive(seed, OrderKnowledge(0.05, MARGIN))):
        field = tournament.field
        verdicts = format_of(tournament).resolution(field).verdicts
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
    assert verdicts_of(tournament)[0].upper == "new"


def test_games_that_were_not_played_are_no_base() -> None:
    tournament = decisive(dict.fromkeys("abc", 0.0), [2])
    tournament.suspend("c", 0)
    tournament.play(30)
    assert tournament.field.bots == ("a", "b")
    assert verdicts_of(tournament)[0].games > 0


@pytest.mark.slow
@pytest.mark.parametrize(("bots", "counts"), [(4, [2]), (8, [2, 3, 4, 5, 6])])
def test_all_that_is_said_of_an_order_is_right_as_often_as_it_says(bots: int, counts: list[int]) -> None:
    """Over many fields: how often anything is wrong, be it that the lower of two is better, or that a tie is none."""
    wrong = 0
    total: Counter[str] = Counter()
    for seed in range(8):
        tournament = decisive(normal(bots, seed), counts, seed)
        tournament.finish()
        found = [
            (each.kind, tournament.skills[each.upper] - tournament.skills[each.lower])
            for each in verdicts_of(tournament)
        ]
        total.update(kind for kind, _ in found)
        # In games of two, mean finishes differ by tanh(d / 2) if skills differ by d; in larger ones by less.
        wrong += any(each < 0 if kind == "apart" else abs(math.tanh(each / 2)) > MARGIN for kind, each in found)
    assert min(total["apart"], total["tied"]) > 3
    assert wrong == 0
