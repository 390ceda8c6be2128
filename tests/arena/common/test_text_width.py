"""Text is measured, filled up and wrapped by the columns that it takes, not by its characters."""

from __future__ import annotations

import textwrap
from random import Random

import pytest

from arena.common.text_table import markdown_table, text_table
from arena.common.text_width import filled, text_width, wrapped

WIDE = "日本語ボット"


@pytest.mark.parametrize(
    ("text", "columns"),
    [("greedy", 6), (WIDE, 12), ("Ελλάς", 5), ("한국어", 6), ("ｱﾆﾒ", 3), ("e\u0301te\u0301", 3), ("Ａ", 2), ("", 0)],
)
def test_a_wide_letter_takes_two_columns_and_an_accent_none(text: str, columns: int):
    assert text_width(text) == columns
    assert text_width(filled(text, 20)) == text_width(filled(text, 20, to_the_right=True)) == 20


@pytest.mark.parametrize("letters", ["abc -", "日本-a ", "e\u0301語 a"])
def test_wrapped_lines_fit_and_lose_nothing(letters: str):
    random = Random(letters)
    for _ in range(200):
        text = "".join(random.choice(letters) for _ in range(random.randrange(40)))
        width = random.randrange(3, 20)
        lines = wrapped(text, width)
        assert all(text_width(line) <= width for line in lines), (text, width, lines)
        assert "".join("".join(lines).split()) == "".join(text.split())
        if text.isascii():
            assert lines == textwrap.wrap(text, width)


def test_the_columns_of_a_table_stand_below_each_other():
    rows = [("greedy", "25.0"), (WIDE, "7.5"), ("陳 and\nline two", "1")]
    lines = text_table(("bot", "rating"), rows, align=("left", "right")).splitlines()
    assert {text_width(line) for line in lines if line.strip() != "line two"} == {len("日本語ボット") * 2 + 2 + 8}
    assert [line for line in lines if WIDE in line] == [f"{WIDE}       7.5"]
    markdown = markdown_table(("bot", "rating"), rows[:2], ("left", "right")).splitlines()
    assert len({text_width(line) for line in markdown}) == 1


@pytest.mark.parametrize("width", range(12, 60, 3))
def test_a_table_of_wide_letters_fits_the_terminal(width: int):
    rows = [(WIDE * 4, "遅 3, crash 12"), ("陳", "-")]
    lines = text_table(("bot", "faults"), rows, width).splitlines()
    assert max(map(text_width, lines)) <= width
    assert "".join("".join(lines).split()).count("語") == 4
