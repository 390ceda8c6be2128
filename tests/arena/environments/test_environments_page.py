"""The examples in docs/environments.md run as they stand, only shorter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "environments.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
SHORTER = {"max_simulations=50": "max_simulations=2", '"players": 3': '"players": 3, "max_decisions": 12'}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs(number: int) -> None:
    code = EXAMPLES[number]
    for long, short in SHORTER.items():
        code = code.replace(long, short)
    exec(compile(code, PAGE.name, "exec"), {})


def test_there_are_examples_for_all() -> None:
    for name, code in zip(("gymnasium", "open_spiel", "pettingzoo"), EXAMPLES, strict=True):
        assert f"{name}" in code
    assert all(long in EXAMPLES[1] for long in SHORTER)
