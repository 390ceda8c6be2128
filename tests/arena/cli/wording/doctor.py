"""`arena doctor`. What it finds depends on the machine: tests/arena/isolation/test_choice.py looks at that."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import scenario

SCENARIOS = [
    scenario("options that there are not", "doctor --all"),
]
