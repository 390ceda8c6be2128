"""Keep a tournament in an SQLite file. No other code knows SQL."""

from arena.ledger.commitment import Seeds, commit_seed, committed_seeds, renew_seed, reveal_seeds, seed_hash
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
    "Seeds",
    "Step",
    "TournamentSettings",
    "commit_seed",
    "committed_seeds",
    "is_absent",
    "is_locked",
    "locked",
    "renew_seed",
    "reveal_seeds",
    "seed_hash",
]
