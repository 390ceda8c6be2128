from tests.arena.ledgers import ledger, play

__all__ = ["ledger", "play"]
