"""What is fixed when a tournament begins, and in which folder a plan is played or goes on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.entrants import Entrant, LimitCeilings
from arena.formats import DEFAULT_FORMAT, FormatOptions
from arena.game.clock import TimeControl
from arena.ledger import Ledger, LedgerError, locked, seed_hash
from arena.ledger.database import FILE as LEDGER_FILE
from arena.tournament.plan import DEFAULT_OUT, PlanError
from engine.rules import Rules

_SALT: Final = b"seed of an arena tournament"
_COST: Final = 2**16
"""How often scrypt goes through its memory, twice: its N."""
_BLOCKS: Final = 8
"""The size of the blocks in which it does, in 128 bytes: its r."""
_MEMORY: Final = 128 * _BLOCKS * _COST + 2**20
"""The most bytes that scrypt may use: 64 MiB for its table, and a little more."""


class Identity(msgspec.Struct, frozen=True):
    """The fixed things of a tournament. Jobs and budget are free: they may be others when it goes on."""

    game: str
    edition: dict[str, Any]
    players: list[int]
    time: TimeControl
    seed: bytes | None
    """None: whatever it began with."""
    format: str = DEFAULT_FORMAT
    options: FormatOptions = FormatOptions()
    limits: LimitCeilings = LimitCeilings()

    def recorded_options(self) -> dict[str, Any]:
        """Return the options of the format that were given, as the ledger has them."""
        options = msgspec.to_builtins(self.options)
        return {name: list(each) if isinstance(each := options[name], tuple) else each for name in self.options.given()}


@cache
def tournament_seed(number: int) -> bytes:
    """Derive the 128-bit seed for a number given by `--seed`, by scrypt (RFC 7914): 64 MiB and some 0.2 s of a core.

    Bots are sent numbers that follow from the seed, and its hash is published. To compare these with what follows from
    0, 1, 2 and so on costs that price for each guess, so that a million take days. `docs/fair-play.md` says what that
    is worth. A number that nobody gives is no concern: the system then draws 128 bits.

    Raises:
        PlanError: Too little memory is left for that.
    """
    try:
        return hashlib.scrypt(f"{number:x}".encode(), salt=_SALT, n=_COST, r=_BLOCKS, p=1, maxmem=_MEMORY, dklen=16)
    except (ValueError, MemoryError) as error:
        raise PlanError(
            f"seed: to derive a seed from it takes {_MEMORY >> 20} MiB of memory: {error}", "seed"
        ) from None


def edition_of(rules: Rules, name: str | None) -> dict[str, Any]:
    """Return the edition of that name or in that TOML file; None: the game's first. Raises `EditionError`."""
    name = rules.editions()[0] if name is None else name
    return dict(rules.edition(Path(name) if name.endswith(".toml") or "/" in name else name))


def differences(identity: Identity, ledger: Ledger) -> list[str]:
    """In words, what of a plan is not as it was when the ledger's tournament began."""
    settings = ledger.settings
    found = []
    if identity.game != settings.game:
        found.append(f"it plays {settings.game}, not {identity.game}")
    elif identity.edition != settings.edition:
        found.append(f"its edition is {_edition_words(settings.edition, identity.edition)}")
    if identity.format != settings.format:
        found.append(f"its format is {settings.format}, not {identity.format}")
    for name in FormatOptions.__struct_fields__:
        before, now = settings.options.get(name), identity.recorded_options().get(name)
        if before != now:
            found.append(f"its {name} is {before}, not {now}")
    if identity.players != settings.players:
        found.append(f"its player counts are {_list(settings.players)}, not {_list(identity.players)}")
    time = msgspec.to_builtins(identity.time)
    found += [
        f"its {key} is {settings.time.get(key)}, not {time[key]}" for key in time if time[key] != settings.time.get(key)
    ]
    limits = msgspec.to_builtins(identity.limits)
    found += [
        f"its limit of {key} is {settings.limits.get(key)}, not {limits[key]}"
        for key in limits
        if limits[key] != settings.limits.get(key)
    ]
    if identity.seed is not None and seed_hash(identity.seed) != settings.seed_hash:
        found.append("it has another seed")
    return found


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


def has_ledger(folder: Path) -> bool:
    """Whether a tournament has begun there."""
    return (folder / LEDGER_FILE).is_file()


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


def _edition_words(before: dict[str, Any], now: dict[str, Any]) -> str:
    if before.get("name") != now.get("name"):
        return f"{before.get('name')}, not {now.get('name')}"
    changed = [key for key in sorted({*before, *now}) if before.get(key) != now.get(key)]
    return f"another {before.get('name')} (changed: {', '.join(changed)})"


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
