"""What submitters and organisers may do by their pages."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from arena.serve import LeagueError
from arena.serve.intake.incoming import RECEIVED, submission_folder
from arena.serve.store import ENDS, LeagueStore

Wish = Literal["pause", "resume", "remove", "restore", "try again", "play again", "stop", "go on", "new address"]
"""The first four and the last are about a member, the next about a submission and a round, two about the league."""

Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
"""Of a submission or a round."""


class OrganiserWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an organiser asks for."""

    what: Wish
    name: str = ""
    """Of a member."""
    number: Number = 0
    """Of a submission, or of a round of the season."""


class StoreActions:
    """Does what concerns the league's state, in threads of the server, and leaves the rest to the league.

    Every method raises `LeagueError` with why something is refused. What organisers do is in the chain.
    """

    def __init__(
        self,
        store: LeagueStore,
        lock: threading.Lock | threading.RLock,
        receive: Callable[[str, str, Path], int],
        play_again: Callable[[str, int], object],
    ) -> None:
        """Take the store and its lock.

        Args:
            store: The state.
            lock: Held while the store is used.
            receive: Takes a file of a member, with its name at theirs, and returns the number of the submission.
            play_again: Has a round played again, as somebody asks for; raises `LeagueError` if that cannot be.
        """
        self._store, self._lock, self._receive, self._play_again = store, lock, receive, play_again

    def submit(self, member: str, file_name: str, file: Path) -> int:
        """Take a file that was uploaded, and return the submission's number."""
        with self._lock:
            return self._receive(member, file_name, file)

    def withdraw(self, member: str, number: int) -> None:
        """Take back a submission of this member that is on its way."""
        with self._lock:
            if number not in {each.id for each in self._store.submissions(member, is_open=True)}:
                raise LeagueError(f"{number} is no submission of yours that is on its way")
            self._store.move(number, "withdrawn", "taken back by its submitter")

    def organise(self, who: str, wish: OrganiserWish) -> str | None:
        """Do what an organiser asks for, and return a secret, if one was made."""
        with self._lock:
            if wish.what in ("pause", "resume"):
                self._store.set_member(who, wish.name, paused=wish.what == "pause")
            elif wish.what in ("remove", "restore"):
                self._store.set_member(who, wish.name, removed=wish.what == "remove")
            elif wish.what == "try again":
                again = [each for each in self._store.submissions() if each.id == wish.number]
                if not again or again[0].state not in ENDS or again[0].state == "joined":
                    raise LeagueError(f"{wish.number} is no submission that was refused or taken back")
                if not (submission_folder(self._store.folder, wish.number) / RECEIVED).exists():
                    raise LeagueError(f"the files of {wish.number} are no longer here: it must be submitted again")
                if any(
                    each.id > wish.number and each.state == "joined"
                    for each in self._store.submissions(again[0].submitter)
                ):
                    raise LeagueError(f"a newer submission of {again[0].submitter} plays: {wish.number} would not")
                self._store.act(who, wish.what, submission=wish.number)
                self._store.move(wish.number, "received", "tried again, as an organiser asked for")
            elif wish.what == "play again":
                self._play_again(who, wish.number)
            elif wish.what == "new address":
                asked = (wish.name, "submitter", False)
                if not any((each.name, each.kind, each.is_removed) == asked for each in self._store.members()):
                    raise LeagueError(
                        f"there is no submitter {wish.name!r} in this league, or only one who was removed"
                    )
                self._store.act(who, wish.what, name=wish.name)
                return self._store.add_member(wish.name)
            else:
                self._store.put("paused", wish.what == "stop", who)
        return None
