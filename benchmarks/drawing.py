"""What it costs to draw and to note the rounds of the balanced format, by size of the field.

`python -m benchmarks.drawing` prints it as JSON. Times are of the processor; compare them within one run.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import tracemalloc

from arena.formats import Balanced, Block, Field, GameOutcome, PlayedBlock

COUNTS = (2, 3, 4, 5, 6)
FIELDS = (10, 100, 1000)
ROUNDS = 5
BLOCKS = 25_000
GAME = GameOutcome([], [], [], [])


def drawing_figures() -> dict[str, object]:
    """Return by size of the field what a round costs; beside it what 25,000 recorded blocks of the largest cost."""
    rounds = {bots: round_figures(bots) for bots in FIELDS}
    least, most = (rounds[bots]["µs a block"] for bots in (FIELDS[0], FIELDS[-1]))
    return {
        "rounds": {f"{bots} bots": figures for bots, figures in rounds.items()},
        f"a block of {FIELDS[-1]} bots to one of {FIELDS[0]}": round(most / least, 2),
        f"{BLOCKS} blocks noted": _noting_figures(FIELDS[-1]),
    }


def _field(bots: int) -> Field:
    return Field(tuple(f"bot{number:04}" for number in range(bots)), COUNTS)


def round_figures(bots: int) -> dict[str, float]:
    """Return what a round of so many bots costs."""
    field, format = _field(bots), Balanced(bytes(16))
    seconds, blocks = [], 0
    for number in range(ROUNDS):
        began = time.process_time()
        drawn = format.draw(number, field)
        seconds.append(time.process_time() - began)
        blocks = len(drawn)
        format.on_round(number, field, drawn)
    median = statistics.median(seconds)
    return {"s a round": round(median, 4), "blocks": blocks, "µs a block": round(1e6 * median / blocks, 1)}


def _noting_figures(bots: int) -> dict[str, float]:
    """Return the seconds for rounds and results of a tournament that goes on, and what is kept of them."""
    field, drawing = _field(bots), Balanced(bytes(16))
    rounds: list[list[Block]] = []
    while sum(map(len, rounds)) < BLOCKS:
        rounds.append(drawing.draw(len(rounds), field))
        drawing.on_round(len(rounds) - 1, field, rounds[-1])
    played = [[PlayedBlock(block.bots, [GAME] * len(block.bots)) for block in blocks] for blocks in rounds]
    tracemalloc.start()
    format = Balanced(bytes(16))
    _note(format, field, rounds, played)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    began = time.process_time()
    _note(Balanced(bytes(16)), field, rounds, played)
    return {"s": round(time.process_time() - began, 3), "MB kept": round(kept / 1e6, 1)}


def _note(format: Balanced, field: Field, rounds: list[list[Block]], played: list[list[PlayedBlock]]) -> None:
    for number, (blocks, results) in enumerate(zip(rounds, played, strict=True)):
        format.on_round(number, field, blocks)
        format.on_results(number, results)


if __name__ == "__main__":
    json.dump(drawing_figures(), sys.stdout, indent=2, ensure_ascii=False)
    print()
