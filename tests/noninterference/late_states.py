"""Decisions late in games that random play seldom reaches, kept as seeds: one for each phase and number of seats.

`late_states.json` has them, and a test compares two worlds at each. After the rules or the play of `worlds` changed,
they are looked for again by

    python -m tests.noninterference.late_states write

which plays some thousand games, in a few minutes. Of each phase and number of seats it keeps the decision at which
most has happened that no other decision kept in that phase has, and, of several, most at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.noninterference.test_two_worlds import PHASES, plan_of
from tests.noninterference.worlds import Diverged, Plan, played, two_worlds

FILE = Path(__file__).with_suffix(".json")
SEATS = (2, 3, 4, 5, 6)
GAMES = 120
"""Played of each edition with each number of seats."""
DEALS = 8
"""Tried for another world in which the rivals hold other cards."""


class LateState(NamedTuple):
    """A decision of a seat, and how it is reached."""

    game: str
    edition: str
    players: int
    phase: str
    number: int
    """Of the game, from which all random numbers follow."""
    decision: int
    """Of the reader."""
    deal: int
    """With which the rivals hold other cards in the other world."""
    milestones: list[str]

    @property
    def plan(self) -> Plan:
        """What is played to get there."""
        return replace(plan_in(self.game, self.edition, self.players, self.number), decisions=self.decision)


def plan_in(game: str, edition: str, players: int, number: int) -> Plan:
    """A whole game, with faults in one of three."""
    label = f"late {game} {edition} {players} {number}"
    return plan_of(game, edition, players, number % players, label, faults=number % 3 == 0)


def read() -> list[LateState]:
    """The decisions that are kept."""
    return [LateState(*row) for row in json.loads(FILE.read_text(encoding="utf-8"))]


def _found(game: str, edition: str) -> Iterator[LateState]:
    reached = {phase: set[str]() for phase in PHASES[game, edition] if phase != "setup"}
    for players in SEATS:
        every: dict[str, list[LateState]] = {phase: [] for phase in reached}
        for number in range(GAMES):
            told = played(plan_in(game, edition, players, number))
            for decision, (phase, milestones) in enumerate(zip(told.phases, told.milestones, strict=True), start=1):
                if phase in reached and milestones:
                    row = LateState(game, edition, players, phase, number, decision, 0, sorted(milestones))
                    every[phase].append(row)
        for phase, rows in every.items():
            new = reached[phase]
            rows.sort(key=lambda row: (-len(set(row.milestones) - new), -len(row.milestones), -row.decision))
            kept = next(filter(None, map(_with_other_hands, rows[:60])), None)
            if kept is not None:
                new.update(kept.milestones)
                yield kept


def _with_other_hands(state: LateState) -> LateState | None:
    for deal in range(DEALS):
        try:
            first, other = two_worlds(state.plan, Random(deal))
        except Diverged:
            continue
        if first.hands != other.hands:
            return state._replace(deal=deal)
    return None


def write() -> None:
    """Look for them anew."""
    rows = [json.dumps(state) for game, edition in PHASES for state in _found(game, edition)]
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["write"]:
        sys.exit(f"{FILE.name}: use it as `python -m tests.noninterference.late_states write`")
    write()
