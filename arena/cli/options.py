"""Arguments and options that several commands share, with their checks and what a shell completes.

Names that come with the arena are completed, and those of the tournament that a command reads. Where nothing fits, the
shell completes files itself.

`--seed` takes a number that other programs of this machine need not learn, as it gives away every deck.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeVar, get_origin

import msgspec
import typer

from arena.cli.terminal import alarm, warn
from arena.common.allowed_words import refused
from arena.common.errors import ArenaError
from arena.common.regular_files import read_regular, why_unread
from arena.entrants.packaged import MARK, packaged_words
from arena.formats import FORMATS
from arena.isolation.probe import choose
from arena.isolation.settings import ASKED, Asked, Isolation, IsolationPlan, check_named
from arena.ledger import Ledger
from arena.tournament.bounds import HEADINGS, NumberBounds
from arena.tournament.folders import has_ledger, last_run
from arena.tournament.plan import SETTINGS
from engine import catalog
from engine.rules import Data, Rules

Complete = Callable[[str], list[str]]
_INSTRUCTION: Final = "_ARENA_COMPLETE"
"""The environment variable by which a shell says what it asks."""


def words(known: Callable[[], Iterable[str]]) -> Complete:
    """Return what completes one of these words."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in known() if word.startswith(incomplete)]

    return complete


def bot_words(incomplete: str) -> list[str]:
    """Complete the name of a bot that comes with the arena, as soon as its sign is typed."""
    return [word for word in packaged_words() if word.startswith(incomplete)] if incomplete.startswith(MARK) else []


def game_ids(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the id of a game: of the tournament whose folder was typed before, or else of the one last run."""
    return _in_ledger(context, incomplete, lambda ledger: ledger.ids())


def bots_of_tournament(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a bot in a tournament, which is chosen as for `game_ids`."""
    return _in_ledger(context, incomplete, lambda ledger: [each.name for each in ledger.entrants()])


def _in_ledger(context: typer.Context, incomplete: str, names: Callable[[Ledger], Iterable[str]]) -> list[str]:
    typed = context.params.get("folder") or context.params.get("source")
    try:
        folder = Path(str(typed)) if typed and has_ledger(Path(str(typed))) else last_run()
        with Ledger.open(folder) as ledger:
            return [name for name in names(ledger) if name.startswith(incomplete)]
    except (ArenaError, OSError):  # nobody reads errors while typing
        return []


def join_words(environment: MutableMapping[str, str]) -> None:
    """Put together what Bash takes apart: to it, `@greedy` is two words, because `@` begins the name of a host."""
    if environment.get(_INSTRUCTION) != "complete_bash" or MARK not in environment.get("COMP_WORDS", ""):
        return
    text = environment["COMP_WORDS"]
    between = "\n" if "\n" in text else " "
    given, at = text.split(between), int(environment["COMP_CWORD"])
    joined: list[str] = []
    for number, word in enumerate(given):
        if joined and joined[-1] == MARK and word:
            joined[-1] += word
            at -= number <= int(environment["COMP_CWORD"])
        else:
            joined.append(word)
    environment["COMP_WORDS"], environment["COMP_CWORD"] = between.join(joined), str(at)


Command = TypeVar("Command", bound=Callable[..., None])


def reader(allowed: NumberBounds, digits: Callable[[str], str] = str) -> Callable[[str], float]:
    """Return a parser for numbers within these bounds. It raises `typer.BadParameter` with our own text.

    `digits` returns the text of the number for what is typed, if that may be another.
    """

    def read(typed: str) -> float:
        text = digits(typed)
        try:
            return allowed.read(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return read


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


class IsolationOptions(NamedTuple):
    """What is typed of how bots are kept apart: the options that `with_isolation` gives a command."""

    isolation: str | None
    build_network: bool | None
    network: list[str] | None

    def chosen(self, bots: Sequence[str]) -> Isolation:
        """Return how bots of these names are kept apart; say it loudly if they are not.

        Raises `IsolationError` if the level cannot be had, or if something is said of a bot that is not there.
        """
        plan = IsolationPlan() if self.isolation is None else IsolationPlan(msgspec.convert(self.isolation, Asked))
        found = choose(plan, bool(self.build_network), self.network or ())
        check_named(found.network, bots)
        warn_of_isolation(found)
        return found


def warn_of_isolation(isolation: Isolation) -> None:
    """Warn loudly if bots are not kept apart."""
    if isolation.level == "none":
        alarm("isolation: none. Bots can read and change all that you can; `arena doctor` says how to do better.")


VARIABLE: Final = "ARENA_SEED"
"""The environment variable that stands for the option."""
_ASK: Final = "-"
_SEED_BYTES: Final = 4096
"""Bytes of a file with a number."""


def seed_text(text: str) -> str:
    """Return the text of the number that is typed, or that stands in a file (`@FILE`), or that is asked for (`-`).

    Programs that are started from here on do not find it in their environment.

    Raises:
        typer.BadParameter: The file cannot be read.
    """
    os.environ.pop(VARIABLE, None)
    if text == _ASK:
        text = typer.prompt("seed", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.readline()
    elif text.startswith("@"):
        text = _seed_in_file(Path(text[1:]))
    return text.strip()


def _seed_in_file(file: Path) -> str:
    try:
        return read_regular(file, _SEED_BYTES).decode("ascii")
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be read: {why_unread(error)}") from None
    except ValueError as error:
        raise typer.BadParameter(f"{file} holds no number: {why_unread(error)}") from None


Folder = Annotated[
    Path | None, typer.Argument(help="The tournament's folder. Default: the one last run here.", metavar="DIR")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _on_crash(text: str) -> str:
    if (why := SETTINGS["on_crash"].refusal(text)) is not None:
        raise typer.BadParameter(why)
    return text


_TYPED: Final[Mapping[str, Mapping[str, Any]]] = {
    "bots": {"autocompletion": bot_words},
    "game": {"autocompletion": words(catalog.names)},
    "edition": {"autocompletion": _editions, "callback": text},
    "seed": {"envvar": VARIABLE, "show_envvar": False},
    "out": {"callback": text},
    "on_crash": {"parser": _on_crash},
    "format": {"autocompletion": words(lambda: FORMATS)},
    "isolation": {"parser": isolation_level, "autocompletion": words(lambda: ASKED)},
}
"""How some settings are read and completed where they are typed, by name."""


def option(name: str, help: str | None = None, heading: str | None = None) -> Any:
    """Return a setting of a tournament as it is typed: an option, or the argument `bots`."""
    known = SETTINGS[name]
    made: dict[str, Any] = {"help": help or known.help, "metavar": known.metavar, "rich_help_panel": heading}
    if known.numbers is not None:
        made["parser"] = reader(known.numbers, seed_text if name == "seed" else str)
        made["metavar"] = known.metavar or (known.numbers.unit or "N").upper()
    if known.words:
        made["autocompletion"] = words(lambda: known.words)
    made |= _TYPED.get(name, {})
    if name == "bots":
        return typer.Argument(**made)
    return typer.Option(*([known.option] if known.option else []), **made)


def with_settings(name: str) -> Callable[[Command], Command]:
    """Give the command of this name the settings that `arena.tournament.plan.Plan` declares for it, for `**settings`.

    In its help they stand by heading, after its own parameters and before those that are keywords only.
    """
    known = [(key, each, help) for key, each in SETTINGS.items() if (help := each.help_in(name)) is not None]
    known.sort(key=lambda each: -1 if each[1].heading is None else HEADINGS.index(each[1].heading))

    def give(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True).parameters.values()
        command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # which typer reads
            [
                *(each for each in own if each.kind is each.POSITIONAL_OR_KEYWORD),
                *(_parameter(key, each.kind, option(key, help, each.heading)) for key, each, help in known),
                *(each for each in own if each.kind is each.KEYWORD_ONLY),
            ]
        )
        return command

    return give


def with_isolation(command: Command) -> Command:
    """Give a command the options of `IsolationOptions` in the place of its parameter `apart`."""
    made = [_parameter(name, SETTINGS[name].kind, option(name)) for name in IsolationOptions._fields]

    @functools.wraps(command)
    def called(**given: Any) -> Any:
        apart = IsolationOptions(*(given.pop(name) for name in IsolationOptions._fields))
        return command(**given, apart=apart)

    own = inspect.signature(command, eval_str=True).parameters.values()
    called.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # which typer reads
        [part.replace(kind=part.KEYWORD_ONLY) for each in own for part in (made if each.name == "apart" else [each])]
    )
    return called  # type: ignore[return-value]


def _parameter(name: str, kind: Any, option: Any) -> inspect.Parameter:
    """Return the parameter of a command for a setting of this kind. None: it was not typed."""
    typed: Any = list[str] if get_origin(kind) is list else kind if kind in (bool, int, float) else str
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[typed | None, option]
    )


Edition = Annotated[str | None, option("edition")]
Start = Annotated[float | None, option("start")]
Move = Annotated[float | None, option("move")]
Bank = Annotated[float | None, option("bank")]
Strikes = Annotated[int | None, option("strikes")]
GameName = Annotated[str | None, option("game")]
