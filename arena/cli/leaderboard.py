"""`arena leaderboard`: the tables of a tournament, for people, pages, spreadsheets and scripts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.terminal import examples
from arena.ledger import Ledger
from arena.publish import FORMATS, leaderboard
from arena.tournament.plan import DEFAULT_OUT


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "leaderboard",
        epilog=examples(
            "arena leaderboard",
            "arena leaderboard tournaments/default --players 4",
            "arena leaderboard --format github > LEADERBOARD.md",
            "arena leaderboard --format json",
        ),
    )(command)


def command(
    folder: Annotated[Path, typer.Argument(help="The tournament's folder.", metavar="DIR")] = DEFAULT_OUT,
    players: Annotated[int | None, typer.Option(help="Only the table of this player count.")] = None,
    format_: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "plain",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Print the leaderboards overall and for every player count, best first."""
    if format_ not in FORMATS:
        raise typer.BadParameter(f"{format_!r} is not one of {', '.join(FORMATS)}", param_hint="--format")
    with Ledger.open(folder) as ledger:
        counts: list[int] = ledger.meta["counts"]
        if players is not None and players not in counts:
            allowed = ", ".join(map(str, counts))
            raise typer.BadParameter(f"{players}: this tournament has games of {allowed}", param_hint="--players")
        sys.stdout.write(FORMATS["json" if as_json else format_](leaderboard(ledger, players)))
