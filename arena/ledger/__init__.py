"""The SQLite file of a tournament; the only code that knows SQL."""

from arena.ledger.commitment import publish, seal, sealed, seed_hash
from arena.ledger.errors import LedgerError
from arena.ledger.ledger import Ledger
from arena.ledger.lock import Busy, is_locked, locked
from arena.ledger.records import EntrantRecord, FaultRecord, GameRecord, GameResult, Step, StoryRecord

__all__ = [
    "Busy",
    "EntrantRecord",
    "FaultRecord",
    "GameRecord",
    "GameResult",
    "Ledger",
    "LedgerError",
    "Step",
    "StoryRecord",
    "is_locked",
    "locked",
    "publish",
    "seal",
    "sealed",
    "seed_hash",
]
