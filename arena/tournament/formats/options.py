"""What an organiser may say to a format, and the error for what cannot be drawn."""

from __future__ import annotations

from typing import Final

import msgspec

from arena.common.errors import ArenaError

ERROR: Final = 0.05
MARGIN: Final = 0.05


class FormatError(ArenaError):
    """A format that does not exist, an option that it does not take, or a field that it cannot draw."""


class FormatOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of all formats; each format takes some of them. None, or an empty list: not given."""

    error: float | None = None
    margin: float | None = None
    sides: tuple[str, ...] = ()
    """`paired`: the old bot and the new one, by label."""

    def __post_init__(self) -> None:
        """Raise `FormatError` for a value that is not allowed."""
        for name in ("error", "margin"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 0.5:
                raise FormatError(f"{name}: {value:g} is not a probability between 0 and 0.5, such as 0.05")

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        return [name for name in self.__struct_fields__ if getattr(self, name) not in (None, ())]
