"""The format of a comparison: which pairs it draws, and when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from arena.formats.base import Block, Field, FormatOptions, GameOutcome, PlayedBlock
from arena.formats.paired import Paired, pair_counts

SEED = bytes(16)
OPPONENTS = ("a", "b", "c", "d", "e", "f")
FIELD = Field(tuple(sorted((*OPPONENTS, "old", "new"))), (2, 3, 4, 5, 6))
Strength = Callable[[str], int]


def paired(seed: bytes = SEED, margin: float = 0.1) -> Paired:
    return Paired(seed, FormatOptions(sides=("old", "new"), margin=margin, error=0.05))


def played(block: Block, strength: Strength) -> PlayedBlock:
    """The stronger bot is always before the weaker one; equal ones tie."""
    games = []
    for rotation in range(len(block.bots)):
        bots = block.bots[rotation:] + block.bots[:rotation]
        ranks = [1 + sum(strength(other) > strength(bot) for other in bots) for bot in bots]
        games.append(GameOutcome(bots, ranks, [{} for _ in bots], []))
    return PlayedBlock(block.bots, games)


def rounds(format: Paired, strength: Strength, most: int = 100, field: Field = FIELD) -> list[list[Block]]:
    """Rounds until its end; each is drawn from the results of all before the last one."""
    found: list[list[Block]] = []
    while len(found) < most and (blocks := format.draw(len(found), field)):
        format.on_round(len(found), field, blocks)
        found.append(blocks)
        if len(found) > 1:
            format.on_results(len(found) - 2, [played(block, strength) for block in found[-2]])
    return found


def equal(bot: str) -> int:
    return 0


def test_both_blocks_of_a_pair_have_the_same_opponents_in_the_same_order() -> None:
    for blocks in rounds(paired(), equal, 5):
        assert len(blocks) == 2 * len(pair_counts(FIELD.counts, len(OPPONENTS)))
        for one, other in zip(blocks[::2], blocks[1::2], strict=True):
            assert {"old", "new"} == set(one.bots) ^ set(other.bots)
            assert [bot if bot in OPPONENTS else "?" for bot in one.bots] == [
                bot if bot in OPPONENTS else "?" for bot in other.bots
            ]


def test_opponents_and_player_counts_take_turns() -> None:
    pairs, games, firsts, places = Counter[tuple[int, str]](), Counter[int](), Counter[str](), Counter[int]()
    drawn = rounds(paired(margin=0.03), equal)
    assert len(drawn) > 20
    for blocks in drawn:
        firsts.update("old" if "old" in block.bots else "new" for block in blocks[::2])
        for block in blocks:
            games[len(block.bots)] += len(block.bots)
            if "new" in block.bots:
                pairs.update((len(block.bots), bot) for bot in block.bots if bot != "new")
                places[block.bots.index("new")] += 1
    for count in FIELD.counts:
        times = [pairs[count, bot] for bot in OPPONENTS]
        assert max(times) - min(times) <= 1
    assert max(games.values()) < 2 * min(games.values())
    assert all(firsts[side] > 0.3 * firsts.total() for side in ("old", "new"))
    assert set(places) == set(range(6))


def test_a_player_count_for_which_there_are_too_few_opponents_is_left_out() -> None:
    assert pair_counts((2, 3, 4, 5, 6), opponents=3) == [2, 2, 3, 4]
    assert pair_counts((4, 5, 6), opponents=2) == []
    field = Field(("a", "new", "old"), (2, 3))
    assert [len(block.bots) for block in paired().draw(0, field)] == [2, 2]


def test_it_ends_as_soon_as_it_is_known_which_is_better() -> None:
    better, worse = paired(), paired()
    few = rounds(better, lambda bot: {"new": 2, "old": 0}.get(bot, 1))
    assert better.test.verdict == "better"
    assert len(few) < 10
    rounds(worse, lambda bot: {"new": 0, "old": 2}.get(bot, 1))
    assert worse.test.verdict == "worse"
    same = paired()
    many = rounds(same, equal)
    assert same.test.verdict == "within"
    assert len(few) < len(many) < 100


def test_it_ends_when_one_of_the_two_is_not_in_the_field_any_more() -> None:
    format = paired()
    assert format.draw(0, FIELD)
    assert format.draw(0, Field(tuple(bot for bot in FIELD.bots if bot != "new"), FIELD.counts)) == []
    assert format.draw(0, Field(tuple(bot for bot in FIELD.bots if bot != "old"), FIELD.counts)) == []


def test_drawing_changes_nothing_and_follows_from_seed_and_rounds() -> None:
    one, other = paired(), paired()
    for _ in range(3):
        one.draw(0, FIELD)
    assert rounds(one, equal, 4) == rounds(other, equal, 4)
    assert rounds(paired(b"another seed 128"), equal, 1) != rounds(paired(), equal, 1)


def test_a_tournament_that_goes_on_draws_what_the_undisturbed_one_would() -> None:
    undisturbed = rounds(paired(), equal, 6)
    format = paired()
    for number, blocks in enumerate(undisturbed[:4]):
        format.on_round(number, FIELD, blocks)
        if number:
            format.on_results(number - 1, [played(block, equal) for block in undisturbed[number - 1]])
    assert format.draw(4, FIELD) == undisturbed[4]


def without(block: PlayedBlock, missing: Sequence[int]) -> PlayedBlock:
    return PlayedBlock(block.bots, [game for at, game in enumerate(block.games) if at not in missing])


def test_only_rotations_that_count_in_both_blocks_are_compared() -> None:
    blocks = [Block(["a", "old", "b"]), Block(["a", "new", "b"])]
    whole = [played(block, lambda bot: {"new": 2, "a": 1, "b": 1}.get(bot, 0)) for block in blocks]
    assert list(paired().played(whole)) == [(3, 1.0, 0.0, 3)]
    assert list(paired().played([whole[1], whole[0]])) == [(3, 1.0, 0.0, 3)]
    assert list(paired().played([without(whole[0], [0]), without(whole[1], [2])])) == [(3, 1.0, 0.0, 1)]
    assert list(paired().played([without(whole[0], [0, 1]), without(whole[1], [2])])) == []
    assert list(paired().played(whole[:1])) == []
