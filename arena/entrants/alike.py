"""Say of bots that can be mistaken for one another which is which."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from arena.common.printable import counted, printable
from arena.entrants.expand import Entrant
from arena.entrants.fingerprint import digest
from arena.entrants.manifest import EntrantError
from arena.entrants.packaged import packaged_name


def alike(entrants: Sequence[Entrant]) -> list[str]:
    """Say which bots have one name, names that look the same, or the same content, in a line for each such group."""
    lines = shared_names(entrants)
    for same in _groups(entrants, lambda each: unicodedata.normalize("NFKC", each.name)):
        which = " and ".join(f"{each.name} ({ascii(each.name)[1:-1]})" for each in same)
        lines.append(f"the names {which} differ in Unicode form only: give one of them another name")
    for same in _groups((each for each in entrants if not each.fault), _content):
        if len({each.path for each in same}) > 1:
            lines.append(f"{' and '.join(each.name for each in same)} have the same content: only luck is between them")
    return lines


def _groups(entrants: Iterable[Entrant], key: Callable[[Entrant], object]) -> list[list[Entrant]]:
    """Return the groups of several that have the same key."""
    found: dict[object, list[Entrant]] = {}
    for each in entrants:
        found.setdefault(key(each), []).append(each)
    return [same for same in found.values() if len(same) > 1]


def _content(entrant: Entrant) -> object:
    """Return what a bot consists of, without the name of a file that it is."""
    if entrant.kind == "folder":
        return entrant.fingerprint
    try:
        return digest(entrant.path)
    except (OSError, EntrantError):  # it has just changed
        return entrant.fingerprint


def shared_names(entrants: Iterable[Entrant]) -> list[str]:
    """Say of several files that are called the same which bot is which, one line for each such name."""
    found: dict[str, list[Entrant]] = {}
    for entrant in entrants:
        found.setdefault(entrant.called, []).append(entrant)
    return [
        f"{counted(len(same), 'bot')} are called {called}: "
        + ", ".join(f"{each.name} is {_from_here(each.path)}" for each in same)
        for called, same in found.items()
        if called and len({each.path for each in same}) > 1 and any(each.name != called for each in same)
    ]


def _from_here(path: Path) -> str:
    here = Path.cwd()
    if path.is_relative_to(here):
        return printable(str(path.relative_to(here)))
    return packaged_name(path) or printable(str(path))
