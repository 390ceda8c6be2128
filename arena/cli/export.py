"""`arena export`: write the games of a tournament as a table, each game as a file of its own, or all decisions."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.options import Folder, folder_to_read, option, words
from arena.cli.progress import ProgressLines, drawn_bar
from arena.cli.terminal import say, warn
from arena.common.allowed_words import refused
from arena.common.printable import counted
from arena.common.processes import ProcessPool, cores
from arena.common.progress import SILENT
from arena.features.decisions import export_decisions
from arena.ledger import Ledger
from arena.replays.export import WRITERS, export_folder, export_table

EXAMPLES: Final = (
    "arena export --to export",
    "arena export tournaments/default --to games.csv",
    "arena export tournaments/default --to export --format parquet",
    "arena export tournaments/default --decisions data",
)
_OPEN: Final = 2
"""Calls that wait for each process, so that none has to."""


def command(
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            help="A folder for the table and all games, or a .csv or .parquet file for the table.",
            metavar="PATH",
        ),
    ] = None,
    folder: Folder = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format", help=f"One of {', '.join(WRITERS)}. Default: csv.", autocompletion=words(lambda: WRITERS)
        ),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            help="Instead of --to: a folder for all decisions, one row each, as Parquet with a data card.",
            metavar="FOLDER",
        ),
    ] = None,
    features: Annotated[
        Path | None,
        typer.Option(
            help="With --decisions: also the numbers by this form, a file of arena.features.Form.", metavar="FILE"
        ),
    ] = None,
    jobs: Annotated[int | None, option("jobs", "With --decisions: processes. Default: one per core.")] = None,
) -> None:
    """Write the games as CSV or Parquet, one row per seat, and as files for `arena replay`.

    Or write all decisions as a data set to learn from. Works while games are played.
    """
    if (to is None) == (decisions is None):
        why = "say where to write: --to for games, or --decisions for a data set"
        raise typer.BadParameter(why, param_hint="--to")
    if decisions is not None:
        if format_ is not None:
            raise typer.BadParameter("decisions are Parquet: leave it out", param_hint="--format")
        _decisions(folder_to_read(folder), decisions, features, jobs or cores())
        return
    if features is not None or jobs is not None:
        raise typer.BadParameter("only --decisions has that", param_hint="--jobs" if features is None else "--features")
    if format_ is not None and format_ not in WRITERS:
        raise typer.BadParameter(refused(format_, WRITERS), param_hint="--format")
    assert to is not None
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


def _decisions(folder: Path, to: Path, features: Path | None, processes: int) -> None:
    with Ledger.open(folder) as ledger, drawn_bar() or ProgressLines() as progress:
        pool = partial(ProcessPool, processes)
        written = export_decisions(ledger, to, pool, _OPEN * processes, features, progress)
    if written.left_out:
        warn(f"{counted(len(written.left_out), 'game')} left out, which cannot be played again: {written.left_out[0]}")
    say(f"{written.decisions} decisions of {counted(written.games, 'game')} written: {to}")
    say(f"head {written.head}")
