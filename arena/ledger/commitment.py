"""Commit to a tournament's seed, and reveal it when the results are final.

The seed gives away every deck. So while a tournament can go on, its ledger, which people copy and publish, holds only
the seed's hash, and the seed itself lies in a file that only the user may read. When the results are final, the seed is
published in the ledger, and everybody can check it against the hash that was there from the start.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path
from typing import Final

from arena.ledger.errors import LedgerError
from arena.ledger.ledger import Ledger

FILE: Final = "seed"


def seed_hash(seed: bytes) -> str:
    """Return the hash of a seed, in hex, which is published from the start."""
    return blake2b(seed, digest_size=32, person=b"tournament seed").hexdigest()


def commit_seed(folder: Path, seed: bytes) -> str:
    """Write the seed to a file of its own, and return its hash for the ledger."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE
    file.unlink(missing_ok=True)  # an older one may be open to others, and stay so
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(seed.hex())
    return seed_hash(seed)


def committed_seed(ledger: Ledger) -> bytes:
    """Return the seed of a tournament. Raises `LedgerError` if it is lost or does not match the hash."""
    meta = ledger.meta
    file = ledger.folder / FILE
    try:
        seed = bytes.fromhex(meta["seed"] if meta.get("seed") else file.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise LedgerError(f"{file}: the tournament's seed cannot be read, so it cannot go on: {error}") from None
    if seed_hash(seed) != meta.get("seed_hash"):
        raise LedgerError(f"{file} is not the seed that this tournament began with")
    return seed


def reveal_seed(ledger: Ledger) -> None:
    """Publish the seed in the ledger. Call it once the results are final."""
    ledger.set_meta("seed", committed_seed(ledger).hex())
