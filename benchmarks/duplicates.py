"""How often `arena.reports.duplicates` takes bots for alike that are not, and finds copies that were edited a little.

`python -m benchmarks.duplicates` prints JSON: simulated fields first, in which a bot chooses the action with the
highest sum of weighted features, and then, with the folder of a tournament and paths of bots, real answers.
"""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path

import msgspec
import typer
from numpy.random import RandomState

from arena.check import answers
from arena.entrants.build import build
from arena.entrants.expand import expand
from arena.game.clock import TimeControl
from arena.ledger import Ledger
from arena.reports.duplicates import alike
from engine import catalog

FEATURES = 6
DECISIONS = 400
TIME = TimeControl(start=60.0, move=20.0, bank=60.0)


def field(bots: int, sense: float, edit: float, chance: RandomState) -> dict[str, list[int]]:
    """Return the answers of bots whose weights have a part in common, and of a copy of one with changed weights.

    Args:
        bots: How many there are beside the copy.
        sense: How much all have in common, in units of what each has alone.
        edit: By how much each weight of the copy differs, in the same units.
        chance: Whatever is drawn.
    """
    weights = sense * chance.standard_normal(FEATURES) + chance.standard_normal((bots, FEATURES))
    copy = weights[0] + edit * chance.standard_normal(FEATURES)
    asked = chance.standard_normal((DECISIONS, 5, FEATURES))
    found = {f"b{number:02}": (asked @ each).argmax(axis=1).tolist() for number, each in enumerate(weights)}
    return {**found, "copy": (asked @ copy).argmax(axis=1).tolist()}


def figures(bots: int, sense: float, edit: float, fields: int, first: int) -> dict[str, object]:
    """Return in how many fields the copy was found, and others were taken for alike, in per cent with errors."""
    hits = alarms = 0
    for seed in range(first, first + fields):
        said = field(bots, sense, edit, RandomState(seed))
        pairs = {(each.bot, each.other) for each in alike({}, said)}
        hits += ("b00", "copy") in pairs
        alarms += any("copy" not in pair for pair in pairs)

    def percent(number: int) -> list[float]:
        share = number / fields
        return [round(100 * share, 1), round(100 * math.sqrt(share * (1 - share) / fields), 1)]

    about = {"bots": bots, "in common": sense, "edit": edit, "fields": fields}
    return {**about, "copies found, %": percent(hits), "fields with others, %": percent(alarms)}


def real(ledger: Path, paths: list[str], games: int = 8) -> dict[str, object]:
    """Ask bots decisions of a tournament, and return who plays alike and how near all others are."""
    with Ledger.open(ledger) as opened:
        ids = opened.ids()
        records = [opened.game(each) for each in ids[:: max(1, len(ids) // games)][:games]]
        settings = opened.settings
    seats = [(record, seat) for record in records for seat in (0, 2) if seat not in record.retired]
    rules = catalog.rules(settings.game)
    said = {
        bot.name: answers(build(bot), seats, rules, settings.edition, TIME)
        for bot in expand([Path(path) for path in paths]).found
    }
    shares = {
        f"{one}, {other}": round(sum(a == b for a, b in zip(said[one], said[other], strict=True)) / len(said[one]), 3)
        for one, other in combinations(sorted(said), 2)
    }
    return {"alike": [msgspec.to_builtins(each) for each in alike({}, said)], "shares": shares}


def main(fields: int = 200, ledger: Path | None = None, asked: list[str] | None = None) -> None:
    """Print the figures as JSON. `ledger`: a tournament's folder; `asked`: bots that are asked about its games."""
    kinds = [(bots, *kind) for bots in (8, 30) for kind in ((0.0, 0.02), (1.0, 0.02), (1.0, 0.1), (2.0, 0.02))]
    for number, kind in enumerate(kinds):
        print(json.dumps(figures(*kind, fields, 70_001 + 1000 * number)), flush=True)
    if ledger is not None:
        print(json.dumps(real(ledger, asked or [])), flush=True)


if __name__ == "__main__":
    typer.run(main)
