"""Simulated games of bots whose skills are known."""

from __future__ import annotations

import random
from collections.abc import Sequence

from arena.rating import RatingInput

LUCK = 25 / 6


def simulated(
    skills: dict[str, float],
    games: int,
    counts: Sequence[int],
    seed: int,
    *,
    suits: float = 0.0,
    step: float = LUCK / 4,
    deviations: dict[tuple[str, int], float] | None = None,
) -> list[RatingInput]:
    """Play games in blocks, in which each bot of a group plays as many games as the group has bots.

    Args:
        skills: By bot.
        games: At least so many.
        counts: The numbers of players, which take turns.
        seed: Of all chance.
        suits: The deviation of what a group adds to or takes from the skill of each of its bots.
        step: Performances are rounded to its multiples, so that some are equal; 0: none are.
        deviations: What a bot is better by at a number of players.
    """
    chance = random.Random(seed)
    found: list[RatingInput] = []
    block = 0
    while len(found) < games:
        players = counts[block % len(counts)]
        group = chance.sample(sorted(skills), players)
        bonus = {bot: chance.gauss(0, suits) + (deviations or {}).get((bot, players), 0.0) for bot in group}
        for _ in range(players):
            shown = [skills[bot] + bonus[bot] + chance.gauss(0, LUCK) for bot in group]
            shown = [round(each / step) for each in shown] if step else shown
            ranks = [1 + sum(other > each for other in shown) for each in shown]
            found.append(RatingInput(group, ranks, [{}] * players, (players, block)))
        block += 1
    return found
