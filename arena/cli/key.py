"""`arena key`: keys for bots that run on their authors' machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.terminal import say

EXAMPLES: Final = (
    "arena key ada --address tcp://league.example.org:8790",
    "arena key ada --public 'KEY OF ADA'",
    "arena key ada --gateway 'KEY OF THE LEAGUE'",
)


def command(
    name: Annotated[str, typer.Argument(help="The submitter.", metavar="NAME")],
    league: Annotated[
        Path, typer.Option(help="The league's folder, for its organiser.", metavar="FOLDER", file_okay=False)
    ] = Path(),
    address: Annotated[
        str | None,
        typer.Option(help="Where authors reach the gateway: it goes into NAME.key.", metavar="ADDRESS"),
    ] = None,
    public: Annotated[
        str | None, typer.Option(help="Let an author play who has made a key alone: its public half.", metavar="KEY")
    ] = None,
    gateway: Annotated[
        str | None,
        typer.Option(help="Make a key as an author, for the league that has this public half.", metavar="KEY"),
    ] = None,
) -> None:
    """Make a key with which a bot elsewhere joins a league, and let it in.

    NAME.key is for the author alone, and the league keeps its public half: an earlier key of NAME counts no more.
    """
    from arena.gateway.keys import allow, new_key, own_key, write_key  # loads ZeroMQ

    file = Path(f"{name}.key")
    if gateway is not None:
        key = new_key(name, gateway, address)
        write_key(file, key)
        say(f"{file} is written: keep it. The organiser needs its public half:")
        say(f"  arena key {name} --public '{key.public}'")
        return
    folder = league / "gateway"
    own = own_key(folder)
    if public is None:
        key = new_key(name, own.public, address)
        write_key(file, key)
        public = key.public
        say(f"{file} is written: give it to {name}, and to nobody else.")
    allow(folder, name, public)
    say(f"{name} may play from elsewhere. The public half of this league is {own.public}")
