"""Tournaments with hostile bots: commands that run without privileges, as those of any user do."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from arena.isolation.settings import Level
from arena.ledger import GameRecord, Ledger
from tests.shell import Shell, without_privileges

HERE: Final = Path(__file__).parent
HONEST: Final = HERE.parents[1] / "bots"
VICTIM: Final = HERE / "victim.py"
SEATS: Final = "0"
"""Where a hostile bot attacks: in one of two games with each rival, so that nobody is suspended for what others do."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="attacks by means that only Linux has")


class Yard:
    """Where hostile bots are written and meet honest ones."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.folder = shell.folder
        self.mark = f"arena-test-{shell.temporary.name}"
        """A word by which what hostile bots leave behind is found."""
        (self.folder / "victim.py").write_text(VICTIM.read_text())
        self.victim = self.folder / "victim.py"

    def hostile(self, name: str, *attacks: str, manifest: str = "", **env: str) -> Path:
        """Make a bot that tries these attacks, and return its folder."""
        given = {"ATTACKS": " ".join(attacks), "FOLDER": str(self.folder / "t"), "SEATS": SEATS}
        return self.bot(name, ("hostile_bot.py", "attacks.py"), given | env, manifest)

    def naming(self, name: str, *attacks: str, manifest: str = "") -> Path:
        """Make a bot that tries these attacks, and names a folder with a secret where that might make it readable."""
        secrets = self.folder / "secrets"
        secrets.mkdir()
        (secrets / "key").write_text("4711")
        bot = self.hostile(name, *attacks, manifest=manifest, JAVA_HOME=str(secrets))
        for program, text in (("run", f"#!./env {secrets}\n"), ("env", f"#!{sys.executable}\nimport hostile_bot\n")):
            (bot / program).write_text(text)
            (bot / program).chmod(0o755)
        build = """build = ['sh', '-c', 'cat "$JAVA_HOME/key" > built || true']"""
        others = (bot / "bot.toml").read_text().partition("\n")[2]
        (bot / "bot.toml").write_text(f"command = './run'\n{build}\n{others}")
        return bot

    def bot(self, name: str, sources: Sequence[str], env: Mapping[str, str], manifest: str = "") -> Path:
        """Make a bot of these files, the first of which is run, and return its folder."""
        bot = self.folder / name
        bot.mkdir()
        for source in (*sources, "raw_client.py"):
            (bot / source).write_text((HERE / source).read_text("utf-8"))
        table = ", ".join(f"{key} = {json.dumps(value)}" for key, value in {"MARK": self.mark, **env}.items())
        (bot / "bot.toml").write_text(f"command = ['{{python}}', '{sources[0]}']\nenv = {{ {table} }}\n{manifest}")
        return bot

    def tournament(self, *words: object, code: int = 0, level: Level = "none", players: int = 2) -> None:
        """Play a tournament."""
        command = ("tournament", *words, "--players", players, "--out", "t", "--isolation", level, "--jobs", 1)
        self.last = self.shell.run(*command, code=code, preexec_fn=without_privileges)

    def play(self, *words: object, code: int = 0) -> Any:
        """Play a tournament without isolation, and return what `arena show --json` says of it."""
        self.tournament(*words, code=code)
        return self.shell.json("show", "t")

    def games(self) -> list[GameRecord]:
        """Return the games of the tournament."""
        with Ledger.open(self.folder / "t") as ledger:
            return list(ledger.games())

    def row(self, shown: Any, bot: str) -> Any:
        """Return the row of a bot in the table."""
        [rows] = shown["players"].values()
        return next(row for row in rows if row["bot"] == bot)

    def assert_clean(self, shown: Any, *bots: str) -> None:
        """Check that no fault was charged to these bots."""
        for bot in bots:
            row = self.row(shown, bot)
            assert (sum(row["faults"].values()), row["retired"], row["suspended"]) == (0, 0, False), row

    def assert_nothing_outlived(self) -> None:
        """Check that no process has the mark in its command, as one without our environment has."""
        for process in psutil.process_iter(["cmdline", "status"]):
            is_gone = process.info["status"] == psutil.STATUS_ZOMBIE
            assert is_gone or self.mark not in (process.info["cmdline"] or []), process


def said(game: GameRecord, bot: str) -> Mapping[str, str]:
    """Return how each attack of that bot ended, by what its notes say."""
    seat = game.bots.index(bot)
    notes = [step.note.partition(" ") for step in game.steps if step.note and step.seat == seat]
    return {name: how for name, _, how in notes}


def charged(game: GameRecord, bot: str) -> list[str]:
    """Return the codes of the faults that a bot was charged with."""
    return [fault.code for fault in game.faults if fault.seat is not None and game.bots[fault.seat] == bot]
