"""What a shell completes: names that come with the arena, and those of the tournament that a command reads.

Where nothing fits, the shell completes files itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from pathlib import Path
from typing import Final

import typer

from arena.common.errors import ArenaError
from arena.entrants.packaged import MARK, packaged_words
from arena.ledger import Ledger
from arena.tournament.folders import has_ledger, last_run

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
