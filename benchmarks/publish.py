"""Measure the seconds to publish a tournament's pages: all games, again with nothing new, and with one game more."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.ledger import EntrantRecord, GameRecord, Ledger, PageDataRecord, seed_hash
from arena.protocol.messages import Act
from arena.replays.cache import pack_page_data
from arena.site import publish
from engine import catalog

BOTS = tuple(f"trivial-{number}" for number in range(8))
COUNTS = (2, 3, 4, 5, 6)
GAMES = 10_000
SEED = b"benchmark"


def publish_figures(name: str, games: int = GAMES) -> dict[str, float]:
    """Return the seconds that publishing takes with one worker for each core."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        folder, site = Path(temporary) / "t", Path(temporary) / "site"
        write_ledger(folder, name, games)
        first = _seconds(folder, site)
        again = _seconds(folder, site)
        with Ledger.open(folder, writing=True) as ledger:
            ledger.record(*trivial_game(name, games))
        more = _seconds(folder, site)
    return {
        "games": games,
        "seconds": round(first, 1),
        "games a second": round(games / first, 1),
        "again, nothing new, seconds": round(again, 1),
        "with one game more, seconds": round(more, 1),
        "of the first time": round(more / first, 3),
    }


def _seconds(folder: Path, site: Path) -> float:
    began = time.monotonic()
    publish(folder, site)
    return time.monotonic() - began


def write_ledger(folder: Path, name: str, games: int) -> None:
    """Write a tournament of bots that move at random, without processes for them."""
    rules = catalog.rules(name)
    meta = {
        "game": name,
        "edition": rules.edition(rules.editions()[0]),
        "players": list(COUNTS),
        "seed_hash": seed_hash(SEED),
        "seed_given": True,
        "time": {"start": 10.0, "move": 0.05, "bank": 5.0, "strikes": 3, "ponder": False},
        "rated": {"games": None, "suspended": {}},
    }
    with Ledger.create(folder, meta) as ledger, ProcessPoolExecutor() as pool:
        ledger.set_entrants([EntrantRecord(bot, f"{bot}.py", "00", "Python", "1.0") for bot in BOTS])
        for game in pool.map(trivial_game, [name] * games, range(games), chunksize=50):
            ledger.record(*game)


def trivial_game(name: str, index: int) -> tuple[GameRecord, PageDataRecord]:
    """Play a game of random moves, and return it with its page data."""
    rules = catalog.rules(name)
    chance = random.Random(index)
    players = COUNTS[index % len(COUNTS)]
    block = index // len(COUNTS)
    seed = chance.randbytes(16).hex()
    bots = chance.sample(BOTS, players)
    spec = GameSpec(f"p{players}-b{block:05}-r0", index, players, block, 0, seed, bots)
    game = Game(rules, rules.edition(rules.editions()[0]), spec, TimeControl())
    while (seat := game.awaited) is not None:
        asked = game.decide()
        game.answer(seat, Act(spec.id, asked.turn, chance.randrange(len(asked.actions))), chance.random() / 1000)
    record = game.record()
    return record, pack_page_data(record, rules, rules.edition(rules.editions()[0]))


if __name__ == "__main__":
    write_ledger(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
