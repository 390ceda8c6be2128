"""`python -m benchmarks.finishes`: play a bot twice and a better one once against the same opponents, many times.

Prints JSON: by game and number of players a list of blocks, each with the mean finish of the bot, of the bot once more,
and of the better one. `finishes.json` beside this file was made by it. Takes an hour on one core.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from arena.entrants import build, expand
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.rating.rated_table import finish
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from engine import catalog

BOTS = Path(__file__).parent.parent / "bots"
ROUNDS = 40
SIDES = {"kosmos": ["greedy.py", "planner.py"], "ravensburger": ["strider.py", "navigator.py"]}
OPPONENTS = {
    "kosmos": ["random_bot.py", "pairs.py", "saboteur.py", "sprinter.py", "python"],
    "ravensburger": ["random_bot.py", "random_bot.py", "python", "python", "strider.py"],
}


def finishes(game: str) -> dict[str, list[list[float]]]:
    """By number of players."""
    rules = catalog.rules(game)
    files = [*OPPONENTS[game], *SIDES[game]]
    bots = {entrant.name: build(entrant) for entrant in expand([str(BOTS / file) for file in files]).found}
    names = list(bots)
    opponents, sides = names[:-2], [names[-2], names[-2], names[-1]]
    config = RefereeConfig(game, rules.edition(rules.editions()[0]), TimeControl(), bots, kept=len(bots))
    low, high = rules.players
    found: dict[str, list[list[float]]] = {str(count): [] for count in range(low, high + 1)}
    with Referee(config, pin=False) as referee:
        for number in range(ROUNDS):
            draws = random.Random(f"{game}{number}")
            for count in range(low, high + 1):
                group = draws.sample(opponents, count - 1)
                place = draws.randrange(count)
                blocks = [[*group[:place], side, *group[place:]] for side in sides]
                keys = [f"{game}/{number}/{count}/{which}" for which in range(len(blocks))]
                found[str(count)].append([_played(referee, *each, place) for each in zip(blocks, keys, strict=True)])
    return found


def _played(referee: Referee, block: Sequence[str], key: str, place: int) -> float:
    """Play a block, and return the mean finish of the bot at that place of it."""
    specs = []
    for rotation in range(len(block)):
        seed = blake2b(f"{key}/{rotation}".encode(), digest_size=16).hexdigest()
        bots = [*block[rotation:], *block[:rotation]]
        specs.append(GameSpec(f"{key}/{rotation}", rotation, len(bots), 0, rotation, seed, bots))
    records = referee.play(specs)
    return round(sum(finish(each.ranks, each.bots.index(block[place])) for each in records) / len(records), 5)


if __name__ == "__main__":
    json.dump({game: finishes(game) for game in sys.argv[1:] or SIDES}, sys.stdout)
    print()
