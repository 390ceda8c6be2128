"""Ask a bot what it would do in a person's place, with what the person's own seat was sent and nothing else.

The bot is asked as `arena check` asks one, by a session of its own for each seat, so that it cannot carry over from one
seat to another what only one of them knows. It gets all that the seat was sent in this game, and answers every question
of it, because bots may keep notes.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

import msgspec

from arena.check import expect
from arena.check.report import Failed
from arena.check.session import CheckSession
from arena.entrants import Built
from arena.match.clock import SeatClock, TimeControl
from arena.play.person import Message

_log = logging.getLogger(__name__)

_END_SECONDS: Final = 2.0
Answer = Callable[[int | None, str], object]


class _Question(NamedTuple):
    seat: int
    sent: Sequence[Message]
    answer: Answer


class _Asked(NamedTuple):
    """What a session has been sent of a game."""

    session: CheckSession
    game_id: str
    decisions: int


class HintBots:
    """A bot that gives hints, in a process for each seat that asks. Everything is done in one thread."""

    def __init__(self, built: Built, time: TimeControl) -> None:
        """Start nothing yet. `time`: how long the bot may think."""
        self._built = built
        self._time = time
        self._questions: SimpleQueue[_Question | None] = SimpleQueue()
        self._asked: dict[int, _Asked] = {}
        self._thread: threading.Thread | None = None
        self._is_closed = False

    @property
    def name(self) -> str:
        """The bot's name."""
        return self._built.entrant.name

    def ask(self, seat: int, sent: Sequence[Message], answer: Answer) -> None:
        """Call `answer` later, from another thread: see `arena.play.table.Hinting`."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="hints", daemon=True)
            self._thread.start()
        self._questions.put(_Question(seat, sent, answer))

    def close(self) -> None:
        """End the bot's processes."""
        self._is_closed = True
        if self._thread is not None:
            self._questions.put(None)
            self._thread.join(_END_SECONDS)  # if it takes longer, its bot ends with this process

    def _work(self) -> None:
        try:
            while (question := self._questions.get()) is not None and not self._is_closed:
                index, why = self._find(question)
                if not self._is_closed:
                    question.answer(index, why)
        finally:
            for seat in list(self._asked):
                self._end(seat)

    def _find(self, question: _Question) -> tuple[int | None, str]:
        try:
            return self._ask(question), ""
        except Exception as error:  # whatever it is, nobody may wait for an answer that does not come
            _log.info("no hint: %r", error)
            self._end(question.seat)
            why = error.problem.what if isinstance(error, Failed) else str(error)
            return None, f"{self.name} gives no hint: {why}"

    def _ask(self, question: _Question) -> int:
        start, *decides = question.sent
        asked = self._asked.get(question.seat)
        if asked is not None and (asked.game_id != start["game_id"] or asked.decisions >= len(decides)):
            self._end(question.seat)  # another game, or the same question again
            asked = None
        if asked is None:
            session = CheckSession(self._built, self._time)
            asked = self._asked[question.seat] = _Asked(session, start["game_id"], 0)
            session.get_ready()
            session.send(self._timed(start))
        index = 0
        for decide in decides[asked.decisions :]:
            asked.session.send(self._timed(decide))
            act, _ = expect.answer(asked.session, self._time.move + self._time.bank)
            index = act.index
            asked = self._asked[question.seat] = asked._replace(decisions=asked.decisions + 1)
        return index

    def _timed(self, message: Message) -> dict[str, Any]:
        """Return a message with the bot's clock in place of the person's."""
        return {**message, "clock": msgspec.to_builtins(SeatClock(self._time).shown)}

    def _end(self, seat: int) -> None:
        asked = self._asked.pop(seat, None)
        if asked is not None:
            with contextlib.suppress(Exception):
                asked.session.close()
