"""`arena export`: write the games of a tournament as a table, and each game as a file of its own."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.options import Folder, folder_to_read, words
from arena.cli.progress import drawn_bar
from arena.cli.terminal import say
from arena.common.allowed_words import refused
from arena.common.progress import SILENT
from arena.ledger import Ledger
from arena.replays.export import WRITERS, export_folder, export_table

EXAMPLES: Final = (
    "arena export --to export",
    "arena export tournaments/default --to games.csv",
    "arena export tournaments/default --to export --format parquet",
)


def command(
    to: Annotated[
        Path,
        typer.Option(
            "--to",
            help="A folder for the table and all games, or a .csv or .parquet file for the table.",
            metavar="PATH",
        ),
    ],
    folder: Folder = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format", help=f"One of {', '.join(WRITERS)}. Default: csv.", autocompletion=words(lambda: WRITERS)
        ),
    ] = None,
) -> None:
    """Write the games as CSV or Parquet, one row per seat, and as files for `arena replay`.

    Works while games are played.
    """
    if format_ is not None and format_ not in WRITERS:
        raise typer.BadParameter(refused(format_, WRITERS), param_hint="--format")
    ending = to.suffix.removeprefix(".")
    single = ending in WRITERS and not to.is_dir()
    if single and format_ not in (None, ending):
        raise typer.BadParameter(f"{format_} and {to}: choose one", param_hint="--format")
    chosen = ending if single else format_ or "csv"
    with (
        Ledger.open(folder_to_read(folder)) as ledger,
        drawn_bar() or nullcontext(SILENT) as progress,
    ):
        exported = (export_table if single else export_folder)(ledger, to, chosen, progress)
    what = f"{to}" if single else f"{to / f'games.{chosen}'} and one file a game in {to / 'games'}"
    say(f"{exported.games} games written: {what}")
    say(f"head {exported.head}")
