"""Assemble the command `arena` from its subcommands, and print the errors of all of them."""

from __future__ import annotations

import io
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import arena
from arena.cli import (
    check,
    compare,
    docs,
    doctor,
    export,
    games,
    interrupts,
    leaderboard,
    listing,
    log,
    match,
    new,
    publish,
    replay,
    show,
    streams,
    tournament,
    verify,
)
from arena.cli.failures import USER_ERRORS, message_for
from arena.cli.terminal import EXIT_CODES, ExitCode, say, warn
from arena.common.protection import adopt_orphans, forbid_inspection
from arena.entrants.shortage import raise_limits


class _Arena(TyperGroup):
    """Turns what a command raises into a line on stderr and a documented exit code."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run a command."""
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
for each in (
    tournament,
    compare,
    match,
    show,
    listing,
    leaderboard,
    replay,
    verify,
    publish,
    export,
    games,
    new,
    check,
    doctor,
    docs,
):
    each.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"arena {arena.__version__}")
        raise typer.Exit


@app.callback()
def _arena(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Tournaments of external bots that play board games with hidden hands."""
    log.configure_from_environment()


def run() -> None:
    """Run the command line in this process's terminal."""
    forbid_inspection()  # bots run as the same user, and some commands know seeds and tokens
    adopt_orphans()
    raise_limits()
    streams.open_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a letter shows a question mark.
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="arena")
    except OSError as error:  # help and usage are printed before there is a command
        if (text := message_for(error)) is None:
            raise
        streams.discard(sys.stdout)
        warn(f"arena: {text}")
        raise SystemExit(ExitCode.BAD_INPUT) from None
