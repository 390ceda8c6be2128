"""The tournament's seed, kept back until the results are final.

Who knows the seed knows every deck. So while a tournament can go on, the ledger, which people copy and publish, holds
only the seed's hash; the seed itself lies in a file of its own that only the user may read. With the final results it
is published in the ledger, and everybody can check that it is the one whose hash stood there from the start.
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
    """The hash in hex that is published from the start."""
    return blake2b(seed, digest_size=32, person=b"tournament seed").hexdigest()


def commit_seed(folder: Path, seed: bytes) -> str:
    """Keep the seed in its own file; the hash for the ledger."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE
    file.unlink(missing_ok=True)  # an older one may be open to others, and stay so
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(seed.hex())
    return seed_hash(seed)


def committed_seed(ledger: Ledger) -> bytes:
    """The seed of a tournament. Raises `LedgerError` when it is lost or not the one of the hash."""
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
    """The results are final: the seed becomes part of the ledger."""
    ledger.set_meta("seed", committed_seed(ledger).hex())
