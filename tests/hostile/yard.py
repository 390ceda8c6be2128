"""Tournaments with hostile bots: commands that run without privileges, as those of any user do."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.shell import Shell, without_privileges

HERE: Final = Path(__file__).parent
HONEST: Final = HERE.parents[1] / "bots"
linux = pytest.mark.skipif(sys.platform != "linux", reason="attacks by means that only Linux has")


class Yard:
    """Where hostile bots are written and meet honest ones."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.folder = shell.folder
        self.note = self.folder / "note"
        """A path that a hostile bot may write to; `NOTE` in its environment."""

    def hostile(self, name: str, attack: str, manifest: str = "", **env: str) -> Path:
        """Make a bot of `attacker.py` and the attack of that name, and return its folder."""
        bot = self.folder / name
        bot.mkdir()
        for source in (HERE / "attacker.py", HERE / "attacks.py"):
            (bot / source.name).write_text(source.read_text())
        variables = {"ATTACK": attack, "NOTE": str(self.note), **env}
        table = ", ".join(f"{key} = {json.dumps(value)}" for key, value in variables.items())
        (bot / "bot.toml").write_text(f"command = ['{{python}}', 'attacker.py']\nenv = {{ {table} }}\n{manifest}")
        return bot

    def play(self, *words: object, code: int = 0, isolation: str = "none") -> Any:
        """Play a tournament, and return what `arena show --json` says of it."""
        command = ("tournament", *words, "--players", 2, "--out", "t", "--isolation", isolation)
        self.last = self.shell.run(*command, code=code, preexec_fn=without_privileges)
        return self.shell.json("show", "t")

    def row(self, shown: Any, bot: str) -> Any:
        """Return the row of a bot in the table."""
        [rows] = shown["players"].values()
        return next(row for row in rows if row["bot"] == bot)

    def assert_clean(self, shown: Any, *bots: str) -> None:
        """Check that no fault was charged to these bots."""
        for bot in bots:
            row = self.row(shown, bot)
            assert (sum(row["faults"].values()), row["retired"], row["suspended"]) == (0, 0, False), row
