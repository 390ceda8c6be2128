"""Arguments and options that several commands have, and the checks of what is typed for them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from arena.tournament.plan import Plan, PlanError
from engine import catalog
from engine.game import Data, Game

MOST: Final = 1_000_000
"""The largest number of seconds, minutes, games or strikes that makes sense and that all who handle it can hold."""


@dataclass(frozen=True)
class Number:
    """What may be typed for a number: a whole one, or a time in `unit`."""

    low: int
    high: int | None = MOST
    unit: str | None = None
    above: bool = False
    """`low` itself is too little."""

    def allows(self, value: float) -> bool:
        """Whether `value` may be typed."""
        if not math.isfinite(value) or value < self.low or (self.above and value == self.low):
            return False
        return self.high is None or value <= self.high

    def read(self, text: str) -> float:
        """What was typed, as a number. Raises `typer.BadParameter`."""
        try:
            value = int(text) if self.unit is None else float(text)
            allowed = self.allows(value)
        except (ValueError, OverflowError):
            allowed = False
        if not allowed:
            raise typer.BadParameter(f"{text!r} is not {self}")
        return value

    def __str__(self) -> str:
        """In words."""
        what = "a whole number" if self.unit is None else f"a number of {self.unit}"
        if self.high is None:
            return f"{what} from {self.low}"
        return f"{what} {'above' if self.above else 'from'} {self.low} to {self.high}"


NUMBERS: Final = {
    "rounds": Number(1),
    "games": Number(1),
    "minutes": Number(0, unit="minutes", above=True),
    "seed": Number(0, None),
    "jobs": Number(1, 1000),
    "start": Number(0, unit="seconds", above=True),
    "move": Number(0, unit="seconds"),
    "bank": Number(0, unit="seconds"),
    "strikes": Number(1),
}
"""What the options of a plan that are numbers may be, on the command line and in a file."""


def number(name: str, text: str) -> Any:
    """An option that is one of `NUMBERS`."""
    allowed = NUMBERS[name]
    metavar = "N" if allowed.unit is None else allowed.unit.upper()
    return typer.Option(help=text, parser=allowed.read, metavar=metavar)


def _text(value: str | None) -> str | None:
    """Nothing between quotes is a mistake (an unset variable in a script), never a default."""
    if value is not None and not value.strip():
        raise typer.BadParameter("nothing is given")
    return value


def check_plan(plan: Plan, file: Path | None) -> None:
    """Refuse in a plan file what is refused on the command line. Raises `PlanError`."""
    for name, allowed in NUMBERS.items():
        value = getattr(plan, name)
        if value is not None and not allowed.allows(value):
            raise PlanError(f"{file or 'options'}: {name}: {value} is not {allowed}")
    for name in ("edition", "out"):
        value = getattr(plan, name)
        if value is not None and not value.strip():
            raise PlanError(f"{file or 'options'}: {name}: nothing is given")


def edition_source(text: str) -> str | Path:
    """What was typed for an edition: one of the game's names, or a file."""
    return Path(text) if text.endswith(".toml") or "/" in text else text


def chosen_edition(rules: Game, text: str | None) -> Data:
    """The edition of that name or in that file; None: the game's default. Raises `EditionError`."""
    return rules.edition(rules.editions()[0] if text is None else edition_source(text))


def game_names(incomplete: str) -> list[str]:
    """Complete the name of a game."""
    return [name for name in catalog.games() if name.startswith(incomplete)]


def _editions(context: typer.Context, incomplete: str) -> list[str]:
    """Of the game that is typed already, else of the default. The argument of `arena games` cannot be known here."""
    try:
        games = [catalog.game(context.params["game"])] if "game" in context.params else catalog.games().values()
    except catalog.UnknownGame:
        return []
    names = dict.fromkeys(edition for game in games for edition in game.editions())
    return [name for name in names if name.startswith(incomplete)]


Folder = Annotated[Path, typer.Argument(help="The tournament's folder.", metavar="DIR")]
GameName = Annotated[str | None, typer.Option(help="Default: the first of `arena games`.", autocompletion=game_names)]
Edition = Annotated[str | None, typer.Option(help="A name or a TOML file.", autocompletion=_editions, callback=_text)]
Start = Annotated[float | None, number("start", "To say hello. Default: 10.")]
Move = Annotated[float | None, number("move", "Free for a decision. Default: 0.05.")]
Bank = Annotated[float | None, number("bank", "For a game beyond that. Default: 5.")]
Strikes = Annotated[int | None, number("strikes", "Faults a game until the seat retires. Default: 3.")]
Out = Annotated[str | None, typer.Option(help="Folder of the results. Default: tournaments/default.", callback=_text)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
