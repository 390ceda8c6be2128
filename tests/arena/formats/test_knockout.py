"""The knockout: heats of fitting sizes, who goes on and why, walkovers, groups first, and the placings."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats import (
    Block,
    Field,
    FormatError,
    FormatOptions,
    GameOutcome,
    Knockout,
    PlayedBlock,
    make_format,
)
from arena.formats.heats import Heat, deal, draw_pass, heat_sizes, places_on
from tests.arena.formats.simulated import SimulatedTournament, names, spread
from tests.arena.formats.simulated_fields import FieldHistory, field_histories, play
from tests.engine.doubles import Lowest

SEED = bytes(range(16))


def knockout(bots: int, counts: list[int], step: float = 0.0, seed: int = 0, **options: Any) -> SimulatedTournament:
    """`step`: by how much each bot is better than the next. `groups`, also 0 for the default: groups first."""
    skills = {bot: -step * place for place, bot in enumerate(names(bots))}
    name = "groups+knockout" if "groups" in options else "knockout"
    options = {key: value for key, value in options.items() if value}
    return SimulatedTournament(
        lambda: make_format(name, seed.to_bytes(16, "big"), FormatOptions(**options)), skills, counts, seed
    )


def format_of(tournament: SimulatedTournament) -> Knockout:
    assert isinstance(tournament.format, Knockout)
    return tournament.format


def places(tournament: SimulatedTournament) -> dict[str, int]:
    return {each.bot: each.place for each in format_of(tournament).placings(tournament.field)}


def heats(blocks: Sequence[Block]) -> list[tuple[str, ...]]:
    """The groups that play in a round."""
    return sorted({tuple(sorted(block.bots)) for block in blocks})


def result(bots: str, ranks: Sequence[int]) -> GameOutcome:
    return GameOutcome(list(bots), list(ranks), [{} for _ in bots], [])


@pytest.mark.slow
@given(st.integers(2, 300), st.sets(st.integers(2, 6), min_size=1))
def test_heats_fit_the_counts_and_hardly_differ(bots: int, counts: set[int]) -> None:
    if bots < min(counts):
        return
    sizes = heat_sizes(bots, counts)
    assert set(sizes) <= counts
    assert spread(sizes) <= 1
    assert 0 <= bots - sum(sizes) < max(counts) + min(counts)
    byes = bots - sum(sizes)
    on = places_on(sizes, byes, min(counts), all_may=False)
    assert all(1 <= places < size for places, size in zip(on, sizes, strict=True))
    assert sum(on) + byes >= min(counts) or len(sizes) == 1
    assert sum(on) + byes < bots


@pytest.mark.parametrize(
    ("bots", "counts", "sizes"),
    [
        (24, {2, 3, 4, 5, 6}, [6] * 4),
        (13, {2, 3, 4, 5, 6}, [5, 4, 4]),
        (7, {2}, [2] * 3),
        (10, {4}, [4, 4]),
        (13, {2, 6}, [6, 6]),
        (5, {2, 4}, [4]),
        (9, {2, 3, 4}, [3, 3, 3]),
    ],
)
def test_sizes_that_are_no_powers(bots: int, counts: set[int], sizes: list[int]) -> None:
    assert heat_sizes(bots, counts) == sizes


def test_the_best_are_spread_and_those_who_met_are_parted() -> None:
    assert deal(list("abcdef"), [3, 3], set()) == [["a", "d", "e"], ["b", "c", "f"]]
    parted = deal(list("abcdef"), [3, 3], {frozenset("ad"), frozenset("be")})
    assert parted == [["a", "c", "e"], ["b", "d", "f"]]


def test_a_heat_is_decided_by_mean_finish_then_head_to_head() -> None:
    heat = Heat(list("abcd"), 2)
    heat.add(PlayedBlock(list("abcd"), [result("abcd", [1, 2, 3, 4]), result("abcd", [4, 3, 2, 1])]))
    assert heat.tiers("abcd") == [["a", "b", "c", "d"]]
    assert heat.is_undecided("abcd")
    heat.add(PlayedBlock(list("abcd"), [result("abcd", [1, 2, 3, 4])]))
    assert heat.tiers("abcd") == [["a"], ["b"], ["c"], ["d"]]
    assert heat.going_on("acd") == ["a", "c"]

    equal = Heat(list("abc"), 1)
    equal.add(PlayedBlock(list("abc"), [result("abc", [2, 1, 3]), result("abc", [2, 1, 3]), result("abc", [1, 3, 2])]))
    assert equal.mean_finish("a") == equal.mean_finish("b")
    assert equal.tiers("abc") == [["b"], ["a"], ["c"]]


@pytest.mark.parametrize("groups", [None, 0])
@pytest.mark.parametrize(("bots", "counts"), [(2, [2]), (7, [4]), (13, [2, 3, 4, 5, 6]), (24, [2]), (31, [3, 5])])
def test_the_best_wins_and_everybody_has_a_place(bots: int, counts: list[int], groups: int | None) -> None:
    tournament = knockout(bots, counts, step=4.0, **({} if groups is None else {"groups": groups}))
    tournament.finish(60)
    placed = places(tournament)
    assert sorted(placed) == names(bots)
    assert placed["bot00"] == 1
    assert Counter(placed.values())[1] == 1
    for place in placed.values():
        assert place == 1 + sum(other < place for other in placed.values())
    final = heats(tournament.rounds[-1].blocks)
    assert len(final) == 1
    assert "bot00" in final[0]


def test_a_heat_plays_so_many_blocks_and_its_better_half_goes_on() -> None:
    tournament = knockout(24, [2, 3, 4, 5, 6], step=2.0, blocks=3)
    tournament.finish()
    assert [len(each.blocks) for each in tournament.rounds] == [12, 6, 3]
    assert [len(heats(each.blocks)) for each in tournament.rounds] == [4, 2, 1]
    for each, following in zip(tournament.rounds, tournament.rounds[1:], strict=False):
        left = {bot for heat in heats(following.blocks) for bot in heat}
        for heat in heats(each.blocks):
            assert len(left.intersection(heat)) == 3


def test_a_tie_is_played_off_and_at_last_who_stood_higher_goes_on() -> None:
    tournament = knockout(2, [2], blocks=1)
    tournament._game = lambda bots: GameOutcome(list(bots), [1, 1], [{}, {}], [])  # type: ignore[method-assign]
    tournament.finish()
    assert [len(each.blocks) for each in tournament.rounds] == [1, 1, 1, 1]
    assert sorted(places(tournament).values()) == [1, 2]
    winners = set()
    for seed in range(8):
        other = knockout(2, [2], blocks=1, seed=seed)
        other._game = tournament._game  # type: ignore[method-assign]
        other.finish()
        winners.add(next(bot for bot, place in places(other).items() if place == 1))
    assert winners == {"bot00", "bot01"}, "at first, by lot"


def test_only_heats_that_are_tied_play_off() -> None:
    tournament = knockout(8, [4], blocks=1)
    tournament.play_round()
    first, second = heats(tournament.rounds[0].blocks)
    tournament.rounds[0].played[:] = [
        PlayedBlock(
            block.bots, [GameOutcome(block.bots, [1, 1, 1, 1] if first[0] in block.bots else [1, 2, 3, 4], [], [])]
        )
        for block in tournament.rounds[0].blocks
    ]
    assert heats(tournament.play_round()) == [first]
    assert second != first


def test_a_bye_goes_to_who_has_had_none() -> None:
    tournament = knockout(11, [4], step=0.5)
    tournament.finish()
    free = []
    for each in tournament.rounds:
        playing = {bot for heat in heats(each.blocks) for bot in heat}
        later = {b for rest in tournament.rounds[len(free) + 1 :] for block in rest.blocks for b in block.bots}
        free.append(later - playing)
    had: Counter[str] = Counter(bot for bots in free for bot in bots)
    assert sum(map(len, free)) > 0
    assert max(had.values()) <= 2


def test_who_leaves_or_is_suspended_withdraws_by_that() -> None:
    tournament = knockout(4, [2], step=5.0)
    tournament.play_round()
    first = next(heat for heat in heats(tournament.rounds[0].blocks) if "bot00" in heat)
    (opponent,) = set(first) - {"bot00"}
    tournament.change(leave=["bot00"])
    final = heats(tournament.play_round())
    assert opponent in final[0]
    tournament.suspend(next(bot for bot in final[0] if bot != opponent), -1)
    tournament.finish()
    placings = {each.bot: each for each in format_of(tournament).placings(tournament.field)}
    assert placings[opponent].place == 1
    assert placings["bot00"].withdrew
    assert placings["bot00"].stage == 0
    assert sum(each.withdrew for each in placings.values()) == 2


def test_a_round_is_played_to_its_end_without_who_leaves() -> None:
    tournament = knockout(8, [2], step=5.0)
    tournament.play_round()
    blocks = tournament.rounds[0].blocks
    tournament.change(leave=["bot07"], begun=1)
    assert tournament.rounds[0].blocks == blocks
    lost = [block for block in tournament.rounds[0].played[1:] if "bot07" in block.bots]
    assert lost
    assert all(not block.games for block in lost)


def test_who_joins_later_waits_for_the_next_tournament() -> None:
    tournament = knockout(6, [2, 3], step=1.0)
    assert format_of(tournament).not_taking_part(tournament.field) == []
    tournament.play_round()
    tournament.change({"late": 50.0, "bot00@2": 50.0}, ["bot00"])
    tournament.finish()
    assert sorted(places(tournament)) == names(6)
    assert format_of(tournament).not_taking_part(tournament.field) == ["bot00@2", "late"]
    assert tournament.play_round() == []


def test_the_best_of_those_who_went_out_return_if_too_few_stay() -> None:
    tournament = knockout(8, [4], step=3.0)
    tournament.play_round()
    tournament.change(leave=["bot00"])
    final = heats(tournament.play_round())[0]
    assert len(final) == 4
    tournament.finish()
    assert sorted(places(tournament)) == names(8)


def test_if_nobody_can_return_the_best_has_won() -> None:
    tournament = knockout(5, [4], step=3.0)
    tournament.play_round()
    tournament.change({"new0": 0.0, "new1": 0.0}, names(5)[:3])
    tournament.finish()
    placed = places(tournament)
    assert sorted(placed) == names(5)
    assert min(placed.values()) == 1
    assert {bot for bot, place in placed.items() if place <= 2} == {"bot03", "bot04"}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(field_histories(), st.booleans(), st.integers(1, 3))
def test_it_ends_whatever_becomes_of_the_field(history: FieldHistory, groups: bool, blocks: int) -> None:
    tournament = None
    for tournament in play(history, lambda seed: Knockout(seed, blocks, groups_first=groups)):  # noqa: B007
        pass
    assert tournament is not None
    first = tournament.rounds[0].field.bots
    tournament.finish(200)
    assert tournament.draws_the_same_when_resumed()
    placings = format_of(tournament).placings(tournament.field)
    assert sorted(each.bot for each in placings) == sorted(first)
    waiting = format_of(tournament).not_taking_part(tournament.field)
    assert set(waiting) == set(tournament.field.bots) - set(first)
    played = {bot for each in tournament.rounds for block in each.blocks for bot in block.bots}
    assert played <= set(first)
    for each in placings:
        assert not each.withdrew or each.bot not in tournament.field.bots


def test_groups_meet_evenly_and_their_better_half_goes_on() -> None:
    tournament = knockout(12, [2, 3], step=2.0, groups=2, blocks=5)
    tournament.play(5)
    met = Counter(
        pair for each in tournament.rounds for block in each.blocks for pair in combinations(sorted(block.bots), 2)
    )
    groups = {frozenset(other for pair in met for other in pair if bot in pair) for bot in names(12)}
    assert sorted(map(len, groups)) == [6, 6]
    assert len(met) == 2 * 15
    assert spread(met.values()) <= 2
    left = {bot for block in tournament.play_round() for bot in block.bots}
    assert all(len(left & group) == 3 for group in groups)


def test_groups_that_would_be_too_small_are_an_error() -> None:
    with pytest.raises(FormatError, match=r"4 groups of 10 bots have fewer than the 3 .* ask for at most 3 groups"):
        Knockout(SEED, groups_first=True, groups=4).draw(0, Field(tuple(names(10)), (3,)))


def test_a_pass_gives_everybody_a_block_more_at_each_count() -> None:
    heat = Heat(names(7), 3)
    for _ in range(6):
        for group in draw_pass(heat, names(7), [2, 3], Lowest()):
            heat.count_block(group)
    for count in (2, 3):
        assert spread(heat.blocks[bot, count] for bot in names(7)) <= 1
        assert min(heat.blocks[bot, count] for bot in names(7)) >= 6


def test_the_same_seed_draws_the_same_and_another_another() -> None:
    chance = random.Random(0)
    skills = {bot: chance.gauss(0, 1) for bot in names(20)}
    first = [
        SimulatedTournament(lambda seed=seed: Knockout(seed), skills, [2, 3, 4]).play_round()  # type: ignore[misc]
        for seed in (SEED, SEED, bytes(16))
    ]
    assert first[0] == first[1] != first[2]
