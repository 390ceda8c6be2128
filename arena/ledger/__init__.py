"""Keep a tournament in an SQLite file. No other code knows SQL."""

from arena.ledger.commitment import commit_seed, committed_seed, reveal_seed, seed_hash
from arena.ledger.errors import LedgerError
from arena.ledger.ledger import Ledger
from arena.ledger.lock import LedgerBusy, is_locked, locked
from arena.ledger.records import (
    BlockRecord,
    EntrantRecord,
    FaultRecord,
    FieldEvent,
    MatchRecord,
    MatchResult,
    Outcome,
    PageDataRecord,
    Step,
)
from arena.ledger.settings import DEFAULT_FORMAT, Range, RatedGames, TournamentSettings, is_absent

__all__ = [
    "DEFAULT_FORMAT",
    "BlockRecord",
    "EntrantRecord",
    "FaultRecord",
    "FieldEvent",
    "Ledger",
    "LedgerBusy",
    "LedgerError",
    "MatchRecord",
    "MatchResult",
    "Outcome",
    "PageDataRecord",
    "Range",
    "RatedGames",
    "Step",
    "TournamentSettings",
    "commit_seed",
    "committed_seed",
    "is_absent",
    "is_locked",
    "locked",
    "reveal_seed",
    "seed_hash",
]
