"""Check that the games of an export form a schedule: ids, blocks, places and seats fit together, and leave no choice.

The seed of a game follows from its id, its block and its rotation (`arena.tournament.schedule.deals`): if the number
of a block could be chosen freely, so could who begins. `arena.tournament.verification.export` asks this of all games
that can be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.ledger import BlockRecord, GameRecord
from arena.tournament.schedule.rounds import game_ids


class PlacedGame(NamedTuple):
    """Where a game of an export is said to belong."""

    id: str
    place: int
    block: int
    rotation: int
    bots: list[str]
    """By seat."""


class _Block(NamedTuple):
    game: str
    """The id of the first of its games that there is."""
    begin: int
    bots: list[str]
    """As they sit in its first game."""


def placed(record: GameRecord) -> PlacedGame:
    """Return where a record says that its game belongs."""
    return PlacedGame(record.id, record.index, record.block, record.rotation, record.bots)


def schedule_differences(games: Iterable[PlacedGame]) -> Iterator[tuple[str, str]]:
    """Yield the id of each game that fits into no schedule with the others, and why."""
    blocks: dict[tuple[int, int], _Block] = {}
    for game in sorted(games, key=lambda game: (game.place, game.id)):
        players, begin = len(game.bots), game.place - game.rotation
        ids = game_ids(BlockRecord(begin, 0, game.block, game.bots))
        if not 0 <= game.rotation < players or ids[game.rotation] != game.id:
            yield game.id, f"it is said to be game {game.rotation} of block {game.block} of {players}, with another id"
            continue
        moved = players - game.rotation
        block = _Block(game.id, begin, game.bots[moved:] + game.bots[:moved])
        first = blocks.setdefault((players, game.block), block)
        if first.begin != begin:
            yield game.id, f"its block begins at place {begin}, and that of {first.game} at {first.begin}"
        if first.bots != block.bots:
            yield game.id, f"its bots do not sit as those of {first.game} do after moving on by a seat each game"
    yield from _block_differences(blocks)


def _block_differences(blocks: dict[tuple[int, int], _Block]) -> Iterator[tuple[str, str]]:
    """Compare the places and numbers of blocks.

    Blocks of as many players are numbered in the order of the schedule. A number is left out only if all games of that
    block are missing, and then their places are empty.
    """
    end = empty = 0
    before: str | None = None
    known: Counter[int] = Counter()
    following: Counter[int] = Counter()
    for (players, number), block in sorted(blocks.items(), key=lambda item: (item[1].begin, item[0])):
        if block.begin < end:
            owner = "the schedule begins" if before is None else f"the block of {before} has ended"
            yield block.game, f"its block begins at place {block.begin}, before {owner}"
        empty += max(0, block.begin - end)
        if number < following[players] or (number - known[players]) * players > empty:
            yield block.game, f"its block has number {number}, which does not follow from those before it"
        known[players] += 1
        following[players] = max(following[players], number + 1)
        end, before = max(end, block.begin + players), block.game
