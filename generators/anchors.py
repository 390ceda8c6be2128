"""Write the anchors that come with the arena: python -m generators.anchors GAME [FOLDER]

They play a tournament in the folder, or go on with it, and its games become a file in arena/tournament/anchors. Where
bots or rules changed, tests ask for it: it takes an hour or so on one core.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from arena.cli.progress import ProgressLines
from arena.entrants.plan_bot import PlanBot
from arena.ledger import Ledger
from arena.standings import rated_results
from arena.tournament.anchors import RECORDED, RecordedAnchors, anchor_bots, enough
from arena.tournament.plan import Plan
from arena.tournament.run import run
from engine import catalog
from engine.rules import Rules

SEED: Final = 33
GAMES: Final = {"kosmos": 600, "ravensburger": 400}


def recorded_bots(rules: Rules) -> list[PlanBot]:
    """Return who plays where anchors are recorded, by every number of players."""
    return enough(anchor_bots(rules), rules, range(rules.players[0], rules.players[1] + 1))


def record(ledger: Ledger, words: Mapping[str, str], seed: int, games: int) -> RecordedAnchors:
    """Return the games of an anchors' tournament as they come with the arena. `words`: what was typed, by name."""
    settings = ledger.settings
    played = [(each.players, each.block, list(each.bots), list(each.ranks)) for each in rated_results(ledger)]
    bots = {each.name: (words[each.name], each.fingerprint) for each in ledger.entrants()}
    return RecordedAnchors(
        settings.game, settings.edition, settings.time, seed, games, ledger.chain.head(), bots, played
    )


def plan_of(game: str, folder: Path) -> Plan:
    """Return the plan of the anchors' tournament of a game."""
    rules = catalog.rules(game)
    bots = [f"{each.name}={each.path}" for each in recorded_bots(rules)]
    return Plan(bots=list(bots), game=game, seed=SEED, games=GAMES[game], out=str(folder))


def recorded(game: str, folder: Path) -> RecordedAnchors:
    """Return the games of the tournament in a folder. `game`: of its rules."""
    words = dict(each.split("=", 1) for each in plan_of(game, folder).bots if isinstance(each, str))
    with Ledger.open(folder) as ledger:
        return record(ledger, words, SEED, GAMES[game])


def main(game: str, folder: str | None = None) -> None:
    """Play, and write the file."""
    place = Path(folder or tempfile.mkdtemp())
    run(plan_of(game, place), ProgressLines())
    write(recorded(game, place), RECORDED / f"{game}.json")


def write(found: RecordedAnchors, file: Path) -> None:
    """Write the file, with a line for each game."""
    data = msgspec.to_builtins(found)
    lines = [msgspec.json.encode(each).decode() for each in data.pop("games")]
    head = ",\n".join(f'"{key}": {msgspec.json.encode(value).decode()}' for key, value in data.items())
    file.write_text(f'{{\n{head},\n"games": [\n' + ",\n".join(lines) + "\n]\n}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
