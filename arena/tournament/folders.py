"""The folders of tournaments: those that lie side by side, the last one run, and the one in which a plan is played."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from arena.entrants import Entrant
from arena.ledger import Ledger, LedgerError, locked
from arena.ledger.database import FILE as LEDGER_FILE
from arena.ledger.dates import LAST_RUN
from arena.tournament.identity import Identity, differences
from arena.tournament.plan import DEFAULT_OUT, PlanError

HOME: Final = DEFAULT_OUT.parent
"""Where tournaments begin without `--out`, seen from the present folder."""


def folders(home: Path | None = None) -> list[Path]:
    """List `home` and the folders in it, by name, of those that hold a ledger. One that is closed to us holds nothing.

    If it is None, those in `HOME`, and the present folder and those in it: there lies most of what `--out` names.
    """
    found = [home, *_inside(home)] if home is not None else [*_inside(HOME), HOME.parent, *_inside(HOME.parent)]
    # `Path.is_file` raises an error for a folder that may not be entered.
    return [each for each in found if os.path.isfile(each / LEDGER_FILE) and not each.name.startswith(".")]  # noqa: PTH113


def _inside(home: Path) -> list[Path]:
    try:
        return sorted(home.iterdir())
    except OSError:  # it is none, or closed to us
        return []


def keyed_name(name: str, key: object) -> str:
    """Return the name of a folder, which is the same for the same key only."""
    digest = blake2b(msgspec.json.encode(key, order="sorted"), digest_size=4).hexdigest()
    return "".join(char if char.isalnum() or char in "-_.@" else "_" for char in name)[:60] + f"-{digest}"


def has_ledger(folder: Path) -> bool:
    """Whether this is the folder of a tournament."""
    return (folder / LEDGER_FILE).is_file()


def last_run() -> Path:
    """Return the folder of the tournament last run, as its ledger says. Raises `LedgerError` if there is none.

    A table for persons at which no game was played to its end is nobody's last tournament, if there is another one.
    """
    latest, chosen, wrong = "", None, None
    for folder in folders():
        try:
            with Ledger.open(folder) as ledger:
                moment = str(ledger.meta.get(LAST_RUN, ""))
        except LedgerError as error:
            wrong = error
            continue
        if chosen is None or moment > latest:
            latest, chosen = moment, folder
    if chosen is None:
        raise wrong or LedgerError(
            f"there is no tournament here or in {HOME}: begin one with `arena tournament`,"
            " or name the folder given as --out"
        )
    return chosen


def choose_folder(identity: Identity, out: str | None, fresh: bool, default: Path = DEFAULT_OUT) -> tuple[Path, str]:
    """Where to play, and why there if it is not where one would expect.

    With `out` that folder, or `PlanError` if another tournament lies there; without, the newest of the default
    folders that holds this tournament, or a new one: `default`, or that name with a number. `fresh` moves what lies
    there aside.
    """
    first = Path(out) if out is not None else default
    if fresh:
        return first, _move_aside(first)
    if not has_ledger(first):
        return first, ""
    if out is not None:
        if found := _differences_in(first, identity):
            raise PlanError(
                f"{first} holds another tournament: {'; '.join(found)}. Add --fresh to move it aside and begin anew, "
                "or choose another --out"
            )
        return first, ""
    folders = [first, *_numbered(first)]
    for folder in reversed(folders):
        if not _differences_in(folder, identity):
            return folder, "" if folder == first else f"{folder} holds this tournament"
    newest = folders[-1]
    number = 2 if newest == first else int(newest.name.rpartition("-")[2]) + 1
    why = "; ".join(_differences_in(newest, identity))
    folder = first.with_name(f"{first.name}-{number}")
    return folder, f"{newest} holds another tournament ({why}): a new one begins in {folder}"


def _differences_in(folder: Path, identity: Identity) -> list[str]:
    try:
        with Ledger.open(folder) as ledger:
            return differences(identity, ledger)
    except LedgerError as error:
        return [str(error)]


def check_is_apart(out: str | None, bots: Iterable[Entrant], fresh: bool) -> None:
    """Raise `PlanError` if results would lie among these bots or within one, or if `fresh` would move a bot aside."""
    folder = DEFAULT_OUT if out is None else Path(out)
    holds = has_ledger(folder)
    if holds and not fresh:
        return  # it has begun there, and goes on
    place = folder.resolve()
    for bot in bots:
        home = bot.path.parent.resolve()
        if place.is_relative_to(home / bot.path.name):
            why = f"lies in the folder of the bot {bot.name}, and would become part of it"
        elif place == home or (holds and home.is_relative_to(place)):
            why = f"is the folder in which the bot {bot.name} lies"
        else:
            continue
        other = DEFAULT_OUT.with_name(place.name if place.parent.name != DEFAULT_OUT.parent.name else f"{place.name}-2")
        raise PlanError(f"out: {folder} {why}: choose another --out, such as {other}", "out")


def _numbered(first: Path) -> list[Path]:
    pattern = re.compile(re.escape(first.name) + r"-(\d+)")
    if not first.parent.is_dir():
        return []
    found = [(int(number[1]), each) for each in first.parent.iterdir() if (number := pattern.fullmatch(each.name))]
    return [each for _, each in sorted(found) if has_ledger(each)]


def _move_aside(folder: Path) -> str:
    if not has_ledger(folder):
        return ""
    with locked(folder):  # nobody is playing it
        if not has_ledger(folder):
            return ""  # somebody else moved it aside in this moment
        number = 1
        while (aside := folder.with_name(f"{folder.name}.old-{number}")).exists():
            number += 1
        folder.rename(aside)
    return f"the tournament in {folder} was moved to {aside}"
