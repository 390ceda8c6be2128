"""What goes wrong with a ledger."""

from __future__ import annotations

from arena.common.errors import ArenaError


class LedgerError(ArenaError):
    """A ledger that is not there or cannot be used; the text says what, where and what to do."""
