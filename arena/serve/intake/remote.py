"""Bots that stay on their authors' machines: the gateway to them, and each `arena join` as a submission.

What comes in is the bot that stands here for the one elsewhere, so its way is that of all others. Its fingerprint
depends on the author's key alone, as the league sees nothing of the author's program: a key is a version.
"""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import Final

from arena.common.printable import printable
from arena.entrants.launch import LATENCY
from arena.gateway.gateway import RateBudget
from arena.gateway.keys import allowed, forwarder_folder, key_hash
from arena.serve.children import Child
from arena.serve.intake.incoming import Say, coming
from arena.serve.league import GATEWAY, League
from arena.serve.store import ENDS, LeagueStore

_STARTS: Final = 5
"""Of the gateway in a minute. What keeps it from listening may take longer to pass."""


class GatewayProcess:
    """The gateway as a child process, which is begun anew if it ends."""

    def __init__(self, folder: Path, at: str | None, port: int, grace_seconds: float) -> None:
        """Start the process. Raises `OSError`. `at`: where it listens; None: only this machine reaches it."""
        self.folder = folder
        self.address = f"tcp://{at or '127.0.0.1'}:{port}"
        self._grace = grace_seconds
        self._budget = RateBudget(_STARTS, 60.0)
        self.starts = 0
        self._start()

    def _start(self) -> None:
        self.starts += 1
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        words = [str(self.folder.absolute()), self.address, str(self._grace)]
        command = [sys.executable, "-I", "-m", "arena.gateway.gateway", *words]
        self._child = Child(command, self.folder, self.folder / "gateway.log", math.inf)

    def check(self) -> str | None:
        """Begin the process anew if it has ended, and return what it said last; None: it has not, or it has to wait."""
        if self._child.poll() is None or not self._budget.take():
            return None
        said = self._child.last_lines(1) or self._child.reason
        self._start()
        return said

    def close(self) -> None:
        """End the process."""
        self._child.end()


def connected(league: League) -> dict[str, str]:
    """Return who is connected to the gateway of a league, with what names their key and their `arena join`."""
    found = {}
    folder, grace = league.folder / GATEWAY, league.settings.remote.grace_seconds
    for key, name in allowed(folder).items() if league.settings.remote.allowed else ():
        file = folder / LATENCY / name
        try:
            session = file.read_text("ascii").partition(" ")[2]
            if time.time() - file.stat().st_mtime < grace and session.startswith(key_hash(key)):
                found[name] = session
        except (OSError, ValueError):  # not so far
            continue
    return found


class RemoteSource:
    """The gateway of a league that lets bots play from elsewhere. Close it at the end."""

    def __init__(self, league: League, say: Say) -> None:
        """Start the gateway. Raises `OSError`."""
        self._league, self._say = league, say
        self._folder, rules = league.folder / GATEWAY, league.settings.remote
        self._said: set[str] = set()
        self.gateway = GatewayProcess(self._folder, rules.host, rules.port, rules.grace_seconds)

    def look(self, store: LeagueStore, submitters: Collection[str]) -> None:
        """See that the gateway runs, and take what is new: each `arena join` is a submission once, unless it plays."""
        if (said := self.gateway.check()) is not None:
            self._say_once(f"the gateway to bots elsewhere has ended, and is begun anew: {said}")
        for name, session in connected(self._league).items():
            if name not in submitters:
                self._say_once(f"{printable(name)} has a key, and is no submitter of this league")
                continue
            own, key = store.submissions(name), session.partition("-")[0]
            is_known = any(each.digest == session or each.state not in ENDS for each in own if each.via == "remote")
            plays = [each.digest.startswith(key) for each in own if each.state == "joined"]
            if not is_known and not any(plays[-1:]):
                try:
                    with coming(self._league.folder, name, "remote") as place:
                        shutil.copytree(forwarder_folder(self._folder, name), place / session)
                except (OSError, shutil.Error) as error:
                    self._say_once(f"{name}, who is elsewhere, cannot be received: {error}: see `arena key`")

    def _say_once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._say(text)

    def close(self) -> None:
        """End the gateway."""
        self.gateway.close()
