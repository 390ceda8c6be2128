"""What an organiser may say to a format, and the error for what cannot be drawn."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from arena.common.errors import ArenaError

ERROR: Final = 0.05
MARGIN: Final = 0.05
"""Of a comparison."""
RANKING_MARGIN: Final = 0.1
"""Of the neighbours of an order."""
HEAT_BLOCKS: Final = 4


class FormatError(ArenaError):
    """A format that does not exist, an option that it does not take, or a field that it cannot draw."""


class FormatOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of all formats; each format takes some of them. None, or an empty list: not given."""

    challengers: tuple[str, ...] = ()
    """`gauntlet`: entrants by name, of which every version takes the place of the one before it, or by label."""
    until: Literal["resolved"] | None = None
    """`balanced`, `swiss`: `resolved` to end when the order is known, as `decisive` does."""
    error: float | None = None
    """`decisive` and `until`: with which probability anything that is said of the order may be wrong. Default `ERROR`.

    `paired`: likewise of a comparison.
    """
    margin: float | None = None
    """`decisive` and `until`: two bots are tied if their mean finishes differ by less. Default `RANKING_MARGIN`.

    `paired`: the difference that matters. Default `MARGIN`.
    """
    groups: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """`groups+knockout`: how many groups there are. Default: as many as have six bots or more."""
    blocks: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """`knockout`, `groups+knockout`: how many blocks decide a heat. Default `HEAT_BLOCKS`."""

    sides: tuple[str, ...] = ()
    """`paired`: the old bot and the new one, by label."""

    def __post_init__(self) -> None:
        """Raise `FormatError` for a value that is not allowed."""
        for name in ("error", "margin"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 0.5:
                raise FormatError(f"{name}: {value:g} is not a probability between 0 and 0.5, such as 0.05")

    def resolving(self) -> tuple[float, float]:
        """Return error and margin of a tournament that ends when the order is known."""
        return self.error or ERROR, self.margin or RANKING_MARGIN

    def given(self) -> list[str]:
        """Return the names of the options that are given."""
        return [name for name in self.__struct_fields__ if getattr(self, name) not in (None, ())]
