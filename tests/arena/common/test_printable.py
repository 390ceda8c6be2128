"""What others wrote is safe to print and short enough to show."""

from __future__ import annotations

import pytest

from arena.common.printable import printable, printable_lines, shorten


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
