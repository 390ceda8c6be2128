"""The examples in docs/adapters.md run as they stand, only shorter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.check import check
from arena.entrants import expand
from arena.game.clock import TimeControl

PAGE = Path(__file__).parents[3] / "docs" / "adapters.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
[BOT] = [code for code in EXAMPLES if "arena.client" in code]
SHORTER = {"max_simulations=50": "max_simulations=2", '"players": 3': '"players": 3, "max_decisions": 12'}


@pytest.mark.slow
@pytest.mark.parametrize("number", [number for number, code in enumerate(EXAMPLES) if code != BOT])
def test_an_example_runs(number: int) -> None:
    code = EXAMPLES[number]
    for long, short in SHORTER.items():
        code = code.replace(long, short)
    exec(compile(code, PAGE.name, "exec"), {})


def test_there_are_examples_for_both() -> None:
    assert ["open_spiel" in code for code in EXAMPLES] == [True, False, False]
    assert "pettingzoo" in EXAMPLES[1]
    assert all(long in EXAMPLES[0] for long in SHORTER)


@pytest.mark.slow
@pytest.mark.process
def test_the_bot_that_encodes_its_views_passes_the_check(tmp_path: Path) -> None:
    """What such a bot could fail at: an edition, a view and actions with fields of a later version, and who ends first.

    The other steps have it find the encoders of every edition for every number of players, which takes minutes.
    """
    (tmp_path / "encoding.py").write_text(BOT)
    [entrant] = expand([tmp_path / "encoding.py"]).found
    results = check(entrant, TimeControl(start=60.0, bank=60.0), only=["later", "bye"], cache=tmp_path / "cache")
    found = {each.step: each for each in results}
    assert {name: each.problem for name, each in found.items() if each.problem is not None} == {}
    assert (found["later"].outcome, found["bye"].outcome) == ("passed", "passed")
