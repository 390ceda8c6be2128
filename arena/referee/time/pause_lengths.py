"""What bots took for earlier answers, from which the lengths of pauses are drawn (`arena.referee.time.pause_queue`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import Enum, auto
from random import Random
from statistics import median
from typing import Final

from arena.referee.time.timer import AT_ONCE, BUSY_WAIT_SECONDS
from engine.chance import derive

_KEPT: Final = 64
"""How many decisions of a kind are remembered."""
_LATEST: Final = 0.001
"""Seconds: a pause, or an answer after it, that comes later than this is an exception, caused by other processes."""
_LATE_AVERAGED: Final = 16
"""Over about how many pauses their lateness is averaged."""
_COMPARED: Final = 4
"""With how many answers after answers one after a pause is compared at least."""


class Before(Enum):
    """What the game waited for last before it asked a bot."""

    ANSWER = auto()
    """An answer of the same bot."""
    PAUSE = auto()
    """A pause instead of one."""
    OTHER = auto()
    """Another bot, an answer of the same bot that did not come, or nothing."""


class AnswerTimes:
    """The seconds from question to answer: the latest of each bot, by phase."""

    def __init__(self) -> None:
        """Begin without any."""
        self._times: dict[tuple[str, ...], deque[float]] = {}
        self._kinds: dict[tuple[str, str], list[deque[float]]] = {}
        """By bot and phase: those of `_times` to which an answer belongs, so that they are looked up once."""
        self._lateness = {True: 0.0, False: 0.0}
        """The mean lateness of pauses in seconds: of busy waits, and of others."""
        self._awake: dict[tuple[str, str], deque[float]] = {}
        """By bot and phase: those of answers that followed an answer of the same bot."""
        self._slow: dict[str, bool] = {}
        """By bot: whether it was slow in the last game that ended."""
        self._waking: dict[str, deque[float]] = {}
        """By bot: by how many seconds its answers after pauses took longer than those."""

    def add(self, bot: str, phase: str, seconds: float, before: Before = Before.OTHER) -> None:
        """Note how long an answer took, and what the game had waited for before the question."""
        kinds = self._kinds.get((bot, phase))
        if kinds is None:
            found = [self._times.setdefault(kind, deque(maxlen=_KEPT)) for kind in ((bot, phase), (bot,), ())]
            kinds = self._kinds[bot, phase] = found
        for times in kinds:
            times.append(seconds)
        if before is Before.ANSWER:
            own = self._awake.get((bot, phase))
            if own is None:
                own = self._awake[bot, phase] = deque(maxlen=_KEPT)
            own.append(seconds)
        elif before is Before.PAUSE and len(awake := self._awake.get((bot, phase), ())) >= _COMPARED:
            self._waking.setdefault(bot, deque(maxlen=_KEPT)).append(seconds - median(awake))

    def game_ended(self, bots: Sequence[str], answers: Sequence[Sequence[float]]) -> None:
        """Note whether bots were slow in a game that has ended. `answers`: by seat: the seconds of its answers."""
        for bot, seconds in zip(bots, answers, strict=True):
            if seconds:
                self._slow[bot] = median(seconds) > AT_ONCE

    def is_slow(self, bot: str) -> bool:
        """Return whether a bot took longer than a moment for most answers in its last game that has ended."""
        return self._slow.get(bot, False)

    def pause_ended(self, seconds: float, late: float) -> None:
        """Note by how many seconds a pause ended late, as the system lets us: the next ones are that much shorter.

        `seconds`: how long it was to be.
        """
        is_busy_wait = seconds <= BUSY_WAIT_SECONDS
        self._lateness[is_busy_wait] += (min(late, _LATEST) - self._lateness[is_busy_wait]) / _LATE_AVERAGED

    def draw(self, bot: str, phase: str, random: Random, is_asked_next: bool = False) -> float:
        """Draw one of a bot's times in this phase; if there is none, of its times, else of all; 0 before any answer.

        `is_asked_next`: whether the game asks the same bot after the pause.
        """
        waking = self._waking.get(bot) if is_asked_next else None
        waking_seconds = min(max(0.0, median(waking)), _LATEST) if waking else 0.0
        for kind in ((bot, phase), (bot,), ()):
            if times := self._times.get(kind):
                seconds = random.choice(times) - waking_seconds
                return max(0.0, seconds - self._lateness[seconds <= BUSY_WAIT_SECONDS])
        return 0.0


def pause_source(seed: str) -> Random:
    """Make the source from which the pauses of a game are drawn. `seed`: the game's, in hex."""
    return Random(derive(bytes.fromhex(seed), "pauses"))
