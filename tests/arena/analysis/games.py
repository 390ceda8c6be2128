"""Recorded games for tests, by bots that choose as they are told."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from arena.game.replay import begun
from arena.ledger import GameRecord, Step
from engine import catalog
from engine.rules import Data, Rules, State

SEED = "0123456789abcdef" * 2


def of(name: str) -> tuple[Rules, Data]:
    rules = catalog.rules(name)
    return rules, rules.edition(rules.editions()[0])


def recorded(name: str, choose: Callable[[State], int], seed: str = SEED) -> GameRecord:
    """A game of two in which every choice is made by this function."""
    rules, edition = of(name)
    empty = GameRecord(
        "a-game", 0, 2, 0, 0, seed, ["ant", "bee"], "finished", [], [], [], [], [], [[], []], "", ""
    )  # fmt: skip
    state, steps = begun(empty, rules, edition), []
    while (seat := state.to_act) is not None:
        index = choose(state)
        steps.append(Step("play", seat, "bot", index, dict(state.actions()[index])))
        state.play(index)
    return msgspec.structs.replace(empty, steps=steps, ranks=state.ranks(), scores=state.scores())
