"""Keep a tournament in an SQLite file. No other code knows SQL."""

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
    PlannedGame,
    Step,
    VoidRecord,
    is_set_aside,
    set_aside,
    summary_of,
)
from arena.ledger.result_queries import BriefFault, NewResults, brief_results, results_since
from arena.ledger.rows import PackedGame, pack_game, record_hash
from arena.ledger.settings import (
    DEFAULT_FORMAT,
    FINISHES,
    Beacon,
    BegunGame,
    Contradiction,
    Dealing,
    Measure,
    NeighbourVerdict,
    Partners,
    PlaceRange,
    Placing,
    RatedGames,
    Resolution,
    TournamentSettings,
    is_absent,
)
