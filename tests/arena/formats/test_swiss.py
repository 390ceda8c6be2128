"""The Swiss system: like standing, new opponents, even counts, and byes that go round."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats import Swiss
from tests.arena.formats.simulated import SimulatedTournament, names, spread
from tests.arena.formats.simulated_fields import FieldHistory, field_histories, play

SEED = bytes(range(16))


def swiss(bots: int, counts: list[int], seed: int = 0, step: float = 0.0) -> SimulatedTournament:
    """`step`: by how much each bot is better than the next."""
    skills = {bot: -step * place for place, bot in enumerate(names(bots))}
    return SimulatedTournament(lambda: Swiss(seed.to_bytes(16, "big")), skills, counts, seed)


def blocks_of(tournament: SimulatedTournament, count: int) -> Counter[str]:
    found = Counter(dict.fromkeys(tournament.field.bots, 0))
    for block in (block for each in tournament.rounds for block in each.blocks):
        if len(block.bots) == count:
            found.update(block.bots)
    return found


def meetings(tournament: SimulatedTournament) -> Counter[tuple[str, ...]]:
    return Counter(
        pair for each in tournament.rounds for block in each.blocks for pair in combinations(sorted(block.bots), 2)
    )


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(2, 60), st.integers(0, 99), st.data())
def test_rounds_are_of_one_count_and_everybody_has_a_block_or_its_turn_of_a_bye(
    bots: int, seed: int, data: st.DataObject
) -> None:
    counts = sorted(data.draw(st.sets(st.integers(2, min(6, bots)), min_size=1)))
    tournament = swiss(bots, counts, seed, 0.1)
    for _ in range(3 * len(counts)):
        blocks = tournament.play_round()
        (count,) = {len(block.bots) for block in blocks}
        assert len(blocks) == bots // count
        assert len({bot for block in blocks for bot in block.bots}) == len(blocks) * count
        for each in counts:
            assert spread(blocks_of(tournament, each).values()) <= 1
        games = Counter({each: sum(blocks_of(tournament, each).values()) for each in counts})
        assert spread(games.values()) <= bots


@pytest.mark.parametrize(
    ("bots", "count", "rounds"), [(24, 2, 12), (25, 2, 12), (60, 2, 12), (24, 4, 3), (60, 4, 5), (60, 6, 3)]
)
def test_nobody_meets_again_while_there_are_enough_others(bots: int, count: int, rounds: int) -> None:
    for seed in range(3):
        tournament = swiss(bots, [count], seed, 0.2)
        tournament.play(rounds)
        assert set(meetings(tournament).values()) == {1}


@pytest.mark.parametrize(("bots", "counts", "rounds"), [(24, [2], 46), (24, [2, 3, 4, 5, 6], 30), (12, [3], 33)])
def test_no_pair_meets_much_more_often_than_another_in_a_long_one(bots: int, counts: list[int], rounds: int) -> None:
    tournament = swiss(bots, counts, 1, 0.2)
    tournament.play(rounds)
    met = meetings(tournament)
    average = sum(met.values()) / len(list(combinations(range(bots), 2)))
    assert max(met.values()) <= average + 2


@pytest.mark.parametrize("count", [2, 4])
def test_bots_of_like_standing_meet(count: int) -> None:
    tournament = swiss(60, [count], 2, 1.0)
    tournament.play(8)

    def distance(number: int) -> float:
        """How far apart in skill those are who meet in a round."""
        pairs = [pair for block in tournament.rounds[number].blocks for pair in combinations(block.bots, 2)]
        return mean(abs(tournament.skills[one] - tournament.skills[other]) for one, other in pairs)

    assert mean(distance(number) for number in (0, 1)) > 15, "nothing is known yet, so they meet by lot"
    assert min(distance(number) for number in (3, 4, 5, 6, 7)) < 9


def test_a_round_is_drawn_from_the_results_up_to_the_one_before_the_last() -> None:
    one, other = swiss(12, [2], 3, 0.0), swiss(12, [2], 3, 0.0)
    other.skills = {bot: float(place) for place, bot in enumerate(names(12))}
    one.play(4)
    other.play(4)
    assert [each.blocks for each in one.rounds[:2]] == [each.blocks for each in other.rounds[:2]]
    assert one.rounds[2].blocks != other.rounds[2].blocks


def test_byes_go_to_whoever_had_the_fewest_and_of_these_to_the_lowest() -> None:
    tournament = swiss(7, [2, 3], 4, 3.0)
    tournament.play(28)
    byes = Counter(bot for each in tournament.rounds for bot in each.field.bots)
    byes.subtract(bot for each in tournament.rounds for block in each.blocks for bot in block.bots)
    assert sum(byes.values()) == 28
    assert spread(byes.values()) <= 2


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(field_histories())
def test_a_changing_field_stays_even(history: FieldHistory) -> None:
    """No block is lost here: of those who have been in the field together from its beginning none is two behind."""
    only_joins = [each._replace(suspends=False, leaves=0, updates=False, begun=None) for each in history.changes]
    for tournament in play(history._replace(changes=only_joins), Swiss):
        for count in tournament.field.counts:
            had = blocks_of(tournament, count)
            assert spread(had[bot] for bot in tournament.rounds[0].field.bots) <= 1
            assert len({len(block.bots) for block in tournament.rounds[-1].blocks}) == 1


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(field_histories())
def test_joins_leaves_updates_and_suspensions_leave_nobody_waiting(history: FieldHistory) -> None:
    """Who stays has a block in one of the rounds in which every count comes at least twice."""
    for tournament in play(history, Swiss):
        recent = tournament.rounds[-3 * len(history.counts) :]
        if len(recent) == 3 * len(history.counts):
            played = {bot for each in recent for block in each.blocks for bot in block.bots}
            stayed = set.intersection(*(set(each.field.bots) for each in recent))
            assert stayed <= played


def test_who_is_two_blocks_behind_plays_before_the_others() -> None:
    tournament = swiss(8, [2])
    for _ in range(2):  # each time a run that begins anew ends the round behind its first block
        tournament.play_round()
        tournament.change(begun=1)
        tournament.rounds[-1].blocks.sort(key=lambda block: block.bots)
    had = blocks_of(tournament, 2)
    assert len(tournament.rounds[-1].blocks) == 1
    behind = {bot for bot, blocks in had.items() if not blocks}
    assert behind
    tournament.play_round()
    assert behind <= {bot for block in tournament.rounds[-1].blocks for bot in block.bots}
    assert spread(blocks_of(tournament, 2).values()) <= 1


def test_a_newcomer_begins_like_whoever_has_had_the_fewest_blocks() -> None:
    tournament = swiss(9, [2, 4])
    tournament.play(6)
    tournament.change({"new0": 0.0, "new1": 0.0})
    tournament.play(2)
    last = [{bot for block in each.blocks for bot in block.bots} for each in tournament.rounds[-2:]]
    assert all({"new0", "new1"} & played for played in last)
    tournament.play(20)
    played = Counter(bot for each in tournament.rounds[-20:] for block in each.blocks for bot in block.bots)
    assert spread(played[bot] for bot in tournament.field.bots) <= 2


def test_who_has_a_bye_or_joins_late_is_paired_by_what_it_has_shown() -> None:
    """The mean counts, not the sum: who comes late and wins meets the leaders, not those who lose."""
    tournament = swiss(12, [2], 0, 2.0)
    tournament.play(8)
    tournament.change({"late": 10.0})
    tournament.play(6)
    met = [block.bots for each in tournament.rounds[-3:] for block in each.blocks if "late" in block.bots]
    assert met
    assert {bot for bots in met for bot in bots} <= {"late", *names(7)}


@pytest.mark.slow
def test_a_thousand_bots_hardly_meet_again_in_a_dozen_rounds() -> None:
    chance = random.Random(0)
    skills = {f"bot{number:03}": chance.gauss(0, 1) for number in range(1000)}
    tournament = SimulatedTournament(lambda: Swiss(SEED), skills, [2, 3, 4, 5, 6])
    tournament.play(12)
    met = Counter(meetings(tournament).values())
    assert met[2] < 0.05 * met[1]
    assert set(met) <= {1, 2}


@pytest.mark.parametrize(("bots", "counts", "games"), [(24, [2, 3, 4, 5, 6], 400), (7, [3], 100)])
def test_what_is_due_is_had_when_so_many_games_are_played(bots: int, counts: list[int], games: int) -> None:
    tournament = swiss(bots, counts)
    due = tournament.format.due(tournament.field, games)
    while tournament.games < games:
        tournament.play_round()
    assert set(due) == set(counts)
    assert max(due.values()) > 0
    for count in counts:
        assert min(blocks_of(tournament, count).values()) >= due[count] - 1
