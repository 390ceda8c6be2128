"""Print the figures that docs/speed.md quotes, as JSON: `python -m benchmarks`.

A line is printed for each section when it is done. All take some minutes on an idle machine.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable

from arena.common.machine import ENGINE_BUILD
from benchmarks.engine import engine_figures
from benchmarks.publish import publish_figures
from benchmarks.referee import referee_figures
from benchmarks.tournament import tournament_figures

GAME = "kosmos"
OTHER = "ravensburger"

SECTIONS: dict[str, Callable[[], object]] = {
    "machine": lambda: {
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "engine": ENGINE_BUILD,
    },
    "engine": lambda: {name: engine_figures(name) for name in (GAME, OTHER)},
    "referee": lambda: referee_figures(GAME),
    "tournament, games a second": lambda: tournament_figures(GAME),
    "publishing": lambda: publish_figures(GAME),
}

for section, figures in SECTIONS.items():
    print(json.dumps({section: figures()}), flush=True)
