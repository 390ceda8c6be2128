"""Arguments and options that several commands share, with their checks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from arena.cli.terminal import alarm, warn
from arena.common.allowed_words import refused
from arena.isolation.probe import choose
from arena.isolation.settings import ASKED, Asked, Isolation, IsolationPlan
from arena.tournament.bounds import NUMBERS, NumberBounds
from arena.tournament.folders import last_run
from engine import catalog
from engine.rules import Data, Rules


def reader(allowed: NumberBounds) -> Callable[[str], float]:
    """Return a parser for numbers within these bounds. It raises `typer.BadParameter` with our own text."""

    def read(text: str) -> float:
        try:
            return allowed.read(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return read


FIELD: Final = "Field"
GAMES: Final = "Games"
CLOCK: Final = "Clock"
FORMAT: Final = "Format"
CHANGING: Final = "Changing field"
ISOLATION: Final = "Isolation"
PROOF: Final = "Proof"


def number(name: str, text: str, panel: str | None = None) -> Any:
    """Return a typer option for the number `name` of `NUMBERS`, with the help `text`, under the heading `panel`."""
    allowed = NUMBERS[name]
    metavar = "N" if allowed.unit is None else allowed.unit.upper()
    return typer.Option(help=text, parser=reader(allowed), metavar=metavar, rich_help_panel=panel)


def text(value: str | None) -> str | None:
    """Return `value`. Raises `typer.BadParameter` if it is blank: an unset variable in a script is no default."""
    if value is not None and not value.strip():
        raise typer.BadParameter("nothing is given")
    return value


def edition_source(text: str) -> str | Path:
    """Return an edition as typed: a `Path` if it looks like a file, else the name of one of the game's editions."""
    return Path(text) if text.endswith(".toml") or "/" in text else text


def chosen_edition(rules: Rules, text: str | None) -> Data:
    """Return the edition of that name or in that file, or the game's default if `text` is None.

    Raises `EditionError`.
    """
    return rules.edition(rules.editions()[0] if text is None else edition_source(text))


def folder_to_read(folder: Path | None) -> Path:
    """Return `folder`.

    If it is None, name and return that of the tournament last run. Raises `LedgerError` if there is none.
    """
    if folder is not None:
        return folder
    found = last_run()
    warn(f"reading {found}, the tournament last run here")
    return found


def game_names(incomplete: str) -> list[str]:
    """Complete the name of a game."""
    return [name for name in catalog.installed() if name.startswith(incomplete)]


def _editions(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of an edition, for the game typed so far if there is one.

    `arena games` does not pass its own.
    """
    try:
        games = [catalog.rules(context.params["game"])] if "game" in context.params else catalog.installed().values()
    except catalog.UnknownRules:
        return []
    names = dict.fromkeys(edition for game in games for edition in game.editions())
    return [name for name in names if name.startswith(incomplete)]


def isolation_level(text: str) -> str:
    """Read a level of isolation. Raises `typer.BadParameter`."""
    if text not in ASKED:
        raise typer.BadParameter(refused(text, ASKED))
    return text


def chosen_isolation(level: str | None, build_network: bool | None) -> Isolation:
    """Return how bots are kept apart; say it loudly if they are not.

    Raises `IsolationError` if the level cannot be had.
    """
    plan = IsolationPlan() if level is None else IsolationPlan(msgspec.convert(level, Asked))
    found = choose(plan, bool(build_network))
    warn_of_isolation(found)
    return found


def warn_of_isolation(isolation: Isolation) -> None:
    """Say it loudly if bots are not kept apart."""
    if isolation.level == "none":
        alarm("isolation: none. Bots can read and change all that you can; `arena doctor` says how to do better.")


Folder = Annotated[
    Path | None, typer.Argument(help="The tournament's folder. Default: the one last run here.", metavar="DIR")
]
GameName = Annotated[str | None, typer.Option(help="Default: the first of `arena games`.", autocompletion=game_names)]
Edition = Annotated[
    str | None,
    typer.Option(help="A name, or a TOML file.", autocompletion=_editions, callback=text, rich_help_panel=FIELD),
]
Start = Annotated[float | None, number("start", "Time to say hello. Default: 10.", CLOCK)]
Move = Annotated[float | None, number("move", "Free time per decision. Default: 0.05.", CLOCK)]
Bank = Annotated[float | None, number("bank", "Time per game beyond that. Default: 5.", CLOCK)]
Strikes = Annotated[int | None, number("strikes", "Strikes per game until the seat retires. Default: 3.", CLOCK)]
IsolationLevel = Annotated[
    str | None,
    typer.Option(
        help="How bots are kept apart: auto, box, landlock or none. Default: auto, the best of them that works here.",
        parser=isolation_level,
        metavar="LEVEL",
        autocompletion=lambda incomplete: [each for each in ASKED if each.startswith(incomplete)],
        rich_help_panel=ISOLATION,
    ),
]
BuildNetwork = Annotated[
    bool | None,
    typer.Option(
        "--build-network",
        help="Let builds use the network, as for libraries that they fetch.",
        rich_help_panel=ISOLATION,
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        help="Folder for the results. Default: tournaments/default, or default-2 and so on beside other tournaments.",
        callback=text,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
