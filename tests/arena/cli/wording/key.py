"""`arena key`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import scenario

SCENARIOS = [
    scenario("a name that nobody can have", "key a/b"),
    scenario("no key", "key ada --public short", "key ada --gateway short"),
]
