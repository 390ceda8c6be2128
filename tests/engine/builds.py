"""Play random games and print a digest of each, to compare the compiled rules with those in Python.

    python -m tests.engine.builds 10      # games of each edition and number of players

Both builds have to print the same lines. A digest covers every list of actions and every event, some views of all
readers, copies that play on, and determinized worlds, all in the bytes that bots are sent; in a game's first edition
these views and actions also as numbers. `.ci/compiled` compares some hundred games of both builds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from random import Random
from typing import Final

from msgspec.msgpack import encode

from arena.common.machine import ENGINE_BUILD
from arena.features import Form
from engine.chance import Seeded, derive
from engine.rules import State
from tests.engine.suite import Suite, suites

VIEWED: Final = 8
"""The views of one in this many decisions are compared, and what a copy does next."""
WORLDS: Final = 4
"""A determinized world is compared in one of this many games."""
AHEAD: Final = 10
"""Decisions that are played in it."""


def lines(games: int) -> Iterator[str]:
    """Each game as a line: which one, how many decisions it had, and its digest."""
    for suite in suites():
        for edition, players in suite.cases():
            for number in range(games):
                decisions, digest = _game(suite, edition, players, number)
                yield f"{suite.name} {edition} {players} {number}: {decisions} decisions, {digest}"


@cache
def _form(name: str, edition: str) -> Form:
    return Form.of(name, edition)


def _game(suite: Suite, edition: str, players: int, number: int) -> tuple[int, str]:
    rules = suite.rules
    data = rules.edition(edition)
    seed = derive(b"builds", rules.name, edition, players, number)
    random = Random(seed)
    state = rules.start(players, data, Seeded(seed))
    readers = (*range(players), None)
    form = _form(rules.name, edition) if edition == rules.editions()[0] else None
    world_at = random.randrange(150) if number % WORLDS == 0 else -1
    digest = blake2b(digest_size=16)
    if form is not None:
        digest.update(encode([form.columns, form.actions.names]))
    decisions = 0
    while (seat := state.to_act) is not None:
        if decisions % VIEWED == number % VIEWED:
            for reader in readers:
                digest.update(encode(state.view(reader)))
            if form is not None:
                for view in map(state.view, readers):
                    digest.update(form.encode(view).tobytes())
                digest.update(form.actions.encode(state.actions()).tobytes())
            copy = state.copy()
            digest.update(encode(copy.play(random.randrange(len(copy.actions())))))
        if decisions == world_at:
            world = rules.determinize(state.view(seat), players, data, Seeded(seed))
            digest.update(encode(world.view(seat)))
            for _ in range(AHEAD):
                _decide(world, random, digest)
        _decide(state, random, digest)
        decisions += 1
    for reader in readers:
        digest.update(encode(state.view(reader)))
    digest.update(encode([state.ranks(), state.scores()]))
    return decisions, digest.hexdigest()


def _decide(state: State, random: Random, digest: blake2b) -> None:
    actions = state.actions()
    if actions:
        index = random.randrange(len(actions))
        digest.update(encode([list(actions), index, state.substitute_action(), state.play(index)]))


if __name__ == "__main__":
    print(ENGINE_BUILD, file=sys.stderr)
    for line in lines(int(sys.argv[1])):
        print(line)
