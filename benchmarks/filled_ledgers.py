"""Tournaments of very many games that nobody has played, for what is measured on a whole ledger.

Schedule, ids, seeds and the chain are the real ones. The courses of the games are not: a few for each number of players
are played at random by the engine alone, and their packed cells are copied under the ids of the schedule, with ranks
drawn anew. So the size of the file and all that is read from it are as in a real tournament, but no game can be played
again from its record: `arena verify` says so. With `own_courses` each game is played at random from its own seed, which
takes longer, and can be played again.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.entrants import expand
from arena.formats import recorded_format
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.ledger import EntrantRecord, GameRecord, Ledger, committed_seeds, record_hash
from arena.ledger.database import FILE
from arena.ledger.packing import TIMES_RATIO, pack_columns
from arena.ledger.rows import packed_steps
from arena.protocol.messages import Act
from arena.tournament.identity import Identity, edition_of, tournament_seed
from arena.tournament.open_ledger import create_ledger
from arena.tournament.schedule.fixtures import Fixtures
from engine import catalog

BOT = Path(__file__).parent / "trivial_bot.py"
COUNTS = [2, 3, 4, 5, 6]
SAMPLES = 8
"""Games for each number of players that are really played."""
_HEAD = ("id", "index", "players", "block", "rotation", "seed", "ending")
_TOGETHER = 2000
"""Games that are written at once."""


class Filled(NamedTuple):
    """What it cost to fill a ledger, in seconds of the processor."""

    scheduling: float
    """To draw the rounds, and to derive the games and their seeds."""
    writing: float


class _Sample(NamedTuple):
    record: GameRecord
    times: bytes
    steps: bytes


def write_bots(folder: Path, number: int) -> list[Path]:
    """Write so many copies of the trivial bot, each with a content of its own."""
    folder.mkdir()
    paths = [folder / f"bot{each:04}.py" for each in range(number)]
    for path in paths:
        path.write_text(f"{BOT.read_text()}\n# {path.stem}\n")
    return paths


def fill_ledger(
    folder: Path,
    bots: Sequence[Path],
    games: int,
    failing: float = 0,
    own_courses: bool = False,
    game: str | None = None,
) -> Filled:
    """Write a tournament of which so many games were played when it was killed. `failing`: the share of bad bots.

    A game that is named is played by the fewest players that it takes, the default one by all numbers of them.
    """
    rules = catalog.rules(game)
    entrants = expand(list(bots)).found
    counts = COUNTS if game is None else [rules.players[0]]
    identity = Identity(rules.name, edition_of(rules, None), counts, TimeControl(), tournament_seed(1))
    records = [EntrantRecord(each.name, str(each.path), each.fingerprint) for each in entrants]
    create_ledger(folder, identity, records, {})
    bad = {each.name for each in entrants[: round(failing * len(entrants))]}
    scheduling = writing = 0.0
    clock = _Laps()
    with Ledger.open(folder, writing=True) as ledger, closing(sqlite3.connect(folder / FILE)) as db:
        to_record = islice(_games(ledger, bad, own_courses), games)
        scheduling = writing = 0.0
        while found := list(islice(to_record, _TOGETHER)):
            scheduling += clock.lap()
            _write(db, found)
            writing += clock.lap()
    return Filled(scheduling, writing)


class _Laps:
    """Seconds of the processor from one lap to the next."""

    def __init__(self) -> None:
        self._last = time.process_time()

    def lap(self) -> float:
        now = time.process_time()
        spent, self._last = now - self._last, now
        return spent


def _games(ledger: Ledger, bad: set[str], own_courses: bool) -> Iterator[tuple[GameRecord, _Sample]]:
    """Yield the games of the schedule in its order, each with the one whose course it copies."""
    chance = random.Random(1)
    seeds = committed_seeds(ledger)
    fixtures = Fixtures(ledger, recorded_format(ledger.settings, seeds.schedule), seeds, ledger.add_blocks)
    number = 0
    while (block := fixtures.block(number)) is not None:
        for spec in fixtures.open_games(block):
            if own_courses:
                sample = _played(spec, ledger.settings.game)
                fixtures.played(sample.record)
                yield sample.record, sample
                continue
            sample = chance.choice(_samples(spec.players))
            retired = [seat for seat, bot in enumerate(spec.bots) if bot in bad]
            places = chance.sample(range(spec.players), spec.players)
            record = msgspec.structs.replace(
                sample.record,
                **spec.recorded(),
                ranks=[sample.record.ranks[place] for place in places],
                scores=[sample.record.scores[place] for place in places],
                retired=retired,
                digest=f"{chance.getrandbits(128):032x}",
            )
            fixtures.played(record)
            yield record, sample
        number += 1


@cache
def _samples(players: int) -> list[_Sample]:
    seeds = [random.Random(number).randbytes(16).hex() for number in range(SAMPLES)]
    return [_played(GameSpec("", 0, players, 0, 0, seed, [*map(str, range(players))]), None) for seed in seeds]


def _played(spec: GameSpec, game_name: str | None) -> _Sample:
    """Play a game at random."""
    rules = catalog.rules(game_name)
    chance = random.Random(spec.seed)
    game = Game(rules, edition_of(rules, None), spec, TimeControl())
    while (seat := game.awaited) is not None:
        asked = game.decide()
        game.answer(seat, Act("", asked.turn, chance.randrange(len(asked.actions))), chance.random() / 1000)
    record = game.record()
    return _Sample(record, pack_columns(record.times, TIMES_RATIO), packed_steps(record))


def _write(db: sqlite3.Connection, games: Sequence[tuple[GameRecord, _Sample]]) -> None:
    """Write what `Ledger.record` writes of each, but without packing, and all of them at once."""
    records = [record for record, _ in games]
    day = "2026-01-01"
    with db:
        db.executemany(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (*(getattr(each, name) for name in _HEAD), json.dumps(each.retired), each.digest, each.engine)
                for each in records
            ],
        )
        db.executemany(
            "INSERT INTO seats VALUES (?, ?, ?, ?, ?)",
            [
                (each.id, seat, bot, each.ranks[seat], json.dumps(each.scores[seat]))
                for each in records
                for seat, bot in enumerate(each.bots)
            ],
        )
        db.executemany("INSERT INTO times VALUES (?, ?)", [(record.id, sample.times) for record, sample in games])
        db.executemany("INSERT INTO steps VALUES (?, ?)", [(record.id, sample.steps) for record, sample in games])
        if not db.execute("SELECT 1 FROM days").fetchone():
            db.execute("INSERT INTO chain (entry) VALUES (?)", (json.dumps(["day", day]),))
        db.executemany(
            "INSERT INTO chain (entry) VALUES (?)",
            [(json.dumps(["game", each.id, record_hash(each)]),) for each in records],
        )
        db.execute(
            "INSERT INTO days VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET games = games + excluded.games",
            (day, len(games)),
        )


if __name__ == "__main__":
    count, field = map(int, sys.argv[1:])
    filled = fill_ledger(Path("t"), write_bots(Path("bots"), field), count)
    print(json.dumps({"s to schedule": round(filled.scheduling, 3), "s to fill the ledger": round(filled.writing, 3)}))
