"""Whatever happens to a field, and however often a run is cut off, the ledger ends as if it had run undisturbed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from arena.ledger import Ledger
from arena.standings import leaderboard, rated_results
from arena.tournament.verification.audit import audit
from tests.marking import mostly_slow

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

SEEDS = range(1, 5)


@dataclass(frozen=True)
class Command:
    """One command as somebody types it, with the bots' files as they are then."""

    contents: dict[str, int]
    """By bot that is named."""
    crashes: frozenset[str]
    """Bots that retire in every game from then on."""
    games: int
    leave: bool


class Size(NamedTuple):
    """How large made-up histories are."""

    names: str
    """Of all bots that may join, a letter each."""
    bots: tuple[int, int]
    """In the first command: at least and at most, as for `commands`."""
    commands: tuple[int, int]
    games: tuple[int, ...]
    """Of which each command asks for one."""
    crashes: float
    """How often a command has a bot that crashes."""


SIZE = Size("abcdefgh", (3, 6), (4, 7), (10, 25, 40), 0.4)


def made_up(seed: int, size: Size = SIZE) -> list[Command]:
    """A history: bots join, change, crash, are mended, leave or are not named any more."""
    chance = Random(seed)
    contents = dict.fromkeys(chance.sample(size.names, chance.randint(*size.bots)), 1)
    commands = []
    for _ in range(chance.randint(*size.commands)):
        for bot in chance.sample(sorted(contents), chance.randint(0, 2)):
            contents[bot] = chance.randint(1, 4)
        if chance.random() < 0.4:
            contents[chance.choice(size.names)] = 1
        if chance.random() < 0.3 and len(contents) > 3:
            del contents[chance.choice(sorted(contents))]
        crashes = frozenset(chance.sample(sorted(contents), 1)) if chance.random() < size.crashes else frozenset()
        commands.append(Command(dict(contents), crashes, chance.choice(size.games), chance.random() < 0.5))
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
        assert audit(ledger).differences == []
        return {
            "entrants": ledger.entrants(),
            "events": ledger.field_events(),
            "blocks": ledger.blocks(),
            "games": [(game.id, game.index, game.bots, game.ranks) for game in rated_results(ledger)],
            "rated": ledger.meta["rated"],
            "board": leaderboard(ledger).data(),
        }


def play_both(lab: Lab, commands: list[Command], seed: int) -> None:
    """Play a history into the folder `whole`, and with interruptions into `pieces`."""
    for command in commands:
        assert type_in(lab, command, "whole")
    chance = Random(seed)
    for command in commands:
        for _ in range(chance.randint(0, 3)):
            lab.interrupt_after = lab.played.total() + chance.randint(1, 30)
            type_in(lab, command, "pieces", jobs=chance.randint(1, 4))
        lab.interrupt_after = None
        assert type_in(lab, command, "pieces", jobs=chance.randint(1, 4))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *SEEDS])
def test_a_disturbed_history_ends_as_the_undisturbed_one(lab: Lab, seed: int) -> None:
    play_both(lab, made_up(seed), seed)
    assert content("pieces") == content("whole")


@pytest.mark.parametrize("seed", mostly_slow(range(4)))
def test_where_a_repaired_field_goes_on_does_not_depend_on_how_far_the_workers_came(lab: Lab, seed: int) -> None:
    """All but one are suspended while workers play games that were drawn before that was known."""
    bots = dict.fromkeys("abc", 1)
    play_both(
        lab,
        [
            Command(bots, frozenset(), 10, False),
            Command(bots, frozenset("bc"), 60, False),
            Command(bots | {"b": 2, "c": 2}, frozenset(), 20, False),
        ],
        seed,
    )
    assert content("pieces") == content("whole")


def test_where_a_field_goes_on_does_not_depend_on_games_of_one_that_was_suspended_meanwhile(lab: Lab) -> None:
    for out, jobs in (("whole", 1), ("pieces", 4)):
        bots = lab.bots(*"abcfg")
        Path(bots[-1]).write_text("# g\n")
        lab.retires = {"g"}
        lab.run("g b a c f", out=out, jobs=jobs, rounds=3, format="swiss", players="2-4")
        Path(bots[-1]).write_text("# better now\n")
        lab.run("g b a c f", out=out, jobs=jobs, rounds=3, format="swiss", players="2-4")
    assert content("pieces") == content("whole")
