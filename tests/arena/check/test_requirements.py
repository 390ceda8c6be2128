"""What `arena check` says that the protocol says stands there, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.check import STEPS, requirements

TEXT = (Path(__file__).parents[3] / "protocol.md").read_text("utf-8")


def section(number: str) -> str:
    """The text of a section with its subsections, as one line."""
    found = re.search(rf"^(#+) {re.escape(number)} .*?(?=^#{{2}} \d|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"there is no section {number}"
    body = found[0] if found[1] == "##" else re.split(r"^### (?!" + re.escape(number) + r" )", found[0], flags=re.M)[0]
    return " ".join(body.split())


@pytest.mark.parametrize("requirement", requirements.ALL, ids=lambda requirement: requirement.says[:40])
def test_what_is_quoted_stands_in_the_section_that_is_named(requirement):
    assert requirement.says in section(requirement.section)
    assert requirement.advice.endswith(".")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_step_belongs_to_a_section(step):
    assert section(step.section)


def test_steps_need_only_earlier_ones():
    seen: set[str] = set()
    for step in STEPS:
        assert step.needs is None or step.needs in seen
        assert step.name not in seen
        seen.add(step.name)
