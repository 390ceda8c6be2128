"""`arena verify`: replay every game of a tournament and compare."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import typer

from arena.cli.options import AsJson, Folder, folder_to_read
from arena.cli.progress import ProgressBar
from arena.cli.terminal import ExitCode, examples, print_json, say
from arena.common.progress import SILENT
from arena.ledger import Ledger, LedgerError
from arena.match.replay import verify
from arena.match.transcript import MatchStep
from arena.replays.cache import verify_page_data
from arena.tournament.audit import audit
from engine import catalog
from engine.game import Data, Game


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", epilog=examples("arena verify", "arena verify tournaments/default --json"))(command)


def command(
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Play every recorded game again and compare.

    Its seed and actions must give the same ranks, scores and events, and the same data for its page.
    """
    with (
        Ledger.open(folder_to_read(folder)) as ledger,
        ProgressBar() if sys.stderr.isatty() else nullcontext(SILENT) as progress,
    ):
        settings = ledger.settings
        rules = catalog.game(settings.game)
        ids = ledger.ids()
        found = {"tournament": audit(ledger)}
        progress.stage("verifying", len(ids))
        for game_id in ids:
            found[game_id] = _differences(ledger, game_id, rules, settings.edition)
            progress.advance(game_id)
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


def _differences(ledger: Ledger, game_id: str, rules: Game, edition: Data) -> list[str]:
    """Replay one game, and return how the result differs from its record."""
    try:
        record = ledger.game(game_id)
        match_steps: list[MatchStep] = []
        if differences := verify(record, rules, edition, match_steps.append):
            return differences
        return verify_page_data(record, rules, edition, ledger.page_data(game_id), match_steps)
    except LedgerError as error:  # the other games are still worth knowing about
        return [str(error)]
