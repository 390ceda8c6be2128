"""Show the games that a worker plays to its spectators, and do nothing while there are none.

See `arena.replays.running_game`. The referee's thread only hands over lists that it keeps anyway. A thread of its own
sleeps in the opening of a pipe until somebody watches. Then it wakes once a second, writes down what is new, and lets
go of the interpreter after each small piece of work, so that the referee, who measures bots' times, never waits for it.
"""

from __future__ import annotations

import logging
import os
import select
import shutil
import stat
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from arena.game.game import begin
from arena.game.replay import play_step
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.ledger import GameRecord
from arena.replays.running_game import (
    FOLDER,
    LARGEST,
    RETIRED,
    WATCH,
    GameEnd,
    PublicEvent,
    ShownGame,
    public_events,
)
from arena.replays.views import PublicView
from engine.picture import Illustrated
from engine.rules import Data, Rules

_log = logging.getLogger(__name__)

PACE: Final = 1.0
"""Seconds between two looks at the games."""
_SHOWN: Final = 4
"""The most games of one worker that are shown."""
_SLICE: Final = 16
"""Steps that are written down before the referee's thread gets its turn. They take less than 0.1 ms."""
_REST: Final = 0.001
_STAYS: Final = 3
"""How often a game is still written down after its end, so that everybody has seen it."""


@contextmanager
def watchable(ledger: Path) -> Iterator[Path | None]:
    """Make the folder through which the games of a run can be watched, and remove it at the end.

    Yield None where that is impossible: the tournament is played all the same.
    """
    folder = ledger / FOLDER
    _remove(folder)  # of a run that was killed
    made = False
    with suppress(OSError):
        folder.mkdir(mode=0o700)
        os.mkfifo(folder / WATCH, 0o600)
        made = True
    try:
        yield folder if made else None
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove the folder, also while a worker writes in it: under another name it gets no new files."""
    ended = folder.with_name(f"{folder.name}.ended")
    shutil.rmtree(ended, ignore_errors=True)
    with suppress(OSError):
        folder.rename(ended)
    shutil.rmtree(ended, ignore_errors=True)


class SpectatorFeed:
    """Shows the games of this process."""

    def __init__(self, folder: Path, rules: Rules, edition: Data) -> None:
        """Wait, in a thread, until somebody watches. `folder`: see `watchable`."""
        self.folder = folder
        self._rules = rules
        self._edition = edition
        self._played: tuple[Mapping[str, GameSpec], Mapping[str, list[GameStep]]] = ({}, {})
        self._shown: dict[str, WrittenGame] = {}
        self._ended: dict[str, GameRecord] = {}
        self._number = 0
        threading.Thread(target=self._run, name="spectators", daemon=True).start()

    def follow(self, specs: Sequence[GameSpec], game_steps: Mapping[str, list[GameStep]]) -> None:
        """Take the games that are played next, and the lists to which their steps will be added, by id."""
        self._played = ({spec.id: spec for spec in specs}, game_steps)

    def end(self, records: Sequence[GameRecord]) -> None:
        """Take the records of games that have ended."""
        self._ended |= {record.id: record for record in records if record.id in self._shown}
        self._played = ({}, {})

    def _run(self) -> None:
        while True:
            try:
                if not stat.S_ISFIFO((self.folder / WATCH).stat().st_mode):
                    return
                pipe = os.open(self.folder / WATCH, os.O_RDONLY | os.O_CLOEXEC)  # waits for a spectator
            except OSError:
                return  # the run is over, or plays on another machine
            try:
                self._show(pipe)
            except Exception as error:  # a full disk, or a run that is over
                _log.debug("what is played cannot be shown: %r", error)
                time.sleep(PACE)
            finally:
                os.close(pipe)
                self._shown, self._ended = {}, {}
                with suppress(OSError):
                    self._file.unlink()

    @property
    def _file(self) -> Path:
        return self.folder / f"{os.getpid()}.json"

    def _show(self, pipe: int) -> None:
        """Write down what is played until nobody watches any more."""
        while True:
            self._choose()
            for written in list(self._shown.values()):
                try:
                    written.go_on(self._ended.get(written.spec.id))
                except Exception:  # a plug-in's
                    del self._shown[written.spec.id]
            self._write()
            if select.select([pipe], [], [], PACE)[0] and not os.read(pipe, 1024):
                return

    def _choose(self) -> None:
        """Let go of games that have ended, and choose those that began last in their place."""
        specs, game_steps = self._played
        for written in list(self._shown.values()):
            spec = written.spec
            lost = spec.id not in game_steps and spec.id not in self._ended
            again = spec.id in specs and specs[spec.id] is not spec
            if written.stays == 0 or lost or again:
                del self._shown[spec.id]
                self._ended.pop(spec.id, None)
        playing = [game for game in list(game_steps) if game in specs and game not in self._ended]
        for game in reversed(playing):
            if len(self._shown) >= _SHOWN:
                return
            if game in self._shown:
                continue
            with suppress(Exception):  # a plug-in's
                self._number += 1
                key = f"{os.getpid()}-{self._number}"
                self._shown[game] = WrittenGame(key, specs[game], game_steps[game], self._rules, self._edition)
            return  # one at a time: what begins now was begun a moment ago

    def _write(self) -> None:
        data = b"[%s]" % b",".join(written.data() for written in self._shown.values())
        beside = self.folder / f".{os.getpid()}"
        beside.write_bytes(data if len(data) <= LARGEST else b"[]")
        beside.replace(self._file)


class WrittenGame:
    """A game, with what was written down of it."""

    def __init__(self, key: str, spec: GameSpec, steps: list[GameStep], rules: Rules, edition: Data) -> None:
        """Write down how it begins. `steps`: the list to which its steps are added."""
        self.spec = spec
        self.stays = _STAYS
        """How often it is still written down after its end."""
        self._steps = steps
        self._taken = 0
        self._parts: list[bytes] = []
        self._state = begin(rules, edition, spec.players, bytes.fromhex(spec.seed))
        start = rules.scene(self._state.view(None)) if isinstance(rules, Illustrated) else None
        self._view = PublicView(self._state) if start is None else None
        bots = [bot.encode("utf-8", "replace").decode() for bot in spec.bots]  # a file's name may be no text
        self._shown = ShownGame(key, spec.id, bots, start, [], self._view.start if self._view is not None else None)

    def go_on(self, record: GameRecord | None) -> None:
        """Write down the steps that are new, and the end once there is one."""
        upto = len(self._steps)
        while self._taken < upto:
            some = self._steps[self._taken : min(upto, self._taken + (_SLICE if self._view is None else 1))]
            self._parts += [msgspec.json.encode(event) for step in some for event in self._events(step)]
            self._taken += len(some)
            time.sleep(_REST)
        if record is not None:
            self.stays -= 1
            if record.ending != "void":
                self._shown.end = GameEnd(record.ending, record.ranks, record.scores)

    def _events(self, game_step: GameStep) -> list[PublicEvent]:
        """Return what everybody may read of a step. The step's state has gone on by now: another one follows it."""
        events = public_events(game_step)
        if self._view is not None:
            play_step(self._state, game_step.step, game_step.offered, self.spec.players)
            last = next((place for place in reversed(range(len(events))) if events[place].kind != RETIRED), None)
            if last is not None:
                events[last].seen = self._view.changes(self._state)
        return events

    def data(self) -> bytes:
        """Return what was written down as JSON."""
        events = msgspec.Raw(b"[%s]" % b",".join(self._parts))
        return msgspec.json.encode(msgspec.structs.asdict(self._shown) | {"events": events})
