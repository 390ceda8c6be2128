"""Arguments and options that several commands have, and the checks of what is typed for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.tournament.plan import Plan, PlanError
from engine import catalog
from engine.game import Data, Game

LONGEST: Final = 1_000_000.0
"""The largest time, in seconds or minutes, that makes sense and that every clock, timer and message can hold."""

_TIMES: Final = {"minutes": False, "start": False, "move": True, "bank": True}
"""The options that are a time, and whether it may be 0."""


def _text(value: str | None) -> str | None:
    """Nothing between quotes is a mistake (an unset variable in a script), never a default."""
    if value is not None and not value.strip():
        raise typer.BadParameter("nothing is given")
    return value


def _time(name: str) -> Callable[[float | None], float | None]:
    def check(value: float | None) -> float | None:
        if (wrong := _wrong_time(name, value)) is not None:
            raise typer.BadParameter(wrong)
        return value

    return check


def _wrong_time(name: str, value: float | None) -> str | None:
    if value is None or (math.isfinite(value) and 0 <= value <= LONGEST and (value > 0 or _TIMES[name])):
        return None
    unit = "minutes" if name == "minutes" else "seconds"
    return f"{value:g} is not a number of {unit} {'from' if _TIMES[name] else 'above'} 0 to {LONGEST:.0f}"


def check_times(plan: Plan, file: Path | None) -> None:
    """Refuse times of a plan file that no clock can run on. Raises `PlanError`."""
    for name in _TIMES:
        if (wrong := _wrong_time(name, getattr(plan, name))) is not None:
            raise PlanError(f"{file or 'options'}: {name}: {wrong}")


def edition_source(text: str) -> str | Path:
    """What was typed for an edition: one of the game's names, or a file."""
    return Path(text) if text.endswith(".toml") or "/" in text else text


def chosen_edition(rules: Game, text: str | None) -> Data:
    """The edition of that name or in that file; None: the game's default. Raises `EditionError`."""
    return rules.edition(rules.editions()[0] if text is None else edition_source(text))


def _games(incomplete: str) -> list[str]:
    return [name for name in catalog.games() if name.startswith(incomplete)]


def _editions(context: typer.Context, incomplete: str) -> list[str]:
    """Of the game that is typed already, as an option or (for `arena games`) as an argument; else of the default."""
    typed = context.params.get("game") or context.params.get("name")
    try:
        return [name for name in catalog.game(typed).editions() if name.startswith(incomplete)]
    except catalog.UnknownGame:
        return []


Folder = Annotated[Path, typer.Argument(help="The tournament's folder.", metavar="DIR")]
GameName = Annotated[str | None, typer.Option(help="Default: the first of `arena games`.", autocompletion=_games)]
Edition = Annotated[str | None, typer.Option(help="A name or a TOML file.", autocompletion=_editions, callback=_text)]
Start = Annotated[float | None, typer.Option(help="Seconds to say hello. Default: 10.", callback=_time("start"))]
Move = Annotated[float | None, typer.Option(help="Seconds free for a decision. Default: 0.05.", callback=_time("move"))]
Bank = Annotated[float | None, typer.Option(help="Seconds a game beyond that. Default: 5.", callback=_time("bank"))]
Minutes = Annotated[float | None, typer.Option(help="As many games as that takes.", callback=_time("minutes"))]
Strikes = Annotated[int | None, typer.Option(min=1, help="Faults a game until the seat retires. Default: 3.")]
Out = Annotated[str | None, typer.Option(help="Folder of the results. Default: tournaments/default.", callback=_text)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
