"""Print the figures that README quotes as JSON: `python -m benchmarks`. It takes some minutes on an idle machine."""

from __future__ import annotations

import json
import os
import platform
import sys

from benchmarks.engine import engine_figures
from benchmarks.publish import publish_figures
from benchmarks.referee import referee_figures
from benchmarks.tournament import tournament_figures

GAME = "kosmos"
OTHER = "ravensburger"

figures = {
    "machine": {"python": platform.python_version(), "system": platform.system(), "cores": os.cpu_count()},
    "engine": {name: engine_figures(name) for name in (GAME, OTHER)},
    "referee": referee_figures(GAME),
    "tournament, games a second": tournament_figures(GAME),
    "publishing": publish_figures(GAME),
}
json.dump(figures, sys.stdout, indent=2)
print()
