"""The commands by name, each loaded when it is first asked for: to import all of them takes longer than most run."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

import typer
import typer.main
from typer.core import TyperCommand

SUMMARIES: Final = {
    "tournament": "Play a round robin across player counts.",
    "compare": "Tell whether the bot NEW is better than the bot OLD.",
    "match": "Play one game and print it turn by turn.",
    "play": "Play against bots yourself, on a page or in this terminal.",
    "show": "Show a tournament, running or finished: its settings, its latest games and the tables so far.",
    "list": "List the tournaments, the one last run first.",
    "leaderboard": "Print the leaderboards: one overall and one for each number of players, best bot first.",
    "report": "State what a tournament shows, or with --bot report to a bot's author how it fared.",
    "replay": "Print a recorded game turn by turn: all of it, or what one seat saw.",
    "verify": "Derive the schedule again, replay every recorded game, and compare.",
    "publish": "Write a site about a tournament: its tables, its bots and every game to play back.",
    "export": "Write the games as CSV or Parquet, one row per seat, and as files for `arena replay`.",
    "games": "List the games, or the settings of one game: each with its values, its editions and its source.",
    "new": "Create a folder with a working bot.",
    "check": "Check a bot against the protocol.",
    "cluster": "Start a scheduler and N workers on this machine, for `arena tournament --cluster`.",
    "doctor": "Show how bots can be kept apart on this machine, what that costs, and how to get the rest.",
    "docs": "List the pages of documentation, or show one of them.",
}
"""The first sentence of each command's help, in the order in which `arena --help` lists them."""
_MODULES: Final = {"list": "listing"}
"""Where a command's module has another name: `list` would hide Python's own."""


@cache
def load(name: str) -> TyperCommand:
    """Import a command of `SUMMARIES` and assemble it."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    import_module(f"arena.cli.{_MODULES.get(name, name)}").register(alone)
    command = typer.main.get_command(alone)
    assert isinstance(command, TyperCommand)
    return command


def listed() -> list[TyperCommand]:
    """Return a stand-in for every command, which has its name and summary but cannot run."""
    return [TyperCommand(name, help=summary, short_help=summary) for name, summary in SUMMARIES.items()]
