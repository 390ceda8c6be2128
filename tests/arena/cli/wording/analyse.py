"""`arena analyse`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import scenario, tournament

GAME = "p2-b0000-r0"
SCENARIOS = [
    scenario(
        "a seat of a game",
        f"analyse t {GAME} --seat 2 --playouts 8 --jobs 1",
        given=tournament(),
        hide=[r"\d[\d.e-]* seconds"],
        first=12,
    ),
    scenario(
        "what does not go together",
        f"analyse t {GAME} --playouts 8 --time 1s",
        f"analyse t {GAME} --time 8",
        f"analyse t {GAME} --playouts 0",
        f"analyse t {GAME} --seat 3",
        "analyse t nothing",
        given=tournament(),
    ),
]
