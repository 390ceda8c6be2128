"""The arguments and options of `arena play`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.completion import bot_words
from arena.cli.options import option, reader, text
from arena.tournament.bounds import NumberBounds

NO_HINTS: Final = "none"

Bots = Annotated[
    list[str] | None,
    typer.Argument(
        help="Your opponents. Default: packaged bots of middling strength.", metavar="BOTS", autocompletion=bot_words
    ),
]
GameGame = Annotated[str | None, option("game", "Default: the first that all bots play.")]
Players = Annotated[
    int | None,
    typer.Option(help="Seats at the table. Packaged bots fill them.", parser=reader(NumberBounds(2)), metavar="N"),
]
Persons = Annotated[
    str | None, typer.Option(help="Names of persons, as Ann,Bob. Default: person.", callback=text, metavar="NAMES")
]
Seat = Annotated[
    int | None,
    typer.Option(help="The first person's, from 0. Default: drawn.", parser=reader(NumberBounds(0)), metavar="N"),
]
PersonMove = Annotated[float | None, option("move", "A person's time per decision. Default: any.")]
Hints = Annotated[
    str | None, typer.Option(help=f"The bot to ask for hints, or {NO_HINTS}. Default: a strong one.", metavar="BOT")
]
InTerminal = Annotated[bool, typer.Option("--text", help="Play in this terminal, without a browser.")]
Tutorial = Annotated[bool, typer.Option("--tutorial", help="Begin with a guided game of five minutes.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Open no browser, only print the address.")]
HostAddress = Annotated[
    str | None,
    typer.Option(help="Let persons join over the network, at this address of this machine.", metavar="ADDRESS"),
]
Port = Annotated[
    int | None, typer.Option(help="Default: 8770, or a free one.", parser=reader(NumberBounds(1, 65535)), metavar="N")
]
TlsCert = Annotated[Path | None, typer.Option(help="For --host: a certificate in PEM.", metavar="FILE")]
TlsKey = Annotated[Path | None, typer.Option(help="For --host: its key.", metavar="FILE")]
LedgerFolder = Annotated[
    str | None,
    typer.Option(help="Folder for the games. Default: tournaments/play-GAME.", callback=text, metavar="DIR"),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Move an earlier ledger aside and start over.")]
