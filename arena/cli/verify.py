"""`arena verify`: every game of a tournament played again and compared."""

from __future__ import annotations

import sys

import typer
from rich.progress import track

from arena.cli.options import AsJson, Folder, folder_to_read
from arena.cli.terminal import ExitCode, console, examples, print_json, say
from arena.ledger import Ledger, LedgerError
from arena.match.replay import verify
from arena.match.transcript import MatchStep
from arena.replays.cache import verify_page_data
from arena.tournament.audit import audit
from engine import catalog


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", epilog=examples("arena verify", "arena verify tournaments/default --json"))(command)


def command(
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Play every recorded game again and compare.

    From its seed and actions come the same ranks, scores and events, and what its page will tell.
    """
    with Ledger.open(folder_to_read(folder)) as ledger:
        meta = ledger.meta
        rules = catalog.game(meta["game"])
        ids = ledger.ids()
        found = {"tournament": audit(ledger)}
        shown = track(ids, "verifying", console=console(stderr=True), disable=not sys.stderr.isatty())
        for game_id in shown:
            try:
                game = ledger.game(game_id), rules, meta["edition"]
                moments: list[MatchStep] = []
                found[game_id] = verify(*game, moments.append) or verify_page_data(
                    *game, ledger.page_data(game_id), moments
                )
            except LedgerError as error:  # the other games are still worth knowing about
                found[game_id] = [str(error)]
    different = {name: differences for name, differences in found.items() if differences}
    if as_json:
        print_json({"games": len(ids), "different": different})
    else:
        for name, differences in different.items():
            for difference in differences:
                say(f"{name}: {difference}")
        say(
            f"{len(ids)} games verified"
            + (f", {len(different)} with differences" if different else ", all as recorded")
        )
    if different:
        raise typer.Exit(ExitCode.NO)
