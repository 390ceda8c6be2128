"""Assemble the command `arena` from its subcommands, and print the errors of all of them.

Each is loaded when it is first asked for: to import all of them takes longer than most run.
"""

from __future__ import annotations

import io
import os
import sys
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

import arena
from arena.cli import interrupts, log
from arena.cli.progress import Quiet
from arena.cli.terminal import ERRORS, EXIT_CODES, ExitCode, discard, open_closed, say, warn
from arena.common.protection import adopt_orphans, forbid_inspection

SUMMARIES: Final = {
    "tournament": "Play a round robin across player counts.",
    "compare": "Tell whether the bot NEW is better than the bot OLD.",
    "rate": "Rate bots by games with anchors, whose ratings are known and stay as they are.",
    "match": "Play one game and print it turn by turn.",
    "play": "Play against bots yourself, on a page or in this terminal.",
    "show": "Show a tournament, running or finished: its settings, its latest games and the tables so far.",
    "list": "List the tournaments, the one last run first.",
    "leaderboard": "Print the leaderboards: one overall and one for each number of players, best bot first.",
    "report": "State what a tournament shows, or with --bot report to a bot's author how it fared.",
    "replay": "Print a recorded game turn by turn: all of it, or what one seat saw.",
    "analyse": "Weigh each choice of a finished game by playouts, and show what would have been better.",
    "verify": "Derive the schedule again, replay every recorded game, and compare.",
    "publish": "Write a site about a tournament: its tables, its bots and every game to play back.",
    "export": "Write the games as CSV or Parquet, one row per seat, and as files for `arena replay`.",
    "games": "List the games, or the settings of one game: each with its values, its editions and its source.",
    "new": "Create a folder with a working bot, or with the rules of a game.",
    "check": "Check a bot against the protocol.",
    "serve": "Run a league until Ctrl-C: take in bots, try them, play rounds by schedule, and serve its pages.",
    "cluster": "Start a scheduler and N workers on this machine, for `arena tournament --cluster`.",
    "key": "Make a key with which a bot elsewhere joins a league, and let it in.",
    "join": "Play in a league with a bot that stays on this machine, until Ctrl-C.",
    "doctor": "Show how bots can be kept apart on this machine, and how to get the rest.",
    "docs": "List the pages of documentation, or show one of them.",
}
"""The first sentence of each command's help, in the order in which `arena --help` lists them."""
_MODULES: Final = {"list": "listing"}
"""Where a command's module has another name: `list` would hide Python's own."""
_WIDEST: Final = 30
"""Columns of what is typed: where an option is wider, its text begins below it."""


def _version(wanted: bool) -> None:
    if wanted:
        from arena.common.machine import ENGINE_BUILD  # imports the engine

        say(f"arena {arena.__version__} ({ENGINE_BUILD})")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option(
        "--version", "-V", callback=_version, is_eager=True, expose_value=False, help="Print the version and exit."
    ),
]


def _everywhere(version: Version = False, quiet: Quiet = False) -> None:
    """Take the options that every command has."""


class _Command(TyperCommand):
    """A command with the options that every command has, and in whose help options may stand under headings."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params += typer.main.get_params_convertors_ctx_param_name_from_function(_everywhere)[0]

    def format_options(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        """Write the arguments, the options that have no heading, and each heading with its options."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for each in self.get_params(ctx):
            if (row := each.get_help_record(ctx)) is not None:
                plain = "Arguments" if each.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(each, "rich_help_panel", None) or plain, []).append(row)
        arguments = sections.pop("Arguments")
        width = min(_WIDEST, max(len(typed) for rows in sections.values() for typed, _ in rows))
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(arguments)
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl([(typed.ljust(width), text) for typed, text in rows])  # all texts begin in one line


@cache
def load(name: str) -> TyperCommand:
    """Import a command of `SUMMARIES` and assemble it."""
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    module = import_module(f"arena.cli.{_MODULES.get(name, name)}")
    examples = "\n".join(["\b", "Examples:", *(f"  {line}" for line in module.EXAMPLES)])  # never wrapped
    settings = getattr(module, "CONTEXT", None)
    alone.command(name, cls=_Command, epilog=examples, context_settings=settings)(module.command)
    command = typer.main.get_command(alone)
    assert isinstance(command, TyperCommand)
    return command


def _listed() -> list[TyperCommand]:
    """Return a stand-in for every command, which has its name and summary but cannot run."""
    return [TyperCommand(name, help=summary, short_help=summary) for name, summary in SUMMARIES.items()]


class _Arena(TyperGroup):
    """Loads the command that was typed, and turns what it raises into a line on stderr and a documented exit code.

    Until then commands are their names and summaries, so that the help is there at once.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in _listed():
            self.add_command(command)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> tuple[str | None, TyperCommand | None, list[str]]:  # type: ignore[override]
        """Load the command whose name comes first in `args`."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, None if listed is None else load(listed.name), rest

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run a command."""
        # Before it runs, because when descriptors or memory run out nothing can be imported any more.
        from arena.cli.failures import USER_ERRORS, message_for
        from arena.entrants.shortage import raise_limits

        raise_limits()
        try:
            return super().invoke(ctx)
        except (*USER_ERRORS, OSError) as error:
            if (text := message_for(error)) is None:
                raise
            warn(f"arena: {text}")
            raise typer.Exit(ExitCode.BAD_INPUT) from None
        except KeyboardInterrupt:
            warn(interrupts.MESSAGE.removesuffix("\n"))
            raise typer.Exit(ExitCode.INTERRUPTED) from None


app = typer.Typer(
    name="arena",
    cls=_Arena,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain help and errors: the same in a terminal, a pipe and docs/commands.md.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXIT_CODES,
)


@app.callback()
def _arena(version: Version = False, quiet: Quiet = False) -> None:
    """Tournaments of external bots that play board games with hidden hands."""
    log.configure_from_environment()


def run() -> None:
    """Run the command line in this process's terminal."""
    forbid_inspection()  # bots run as the same user, and some commands know seeds and tokens
    adopt_orphans()
    open_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERRORS)
    if "COMP_WORDS" in os.environ:  # Bash asks what comes next
        from arena.cli.options import join_words

        join_words(os.environ)
    try:
        app(prog_name="arena")
    except OSError as error:  # help and usage are printed before there is a command
        from arena.cli.failures import message_for

        if (text := message_for(error)) is None:
            raise
        discard(sys.stdout)
        warn(f"arena: {text}")
        raise SystemExit(ExitCode.BAD_INPUT) from None
