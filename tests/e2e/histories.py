"""Histories of a field that changes, played by real bots and commands that are killed at random moments.

`python -m tests.e2e.histories 30` plays so many, and says of each how it went. The suite plays a few.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from typer.testing import CliRunner

from arena.cli.app import app
from arena.cli.terminal import ExitCode
from arena.ledger import Ledger
from arena.standings import leaderboard
from tests.arena.tournament.test_histories import Command, Size, made_up
from tests.shell import Shell

BOT = """
import os, sys, zlib
import msgpack, zmq

STYLE, CRASHES = {style}, {crashes}
socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send(msgpack.packb({{"type": "hello", "protocol": [1, 0], "name": "quick", "deterministic": True}}))
while (message := msgpack.unpackb(socket.recv()))["type"] != "bye":
    if message["type"] == "decide":
        if CRASHES:
            sys.exit("not well")
        number, turn = len(message["actions"]), message["turn"]
        index = zlib.crc32(f"{{STYLE}} {{turn}}".encode()) % number if turn % 4 < STYLE - 1 else number - 1
        socket.send(msgpack.packb({{"type": "act", "game_id": message["game_id"], "turn": turn, "index": index}}))
"""
"""What it decides depends on nothing but its style and what it is asked."""
CLOCK = ("--start", 60, "--move", 60)
"""Nobody is late, however busy the machine is."""
MOST_KILLS = 2
"""Of one command."""
JOBS = (1, 1, 2, 2, 3, 4)
"""Of which one is drawn: every worker takes a second to begin."""
SIZE = Size("abcdef", (3, 4), (2, 3), (4, 8, 12), 0.5)
"""Real games take longer than made-up ones."""


class RealHistory:
    """The bots of a history, the commands, and what came of them."""

    def __init__(self, shell: Shell, seed: int, commands: list[Command]) -> None:
        self.shell = shell
        self.commands = commands
        self.kills: Counter[str] = Counter()
        """By the moment that was waited for."""
        self._seed = seed
        self._bots = shell.folder / "bots"
        self._said = shell.folder / "said"
        self._games_after: list[int] = []
        """How many games there are behind each command that is not disturbed."""

    def play_undisturbed(self, out: str) -> None:
        for command in self.commands:
            self.shell.run(*self._typed(command, out, jobs=1))
            self._games_after.append(self._count(out, "games"))

    def play_killed(self, out: str) -> None:
        chance = Random(self._seed)
        for number, command in enumerate(self.commands):
            for _ in range(chance.randint(0, MOST_KILLS)):
                self._play_until_killed(number, command, out, chance)
            self.shell.run(*self._typed(command, out, jobs=chance.choice(JOBS)))

    def _typed(self, command: Command, out: str, jobs: int) -> list[object]:
        """Write the bots as they are now, and return the words of the command."""
        self._bots.mkdir(exist_ok=True)
        for bot, content in command.contents.items():
            source = BOT.format(style=content, crashes=bot in command.crashes)
            (self._bots / f"{bot}.py").write_text(f"# {bot}\n{source}")
        words = ["tournament", *(self._bots / f"{bot}.py" for bot in command.contents), *CLOCK, "--players", "2,3"]
        words += ["--seed", self._seed, "--games", command.games, "--jobs", jobs, "--out", out]
        return [*words, "--leave"] if command.leave else words

    def _play_until_killed(self, number: int, command: Command, out: str, chance: Random) -> None:
        moment, is_come = self._moment(number, out, chance)
        with (
            self._said.open("w") as said,
            self.shell.start(*self._typed(command, out, chance.choice(JOBS)), stdout=said, stderr=said) as run,
        ):
            while run.poll() is None and not is_come():
                time.sleep(0.01)
            time.sleep(chance.choice([0, 0, 0.02, 0.1]))  # any moment is allowed
            self.kills[moment] += run.poll() is None
        self.shell.assert_no_process()

    def _moment(self, number: int, out: str, chance: Random) -> tuple[str, Callable[[], bool]]:
        """Draw a moment at which to kill: its name, and whether it has come."""
        games, events = self._count(out, "games"), self._count(out, "field_events")
        goal, line = games + chance.randint(0, 10), chance.randint(0, 8)
        moments: dict[str, Callable[[], bool]] = {
            "after some games": lambda: self._count(out, "games") >= goal,
            "at a line": lambda: self._said.read_text().count("\n") >= line,
            "in the admission": lambda: "starting each bot" in self._said.read_text(),
            "at the change of the field": lambda: self._count(out, "field_events") > events,
            "at the end": lambda: self._count(out, "games") >= max(games + 1, self._games_after[number]),
        }
        moment = chance.choice(sorted(moments))
        return moment, moments[moment]

    def _count(self, out: str, table: str) -> int:
        file = self.shell.folder / out / "ledger.sqlite"
        if not file.exists():
            return 0
        with closing(sqlite3.connect(file, timeout=10)) as ledger:
            return int(ledger.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def content(folder: Path) -> dict[str, Any]:
    """All that a ledger says but times, and games that are left out, which depend on how quick the workers were."""
    with Ledger.open(folder) as ledger:
        settings = ledger.settings
        games = [game for game in ledger.games() if settings.rated.counts(game.bots, game.index)]
        return {
            "settings": {key: value for key, value in ledger.meta.items() if key != "last_run"},
            "entrants": ledger.entrants(),
            "events": ledger.field_events(),
            "blocks": ledger.blocks(),
            "games": [msgspec.structs.replace(game, times=[], faults=[]) for game in games],
            "board": _without_times(leaderboard(ledger).data()),
            "faults": [(game.id, fault.seat, fault.code) for game in games for fault in game.faults],
        }


def _without_times(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_times(value) for key, value in data.items() if key != "times"}
    return [_without_times(each) for each in data] if isinstance(data, list) else data


def forge(folder: Path, copy: Path, how: str) -> str:
    """Copy a ledger, alter it, and return the id of the game that is to be named."""
    shutil.copytree(folder, copy)
    with Ledger.open(copy, writing=True) as ledger:
        rated = ledger.settings.rated
        games = [game for game in ledger.results() if rated.counts(game.bots, game.index)]
        one, other = games[len(games) // 2 :][:2]
        if how == "not drawn":
            forged = msgspec.structs.replace(ledger.game(one.id), id=NEW, index=games[-1].index + 1000)
            ledger.record(forged)
            return NEW
    with closing(sqlite3.connect(copy / "ledger.sqlite")) as db, db:
        if how == "missing":
            for table, key in (
                ("seats", "game"),
                ("times", "game"),
                ("steps", "game"),
                ("faults", "game"),
                ("games", "id"),
            ):
                db.execute(f"DELETE FROM {table} WHERE {key} = ?", (one.id,))
        else:
            for game, place in ((one, -1), (other, one.index), (one, other.index)):
                db.execute("UPDATE games SET ord = ? WHERE id = ?", (place, game.id))
    return one.id


NEW = "p2-b9999-r0"
FORGERIES = {"not drawn": "is not in the schedule", "missing": "is missing", "out of place": "has another place"}
"""With what `arena verify` says of the game."""


def verified(folder: Path) -> dict[str, list[str]]:
    """What `arena verify` finds, by game."""
    result = CliRunner().invoke(app, ["verify", str(folder), "--json"])
    found: dict[str, list[str]] = json.loads(result.stdout)["different"]
    assert result.exit_code == (ExitCode.NO if found else ExitCode.FINE)
    return found


def prove(shell: Shell, seed: int, commands: list[Command]) -> RealHistory:
    """Play a history undisturbed and with kills, and assert that both ledgers are the same and forgeries are named."""
    history = RealHistory(shell, seed, commands)
    history.play_undisturbed("whole")
    history.play_killed("pieces")
    pieces = shell.folder / "pieces"
    assert content(pieces) == content(shell.folder / "whole")
    assert verified(pieces) == {}
    for how, words in FORGERIES.items():
        copy = shell.folder / how.replace(" ", "-")
        game = forge(pieces, copy, how)
        found = verified(copy)["tournament"]
        assert any(each.startswith(f"{game} {words}") for each in found), f"{how}: {game} is not named: {found}"
    return history


if __name__ == "__main__":
    seeds = range(int(sys.argv[1])) if len(sys.argv) == 2 else map(int, sys.argv[2:])
    for seed in seeds:
        began = time.monotonic()
        shell = Shell(Path(tempfile.mkdtemp(prefix="history-")))
        try:
            history = prove(shell, seed, made_up(seed, SIZE))
            print(f"{seed}: the same, kills {dict(sorted(history.kills.items()))}", end="")
            shell.assert_nothing_lives()
        except AssertionError as error:
            print(f"{seed}: {error}\n    in {shell.folder}", end="")
        else:
            shutil.rmtree(shell.folder)
        print(f", {time.monotonic() - began:.0f} s", flush=True)
