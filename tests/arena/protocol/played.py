"""What our games put into messages: random games of every edition and number of players, and the golden vectors."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any, NamedTuple

from engine.chance import Seeded, derive
from generators.vectors.games import SOURCES
from generators.vectors.make import FOLDER


class Played(NamedTuple):
    """A random game."""

    edition: str
    players: int
    views: list[Any]
    actions: list[Any]
    events: list[Any]


@cache
def games(game: str) -> list[Played]:
    """Random games of every edition and player count."""
    return [of_a_game(game, edition, players) for edition in SOURCES[game].rules.editions() for players in range(2, 7)]


def of_a_game(game: str, edition: str, players: int) -> Played:
    rng = Random(f"{edition} {players}")
    source = SOURCES[game]
    seed = derive(b"protocol.md test", edition, players)
    state = source.rules.start(players, source.rules.edition(edition), Seeded(seed))
    played = Played(edition, players, [], [], [])
    while state.to_act is not None:
        played.views.extend([state.view(rng.randrange(players)), state.view(None), state.view(state.to_act)])
        offered = state.actions()
        played.actions.extend(offered)
        played.events.extend(event.what for event in state.play(source.choose(offered, rng)))
    played.views.append(state.view(None))
    return played


def vectors(game: str, kind: str) -> list[Any]:
    """The golden ones: every kind of action and event is among them."""
    entries = json.loads((FOLDER / f"{game}.json").read_text("utf-8"))
    return [entry["json"] for entry in entries if entry["name"].startswith(kind)]
