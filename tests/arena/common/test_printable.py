"""What others wrote is safe to print and short enough to show."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.common.printable import as_typed, percent, printable, printable_lines, shorten


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\x9b", "\u202e", "\u2028", "\ud800", "\ue000"])
def test_every_kind_of_control_character_is_replaced(char: str) -> None:
    assert printable(f"a{char}b") == printable_lines(f"a{char}b") == "a?b"


def test_line_breaks_and_tabs_stay_only_where_lines_are_asked_for() -> None:
    assert printable_lines("a\nb\tc é 中") == "a\nb\tc é 中"
    assert printable("a\nb\tc é 中") == "a?b?c é 中"
    assert printable("a\nb\tc", keep="\t") == "a?b\tc"


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    assert shorten("planner", 7) == "planner"
    assert shorten("planners", 7) == "planne…"


def test_a_command_is_typed_in_one_line_whatever_its_words() -> None:
    assert as_typed("arena", "check", Path("./-dash.py")) == "arena check ./-dash.py"
    words = ["a b", "it's", "line\nbreak", "\x1b[2J\\ 'é中\u202e", "größe", ""]
    line = as_typed("printf", r"%s\0", *words)
    assert line.isprintable()
    typed = subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout.decode()
    assert typed.split("\0")[:-1] == words


def test_a_half_of_a_percent_is_rounded_up_as_in_the_scripts_of_pages() -> None:
    shares = (None, 0.0, 0.005, 0.545, 0.565, 0.575, 0.5749, 0.995, 1.0)
    assert [percent(each) for each in shares] == ["-", *(f"{each} %" for each in (0, 1, 55, 57, 58, 57, 100, 100))]
