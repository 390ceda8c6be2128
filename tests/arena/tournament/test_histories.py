"""Whatever happens to a field, and however often a run is cut off, the ledger ends as if it had run undisturbed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from arena.ledger import Ledger
from arena.standings import leaderboard, rated_results
from arena.tournament.audit import audit

if TYPE_CHECKING:
    from conftest import Lab

NAMES = "abcdefgh"
SEEDS = [1, 2, *range(5, 30)]


@dataclass(frozen=True)
class Command:
    """One command as somebody types it, with the bots' files as they are then."""

    contents: dict[str, int]
    """By bot that is named."""
    crashes: frozenset[str]
    """Bots that retire in every game from then on."""
    games: int
    leave: bool


def made_up(seed: int) -> list[Command]:
    """A history of four to seven commands."""
    chance = Random(seed)
    contents = dict.fromkeys(chance.sample(NAMES, chance.randint(3, 6)), 1)
    commands = []
    for _ in range(chance.randint(4, 7)):
        for bot in chance.sample(sorted(contents), chance.randint(0, 2)):
            contents[bot] = chance.randint(1, 4)
        if chance.random() < 0.4:
            contents[chance.choice(NAMES)] = 1
        if chance.random() < 0.3 and len(contents) > 3:
            del contents[chance.choice(sorted(contents))]
        crashes = frozenset(chance.sample(sorted(contents), 1)) if chance.random() < 0.4 else frozenset()
        commands.append(Command(dict(contents), crashes, chance.choice([10, 25, 40]), chance.random() < 0.5))
    return commands


def type_in(lab: Lab, command: Command, out: str, **options: Any) -> bool:
    """Run a command, and return whether it was not interrupted."""
    for bot, content in command.contents.items():
        Path(lab.bots(bot)[0]).write_text(f"# {bot} {content}\n")
    lab.retires = {f"{bot}@{number}" if number > 1 else bot for bot in command.crashes for number in range(1, 9)}
    names = " ".join(command.contents)
    outcome = lab.run(names, out=out, games=command.games, leave=command.leave, players="2-4", **options)
    return not outcome.interrupted


def content(out: str) -> dict[str, Any]:
    """All that a ledger says but times, and games of bots that were suspended while a quicker worker played them."""
    with Ledger.open(Path(out)) as ledger:
        assert audit(ledger) == []
        return {
            "entrants": ledger.entrants(),
            "events": ledger.field_events(),
            "blocks": ledger.blocks(),
            "games": [(game.id, game.index, game.bots, game.ranks) for game in rated_results(ledger)],
            "rated": ledger.meta["rated"],
            "board": leaderboard(ledger).data(),
        }


@pytest.mark.parametrize("seed", [0, 3, 4, *(pytest.param(more, marks=pytest.mark.slow) for more in SEEDS)])
def test_a_disturbed_history_ends_as_the_undisturbed_one(lab: Lab, seed: int) -> None:
    commands = made_up(seed)
    for command in commands:
        assert type_in(lab, command, "whole")
    chance = Random(seed)
    for command in commands:
        for _ in range(chance.randint(0, 3)):
            lab.interrupt_after = lab.played.total() + chance.randint(1, 30)
            type_in(lab, command, "pieces", jobs=chance.randint(1, 4))
        lab.interrupt_after = None
        assert type_in(lab, command, "pieces", jobs=chance.randint(1, 4))
    assert content("pieces") == content("whole")
