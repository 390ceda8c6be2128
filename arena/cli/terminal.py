"""What the commands share when they speak to people and to scripts."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from rich.console import Console

from arena.cli import interrupts, streams
from arena.common.printable import printable_lines
from arena.standings.formats import json_text
from arena.standings.text_table import text_table


class ExitCode(IntEnum):
    """What a script learns from a command's exit code."""

    FINE = 0
    NO = 1
    """The command ran and its answer is no: `verify` found a difference, `check` a fault of the bot."""
    BAD_INPUT = 2
    """Something asked for does not exist or does not hold together; the message says what and where."""
    SET_ASIDE = 3
    """A tournament ended, but games failed twice through our own fault and are not part of it."""
    INTERRUPTED = interrupts.EXIT_CODE


EXIT_CODES = (
    "Exit codes: 0 fine, 1 the answer is no (verify, check, match), 2 bad input, "
    "3 games were set aside after failing twice, 130 interrupted."
)


def console(stderr: bool = False) -> Console:
    """A console of its own for each call, so that a test's captured streams are the ones written to."""
    return Console(stderr=stderr, highlight=False, markup=False, soft_wrap=True)


def say(text: str = "") -> None:
    """One line, or several, on stdout at once. Where that fails the program ends: quietly if nobody reads any more."""
    try:
        print(printable_lines(text), flush=True)
    except OSError as error:
        streams.discard(sys.stdout)
        # Not an Exception: within a game that would count as a failure of the referee's.
        if isinstance(error, BrokenPipeError):
            raise SystemExit(ExitCode.FINE) from None
        warn(f"arena: standard output cannot be written: {error.strerror}")
        raise SystemExit(ExitCode.BAD_INPUT) from None


def warn(text: str) -> None:
    """One line beside the result, or several, on stderr; where that cannot be written, nowhere."""
    try:
        # In one piece with its end: other threads and processes write there, too.
        print(f"{printable_lines(text)}\n", end="", file=sys.stderr, flush=True)
    except OSError:
        streams.discard(sys.stderr)


def set_apart(output: str) -> list[str]:
    """What a program wrote, line by line behind a bar: none can pass for one of ours, and its tabs stay tabs."""
    return [f"| {printable_lines(line)}" for line in output.splitlines()]


def print_json(data: Any) -> None:
    """Data for scripts."""
    say(json_text(data).removesuffix("\n"))


def terminal_width() -> int | None:
    """Return the columns of the terminal that stdout is; None off a terminal, where a line may have any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Lay out a table: on a terminal within its width, off it with a line a row."""
    return text_table(headers, rows, terminal_width())


def examples(*lines: str) -> str:
    """The examples at the end of a command's help: one line each, never wrapped."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
