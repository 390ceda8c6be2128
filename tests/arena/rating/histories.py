"""Random histories of games, among them those that a fit finds hardest: results that are always the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.rating import RatingInput


class History(NamedTuple):
    """Some games."""

    shape: str
    bots: list[str]
    games: list[RatingInput]


def game(bots: Sequence[str], ranks: Sequence[int], block: int) -> RatingInput:
    return RatingInput(tuple(bots), tuple(ranks), tuple({} for _ in bots), (len(bots), block))


def ranked(shown: Sequence[float]) -> list[int]:
    """Return the ranks of performances, of which the greatest is best and equal ones tie."""
    return [1 + sum(other > each for other in shown) for each in shown]


def history(seed: int) -> History:
    """Return the games of a field, chain, gauntlet, two clusters, ties, one bot that always wins or loses, or a mix."""
    chance = random.Random(seed)
    shape = chance.choice(["pair", "chain", "field", "clusters", "mix", "ties", "gauntlet", "winner", "loser"])
    bots = [f"b{number:02}" for number in range(2 if shape == "pair" else chance.randint(3, 12))]
    apart = chance.choice([0.0, 1.0, 5.0, 100.0])
    skill = {bot: apart * number for number, bot in enumerate(bots)}
    drawn = chance.sample(range(2, 7), chance.randint(1, 3))
    players = [2] if shape in ("pair", "chain", "gauntlet") else [each for each in drawn if each <= len(bots)] or [2]
    shown: Callable[[str], float] = {
        "ties": lambda _: float(chance.choice([1, 1, 1, 2])),
        "winner": lambda bot: 9.0 if bot == bots[0] else chance.random(),
        "loser": lambda bot: -9.0 if bot == bots[0] else chance.random(),
        "mix": lambda bot: skill[bot] + chance.gauss(0, 4),
    }.get(shape) or (lambda bot: float(bots.index(bot)))
    games = []
    for number in range(chance.choice([1, 3, 10, 40, 150, 400])):
        seated = _seated(chance, shape, bots, chance.choice(players))
        games.append(game(seated, ranked([shown(bot) for bot in seated]), number // len(seated)))
    return History(shape, bots, games)


def _seated(chance: random.Random, shape: str, bots: list[str], players: int) -> list[str]:
    if shape == "chain":
        first = chance.randrange(len(bots) - 1)
        return bots[first : first + 2]
    if shape == "gauntlet":
        return [bots[0], chance.choice(bots[1:])]
    half = bots[: len(bots) // 2] if chance.random() < 0.5 else bots[len(bots) // 2 :]
    if shape == "clusters" and chance.random() < 0.97 and len(half) >= players:
        return chance.sample(half, players)
    return chance.sample(bots, players)
