"""What an organiser may say to a format, and the error for what cannot be drawn."""

from __future__ import annotations

from typing import Final

import msgspec

from arena.common.errors import ArenaError

ERROR: Final = 0.05
MARGIN: Final = 0.05
HEAT_BLOCKS: Final = 4


class FormatError(ArenaError):
    """A format that does not exist, an option that it does not take, or a field that it cannot draw."""


class FormatOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of all formats; each format takes some of them. None, or an empty list: not given."""

    challengers: tuple[str, ...] = ()
    """`gauntlet`: entrants by name, of which every version takes the place of the one before it, or by label."""
    error: float | None = None
    """`decisive`: with which probability a verdict on two neighbours may be wrong. Default `ERROR`."""
    margin: float | None = None
    """`decisive`: two bots are tied if the better one's share of wins over the other is so little above one half.

    Default `MARGIN`.
    """
    groups: int | None = None
    """`groups+knockout`: how many groups there are. Default: as many as have six bots or more."""
    blocks: int | None = None
    """`knockout`, `groups+knockout`: how many blocks decide a heat. Default `HEAT_BLOCKS`."""

    sides: tuple[str, ...] = ()
    """`paired`: the old bot and the new one, by label."""

    def __post_init__(self) -> None:
        """Raise `FormatError` for a value that is not allowed."""
        for name in ("error", "margin"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 0.5:
                raise FormatError(f"{name}: {value:g} is not a probability between 0 and 0.5, such as 0.05")
        for name in ("groups", "blocks"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise FormatError(f"{name}: {value} is not a whole number from 1")

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        return [name for name in self.__struct_fields__ if getattr(self, name) not in (None, ())]
