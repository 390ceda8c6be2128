"""Play the games of the tutorials anew: `python -m tests.arena.play.tutorials [GAME…]`.

The same seed and bots play the same games for as long as rules and bots are as they were. When they have changed, the
lessons in `engine/GAME/tutorial.toml`, which say at what step or decision they stand, have to be read again.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import engine

GAMES: Final = {
    "kosmos": ("@planner", "@greedy", "p2-b0000-r0"),
    "ravensburger": ("@navigator", "@strider", "p2-b0001-r0"),
}
"""By game: who plays, and the game of the tournament that is told."""


def home(game: str) -> Path:
    """Return the folder of a game's code."""
    return Path(engine.__file__).parent / game


def record(game: str) -> None:
    """Play a tournament and keep one of its games."""
    *bots, chosen = GAMES[game]
    with tempfile.TemporaryDirectory() as folder:
        options = ["--game", game, "--games", "6", "--players", "2", "--seed", "1", "--start", "60", "--bank", "60"]
        arena = [sys.executable, "-m", "arena"]
        subprocess.run([*arena, "tournament", *bots, *options, "--out", "t"], cwd=folder, check=True)
        subprocess.run([*arena, "export", "t", "--to", "x"], cwd=folder, check=True)
        shutil.copyfile(Path(folder, "x", "games", f"{chosen}.json"), home(game) / "tutorial.json")


if __name__ == "__main__":
    for each in sys.argv[1:] or GAMES:
        record(each)
