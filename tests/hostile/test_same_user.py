"""Bots that attack the arena as programs of the same user, and what takes a tournament of its own to show."""

from __future__ import annotations

import pytest

from tests.hostile.levels import ALONE, FAILS, costs
from tests.hostile.yard import HONEST, Yard, charged, linux

pytestmark = [pytest.mark.process, pytest.mark.slow, linux]


def test_who_kills_workers_loses_its_games(yard: Yard) -> None:
    attacker = yard.hostile("attacker", "kill_worker", SEATS="01")
    honest = [HONEST / f"{name}.py" for name in ("greedy", "pairs", "saboteur")]
    # Against its first opponent it could be either of them: these games are set aside.
    shown = yard.play(attacker, *honest, "--games", 24, "--seed", 1, code=3)
    row = yard.row(shown, "attacker")
    assert row["wins"] == 0
    assert row["suspended"]
    codes = {code for game in yard.games() if "attacker" in game.bots for code in charged(game, "attacker")}
    assert costs(" ".join(codes)) == ALONE["kill_worker"].none
    yard.assert_clean(shown, "greedy", "pairs", "saboteur")
    assert next(iter(shown["failures"])) == "attacker"
    assert "all as recorded" in yard.shell.run("verify", "t").stdout


def test_who_lays_a_module_beside_a_rival_is_found_before_the_next_tournament(yard: Yard) -> None:
    assert ALONE["lay_module"].none.startswith(FAILS)
    attacker = yard.hostile("attacker", "forge_copy", SEATS="01")
    yard.tournament(attacker, yard.victim, "--games", 2, "--seed", 1)
    assert any(step.note == "forge_copy done" for game in yard.games() for step in game.steps)
    shown = yard.play(yard.victim, HONEST / "pairs.py", "--games", 2, "--seed", 2, "--fresh")
    assert "victim: its copy in the cache had been changed, and is made anew" in yard.last.stderr
    yard.assert_clean(shown, "victim", "pairs")
