"""Reading lines without blocking."""

from __future__ import annotations

import os

from arena.cli.play_terminal import LineReader


def test_lines_are_read_as_they_come_and_the_end_is_said():
    ours, theirs = os.pipe()
    reader = LineReader(ours)
    assert reader.line(0) is None
    os.write(theirs, b" 3 \n\nha")
    assert (reader.line(0).text, reader.line(0).text) == ("3", "")
    assert reader.line(0) is None, "not a whole line"
    os.write(theirs, b"lf \xff")
    os.close(theirs)
    last, end = reader.line(60), reader.line(60)
    assert (last.text, last.is_end) == ("half \ufffd", False)
    assert end.is_end
    assert reader.line(60).is_end
    os.close(ours)
    assert LineReader(ours).line(60).is_end, "a closed input has ended"


def test_a_line_without_an_end_is_cut():
    ours, theirs = os.pipe()
    reader = LineReader(ours)
    for _ in range(17):
        os.write(theirs, b"x" * 4096)
        if (line := reader.line(0)) is not None:
            break
    assert len(line.text) == 65536
    os.close(ours)
    os.close(theirs)
