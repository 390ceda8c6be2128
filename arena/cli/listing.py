"""`arena list`: list the tournaments, the one last run first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from arena.cli.options import AsJson
from arena.cli.terminal import local_time, print_json, say, table, warn
from arena.common.printable import counted, printable, shorten
from arena.entrants.build import default_cache
from arena.ledger import Ledger, LedgerError
from arena.ledger.ledger import standing
from arena.standings.kept_leads import overall_lead
from arena.standings.lead import TOO_EARLY
from arena.tournament.folders import HOME, folders

_AUTHOR = 24
"""The most characters of an author's name."""


EXAMPLES: Final = ("arena list", "arena list --json", "arena list /srv/tournaments")


def command(
    home: Annotated[
        Path | None,
        typer.Argument(
            help="The folder that holds them, or one of them. Default: tournaments, and this one.", metavar="DIR"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the tournaments, the one last run first. Commands read that one when you name no folder."""
    found = []
    for folder in folders(home):
        try:
            found.append(_entry(folder))
        except LedgerError as error:
            warn(f"left out: {error}")
    found.sort(key=lambda entry: entry["last_run"] or "", reverse=True)
    if as_json:
        print_json(found)
    elif found:
        _show(found)
    else:
        warn(f"there is no tournament in {home or f'this folder or {HOME}'}: begin one with `arena tournament`")


def _entry(folder: Path) -> dict[str, Any]:
    stands = standing(folder)
    with Ledger.open(folder) as ledger:
        settings = ledger.settings
        bots = ledger.field()
        former = {event.bot for event in ledger.field_events()} - set(bots)
        leads = overall_lead(ledger, default_cache())
        named = leads.bots if leads is not None else []
        authors = {
            each.name: each.author for each in ledger.entrants() if each.author is not None and each.name in named
        }
    return {
        "folder": str(folder),
        "game": settings.game,
        "edition": settings.edition_name,
        "format": settings.format,
        "bots": len(bots),
        "former": len(former),
        "games": stands.played,
        "expected": stands.expected,
        "lead": msgspec.to_builtins(leads),
        "authors": msgspec.to_builtins(authors),
        "last_run": settings.last_run,
        "state": stands.state,
    }


def _show(found: list[dict[str, Any]]) -> None:
    rows = [
        (
            printable(entry["folder"]),
            printable(entry["game"]),
            printable(entry["format"]),
            _field(entry),
            _games(entry),
            _leader(entry["lead"], entry["authors"]),
            local_time(entry["last_run"], "-"),
            entry["state"],
        )
        for entry in found
    ]
    say(table(("folder", "game", "format", "field", "games", "leader", "last run", "state"), rows))


def _games(entry: dict[str, Any]) -> str:
    """Return how many games were played, of how many that are to come."""
    played, expected = entry["games"], entry["expected"]
    return str(played) if expected in (None, played) else f"{played} of {expected}"


def _field(entry: dict[str, Any]) -> str:
    """Return the size of the field, and how many versions of bots have left it."""
    bots, former = entry["bots"], entry["former"]
    return counted(bots, "bot") + (f", {former} left" if former else "")


def _leader(found: dict[str, Any] | None, authors: dict[str, dict[str, str]]) -> str:
    """Return the bot that leads with its author, and how many others may be the best too."""
    if found is None:
        return "-"
    leaders = found["bots"]
    if len(leaders) == found["of"] > 1:
        return TOO_EARLY
    by = authors.get(leaders[0], {}).get("name", "")
    others = f", or {counted(len(leaders) - 1, 'other')}" if len(leaders) > 1 else ""
    return printable(f"{leaders[0]} by {shorten(by, _AUTHOR)}" if by else leaders[0]) + others
