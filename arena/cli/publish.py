"""`arena publish`: write a tournament as a site for any static host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.options import AsJson, Folder, folder_to_read, option, reader
from arena.cli.progress import ProgressLines, drawn_bar
from arena.cli.terminal import print_json, say, warn
from arena.common.printable import counted, printable
from arena.ledger import Ledger
from arena.reports.bot_report import games_to_analyse
from arena.site import publish
from arena.site.github_pages import write_workflow
from arena.tournament.bounds import NumberBounds

_NAMED = 5
"""How many games without a replay are named."""


EXAMPLES: Final = (
    "arena publish --to site",
    "arena publish tournaments/default --to site --title 'Spring cup'",
    "arena publish --to site --url https://example.org/cup/",
    "arena publish --to site --analyse 20",
    "arena publish --github-pages",
)


def command(
    folder: Folder = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder of the site: new, empty, or an earlier site.", metavar="SITE")
    ] = None,
    jobs: Annotated[int | None, option("jobs", "Processes. Default: one per core.")] = None,
    title: Annotated[str | None, typer.Option(help="Title of the site.", metavar="TEXT")] = None,
    url: Annotated[
        str | None, typer.Option(help="Address of the site, for its feed and pages to share.", metavar="URL")
    ] = None,
    analyse: Annotated[
        int | None,
        typer.Option(
            help="First analyse so many games: those that reports on bots name, then others, spread evenly.",
            parser=reader(NumberBounds(1)),
            metavar="N",
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the site of another tournament.")] = False,
    github_pages: Annotated[
        bool,
        typer.Option(
            "--github-pages",
            help="Instead, write a workflow that plays and publishes, and a README section, into this folder.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="With --github-pages: overwrite files that differ.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a site about a tournament: its tables, its bots and every game to play back.

    Run it again to add new games.
    """
    if github_pages:
        if folder is not None:
            raise typer.BadParameter("--github-pages writes into the present folder alone", param_hint="DIR")
        given = {
            "--to": to,
            "--jobs": jobs,
            "--analyse": analyse,
            "--title": title,
            "--url": url,
            "--replace": replace or None,
        }
        for name, value in given.items():
            if value is not None:
                raise typer.BadParameter(f"--github-pages and {name}: choose one", param_hint=name)
        _write_workflow(force, as_json)
        return
    if force:
        raise typer.BadParameter("only together with --github-pages", param_hint="--force")
    if to is None:
        raise typer.BadParameter("name the folder of the site", param_hint="--to")
    if url is not None and not url.startswith(("http://", "https://")):
        raise typer.BadParameter(f"{url!r} does not begin with http:// or https://", param_hint="--url")
    source = folder_to_read(folder)
    if analyse is not None:
        _analyse(source, analyse, jobs)
    with drawn_bar() or ProgressLines() as progress:
        done = publish(source, to, jobs=jobs, title=title, url=url, replace=replace, progress=progress)
    for game, why in list(done.problems.items())[:_NAMED]:
        warn(f"{printable(game)} has no replay: {printable(why)}")
    if len(done.problems) > _NAMED:
        warn(f"and {counted(len(done.problems) - _NAMED, 'more game')} without one")
    if as_json:
        print_json({"site": str(to), **done._asdict()})
        return
    files = f"{counted(done.written, 'file')} written, {done.removed} removed"
    say(f"{counted(done.games, 'game')}, {done.made} new: {files}")
    say(f"{to / 'index.html'}")


def _analyse(folder: Path, number: int, jobs: int | None) -> None:
    """Analyse some games, so that their pages show it. Those that were analysed before cost nothing."""
    from arena.cli.analyse import analysed_games

    with Ledger.open(folder) as ledger:
        chosen = games_to_analyse(ledger, number)
        analysed_games(ledger, [(each.id, range(each.players)) for each in chosen], jobs)


def _write_workflow(force: bool, as_json: bool) -> None:
    to_do: list[str] = []
    written = [str(file) for file in write_workflow(Path(), force, to_do.append)]
    if as_json:
        print_json({"written": written, "to_do": to_do})
        return
    for file in written:
        say(f"written: {file}")
    if not written:
        say("nothing to write: all is there")
    for line in to_do:
        say(line)
