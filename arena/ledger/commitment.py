"""Commit to a tournament's seed, and reveal it when the results are final.

The seed gives away every deck. So while a tournament can go on, its ledger, which people copy and publish, holds only
the seed's hash, and the seed itself lies in a file that only the user may read. When the results are final, the seed is
published in the ledger, and everybody can check it against the hash that was there from the start. A tournament that
goes on after that takes a new seed for the games to come, because bots may know the one that was published.
"""

from __future__ import annotations

import json
import os
import secrets
from bisect import bisect
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from arena.common.regular_files import read_regular, why_unread
from arena.ledger.errors import LedgerError
from arena.ledger.ledger import Ledger
from arena.ledger.settings import Beacon, Dealing, LaterSeed

FILE: Final = "seed"
SEED_BYTES: Final = 16
_MOST: Final = 4096
"""Bytes of the file with a seed."""


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
        out.flush()
        os.fsync(out.fileno())  # its hash may be published at once, and nobody could play on without it
    return seed_hash(seed)


class Seeds:
    """The seeds of a tournament: one for its schedule, and for each game the one that holds at its place."""

    def __init__(
        self,
        schedule: bytes,
        later: Sequence[tuple[int, bytes]] = (),
        secret: bytes | None = None,
        dealing: Dealing | None = None,
    ) -> None:
        """Keep seeds.

        Args:
            schedule: The seed of the schedule.
            later: Later seeds, with the places from which they hold.
            secret: The file's; None: all are published.
            dealing: How the games get their deals of the seeds.
        """
        self.schedule = schedule
        self.dealing = dealing or Dealing()
        self.secret = secret
        self._places = [0, *(place for place, _ in later)]
        self._seeds = [schedule, *(seed for _, seed in later)]

    @property
    def is_public(self) -> bool:
        """Return whether the last seed is published."""
        return self.secret is None

    def at(self, place: int) -> bytes:
        """Return the seed from which the seed of a game at that place is derived."""
        return self._seeds[bisect(self._places, place) - 1]


def committed_seeds(ledger: Ledger) -> Seeds:
    """Return the seeds of a tournament. Raises `LedgerError` if one is lost or does not match its hash."""
    settings = ledger.settings
    first = newest = _checked(ledger, settings.seed, settings.seed_hash)
    if settings.beacon_source is not None:
        if settings.beacon is None:
            raise LedgerError(
                f"{ledger.folder} waits for a public value ({settings.beacon_source}): add it with --beacon"
            )
        first = mixed_seed(first, settings.beacon)
    later = [(each.place, _checked(ledger, each.seed, each.hash)) for each in settings.later_seeds]
    last = settings.later_seeds[-1].seed if settings.later_seeds else settings.seed
    if later:
        newest = later[-1][1]
    return Seeds(first, later, secret=newest if last is None else None, dealing=settings.dealing)


def settle_beacon(ledger: Ledger, value: str, contributions: Sequence[str]) -> None:
    """Record the public value that goes into the seed, and with it the head that everybody could see before.

    Then follows when the tournament began, which that head must not depend on.
    """
    said = msgspec.to_builtins(Beacon(value, list(contributions), ledger.chain.head()))
    first = [note.moment for note in ledger.field_notes()[:1] if note.moment is not None]
    ledger.set_meta("beacon", said, ["beacon", said], *(["date", moment] for moment in first))


def mixed_seed(secret: bytes, beacon: Beacon) -> bytes:
    """Return the seed that follows from the secret and from what nobody knew when its hash was published.

    Through the head it depends on all that was fixed before: settings, bots, and the hash of the secret.
    """
    text = json.dumps([beacon.head, beacon.value, beacon.contributions])
    return blake2b(text.encode(), key=secret, digest_size=SEED_BYTES, person=b"beacon seed").digest()


def renew_seed(ledger: Ledger, place: int) -> Seeds:
    """Take a new seed for the games from `place` on. None of them may have been played. Return all seeds."""
    new = LaterSeed(place, commit_seed(ledger.folder, secrets.token_bytes(SEED_BYTES)))
    later = msgspec.to_builtins([*ledger.settings.later_seeds, new])
    ledger.set_meta("later_seeds", later, ["seed", place, new.hash])
    return committed_seeds(ledger)


def reveal_seeds(ledger: Ledger) -> None:
    """Publish the seeds in the ledger. Call it once the results are final."""
    settings = ledger.settings
    if settings.seed is None:
        ledger.set_meta("seed", _checked(ledger, None, settings.seed_hash).hex())
    shown = [
        LaterSeed(each.place, each.hash, _checked(ledger, each.seed, each.hash).hex()) for each in settings.later_seeds
    ]
    ledger.set_meta("later_seeds", msgspec.to_builtins(shown))


def _checked(ledger: Ledger, published: str | None, expected: str) -> bytes:
    """Return a seed that was published, or else the one in the file. Raises `LedgerError`."""
    file = ledger.folder / FILE
    try:
        seed = bytes.fromhex(published if published is not None else read_regular(file, _MOST).decode("ascii"))
    except (OSError, ValueError) as error:
        raise LedgerError(
            f"{file}: the tournament's seed cannot be read, so it cannot go on: {why_unread(error)}. Put the file back "
            "that was there when it began, or begin anew with --fresh"
        ) from None
    if len(seed) != SEED_BYTES or seed_hash(seed) != expected:
        raise LedgerError(f"{file} is not the seed that this tournament began with")
    return seed
