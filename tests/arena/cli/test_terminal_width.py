"""Tables on a terminal fit its width and lose nothing; off a terminal they have a line a row."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios

import pytest

from arena.common.text_table import text_table

COLUMNS = 80


def on_a_terminal(shell, *words: object) -> list[str]:
    """The lines that a command prints on a terminal of `COLUMNS` columns."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    said = b""
    environment = {"TERM": "xterm-256color", "COLUMNS": "", "LINES": ""}
    with shell.start(*words, stdout=its, stderr=subprocess.DEVNULL, env=environment) as run:
        os.close(its)
        try:
            while chunk := os.read(ours, 65536):
                said += chunk
        except OSError:
            pass  # its end is closed
        assert run.wait() == 0
    os.close(ours)
    return said.decode().replace("\r\n", "\n").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("games", "kosmos"), ("new", "--list"), ("show",), ("show", "--history"), ("leaderboard",)]
)
def test_no_line_of_a_table_is_wider_than_the_terminal(shell, played, words):
    folder = [played] if words[0] in ("show", "leaderboard") else []
    lines = on_a_terminal(shell, *words, *folder)
    rules = [line for line in lines if line.startswith("---")]
    assert rules
    assert max(map(len, rules)) <= COLUMNS
    assert max(len(line) for line in lines if "  " in line) <= COLUMNS


def test_off_a_terminal_a_row_is_a_line(cli):
    lines = cli("games", "kosmos").stdout.splitlines()
    assert max(map(len, lines)) > COLUMNS


def test_wrapped_cells_lose_no_letter():
    name = "a_name_without_a_gap_" * 4
    told = text_table(("bot", "faults"), [(name, "late 3, crash 12, retired 5")], width=40).splitlines()
    assert max(map(len, told)) <= 40
    cut = told[1].index("  ")
    assert "".join(line[:cut].strip() for line in told[2:]) == name
    assert " ".join(line[cut:].strip() for line in told[2:]).split() == ["late", "3,", "crash", "12,", "retired", "5"]
    assert not any(line.rstrip().endswith(("late", "crash", "retired")) for line in told), "a number keeps its word"


def test_where_not_even_wrapped_columns_fit_a_row_is_lines_of_its_own_and_loses_nothing():
    heads = ("folder", "game", "format", "field", "games", "leader", "last run", "state")
    rows = [("tournaments/default-2", "kosmos", "balanced", "3 bots", "7", "greedy by Ada", "2026-01-01 11:00", "over")]
    assert "---" in text_table(heads, rows, width=90)
    lines = text_table(heads, rows * 2, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert [line for line in lines if line[0] != " "] == ["tournaments/default-2"] * 2
    told = " ".join(" ".join(lines[1 : len(lines) // 2]).split())
    assert told.split("; ") == [f"{head} {cell}" for head, cell in zip(heads[1:], rows[0][1:], strict=True)]


def test_an_empty_table_has_its_headings():
    assert text_table(("bot", "rating"), [], width=80).split()[:2] == ["bot", "rating"]
