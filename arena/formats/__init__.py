"""The formats that a tournament can have, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from arena.common.allowed_words import refused
from arena.common.decoding_words import in_words
from arena.formats.balanced import Balanced
from arena.formats.base import HEAT_BLOCKS, Block, Field, Format, FormatError, FormatOptions, GameOutcome, PlayedBlock
from arena.formats.decisive import DECISIVE, Decisive, OrderKnowledge, UntilResolved
from arena.formats.gauntlet import Gauntlet
from arena.formats.knockout import Knockout
from arena.formats.paired import PAIRED, Paired
from arena.formats.seated import SEATED, Seated
from arena.formats.swiss import Swiss
from arena.ledger import DEFAULT_FORMAT, Placing, TournamentSettings


class FormatEntry(NamedTuple):
    """A format that can be asked for."""

    make: Callable[[bytes, FormatOptions], Format]
    """Takes the tournament's seed."""
    about: str
    """What it is for, in a line."""
    takes: frozenset[str] = frozenset()
    """The names of its options."""


_OF_RESOLVING: Final = frozenset({"error", "margin"})


FORMATS: Final[dict[str, FormatEntry]] = {
    DEFAULT_FORMAT: FormatEntry(
        lambda seed, options: Balanced(seed),
        "every bot has equally many games and meets all others equally often",
        frozenset({"until"}),
    ),
    "gauntlet": FormatEntry(
        lambda seed, options: Gauntlet(seed, options.challengers),
        "one bot, or some, against all others",
        frozenset({"challengers"}),
    ),
    "swiss": FormatEntry(
        lambda seed, options: Swiss(seed),
        "bots of like standing meet, each new opponents: for many bots and few games",
        frozenset({"until"}),
    ),
    DECISIVE: FormatEntry(
        lambda seed, options: Decisive(seed, OrderKnowledge(*options.resolving())),
        "games where the order is least certain, until it is known",
        _OF_RESOLVING,
    ),
    "knockout": FormatEntry(
        lambda seed, options: Knockout(seed, options.blocks or HEAT_BLOCKS),
        "heats whose better half goes on, down to a final",
        frozenset({"blocks"}),
    ),
    "groups+knockout": FormatEntry(
        lambda seed, options: Knockout(seed, options.blocks or HEAT_BLOCKS, groups_first=True, groups=options.groups),
        "groups first, then a knockout of their best",
        frozenset({"blocks", "groups"}),
    ),
}


def make_format(name: str, seed: bytes, options: FormatOptions | None = None) -> Format:
    """Make the format of that name for a tournament with that seed.

    Raises `FormatError` if there is none, if it does not take an option that is given, or lacks one that it needs.
    """
    options = options or FormatOptions()
    if name == PAIRED:
        return Paired(seed, options)
    if name == SEATED:
        return Seated(seed)
    if name not in FORMATS:
        raise FormatError(f"format: {refused(name, sorted(FORMATS))}")
    entry = FORMATS[name]
    takes = entry.takes | {"score"} | (_OF_RESOLVING if "until" in entry.takes and options.until else frozenset())
    for option in options.given():
        if option not in takes:
            others = [other for other, each in sorted(FORMATS.items()) if option in each.takes]
            others += ["--until resolved"] * (option in _OF_RESOLVING)
            raise FormatError(f"the format {name} takes no {option}; it is for {' and '.join(others)}")
    made = entry.make(seed, options)
    return made if options.until is None else UntilResolved(made, OrderKnowledge(*options.resolving()))


def recorded_format(settings: TournamentSettings, seed: bytes) -> Format:
    """Make the format of a tournament, with the options that its ledger has. Raises `FormatError`."""
    try:
        options = msgspec.convert(settings.options, FormatOptions)
    except msgspec.ValidationError as error:
        raise FormatError(f"the options of the format {settings.format} do not fit: {in_words(error)}") from None
    return make_format(settings.format, seed, options)


def conclusions(format: Format, field: Field) -> list[str]:
    """Return what the results noted so far say, in a line each; nothing for a format that draws no conclusions."""
    late = format.not_taking_part(field) if isinstance(format, Knockout) else []
    return [f"joined too late for this knockout: {', '.join(late)}"] if late else []


def placings(format: Format, field: Field) -> list[Placing]:
    """Return the places of a knockout, best first; nothing for another format."""
    return format.placings(field) if isinstance(format, Knockout) else []
