"""The command `arena` with its subcommands, and what an error looks like."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import arena
from arena.cli import games, leaderboard, match, replay, show, tournament, verify
from arena.cli.terminal import EXIT_CODES, ExitCode, say, warn
from arena.entrants import EntrantError
from arena.ledger import LedgerError
from arena.referee.replay import ReplayError
from arena.tournament.plan import PlanError
from engine.catalog import UnknownGame
from engine.game import EditionError

USER_ERRORS = (EditionError, EntrantError, LedgerError, PlanError, ReplayError, UnknownGame)
"""What the rooms below raise for input that cannot be used; their text is written for the user."""

app = typer.Typer(
    name="arena",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXIT_CODES,
)
for each in (tournament, match, show, leaderboard, replay, verify, games):
    each.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"arena {arena.__version__}")
        raise typer.Exit


@app.callback()
def _arena(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Tournaments of external bots that play board games with hidden hands."""


def main() -> None:
    """Run the command line; user errors become one line on stderr and exit code 2."""
    try:
        app()
    except USER_ERRORS as error:
        warn(f"arena: {error}")
        sys.exit(ExitCode.BAD_INPUT)
    except KeyboardInterrupt:
        warn("arena: interrupted")
        sys.exit(ExitCode.INTERRUPTED)
