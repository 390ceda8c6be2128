"""`--seed`: a number that other programs of this machine need not learn, as it gives away every deck."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

import typer

from arena.cli.options import reader
from arena.common.regular_files import read_regular, why_unread
from arena.tournament.bounds import NUMBERS

VARIABLE: Final = "ARENA_SEED"
"""The environment variable that stands for the option."""
_ASK: Final = "-"
_MOST: Final = 4096
"""Bytes of a file with a number."""
_read_number: Final = reader(NUMBERS["seed"])


def seed_option(help: str) -> Any:
    """Return the option, with its help."""
    return typer.Option("--seed", help=help, parser=read_seed, metavar="N|@FILE|-", envvar=VARIABLE, show_envvar=False)


def read_seed(text: str) -> int:
    """Return the number that is typed, or that stands in a file (`@FILE`), or that is asked for (`-`).

    Programs that are started from here on do not find it in their environment.

    Raises:
        typer.BadParameter: It is no such number, or the file cannot be read.
    """
    os.environ.pop(VARIABLE, None)
    if text == _ASK:
        text = typer.prompt("seed", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.readline()
    elif text.startswith("@"):
        text = _in_file(Path(text[1:]))
    return int(_read_number(text.strip()))


def _in_file(file: Path) -> str:
    try:
        return read_regular(file, _MOST).decode("ascii")
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be read: {why_unread(error)}") from None
    except ValueError as error:
        raise typer.BadParameter(f"{file} holds no number: {why_unread(error)}") from None
