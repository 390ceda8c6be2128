"""What a scenario is: commands that are typed in a folder of a certain content. What they print is in the snapshots."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.arena.cli.conftest import CRASHER, ROOT
from tests.arena.forging import rechain, unpacked

MOMENT = "2026-01-01T10:00:00.000000Z"
SUSPENDED = {"games": 7, "suspended": {"crasher": 3}, "absent": {"crasher": [(3, None)]}, "asked": 7}
"""What a tournament says of its games when `crasher` was suspended."""


@dataclass
class Place:
    """The folder in which a scenario's commands are typed, and what can be put into it."""

    folder: Path
    played: Path
    """A finished tournament, from which `tournament` makes copies."""
    monkeypatch: pytest.MonkeyPatch
    stack: ExitStack
    """What ends with the scenario."""

    def write(self, name: str, content: str | bytes = "") -> None:
        """Write a file, with the folders that it lies in."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def bots(self, *names: str) -> None:
        """Copy bots of ours here, and `crasher`, which ends in its second turn."""
        for name in names:
            if name == "crasher":
                self.write("crasher.py", CRASHER)
            else:
                shutil.copy(ROOT / "bots" / f"{name}.py", self.folder)

    def tournament(self, *changes: str, name: str = "t") -> None:
        """Copy the finished tournament, without its clocks' times, and change it by SQL."""
        shutil.copytree(self.played, self.folder / name)
        self.sql(
            "UPDATE seats SET times = (SELECT json_group_array(1000) FROM json_each(seats.times))",
            meta("last_run", MOMENT),
            name=name,
        )
        rechain(self.folder / name)
        self.sql(*changes, name=name)

    def sql(self, *statements: str, name: str = "t") -> None:
        """Change a ledger."""
        with unpacked(self.folder / name) as ledger:
            for statement in statements:
                ledger.execute(statement)


Given = Callable[[Place], None]


def tournament(*changes: str) -> Given:
    """The finished tournament in the folder `t`, changed by SQL."""
    return lambda place: place.tournament(*changes)


def nothing(_: Place) -> None:
    """An empty folder."""


def meta(key: str, value: object) -> str:
    """SQL that changes a setting of a tournament."""
    return f"UPDATE meta SET value = '{json.dumps(value)}' WHERE key = '{key}'"


def left_out(name: str, *reason: str) -> str:
    """SQL that leaves a bot out, for a reason of so many lines."""
    return "UPDATE entrants SET left_out = '{}' WHERE name = '{}'".format("\n".join(reason), name)


@dataclass(frozen=True)
class Scenario:
    """Commands, without `arena` before them, and the content of their folder."""

    name: str
    commands: tuple[str, ...]
    given: Given
    hidden: tuple[str, ...]
    """Patterns of what differs from run to run, or is said by the system: the snapshot has `...` for it."""
    first: int | None
    """Of what is printed to stdout, so many lines are kept, and `last` lines of its end. None: all."""
    last: int
    in_order: bool
    """False: what stands on stderr comes in no certain order, and is sorted."""
    marks: Sequence[pytest.MarkDecorator]


def scenario(
    name: str,
    *commands: str,
    given: Given = nothing,
    hide: Sequence[str] = (),
    first: int | None = None,
    last: int = 0,
    in_order: bool = True,
    marks: Sequence[pytest.MarkDecorator] = (),
) -> Scenario:
    """Make a scenario."""
    return Scenario(name, commands, given, tuple(hide), first, last, in_order, marks)
