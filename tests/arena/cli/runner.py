"""Run `arena` within this process, assembled once: assembling it takes longer than most of its commands."""

from __future__ import annotations

from functools import cache

import typer.main
import typer.testing
from typer.testing import CliRunner, Result

from arena.cli.app import app

typer.testing._get_command = cache(typer.main.get_command)  # type: ignore[attr-defined]


def run(*words: object, typed: str | None = None) -> Result:
    """Run a command off a terminal, with this as its standard input: the runner fixes the width at 80 columns."""
    return CliRunner().invoke(app, [str(word) for word in words], prog_name="arena", input=typed)
