"""`arena leaderboard`: print the tables of a tournament for people, web pages, spreadsheets or scripts."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from arena.cli.options import Folder, folder_to_read, reader, words
from arena.cli.terminal import print_json, say, say_file, terminal_width
from arena.common.allowed_words import refused
from arena.ledger import Ledger
from arena.rating import NAMES, rating_system
from arena.standings import TEXT_FORMATS, leaderboard, rated_results
from arena.standings.leaderboard_text import plain
from arena.tournament.bounds import NumberBounds

EXAMPLES: Final = (
    "arena leaderboard",
    "arena leaderboard tournaments/default --players 4",
    "arena leaderboard --format github > LEADERBOARD.md",
    "arena leaderboard --format json",
    "arena leaderboard --rating sequential",
)


def command(
    folder: Folder = None,
    players: Annotated[
        int | None,
        typer.Option(help="Only the table for this number of players.", parser=reader(NumberBounds(1)), metavar="N"),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"One of {', '.join(TEXT_FORMATS)}. Default: plain.",
            autocompletion=words(lambda: TEXT_FORMATS),
        ),
    ] = None,
    rating: Annotated[
        str | None,
        typer.Option(
            help=f"The rating system: one of {', '.join(NAMES)}. Default: score for rules that are played for a score, "
            "else trueskill.",
            autocompletion=words(lambda: NAMES),
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Print the leaderboards: one overall and one for each number of players, best bot first."""
    if as_json and format_ not in (None, "json"):
        raise typer.BadParameter(f"--json and --format {format_}: choose one", param_hint="--json")
    default = "json" if as_json else "plain"
    chosen = default if format_ is None else format_
    if chosen not in TEXT_FORMATS:
        raise typer.BadParameter(refused(chosen, TEXT_FORMATS), param_hint="--format")
    with Ledger.open(folder_to_read(folder)) as ledger:
        system = rating_system(rating, ledger.settings.game)
        results = rated_results(ledger)
        # A bot that left may have been needed for the games of most players.
        counts = {*ledger.settings.counts(len(ledger.field())), *(result.players for result in results)}
        if players is not None and players not in counts:
            allowed = ", ".join(map(str, sorted(counts)))
            raise typer.BadParameter(f"{players}: this tournament has games of {allowed}", param_hint="--players")
        board = leaderboard(ledger, players, results=results, system=system)
    if chosen == "json":
        print_json(board.data())
    elif chosen == "plain":
        say(plain(board, terminal_width()).removesuffix("\n"))
    else:
        say_file(TEXT_FORMATS[chosen](board))
