"""What is fixed when a tournament begins, and in what another plan differs from it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.entrants import LimitCeilings
from arena.formats import DEFAULT_FORMAT, FormatOptions
from arena.game.clock import TimeControl
from arena.ledger import Dealing, Ledger, Measure, Partners, seed_hash
from arena.tournament.plan import Deals, PlanError
from engine.rules import Rules

OPENING_PLIES: Final = 4
"""How many random actions begin a game without chance, if nobody says how many."""
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
    dealing: Dealing = Dealing()
    network: list[str] = []
    """Which bots may use the network, and by what variables: see `Plan`."""

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


def dealing_of(rules: Rules, deals: Deals | None, openings: int | None) -> Dealing:
    """Return how games of these rules are dealt: what was asked for, or else what suits them.

    Without chance a seed makes no new game, so random openings do, and all games of a block have the same one.
    """
    has_chance = rules.capabilities.chance
    plies = (0 if has_chance else OPENING_PLIES) if openings is None else openings
    is_shared = deals == "shared" or (deals is None and not has_chance and plies > 0)
    return Dealing(is_shared, is_shared and has_chance, has_chance, plies)


def with_partners(dealing: Dealing, rules: Rules, players: Sequence[int], partners: Partners | None) -> Dealing:
    """Add who holds the seats of a team, if the rules have teams in games of so many players. Raises `PlanError`."""
    teams = {count: seats for count, seats in rules.capabilities.teams.items() if count in players}
    if not teams:
        if partners is not None:
            there = ", ".join(map(str, sorted(rules.capabilities.teams))) or "no number of players"
            raise PlanError(f"partners: {rules.name} has teams with {there}: leave out --partners", "partners")
        return dealing
    seats = [[list(team) for team in teams[count]] for count in sorted(teams)]
    dealing = msgspec.structs.replace(dealing, partners=partners or "own", teams=seats)
    entrants = [dealing.entrants(count) for count in players]
    if twice := [count for count, number in zip(players, entrants, strict=True) if entrants.count(number) > 1]:
        raise PlanError(
            f"players: games of {_list(twice)} players are for as many bots, as each holds a team: choose one number "
            f"with --players, as in --players {twice[-1]}",
            "players",
        )
    return dealing


def measure_of(rules: Rules, players: Sequence[int], is_of_order: bool) -> Measure | None:
    """Return the score by which bots are compared while games are played; None: by ranks. Raises `PlanError`."""
    score, span = rules.capabilities.score, rules.capabilities.span
    if score is None:
        return None
    if not span.keys() >= {*players} or (is_of_order and score.cooperative):
        why = "the rules do not say how far that goes (`Capabilities.span`)"
        why = "all who meet win the same" if is_of_order and score.cooperative else why
        raise PlanError(f"{rules.name} is played for {score.unit}, and {why}: play a tournament of a number of games")
    low, high = min(span[count][0] for count in players), max(span[count][1] for count in players)
    return Measure(score.name, score.unit, *((low, high) if score.best == "most" else (high, low)))


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
    for what, old, new in (("", settings.time, identity.time), ("limit of ", settings.limits, identity.limits)):
        asked = msgspec.to_builtins(new)
        found += [f"its {what}{key} is {old.get(key)}, not {asked[key]}" for key in asked if asked[key] != old.get(key)]
    if identity.network != (settings.network or []):
        said = [", ".join(each or []) or "nobody" for each in (settings.network, identity.network)]
        found.append(f"its network is for {said[0]}, not for {said[1]}")
    before = settings.dealing or Dealing()
    if identity.dealing.is_shared != before.is_shared:
        found.append("its deals are shared, not own" if before.is_shared else "its deals are own, not shared")
    if identity.dealing.openings != before.openings:
        found.append(f"its openings have {before.openings} actions, not {identity.dealing.openings}")
    if identity.dealing.partners != before.partners:
        found.append(f"its partners are {before.partners}, not {identity.dealing.partners}")
    elif identity.dealing.teams != before.teams:
        found.append("its rules have other teams")
    if identity.seed is not None and seed_hash(identity.seed) != settings.seed_hash:
        found.append("it has another seed")
    return found


def _edition_words(before: dict[str, Any], now: dict[str, Any]) -> str:
    if before.get("name") != now.get("name"):
        return f"{before.get('name')}, not {now.get('name')}"
    changed = [key for key in sorted({*before, *now}) if before.get(key) != now.get(key)]
    return f"another {before.get('name')} (changed: {', '.join(changed)})"


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
