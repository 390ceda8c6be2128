"""`arena join`: play in a league with a bot that stays on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.terminal import ExitCode, say, warn

EXAMPLES: Final = ("arena join tcp://league.example.org:8790 --key ada.key -- python mine.py",)


def command(
    address: Annotated[str, typer.Argument(help="Where the league's gateway is.", metavar="ADDRESS")],
    program: Annotated[
        list[str], typer.Argument(help="Behind --: what starts the bot, once for each process.", metavar="COMMAND...")
    ],
    key: Annotated[
        Path, typer.Option(help="The file that `arena key` wrote.", metavar="FILE", exists=True, dir_okay=False)
    ],
    tcp: Annotated[bool, typer.Option("--tcp", help="Let the bot connect over TCP, not over ipc.")] = False,
) -> None:
    """Play in a league with a bot that stays on this machine, until Ctrl-C.

    COMMAND is started whenever the league needs the bot, and finds the same variables as there. Nobody confines it: it
    is your own program.
    """
    from arena.gateway.join import Joined  # loads ZeroMQ
    from arena.gateway.keys import read_key

    joined = Joined(address, read_key(key), program, say, is_tcp=tcp)
    try:
        joined.run()
    except KeyboardInterrupt:
        warn("the bot plays no more")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    finally:
        joined.close()
