"""`arena cluster`: start a scheduler and workers on this machine, and end them."""

from __future__ import annotations

import signal
from typing import Annotated, Final

import typer

from arena.cli.options import reader
from arena.cli.terminal import ExitCode, say, warn
from arena.common.allowed_words import refused
from arena.common.printable import counted
from arena.tournament.bounds import NumberBounds

_ACTIONS: Final = ("up",)


def _action(text: str) -> str:
    if text not in _ACTIONS:
        raise typer.BadParameter(refused(text, _ACTIONS))
    return text


EXAMPLES: Final = (
    "arena cluster up 4",
    "arena cluster up 2 --port 9000",
)


def command(
    action: Annotated[
        str, typer.Argument(parser=_action, help="up: start it, and end it with Ctrl-C.", metavar="ACTION")
    ],
    workers: Annotated[
        int, typer.Argument(parser=reader(NumberBounds(1, 1000)), help="How many, of one core each.", metavar="N")
    ],
    port: Annotated[
        int,
        typer.Option(
            parser=reader(NumberBounds(1, 65535)), help="Where it listens, on this machine only.", metavar="N"
        ),
    ] = 8786,
) -> None:
    """Start a scheduler and N workers on this machine, for `arena tournament --cluster`.

    Several machines are in `arena docs cluster`.
    """
    from arena.cluster.local import local_cluster  # needs the extra

    try:
        warn(f"starting a scheduler and {counted(workers, 'worker')}")
        with local_cluster(workers, port) as address:
            say("Ready. In another terminal, type:")
            say(f"  arena tournament BOTS --cluster {address}")
            say("Ctrl-C ends it.")
            while True:
                signal.pause()
    except KeyboardInterrupt:
        warn("the cluster is ended")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
