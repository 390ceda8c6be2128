"""Open the ledger of the tournament that is asked for, or write that of a new one."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import msgspec

from arena.common.printable import counted
from arena.common.progress import Progress
from arena.entrants import Built
from arena.ledger import Dealing, EntrantRecord, Ledger, LedgerError, TournamentSettings, commit_seed, locked
from arena.ledger.database import FILE as LEDGER_FILE
from arena.tournament.folders import choose_folder, has_ledger
from arena.tournament.identity import Identity, differences
from arena.tournament.plan import DEFAULT_OUT, PlanError


@contextmanager
def open_ledger(
    identity: Identity,
    out: str | None,
    fresh: bool,
    progress: Progress,
    begin: Callable[[Path], dict[str, Built]],
    default: Path = DEFAULT_OUT,
) -> Iterator[tuple[Ledger, dict[str, Built] | None]]:
    """Open the tournament's ledger to write, under its lock, with the bots that were built if it begins now.

    Args:
        identity: What is fixed in the tournament.
        out: The folder; None: one of the default folders, or a new one beside them.
        fresh: Whether what lies there is moved aside.
        progress: Gets to know why another folder is taken than one would expect.
        begin: Admits the bots of a new tournament, writes its ledger into the folder, and returns the bots.
        default: The first of the default folders.

    Raises:
        PlanError: The folder holds another tournament.
        LedgerError: The ledger cannot be used, or another process has it.
    """
    folder, why = choose_folder(identity, out, fresh, default)
    if why:
        progress.say(why)
    with locked(folder):
        begun = None if has_ledger(folder) else begin(folder)
        with Ledger.open(folder, writing=True) as ledger:
            if found := differences(identity, ledger):  # somebody else was quicker
                raise PlanError(f"{folder} holds another tournament: {'; '.join(found)}")
            yield ledger, begun


def create_ledger(
    folder: Path,
    identity: Identity,
    records: Sequence[EntrantRecord],
    avatars: Mapping[str, bytes],
    note: str = "",
    beacon_source: str | None = None,
) -> None:
    """Write the ledger of a new tournament.

    `avatars`: the pictures of the bots' authors, by name; `note`: what the user says about its entrants;
    `beacon_source`: see `TournamentSettings`.
    """
    seed = identity.seed if identity.seed is not None else secrets.token_bytes(16)
    settings = TournamentSettings(
        game=identity.game,
        edition=identity.edition,
        players=identity.players,
        time=msgspec.to_builtins(identity.time),
        seed_hash=commit_seed(folder, seed),
        seed_given=identity.seed is not None,
        format=identity.format,
        options=identity.recorded_options(),
        limits=msgspec.to_builtins(identity.limits),
        network=identity.network or None,
        beacon_source=beacon_source,
        dealing=None if identity.dealing == Dealing() else identity.dealing,
    )
    unfinished = folder / ".new"
    shutil.rmtree(unfinished, ignore_errors=True)  # of a run that was killed
    with Ledger.create(unfinished, settings.entries()) as ledger:
        ledger.set_entrants(records, note, avatars)
    # Whole or not at all: a ledger without its bots could never go on.
    if any(file.name != LEDGER_FILE for file in unfinished.iterdir()):  # what was to be merged into it
        raise LedgerError(f"{unfinished} cannot be written whole: make room and type the same command again")
    (unfinished / LEDGER_FILE).rename(folder / LEDGER_FILE)
    unfinished.rmdir()


def check_place(ledger: Ledger, secret: bytes | None) -> None:
    """Save the games, and raise `LedgerError`, if somebody has moved or deleted a ledger that is open to write.

    `secret`: the seed that is not yet published.
    """
    if not ledger.is_in_place:
        saved = _save_beside(ledger, secret)
        raise LedgerError(
            f"{ledger.folder} was moved or deleted while its games were played: the "
            f"{counted(ledger.played(), 'game')} played so far are saved in {saved}. To go on, type the command again "
            "and name that folder"
        )


def _save_beside(ledger: Ledger, secret: bytes | None) -> Path:
    """Write a new folder beside the place of a ledger, or a temporary one if that cannot be, and return the folder."""
    name = f"{ledger.folder.name}-saved"
    try:
        ledger.folder.parent.mkdir(parents=True, exist_ok=True)
        folder = next(
            folder
            for number in count(1)
            if not (folder := ledger.folder.with_name(name if number == 1 else f"{name}-{number}")).exists()
        )
        folder.mkdir()
    except OSError:
        folder = Path(mkdtemp(prefix=f"{name}-"))
    if secret is not None:
        commit_seed(folder, secret)
    ledger.copy_to(folder)
    return folder
