"""The errors of this package."""

from __future__ import annotations

from typing import Final

from arena.common.errors import ArenaError

_TO_DO: Final = "Take a copy of this ledger that is whole, or play again with --fresh, which moves it aside"


class LedgerError(ArenaError):
    """A ledger that is missing or cannot be used. The text says what is wrong, where, and what to do."""


class DamagedLedger(LedgerError):
    """A ledger of which something cannot be read, by accident or because somebody altered it."""

    def __str__(self) -> str:
        """Return what is damaged, and what to do."""
        return f"{self.what}. {_TO_DO}"

    @property
    def what(self) -> str:
        """What is damaged, and where."""
        return str(self.args[0])
