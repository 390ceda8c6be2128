"""Read what workers show of the games that they play, while somebody watches."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.common.regular_files import read_regular
from arena.replays.running_game import FOLDER, LARGEST, WATCH, RunningGame, ShownGame
from engine.rules import Data, Rules

_LOST: Final = 5.0
"""Seconds after which a file that nobody has written again is one of a worker that ended."""
_LINGERS: Final = 10.0
"""Seconds for which a board stays after its game has gone, for pages that have just chosen it."""


class RunningGames:
    """The games that are being played, as values by key of a `Feed`.

    `running/ID` is `[bots, name of the turn, steps, whether it is over]`. `board/ID/head`, `board/ID/0`, … and
    `board/ID/end` are the parts of its board: see `arena.replays.running_game`.
    """

    def __init__(self, folder: Path, rules: Rules, edition: Data, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the folder of the ledger. Nothing is opened before `changes`."""
        self._folder = folder / FOLDER
        self._rules = rules
        self._edition = edition
        self._clock = clock
        self._pipe: int | None = None
        self._files: dict[str, tuple[object, float, list[ShownGame]]] = {}
        """By name: a sign of a file's state, since when it has it, and its contents."""
        self._games: dict[str, RunningGame] = {}
        self._leaving: dict[str, float] = {}
        """When games that are gone were last there."""
        self._keys: dict[str, set[str]] = {}
        """The keys that a game has in the feed."""

    def changes(self, watched: bool) -> dict[str, object]:
        """Return what is new since the last call, None for what is gone. `watched`: whether anybody wants it."""
        self._hold(watched)
        now = self._clock()
        there = {game.id: game for game in self._read(now)} if self._pipe is not None else {}
        found: dict[str, object] = {}
        for game, shown in there.items():
            self._leaving.pop(game, None)
            with suppress(Exception):  # a plug-in's game: its board stays as it is
                found |= self._go_on(shown)
        for game in self._games.keys() - there.keys():
            found[f"running/{game}"] = None
            if not watched or now - self._leaving.setdefault(game, now) > _LINGERS:
                found |= dict.fromkeys(self._keys.pop(game, ()))
                del self._games[game]
                self._leaving.pop(game, None)
        return found

    def close(self) -> None:
        """Let go of the pipe, so that workers do not write any more."""
        self._hold(False)

    def _hold(self, watched: bool) -> None:
        """Open the pipe by which workers know that somebody watches, or close it."""
        if not watched and self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
            self._files.clear()
        if not watched or (self._pipe is not None and self._is_in_place(self._pipe)):
            return
        if self._pipe is not None:  # of a run before
            os.close(self._pipe)
            self._pipe = None
        with suppress(OSError):  # no run, or nobody who plays: tried again at the next call
            pipe = os.open(self._folder / WATCH, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            if stat.S_ISFIFO(os.fstat(pipe).st_mode):
                self._pipe = pipe
            else:
                os.close(pipe)
                raise OSError(errno.EINVAL, "it is no pipe")

    def _is_in_place(self, pipe: int) -> bool:
        try:
            return os.path.samestat(os.fstat(pipe), (self._folder / WATCH).stat())
        except OSError:
            return False

    def _read(self, now: float) -> list[ShownGame]:
        """Return the games in the files of all workers that still write theirs."""
        found: list[ShownGame] = []
        names: set[str] = set()
        with suppress(OSError):
            names = {file.name for file in self._folder.iterdir() if file.suffix == ".json"}
        for gone in self._files.keys() - names:
            del self._files[gone]
        for name in sorted(names):
            with suppress(OSError):
                status = (self._folder / name).stat()
                sign = (status.st_ino, status.st_mtime_ns, status.st_size)
                before = self._files.get(name)
                if before is None or before[0] != sign:
                    before = self._files[name] = (sign, now, self._contents(name, before[2] if before else []))
                if now - before[1] <= _LOST:
                    found += before[2]
        return found

    def _contents(self, name: str, before: list[ShownGame]) -> list[ShownGame]:
        try:
            return msgspec.json.decode(read_regular(self._folder / name, LARGEST), type=list[ShownGame])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
            return before  # no worker wrote it

    def _go_on(self, shown: ShownGame) -> dict[str, object]:
        """Return what is new of a game."""
        found: dict[str, object] = {}
        game = self._games.get(shown.id)
        if game is None or game.key != shown.key:
            if game is not None:  # it failed, and is played again
                found |= dict.fromkeys(self._keys.pop(shown.id, ()))
            game = self._games[shown.id] = RunningGame(shown, self._rules, self._edition)
            found[f"board/{shown.id}/head"] = {"key": game.key, **game.head()}
        since = game.take_events(shown)
        for number, piece in game.pieces(since):
            found[f"board/{shown.id}/{number}"] = piece
        if game.end is not None:
            found[f"board/{shown.id}/end"] = game.end
        self._keys.setdefault(shown.id, set()).update(found)
        summary: list[Any] = [game.bots, game.turn, game.steps, game.end is not None]
        return {**found, f"running/{shown.id}": summary}
