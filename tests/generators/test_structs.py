"""The types in the starters are those of docs/schema. The starters' own tests hold every golden vector against them."""

from __future__ import annotations

from pathlib import Path

import pytest

from generators.structs.files import files
from generators.structs.model import COMMAND


@pytest.mark.parametrize("file", files(), ids=lambda file: f"{file.parent.name}-{file.name}")
def test_a_starters_types_are_those_of_the_schemas(file: Path) -> None:
    text = file.read_text("utf-8")
    assert text == files()[file], f"{file} is not what the schemas say any more; run: {COMMAND}"
    assert COMMAND in text.splitlines()[0], "a reader has to see that it is made, and how"
