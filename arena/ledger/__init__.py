"""Keep a tournament in an SQLite file. No other code knows SQL."""

from arena.ledger.brief import brief_results
from arena.ledger.chain import heads, record_hash
from arena.ledger.chain_check import ChainContents, RunBudget, chain_differences
from arena.ledger.commitment import (
    Seeds,
    commit_seed,
    committed_seeds,
    renew_seed,
    reveal_seeds,
    seed_hash,
    settle_beacon,
)
from arena.ledger.errors import LedgerError
from arena.ledger.ledger import Ledger
from arena.ledger.lock import LedgerBusy, is_locked, locked
from arena.ledger.records import (
    BlockRecord,
    BriefResult,
    EntrantRecord,
    FaultRecord,
    FieldEvent,
    FieldNote,
    MatchRecord,
    MatchResult,
    Outcome,
    PageDataRecord,
    Step,
)
from arena.ledger.settings import DEFAULT_FORMAT, PlaceRange, RatedGames, TournamentSettings, is_absent
from arena.ledger.voids import VoidRecord, is_set_aside, set_aside

__all__ = [
    "DEFAULT_FORMAT",
    "BlockRecord",
    "BriefResult",
    "ChainContents",
    "EntrantRecord",
    "FaultRecord",
    "FieldEvent",
    "FieldNote",
    "Ledger",
    "LedgerBusy",
    "LedgerError",
    "MatchRecord",
    "MatchResult",
    "Outcome",
    "PageDataRecord",
    "PlaceRange",
    "RatedGames",
    "RunBudget",
    "Seeds",
    "Step",
    "TournamentSettings",
    "VoidRecord",
    "brief_results",
    "chain_differences",
    "commit_seed",
    "committed_seeds",
    "heads",
    "is_absent",
    "is_locked",
    "is_set_aside",
    "locked",
    "record_hash",
    "renew_seed",
    "reveal_seeds",
    "seed_hash",
    "set_aside",
    "settle_beacon",
]
