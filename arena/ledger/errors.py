"""The error of this package."""

from __future__ import annotations

from arena.common.errors import ArenaError


class LedgerError(ArenaError):
    """A ledger that is missing or cannot be used. The text says what is wrong, where, and what to do."""
