"""Keep a tournament in an SQLite file. No other code knows SQL."""

from arena.ledger.brief import BriefFault, NewResults, brief_results, results_since
from arena.ledger.chain import heads, read_entry, text_hash
from arena.ledger.chain_check import ChainContents, RunBudget, chain_differences
from arena.ledger.commitment import (
    Seeds,
    commit_seed,
    committed_seeds,
    mixed_seed,
    renew_seed,
    reveal_seeds,
    seed_hash,
    settle_beacon,
)
from arena.ledger.errors import DamagedLedger, LedgerError
from arena.ledger.ledger import Ledger
from arena.ledger.lock import LedgerBusy, is_locked, locked
from arena.ledger.records import (
    BlockRecord,
    BriefResult,
    EntrantRecord,
    FaultRecord,
    FieldEvent,
    FieldNote,
    GameRecord,
    GameResult,
    GameSummary,
    Outcome,
    PageDataRecord,
    Step,
    summary_of,
)
from arena.ledger.resolution import Contradiction, NeighbourVerdict, Resolution
from arena.ledger.rows import PackedGame, pack_game, record_hash
from arena.ledger.settings import (
    DEFAULT_FORMAT,
    Beacon,
    BegunGame,
    PlaceRange,
    Placing,
    RatedGames,
    TournamentSettings,
    is_absent,
)
from arena.ledger.voids import VoidRecord, is_set_aside, set_aside

__all__ = [
    "DEFAULT_FORMAT",
    "Beacon",
    "BegunGame",
    "BlockRecord",
    "BriefFault",
    "BriefResult",
    "ChainContents",
    "Contradiction",
    "DamagedLedger",
    "EntrantRecord",
    "FaultRecord",
    "FieldEvent",
    "FieldNote",
    "GameRecord",
    "GameResult",
    "GameSummary",
    "Ledger",
    "LedgerBusy",
    "LedgerError",
    "NeighbourVerdict",
    "NewResults",
    "Outcome",
    "PackedGame",
    "PageDataRecord",
    "PlaceRange",
    "Placing",
    "RatedGames",
    "Resolution",
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
    "mixed_seed",
    "pack_game",
    "read_entry",
    "record_hash",
    "renew_seed",
    "results_since",
    "reveal_seeds",
    "seed_hash",
    "set_aside",
    "settle_beacon",
    "summary_of",
    "text_hash",
]
