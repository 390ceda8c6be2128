"""What goes wrong with a ledger."""

from __future__ import annotations


class LedgerError(ValueError):
    """A ledger that is not there or cannot be used; the text says what, where and what to do."""
