"""On which machine of a cluster each game was played, by the chain: a machine's entry holds for the games behind it."""

from __future__ import annotations

from collections.abc import Iterable

from arena.ledger.chain import Entry
from arena.ledger.ledger import Ledger


def named_machines(ledger: Ledger) -> list[str]:
    """Return the names of the machines on which games were played, in the order in which they came.

    Only machines of a cluster have names.
    """
    return list(dict.fromkeys(each["name"] for each in ledger.settings.machines if "name" in each))


def machines_of_games(entries: Iterable[Entry]) -> dict[str, str]:
    """Return by game the name of its machine, of those that have one. `entries`: of the chain."""
    found: dict[str, str] = {}
    name: str | None = None
    for entry in entries:
        match entry:
            case ["machine", dict(machine)]:
                name = str(machine["name"]) if "name" in machine else None
            case ["game", str(game), str()] if name is not None:
                found[game] = name
    return found


def games_left_out(ledger: Ledger) -> dict[str, str]:
    """Return by game that does not count, because its machine is left out, the name of that machine."""
    without = set(ledger.settings.without_machines)
    if not without:
        return {}
    found = machines_of_games(ledger.chain.entries())
    return {game: machine for game, machine in found.items() if machine in without}
