"""The gauntlet: one challenger in every block, even meetings with it, and who the challengers are."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats import Field, FormatError, FormatOptions, Gauntlet, make_format
from tests.arena.formats.simulated import SimulatedTournament, names, spread
from tests.arena.formats.simulated_fields import FieldHistory, field_histories, play

SEED = bytes(range(16))


def gauntlet(bots: int, counts: list[int], challengers: list[str], seed: bytes = SEED) -> SimulatedTournament:
    return SimulatedTournament(lambda: Gauntlet(seed, challengers), dict.fromkeys(names(bots), 0.0), counts)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(3, 40), st.integers(1, 3), st.data())
def test_every_block_has_one_challenger_and_its_meetings_are_even(bots: int, number: int, data: st.DataObject) -> None:
    number = min(number, bots - 1)
    most = min(6, bots - number + 1)
    counts = sorted(data.draw(st.sets(st.integers(2, most), min_size=1)))
    challengers = names(number)
    tournament = gauntlet(bots, counts, challengers)
    opponents = names(bots)[number:]
    had = {(challenger, count): dict.fromkeys(opponents, 0) for challenger in challengers for count in counts}
    games = dict.fromkeys(counts, 0)
    tournament.play(3)
    for block in (block for each in tournament.rounds for block in each.blocks):
        (challenger,) = set(block.bots) & set(challengers)
        count = len(block.bots)
        games[count] += count
        for bot in set(block.bots) - {challenger}:
            had[challenger, count][bot] += 1
        assert spread(games.values()) <= max(counts)
        assert spread(had[challenger, count].values()) <= 1
        turns = [sum(had[each, count].values()) // (count - 1) for each in challengers]
        assert spread(turns) <= 1
    assert all(min(row.values()) >= 3 for row in had.values())


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(field_histories(30))
def test_a_changing_field_is_even_again_at_the_end_of_each_round(history: FieldHistory) -> None:
    """Opponents that joined with the same round have had equally many blocks, when all blocks were whole."""
    counted: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    since: dict[str, int] = {}
    rounds: list[int] = []
    for tournament in play(history, lambda seed: Gauntlet(seed, ["bot00"]), keep="bot00"):
        rounds.append(len(tournament.rounds))
        field = tournament.rounds[-1].field
        for bot in field.bots:
            since.setdefault(bot, rounds[-1])
        for each in tournament.rounds[-1].blocks:
            assert each.bots.count("bot00") == 1
        if tournament.suspended:
            return
        counted.clear()
        for block in (block for each in tournament.rounds for block in each.blocks):
            counted["bot00", len(block.bots)].update(block.bots)
        for count in field.counts:
            for one, other in combinations(field.bots, 2):
                if "bot00" not in (one, other) and since[one] == since[other] and count < len(field.bots):
                    met = counted["bot00", count]
                    assert abs(met[one] - met[other]) <= 1


def test_blocks_that_were_lost_are_made_up() -> None:
    tournament = gauntlet(10, [2, 3], ["bot00"])
    tournament.play(1)
    tournament.suspend("bot05", 0)
    tournament.play(5)
    assert "bot05" not in tournament.field.bots
    whole = [block for each in tournament.rounds[:-1] for block in each.played if block.is_whole]
    for count in (2, 3):
        met = Counter(bot for block in whole if len(block.bots) == count for bot in block.bots)
        assert spread(met[bot] for bot in tournament.field.bots if bot != "bot00") <= 1


def test_a_newcomer_catches_up_first() -> None:
    tournament = gauntlet(8, [2], ["bot00"])
    tournament.play(4)
    tournament.change({"new": 0.0})
    blocks = tournament.play_round()
    assert [set(block.bots) for block in blocks] == [{"bot00", "new"}] * 4
    assert len(tournament.play_round()) == 8


def test_opponents_sit_with_those_they_have_met_least() -> None:
    tournament = gauntlet(13, [4], ["bot00"])
    tournament.play(12)
    met = Counter(
        pair
        for each in tournament.rounds
        for block in each.blocks
        for pair in combinations(sorted(set(block.bots) - {"bot00"}), 2)
    )
    assert spread(met[pair] for pair in combinations(names(13)[1:], 2)) <= 3


@pytest.mark.parametrize(
    ("named", "field", "found"),
    [
        (["mine"], "mine other", ["mine"]),
        (["mine"], "mine mine@2 other", ["mine@2"]),
        (["mine"], "mine@2 mine@10 other", ["mine@10"]),
        (["mine@2"], "mine@2 mine@10 other", ["mine@2"]),
        (["mine@1"], "mine mine@10 other", ["mine"]),
        (["mine", "mine@2"], "mine@2 mine@3 other", ["mine@3", "mine@2"]),
        (["mine", "mine"], "mine other", ["mine"]),
        (["mine"], "mine2 other", []),
        (["mine@2"], "mine@3 other", []),
    ],
)
def test_a_name_is_its_newest_version_and_a_label_that_version(named: list[str], field: str, found: list[str]) -> None:
    assert Gauntlet(SEED, named).challengers(Field(tuple(field.split()), (2,))) == found


def test_a_new_version_of_the_challenger_takes_its_place() -> None:
    tournament = gauntlet(6, [2, 3], ["bot00"])
    tournament.play(2)
    tournament.change({"bot00@2": 0.0}, ["bot00"], begun=1)
    blocks = tournament.play_round()
    assert all("bot00@2" in block.bots for block in blocks)
    assert Counter(bot for block in blocks for bot in block.bots if len(block.bots) == 2)["bot03"] >= 1


def test_without_a_challenger_it_says_what_to_do() -> None:
    with pytest.raises(FormatError, match="gauntlet: name a challenger, for instance --challenger mine"):
        make_format("gauntlet", SEED)
    format = make_format("gauntlet", SEED, FormatOptions(challengers=("mine",)))
    with pytest.raises(FormatError, match=r"no challenger in the field: mine; .* entered are me, other"):
        format.draw(0, Field(("me", "other"), (2,)))
    with pytest.raises(FormatError, match=r"2 bots with 2 of them challengers .* games of 2 players"):
        Gauntlet(SEED, ["me", "other"]).draw(0, Field(("me", "other"), (2,)))


def test_a_challenger_that_is_suspended_ends_it() -> None:
    tournament = gauntlet(5, [2], ["bot00"])
    tournament.play(2)
    tournament.suspend("bot00", 0)
    tournament.finish()
    assert tournament.field.bots == tuple(names(5)[1:])


def test_counts_for_which_there_are_too_few_opponents_are_not_played() -> None:
    tournament = gauntlet(5, [2, 3, 5], ["bot00", "bot01"])
    assert {len(block.bots) for block in tournament.play_round()} == {2, 3}


@pytest.mark.parametrize(("bots", "counts", "games"), [(6, [2, 3], 200), (24, [2, 3, 4, 5, 6], 1000), (5, [4], 60)])
def test_what_is_due_is_had_when_so_many_games_are_played(bots: int, counts: list[int], games: int) -> None:
    tournament = gauntlet(bots, counts, ["bot00"])
    due = tournament.format.due(tournament.field, games)
    had: defaultdict[int, Counter[str]] = defaultdict(Counter)
    while tournament.games < games:
        tournament.play_round()
    left = games
    for block in (block for each in tournament.rounds for block in each.blocks):
        if left > 0:
            had[len(block.bots)].update(block.bots)
        left -= len(block.bots)
    assert set(due) == set(counts)
    assert max(due.values()) > 0
    for count in counts:
        assert min(had[count][bot] for bot in names(bots)) >= due[count]
