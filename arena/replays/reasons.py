"""Why each seat of a finished game has its rank, in words."""

from __future__ import annotations

from typing import Final

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
