"""Compare the compiled rules with those in Python, as JSON: `python -m benchmarks.builds WHEEL [ROUNDS]`.

WHEEL was made by `ARENA_COMPILE=1 pip wheel --no-deps .`. In each round a process of one build measures and then one of
the other, so that both suffer equally from what slows the machine; the ratios are of the same round. A line is printed
for each round and figure, and at the end the medians.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
GAMES = ("kosmos", "ravensburger")
MINUTES = 10


def main(wheel: str, rounds: int = 5) -> None:
    """Measure in turns, and print what is found as it is found."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        for number in range(rounds):
            python, compiled = (_measured(place, number) for place in (ROOT, Path(folder)))
            assert (python.pop("compiled"), compiled.pop("compiled")) == (False, True)
            for figure, value in python.items():
                found[figure].append((value, compiled[figure]))
            print(json.dumps({"round": number, "python": python, "compiled": compiled}), flush=True)
    for figure, pairs in found.items():
        python_median, compiled_median = (statistics.median(values) for values in zip(*pairs, strict=True))
        ratios = sorted(compiled / python for python, compiled in pairs)
        result = {"python": python_median, "compiled": compiled_median, "ratio": statistics.median(ratios)}
        print(json.dumps({figure: {**result, "ratios": [ratios[0], ratios[-1]]}}), flush=True)


def _measured(place: Path, run: int) -> dict[str, float]:
    """Measure a build in a process of its own, which finds the build's packages before these."""
    environment = os.environ | {"PYTHONPATH": f"{place}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-P", "-c", f"from benchmarks import builds; builds.measure({run})"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60 * MINUTES, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def measure(run: int) -> None:
    """In a process of one build: print its figures, with garbage collected seldom, as in workers and bots."""
    from arena.common.machine import COMPILED
    from arena.tournament.workers import collect_seldom
    from benchmarks.engine import one_run

    collect_seldom()
    figures: dict[str, float] = {"compiled": COMPILED}
    for name in GAMES:
        figures |= {f"{name} {figure}": round(value, 2) for figure, value in one_run(name, run).items()}
    print(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
