"""What happens to a field in tests: hypothesis draws who joins, leaves and is suspended, and when."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hypothesis import strategies as st

from arena.formats import Format
from tests.arena.formats.simulated import SimulatedTournament, names


class Change(NamedTuple):
    rounds: int
    """Played before it."""
    joins: int
    leaves: int
    suspends: bool
    begun: int | None
    """How many blocks of the last round have begun; None: all."""
    updates: bool
    """Whether one of the bots becomes its next version."""


class FieldHistory(NamedTuple):
    bots: int
    counts: list[int]
    seed: int
    changes: list[Change]


@st.composite
def field_histories(draw: st.DrawFn, most: int = 60, changes: int = 4) -> FieldHistory:
    bots = draw(st.integers(2, most))
    counts = sorted(draw(st.sets(st.integers(2, min(6, bots)), min_size=1)))
    change = st.builds(
        Change,
        rounds=st.integers(1, 3),
        joins=st.integers(0, 3),
        leaves=st.integers(0, 3),
        suspends=st.booleans(),
        begun=st.none() | st.integers(1, 20),
        updates=st.booleans(),
    )
    return FieldHistory(bots, counts, draw(st.integers(0, 999)), draw(st.lists(change, max_size=changes)))


def play(history: FieldHistory, make: Callable[[bytes], Format], keep: str = "") -> Iterator[SimulatedTournament]:
    """Play the history, and give the tournament behind every round. `keep`: who neither leaves nor is suspended."""
    chance = random.Random(history.seed)
    skills = {bot: chance.gauss(0, 1.5) for bot in names(history.bots)}
    seed = history.seed.to_bytes(16, "big")
    tournament = SimulatedTournament(lambda: make(seed), skills, history.counts, history.seed)
    joined = history.bots
    for change in [*history.changes, Change(3, 0, 0, False, None, False)]:
        for _ in range(change.rounds):
            assert tournament.draws_the_same_when_resumed()
            if not tournament.play_round():
                return
            yield tournament
        living = [bot for bot in tournament.bots if bot not in tournament.suspended and bot != keep]
        chance.shuffle(living)
        least = min(history.counts) + 1
        leave = living[: max(0, min(change.leaves, len(living) - least))]
        join = {f"new{joined + each:02}": chance.gauss(0, 1.5) for each in range(change.joins)}
        joined += change.joins
        others = living[len(leave) :]
        if change.updates and len(others) > least:
            name, _, version = others[-1].partition("@")
            leave.append(others.pop())
            join[f"{name}@{int(version or 1) + 1}"] = chance.gauss(0, 1.5)
        if change.suspends and len(others) > least:
            tournament.suspend(others[0], chance.randrange(10))
        tournament.change(join, leave, change.begun)
