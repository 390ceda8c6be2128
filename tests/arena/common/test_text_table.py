"""Tables are laid out and wrapped by the columns that letters take, not by their number."""

from __future__ import annotations

import pytest
from wcwidth import width as text_width

from arena.common.text_table import text_table

WIDE = "日本語ボット"


def test_the_columns_of_a_table_stand_below_each_other():
    rows = [("greedy", "25.0"), (WIDE, "7.5"), ("陳 and\nline two", "1")]
    lines = text_table(("bot", "rating"), rows, align=("left", "right")).splitlines()
    assert {text_width(line) for line in lines if line.strip() != "line two"} == {len("日本語ボット") * 2 + 2 + 8}
    assert [line for line in lines if WIDE in line] == [f"{WIDE}       7.5"]


@pytest.mark.parametrize("width", range(12, 60, 3))
def test_a_table_of_wide_letters_fits_the_terminal(width: int):
    rows = [(WIDE * 4, "遅 3, crash 12"), ("陳", "-")]
    lines = text_table(("bot", "faults"), rows, width).splitlines()
    assert max(map(text_width, lines)) <= width
    assert "".join("".join(lines).split()).count("語") == 4
