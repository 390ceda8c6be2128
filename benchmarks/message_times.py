"""Measure what the times of messages tell a bot of its rival's cards.

    python -m benchmarks.message_times [games]

Two bots play. Between two decisions of the first, hidden cards may have left the second one a choice that it declined
(asked), or none (forced): whether to play a purse against being sent back, whether to travel. Both look alike to the
first, but for the time until it is asked again. Printed are the medians of that time in milliseconds, and the AUC: how
often a time with such a decision is longer than one without, among times in which the second bot did the same for all
to see. 0.5 tells nothing, 1.0 everything. It is measured with the pauses of the referee (`arena.referee.time`) and
without them, by bots that think 4 milliseconds and by bots that answer at once.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from arena.entrants import build, expand
from arena.game.clock import TimeControl
from arena.game.replay import replay
from arena.game.spec import GameSpec
from arena.ledger.records import GameRecord
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.referee.time.pause_queue import PauseQueue
from engine import catalog
from engine.rules import Data

GAMES: Final = 40
DECLINES: Final = {"kosmos": ("travel", "stay"), "ravensburger": ("defend", "retreat")}
"""By game: the phase in which hidden cards may leave no choice, and the action that is then made."""
BOT: Final = Path(__file__).with_name("timing_bot.py")


class Wait(NamedTuple):
    """From an answer of the first bot to its next question."""

    public: tuple[str, ...]
    """What the rival did meanwhile that everybody knows of."""
    was_asked: bool
    ms: float


def measure(name: str, thinks: int, games: int, with_pauses: bool) -> dict[str, Any]:
    """Play, and return the medians and the AUC. `thinks`: milliseconds."""
    rules = catalog.rules(name)
    edition: Any = rules.edition("standard")
    edition["parameters"]["max_rounds"] = 30
    if "cards" in edition:  # more attacks, and more defences
        edition["cards"] |= {"handcuffs": 20, "purse": 10}
    with tempfile.TemporaryDirectory(prefix="times-") as temporary:
        folder = Path(temporary)
        bots = [copy(BOT, folder / f"{role}_{ms}.py") for role, ms in (("first", 0), ("second", thinks))]
        built = {entrant.name: build(entrant, folder / "cache") for entrant in expand([*map(str, bots)]).found}
        config = RefereeConfig(name, edition, TimeControl(start=60.0, move=30.0, bank=60.0), built)
        specs = [GameSpec(f"g{n}", n, 2, n, 0, f"{n:032x}", list(built)) for n in range(games)]
        pause = PauseQueue.pause if with_pauses else lambda *given: False
        with patch.object(PauseQueue, "pause", pause), Referee(config) as referee:
            records = referee.play(specs)
    waits = [wait for record in records for wait in waits_of(record, name, edition)]
    asked, forced = ([wait.ms for wait in waits if wait.was_asked is kind] for kind in (True, False))
    return {
        "asked_ms": round(statistics.median(asked), 3),
        "forced_ms": round(statistics.median(forced), 3),
        "auc": round(auc(waits), 3),
        "waits": [len(asked), len(forced)],
    }


def waits_of(record: GameRecord, name: str, edition: Data) -> Iterator[Wait]:
    """Generate the waits of the first bot in which the rival had, or might have had, just one hidden decision."""
    phase, decline = DECLINES[name]
    public, hidden = list[str](), list[bool]()
    for step, _, _, state in replay(record, catalog.rules(name), edition):
        if step.seat == 0:
            if len(hidden) == 1 and step.metrics and "ms" in step.metrics:
                yield Wait(tuple(sorted(public)), hidden[0], step.metrics["ms"])
            public, hidden = [], []
        elif step.action is not None and step.action["do"] == decline:
            hidden.append(True)
        else:
            public.append("" if step.action is None else step.action["do"])
        hidden += [False for move in state.forced_moves() if (move.seat, move.phase) == (1, phase)]


def auc(waits: list[Wait]) -> float:
    """Return how often an asked wait is longer than a forced one with the same public acts; half for equal ones."""
    groups: dict[tuple[str, ...], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for wait in waits:
        groups[wait.public][wait.was_asked].append(wait.ms)
    pairs = sum(len(forced) * len(asked) for forced, asked in groups.values())
    longer = sum((b > a) + (b == a) / 2 for forced, asked in groups.values() for a in forced for b in asked)
    return longer / pairs


if __name__ == "__main__":
    number = int(sys.argv[1]) if sys.argv[1:] else GAMES
    for of, (in_phase, _) in DECLINES.items():
        for milliseconds in (4, 0):
            for pauses in (False, True):
                figures = measure(of, milliseconds, number, pauses)
                row = {"game": of, "phase": in_phase, "thinks_ms": milliseconds, "pauses": pauses, **figures}
                print(json.dumps(row), flush=True)
