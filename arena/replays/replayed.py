"""A recorded game as plain data, whole or as one seat saw it, and why each seat has its rank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from arena.game.replay import replay
from arena.game.transcript import GameStep, visible
from arena.ledger import GameRecord
from arena.replays.page_data import build_page_data
from engine.rules import Data, Rules

RETIRED: Final = "retired after its faults"
"""The reason of a seat that its bot did not play to the end."""
STAYED: Final = "was the only one left when the others had retired"


def reasons(record: GameRecord, rules: Rules, edition: Data) -> list[str]:
    """Return for each seat a sentence without its subject; none if the game does not explain itself."""
    try:
        return reasons_in(build_page_data(record, rules, edition)[0])
    except Exception:  # another arena played it, or a plug-in's words and pictures raise what they like
        return []


def reasons_in(public: Data) -> list[str]:
    """Return the same from the public part of the game's page data."""
    found = public.get("reasons") or []
    if public["ending"] == "walkover":  # the game was broken off, so nothing in it decided
        found = [STAYED] * len(found)
    return [RETIRED if seat in public["retired"] else reason for seat, reason in enumerate(found)]


def replayed(record: GameRecord, rules: Rules, edition: Data, seat: int | None = None) -> dict[str, Any]:
    """Play a recorded game again and return it as data. Raises `ReplayError`.

    Args:
        record: The game.
        rules: Its rules.
        edition: Its resolved edition.
        seat: Whose view of it is returned; None: everything.
    """
    game_steps = replay(record, rules, edition)
    steps = [_step(game_step) for game_step in game_steps] if seat is None else _seen(game_steps, seat)
    head = {"id": record.id, "game": rules.name, "bots": record.bots, "ending": record.ending}
    result = {"ranks": record.ranks, "scores": record.scores, "reasons": reasons(record, rules, edition)}
    return {**head, **result, "steps": steps}


def _step(game_step: GameStep) -> dict[str, Any]:
    return {**msgspec.to_builtins(game_step.step), "events": [event.what for event in game_step.events]}


def _seen(game_steps: Iterable[GameStep], seat: int) -> list[dict[str, Any]]:
    """Return this seat's own steps and the events between them, without who of the others decided how often."""
    steps: list[dict[str, Any]] = []
    for game_step in game_steps:
        events = [event.what for event in game_step.events if visible(event, seat)]
        if game_step.step.seat == seat:
            offered = {"offered": game_step.offered} if game_step.step.by == "bot" else {}
            steps.append({**msgspec.to_builtins(game_step.step), **offered, "events": events})
        elif steps and "kind" not in steps[-1]:
            steps[-1]["events"] += events
        elif events:
            steps.append({"events": events})
    return steps
