"""Print for people and for scripts, and name the exit codes.

What lays out tables and colours is imported when it is first needed, because every command imports this module.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
import sys
from collections.abc import Sequence
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from arena.cli import interrupts
from arena.common.printable import printable_lines

if TYPE_CHECKING:
    from rich.console import Console
from typing import Final, TextIO


class ExitCode(IntEnum):
    """The exit codes of the commands."""

    FINE = 0
    NO = 1
    """The command ran and the answer is no.

    `verify` found a difference, `check` or `games --check` a fault, `match` retired a bot, a bot that `replay` asks now
    answers otherwise, `doctor` finds no such isolation as was required, or for `compare` the new bot is not better.
    """
    BAD_INPUT = 2
    """Bad input. The message says what is wrong, where, and what to do."""
    SET_ASIDE = 3
    """The tournament ended, but games failed twice through the arena's own fault and were set aside.

    Or the one game of `match` failed.
    """
    SHORT = 4
    """The tournament ended, but most of the games asked for could not be played, or nobody answered in most of them.

    For `rate`: a bot is not known as well as was asked for.
    """
    INTERRUPTED = interrupts.EXIT_CODE


EXIT_CODES = (
    "Exit codes: 0 success, 1 the answer is no (verify, check, games --check, match, replay, "
    "doctor, compare), 2 bad input, 3 games were set aside after failing twice, or the one of match failed, "
    "4 most of the games asked for could not be played, or had no two bots that answered, or rate does not know "
    "enough, 130 interrupted."
)


def console(stderr: bool = False) -> Console:
    """Return a new console for the current stdout or stderr, which a test may have replaced."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, soft_wrap=True)


def can_draw() -> bool:
    """Return whether stderr is a terminal on which lines can be drawn anew, and nobody asked for plain text."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR") and not _is_dumb()


def can_clear() -> bool:
    """Return whether stdout is a terminal that can be cleared. Wishes about colours and stderr have no say in it."""
    return sys.stdout.isatty() and not _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM", "").lower() in ("", "dumb", "unknown")


def say(text: str = "") -> None:
    """Print lines to stdout at once. If that fails, end the program.

    If the reader has gone, go on quietly: how the command ends is still its answer.
    """
    try:
        print(printable_lines(text), flush=True)
    except OSError as error:
        discard(sys.stdout)
        if isinstance(error, BrokenPipeError):
            return
        warn(f"arena: standard output cannot be written: {error.strerror}")
        # Not an Exception: within a game that would count as a failure of the referee's.
        raise SystemExit(ExitCode.BAD_INPUT) from None


def warn(text: str) -> None:
    """Print lines to stderr. Drop them if they cannot be written."""
    try:
        # In one piece with its end: other threads and processes write there, too.
        print(f"{printable_lines(text)}\n", end="", file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def alarm(text: str) -> None:
    """Print a line to stderr that nobody should miss: red on a terminal."""
    try:
        console(stderr=True).print(printable_lines(text), style="bold red")
    except OSError:
        discard(sys.stderr)


def set_apart(output: str) -> list[str]:
    """Return the lines of a program's output, each behind a bar so that none can pass for one of ours."""
    return [f"| {printable_lines(line)}" for line in output.splitlines()]


def print_json(data: Any) -> None:
    """Print data as JSON, for scripts. Where stdout is not UTF-8, letters are escaped."""
    from arena.standings.leaderboard_text import json_text

    say(json_text(data, escaped=not _is_utf8()).removesuffix("\n"))


def say_file(text: str) -> None:
    """Print what programs read, such as CSV: in UTF-8, whatever the terminal's encoding."""
    if not _is_utf8() and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors=ERRORS)
    say(text.removesuffix("\n"))


def _is_utf8() -> bool:
    return codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"


def terminal_width() -> int | None:
    """Return the columns of the terminal. Return None if stdout is none: a line may then have any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Lay out a table: within the width of a terminal, else with one line per row."""
    from arena.common.text_table import text_table

    return text_table(headers, rows, terminal_width())


def local_time(moment: str | None, unknown: str) -> str:
    """Return a moment as local time, to the minute, with its difference from UTC; `unknown` if it is none."""
    try:
        return unknown if moment is None else datetime.fromisoformat(moment).astimezone().isoformat(" ", "minutes")
    except ValueError:
        return unknown


ERRORS: Final = "arena"
"""How a terminal that cannot show a letter shows it: our own signs by others, and all else by its number."""
_SIGNS: Final = {"±": "+-", "–": "-", "…": "...", "×": "x", "µ": "u"}


def _shown_otherwise(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = _SIGNS.get(error.object[error.start])
    return codecs.backslashreplace_errors(error) if sign is None else (sign, error.start + 1)


codecs.register_error(ERRORS, _shown_otherwise)


def open_closed() -> None:
    """Open /dev/null for the standard streams that this process was started without.

    Else the next files that it opens would get their numbers. Printing a result to a closed stdout still fails.
    Messages
    to a closed stderr are lost, but the command runs and its exit code says how it ended.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(_null(os.O_RDONLY), encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = os.fdopen(_null(os.O_RDONLY), "w", encoding="utf-8")  # which cannot be written
    if sys.stderr is None:
        sys.stderr = os.fdopen(_null(os.O_WRONLY), "w", encoding="utf-8")


def discard(stream: TextIO) -> None:
    """Drop what the stream still buffers, which would fail once more when Python ends."""
    os.dup2(_null(os.O_WRONLY), stream.fileno())


def _null(flags: int) -> int:
    number = os.open(os.devnull, flags)
    if number <= 2:
        os.set_inheritable(number, True)  # as standard streams are
    return number
