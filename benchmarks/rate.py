"""Count how often intervals of `arena rate` hold, which stops by its own error.

To run it: python -m benchmarks.rate [TRIALS]. Anchors and a bot with known skills play simulated games, those of the
anchors as many as are recorded for kosmos. It is counted how often the interval of 95 % has the bot's true rating, and
how often that of its difference from an anchor has that. A true rating is seen from where the anchors are held, which
their own error has moved.
"""

from __future__ import annotations

import random
import sys
from statistics import fmean

from arena.rating import REACH, RatingInput
from arena.rating.anchored import Anchors
from arena.tournament.rate import MOST_GAMES, next_look

LUCK = 25 / 6
COUNTS = (2, 3, 4, 5, 6)
NAMES = "abcdefg"
FIRST = 60


def simulated(trial: int, wanted: float, recorded: int = 600) -> tuple[float, int, list[float]]:
    """Return how far off the rating is in errors, after how many games, and the same of differences from anchors."""
    chance = random.Random(trial)
    skills = {name: chance.gauss(0, 5) for name in NAMES}
    skills["mine"] = chance.choice((-8, 0, 6)) + fmean(skills.values())
    of_count = {(name, count): skill + chance.gauss(0, 1) for name, skill in skills.items() for count in COUNTS}

    def block(bots: list[str], number: int) -> list[RatingInput]:
        suits = {bot: chance.gauss(0, 1) for bot in bots}
        found = []
        for _ in bots:
            shown = [of_count[bot, len(bots)] + suits[bot] + chance.gauss(0, LUCK) for bot in bots]
            ranks = [1 + sum(other > own for other in shown) for own in shown]
            found.append(RatingInput(bots, ranks, [{}] * len(bots), (len(bots), number)))
        return found

    games, number = list[RatingInput](), 0
    while len(games) < recorded:
        games += block(chance.sample(NAMES, COUNTS[number % len(COUNTS)]), number)
        number += 1
    anchors, own = Anchors(list(NAMES), games, "kosmos"), list[RatingInput]()
    games_asked = FIRST
    while True:
        while len(own) < games_asked:
            count = COUNTS[number % len(COUNTS)]
            own += block(["mine", *chance.sample(NAMES, count - 1)], number)
            number += 1
        rated = anchors.rate("mine", own)
        overall = rated[0][0]
        error = overall.error
        if error * REACH <= wanted or len(own) >= MOST_GAMES:
            break
        games_asked = next_look(len(own), error * REACH, wanted, MOST_GAMES)
    true = {name: fmean(of_count[name, count] for count in COUNTS) for name in skills}
    held = {name: anchors.ratings.values[name]["rating"] for name in NAMES}
    mine = true["mine"] - fmean(true[name] for name in NAMES) + fmean(held.values())
    apart = [rated[1].difference("mine", name) for name in NAMES]
    off = [(each.mean - (true["mine"] - true[name])) / each.error for each, name in zip(apart, NAMES, strict=True)]
    return (overall.rating - mine) / error, len(own), off


def main(trials: int = 200) -> None:
    """Print the shares."""
    for wanted in (2.0, 1.0):
        found = [simulated(trial, wanted) for trial in range(trials)]
        ratings = fmean(abs(each[0]) <= REACH for each in found)
        differences = fmean(abs(off) <= REACH for each in found for off in each[2])
        games = fmean(each[1] for each in found)
        print(f"± {wanted}: ratings {100 * ratings:.1f} %, differences {100 * differences:.1f} %, {games:.0f} games")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
