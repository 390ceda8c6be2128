"""`arena new`: create a folder with a bot to start from."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.options import AsJson, GameName, words
from arena.cli.terminal import print_json, say, table, warn
from arena.common.printable import as_typed
from arena.starters import ANY_LANGUAGE, Starter, make, starter, starters
from engine import catalog

EXAMPLES: Final = ("arena new mine --lang python", "arena new bots/mine --lang rust", "arena new --list")


def command(
    name: Annotated[
        Path | None, typer.Argument(help="The folder to create. Its last part names the bot.", metavar="NAME")
    ] = None,
    language: Annotated[
        str | None, typer.Option("--lang", help="See --list.", autocompletion=words(starters), metavar="LANGUAGE")
    ] = None,
    game: GameName = None,
    list_: Annotated[bool, typer.Option("--list", help="List the languages.")] = False,
    as_json: AsJson = False,
) -> None:
    """Create a folder with a working bot. Its README explains how to go on."""
    if list_:
        _list(as_json)
        return
    if name is None:
        raise typer.BadParameter("name the folder to make, or ask for the languages with --list", param_hint="NAME")
    if language is None:
        raise typer.BadParameter(f"choose one of {', '.join(starters())}. {ANY_LANGUAGE}", param_hint="--lang")
    chosen = starter(language)
    if game is not None:
        catalog.rules(game)
    files = [str(path) for path in make(chosen, name, game)]
    if as_json:
        print_json({"folder": str(name), "language": chosen.key, "files": files})
    else:
        say(f"{name}: {', '.join(files)}")
        network = " --build-network" if chosen.about.fetches else ""
        say(f"Change {name / chosen.about.edit}. Try it:  {as_typed('arena', 'check', name)}{network}")
    if missing := chosen.missing():
        warn(f"{chosen.about.language} needs {', '.join(missing)}, which is not found on this machine.")
        for line in chosen.about.install:
            warn(f"    {line}")


def _list(as_json: bool) -> None:
    found = starters()
    with ThreadPoolExecutor() as pool:  # each waits for programs that look for libraries
        missing = dict(zip(found, pool.map(lambda each: each.missing(), found.values()), strict=True))
    if as_json:
        print_json({key: _about(each, missing[key]) for key, each in found.items()})
        return
    needs = {key: ", ".join([*each.about.needs, *each.about.libraries]) for key, each in found.items()}
    rows = [(key, each.about.language, needs[key], _state(missing[key])) for key, each in found.items()]
    say(table(("--lang", "language", "needs", "on this machine"), rows))


def _about(each: Starter, missing: list[str]) -> dict[str, object]:
    about = each.about
    return {
        "language": about.language,
        "needs": about.needs,
        "libraries": list(about.libraries),
        "install": about.install,
        "missing": missing,
    }


def _state(missing: list[str]) -> str:
    return f"missing: {', '.join(missing)}" if missing else "ready"
