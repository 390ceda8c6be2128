"""The seed of each game: it follows from the tournament's, and is such that every bot of a block begins one game.

The order of play matters: there are games in which the first player wins half as much again as the third. So
who begins is dealt over a block: its bots begin its games in an order that follows from the tournament's seed. As all
bots move on by one seat from game to game, each also plays second once, third once, and so on.

A game draws who begins from its own seed, so that its record, its replay and a verifier need nothing but that.
Of the seeds that are derived for a game, in turn, the first is taken with which the right seat begins. All else comes
from other streams of random numbers, on which that has no influence: decks and rolls are as unpredictable as ever.

With shared deals all games of a block have one seed, so that every bot gets each hand and each seat once. Then the same
seat begins them all, and every bot begins once because the bots move on.
"""

from __future__ import annotations

from itertools import count
from typing import Final

from arena.game.game import who_begins
from arena.game.spec import GameSpec
from arena.ledger import Dealing, PlannedGame, Seeds
from engine.chance import Seeded, derive

_PLAIN: Final = Dealing()


def first_seat(game: PlannedGame, seed: bytes, dealing: Dealing = _PLAIN) -> int:
    """Return the seat that begins a game: where an entrant holds a team, one of that team.

    `seed`: of the tournament, as it is at the begin of the block.
    """
    entrants = dealing.entrants(game.players)
    beginners = list(range(entrants))
    Seeded(derive(seed, "first players", game.players, game.block)).shuffle("order", beginners)
    place = (beginners[game.rotation] - game.rotation) % entrants
    if entrants == game.players:
        return place
    team = dealing.teams_of(game.players)[place]
    return team[Seeded(derive(seed, "first of a team", game.id)).below("seat", len(team))]


def game_seed(game: PlannedGame, seed: bytes, block_seed: bytes, failed: int = 0, dealing: Dealing = _PLAIN) -> bytes:
    """Return the seed of a game.

    Args:
        game: The game.
        seed: Of the tournament, as it is at the place of the game.
        block_seed: Of the tournament, as it is at the begin of the block: if a new seed is taken within a block, still
            each of its bots begins once.
        failed: How many attempts at the game have failed. Each has another deal, in which the same seat begins.
        dealing: Whether all games of a block get the same seed, though an attempt after a failed one has a deal of its
            own; and who holds the seats of a team.
    """
    if dealing.is_shared and not failed:
        return derive(block_seed, "block", game.players, game.block)
    first = first_seat(game, block_seed, dealing)
    seeds = (derive(seed, "game", game.id, failed, number) for number in count())
    return next(each for each in seeds if who_begins(game.players, each) == first)


def seed_of_attempt(spec: GameSpec, seeds: Seeds, failed: int) -> str:
    """Return the seed of a game in hex, as the tournament's seeds have it after so many failed attempts."""
    block_seed = seeds.at(spec.index - spec.rotation)
    return game_seed(spec, seeds.at(spec.index), block_seed, failed, seeds.dealing).hex()
