"""Fields in which some bots fail all the time: what the others get, and how far apart equal ones stand.

`python -m tests.e2e.bad_fields` plays the field of 31 with eight bad bots, and prints the figures.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.ledger import Ledger
from tests.e2e.histories import BOT
from tests.shell import Shell

FAULTS = Path(__file__).parents[1] / "faults"
BAD = (
    "crash_by_signal",
    "illegal_index",
    "burst",
    "stall",
    "random_bytes",
    "late",
    "crash_at_third",
    "frame_of_200_kb",
)
CLOCK = ("--start", 60, "--move", 1, "--bank", 0, "--strikes", 1)
"""What stalls costs a second."""


class PlayedField(NamedTuple):
    """What came of it."""

    blocks: dict[int, Counter[str]]
    """By count and good bot: the blocks that count."""
    suspended: set[str]
    counting: int
    """Games that count of the good bots alone."""
    board: list[dict[str, Any]]
    """The rows of the good bots, best first."""


def good_bots(folder: Path, styles: Sequence[int]) -> list[Path]:
    """Write bots of these styles; those of the same style decide alike, and their files differ."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"good{number:02}-{style}.py" for number, style in enumerate(styles)]
    for path, style in zip(paths, styles, strict=True):
        path.write_text(f"# {path.stem}\n{BOT.format(style=style, crashes=False)}")
    return paths


def bad_bots(folder: Path, behaviours: Sequence[str]) -> list[Path]:
    """Write a folder for each of these misbehaving bots."""
    paths = [folder / behaviour for behaviour in behaviours]
    for path in paths:
        path.mkdir(parents=True)
        for file in ("bad_bot.py", "misunderstandings.py"):
            shutil.copy(FAULTS / file, path)
        words = [
            'command = "{python} bad_bot.py"',
            f'env = {{ BEHAVIOUR = "{path.name}" }}',
            "limits = { memory_mb = 300 }",
        ]
        (path / "bot.toml").write_text("\n".join(words))
    return paths


def play(shell: Shell, styles: Sequence[int], behaviours: Sequence[str], games: int, players: str) -> PlayedField:
    """Play so many games of a field of good and bad bots."""
    bots = [*good_bots(shell.folder / "good", styles), *bad_bots(shell.folder / "bad", behaviours)]
    asked = ["tournament", *bots, *CLOCK, "--games", games, "--players", players, "--seed", 1, "--out", "t"]
    board = json.loads(shell.run(*asked, "--json").stdout)
    return look(shell.folder / "t", board)


def look(folder: Path, board: dict[str, Any]) -> PlayedField:
    """Count in the ledger what the good bots had."""
    with Ledger.open(folder) as ledger:
        rated = ledger.settings.rated
        played = [game for game in ledger.results() if rated.counts(game.bots, game.index)]
        good = [bot for bot in ledger.field() if bot.startswith("good")]
        whole = Counter((game.players, game.block) for game in played)
        first = {(game.players, game.block): game.bots for game in played}
    blocks: dict[int, Counter[str]] = {}
    for (players, number), games in whole.items():
        counter = blocks.setdefault(players, Counter(dict.fromkeys(good, 0)))
        if games == players:
            counter.update(bot for bot in first[players, number] if bot in good)
    rows = [row for row in board["overall"] if row["bot"] in good]
    among = sum(set(game.bots) <= set(good) for game in played)
    return PlayedField(blocks, set(rated.suspended), among, rows)


if __name__ == "__main__":
    shell = Shell(Path(tempfile.mkdtemp(prefix="field-")))
    shell.seconds = 7200
    found = play(shell, [1 + number % 3 for number in range(23)], BAD, int(sys.argv[1]) if sys.argv[1:] else 600, "2-6")
    print("suspended:", ", ".join(sorted(found.suspended)), "games of the good alone:", found.counting)
    for count, blocks in sorted(found.blocks.items()):
        print(f"{count} players: blocks of a good bot from {min(blocks.values())} to {max(blocks.values())}")
    for place, row in enumerate(found.board, start=1):
        print(place, {key: value for key, value in row.items() if not isinstance(value, (dict, list))})
    for style in "123":
        finishes = [row["mean_finish"] for row in found.board if row["bot"].endswith(style)]
        print(style, round(statistics.mean(finishes), 3), "±", round(statistics.stdev(finishes), 3))
