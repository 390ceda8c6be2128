"""Assemble the command `arena` from its subcommands, and print the errors of all of them."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from arena.cli import commands, interrupts, log
from arena.cli.progress import Quiet
from arena.cli.terminal import ERRORS, EXIT_CODES, ExitCode, discard, open_closed, warn
from arena.common.protection import adopt_orphans, forbid_inspection


class _Arena(TyperGroup):
    """Loads the command that was typed, and turns what it raises into a line on stderr and a documented exit code.

    Until then commands are their names and summaries, so that the help is there at once.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in commands.listed():
            self.add_command(command)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> tuple[str | None, TyperCommand | None, list[str]]:  # type: ignore[override]
        """Load the command whose name comes first in `args`."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, None if listed is None else commands.load(listed.name), rest

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run a command."""
        # Before it runs, because when descriptors or memory run out nothing can be imported any more.
        from arena.cli.failures import USER_ERRORS, message_for
        from arena.entrants.shortage import raise_limits

        raise_limits()
        try:
            return super().invoke(ctx)
        except (*USER_ERRORS, OSError) as error:
            if (text := message_for(error)) is None:
                raise
            warn(f"arena: {text}")
            raise typer.Exit(ExitCode.BAD_INPUT) from None
        except KeyboardInterrupt:
            warn(interrupts.MESSAGE.removesuffix("\n"))
            raise typer.Exit(ExitCode.INTERRUPTED) from None


app = typer.Typer(
    name="arena",
    cls=_Arena,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain help and errors: the same in a terminal, a pipe and docs/commands.md.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXIT_CODES,
)


@app.callback()
def _arena(version: commands.Version = False, quiet: Quiet = False) -> None:
    """Tournaments of external bots that play board games with hidden hands."""
    log.configure_from_environment()


def run() -> None:
    """Run the command line in this process's terminal."""
    forbid_inspection()  # bots run as the same user, and some commands know seeds and tokens
    adopt_orphans()
    open_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERRORS)
    if "COMP_WORDS" in os.environ:  # Bash asks what comes next
        from arena.cli.options import join_words

        join_words(os.environ)
    try:
        app(prog_name="arena")
    except OSError as error:  # help and usage are printed before there is a command
        from arena.cli.failures import message_for

        if (text := message_for(error)) is None:
            raise
        discard(sys.stdout)
        warn(f"arena: {text}")
        raise SystemExit(ExitCode.BAD_INPUT) from None
