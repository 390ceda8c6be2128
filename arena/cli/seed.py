"""`--seed`: a number that other programs of this machine need not learn, as it gives away every deck."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import typer

from arena.common.regular_files import read_regular, why_unread

VARIABLE: Final = "ARENA_SEED"
"""The environment variable that stands for the option."""
_ASK: Final = "-"
_MOST: Final = 4096
"""Bytes of a file with a number."""


def seed_text(text: str) -> str:
    """Return the text of the number that is typed, or that stands in a file (`@FILE`), or that is asked for (`-`).

    Programs that are started from here on do not find it in their environment.

    Raises:
        typer.BadParameter: The file cannot be read.
    """
    os.environ.pop(VARIABLE, None)
    if text == _ASK:
        text = typer.prompt("seed", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.readline()
    elif text.startswith("@"):
        text = _in_file(Path(text[1:]))
    return text.strip()


def _in_file(file: Path) -> str:
    try:
        return read_regular(file, _MOST).decode("ascii")
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be read: {why_unread(error)}") from None
    except ValueError as error:
        raise typer.BadParameter(f"{file} holds no number: {why_unread(error)}") from None
