"""How often `arena.reports.collusion` flags a field in which nobody favours anybody, and one in which one bot does.

`python -m benchmarks.collusion` prints JSON, a line for each kind of field. In a field with a favour, a bot plays worse
and another better, by the same shift, wherever both sit at one table.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import typer
from numpy.random import RandomState

from arena.ledger import Ledger
from arena.rating import RatingInput
from arena.reports.collusion import ERROR, favours
from arena.standings.compute import rated_results
from arena.standings.head_to_head import rating_inputs


class Kind(NamedTuple):
    """A kind of field."""

    name: str
    bots: int = 12
    blocks: int = 200
    players: int = 4
    skills: float = 1.0
    suits: float = 0.2
    """What a block adds to the skill of each of its bots, for this block alone."""
    styles: float = 0.0
    """What each bot always adds to the skill of each other one at its tables."""
    shift: float = 0.0
    """By how much the last bot favours the first one, in units of luck."""


KINDS = (
    Kind("12 bots, 800 games"),
    Kind("12 equal bots, 800 games", skills=0.0),
    Kind("12 bots, 800 games, groups suit some", suits=0.5),
    Kind("12 bots, 800 games, styles of 0.1", styles=0.1),
    Kind("12 bots, 800 games, a favour of 0.25", shift=0.25),
    Kind("12 bots, 800 games, a favour of 0.5", shift=0.5),
    Kind("12 bots, 800 games, a favour of 1", shift=1.0),
    Kind("30 bots, 2,400 games", bots=30, blocks=600),
    Kind("30 bots, 2,400 games, a favour of 0.5", bots=30, blocks=600, shift=0.5),
    Kind("30 bots, 2,400 games, a favour of 1", bots=30, blocks=600, shift=1.0),
)


def played(kind: Kind, chance: RandomState) -> list[RatingInput]:
    """Play the games of a field."""
    skills = kind.skills * chance.standard_normal(kind.bots)
    styles = kind.styles * chance.standard_normal((kind.bots, kind.bots))
    np.fill_diagonal(styles, 0.0)
    styles[0, -1] += kind.shift
    styles[-1, 0] -= kind.shift
    names = [f"b{number:02}" for number in range(kind.bots)]
    games = []
    order: list[int] = []
    for block in range(kind.blocks):
        if len(order) < kind.players:
            order = chance.permutation(kind.bots).tolist()
        group, order = order[: kind.players], order[kind.players :]
        middle = skills[group] + styles[np.ix_(group, group)].sum(axis=1)
        middle = middle + kind.suits * chance.standard_normal(kind.players)
        shown = np.round((middle + chance.standard_normal((kind.players, kind.players))) / 0.1)
        for ranks in (1 + (shown[:, None, :] > shown[:, :, None]).sum(axis=2)).tolist():
            bots = [names[bot] for bot in group]
            games.append(RatingInput(bots, ranks, [{}] * kind.players, (kind.players, block)))
    return games


def figures(kind: Kind, fields: int, first: int, looks: int = 1, most: float = ERROR) -> dict[str, object]:
    """Return how often the pair that favours and others were flagged, in per cent with standard errors.

    `looks`: so often games are looked at, evenly over the blocks, as a league does after each round; a field is counted
    that shows anything at any look.
    """
    favoured = alarms = 0
    pair = {("b00", f"b{kind.bots - 1:02}")} if kind.shift else set()
    for seed in range(first, first + fields):
        games, found = played(kind, RandomState(seed)), set[tuple[str, str]]()
        for look in range(1, looks + 1):
            some = [game for game in games if game.block[1] < kind.blocks * look // looks]
            found |= {(each.bot, each.beside) for each in favours(some, most)}
        favoured += bool(found & pair)
        alarms += bool(found - pair)

    def percent(number: int) -> list[float]:
        share = number / fields
        return [round(100 * share, 1), round(100 * math.sqrt(share * (1 - share) / fields), 1)]

    hits = {"the pair is flagged, %": percent(favoured)} if kind.shift else {}
    return {"field": kind.name, "fields": fields, **hits, "others are flagged, %": percent(alarms)}


def main(fields: int = 200, only: str = "", looks: int = 1, most: float = ERROR, ledger: Path | None = None) -> None:
    """Print the figures as JSON. `only`: kinds with that in their name; `ledger`: a tournament's folder, too."""
    if ledger is not None:
        with Ledger.open(ledger) as opened:
            games = rating_inputs(rated_results(opened))
        found = [each.in_words() for each in favours(games, 1.0)[:3]]
        print(json.dumps({"games": len(games), "surest": found}), flush=True)
    for number, kind in enumerate(KINDS):
        if only in kind.name:
            print(json.dumps(figures(kind, fields, 60_001 + 1000 * number, looks, most)), flush=True)


if __name__ == "__main__":
    typer.run(main)
