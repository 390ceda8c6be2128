"""`arena docs`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import scenario

SCENARIOS = [
    scenario("all pages", "docs", first=4),
    scenario("a page that there is not", "docs cooking", "docs protocl", hide=[r", protocol, [^.\n]*"]),
]
