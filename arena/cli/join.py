"""`arena join`: play in a league with a bot that stays on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.terminal import ExitCode, say, warn

EXAMPLES: Final = (
    "arena join tcp://league.example.org:8790 --key ada.key -- python mine.py",
    "arena join --key ada.key -- python mine.py",
)


def command(
    key: Annotated[
        Path, typer.Option(help="The file that `arena key` wrote.", metavar="FILE", exists=True, dir_okay=False)
    ],
    address: Annotated[
        str, typer.Argument(help="Where the league's gateway is, if the file does not say it.", metavar="ADDRESS")
    ] = "",
    program: Annotated[
        list[str] | None,
        typer.Argument(help="Behind --: what starts the bot, once for each process.", metavar="COMMAND..."),
    ] = None,
    tcp: Annotated[bool, typer.Option("--tcp", help="Let the bot connect over TCP, not over ipc.")] = False,
) -> None:
    """Play in a league with a bot that stays on this machine, until Ctrl-C.

    COMMAND is started whenever the league needs the bot, and finds the same variables as there. Nobody confines it: it
    is your own program. Another `arena join` with the same key ends this one.
    """
    from arena.gateway.join import Joined  # loads ZeroMQ
    from arena.gateway.keys import read_key

    found, words = read_key(key), list(program or [])
    if address and "://" not in address:  # it is left out, and this is the program
        address, words = "", [address, *words]
    if not (at := address or found.address):
        raise typer.BadParameter(f"{key} does not say it: add it, such as tcp://HOST:8790", param_hint="ADDRESS")
    if not words:
        raise typer.BadParameter("say behind -- what starts the bot", param_hint="COMMAND")
    joined = Joined(at, found, words, say, is_tcp=tcp)
    try:
        joined.run()
    except KeyboardInterrupt:
        warn("the bot plays no more")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    finally:
        joined.close()
