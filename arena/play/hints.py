"""Ask a bot what it would do in a person's place, with what the person's own seat was sent and nothing else.

The bot is asked as `arena check` asks one, by a session of its own for each seat, so that it cannot carry over from one
seat to another what only one of them knows. It gets all that the seat was sent in this game, and answers every question
of it, because bots may keep notes. No seat waits for another one's hint: that it took longer would show that somebody
else had been asked.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from time import monotonic
from typing import Any, Final, NamedTuple

import msgspec

from arena.check import expect
from arena.check.report import Failed
from arena.check.session import CheckSession
from arena.entrants import Built
from arena.game.clock import SeatClock, TimeControl
from arena.play.person import Message

_log = logging.getLogger(__name__)

_END_SECONDS: Final = 2.0
Answer = Callable[[int | None, str], object]


class _Question(NamedTuple):
    sent: Sequence[Message]
    answer: Answer


class HintBots:
    """A bot that gives hints, in a process and a thread for each seat that asks."""

    def __init__(self, built: Built, time: TimeControl) -> None:
        """Start nothing yet. `time`: how long the bot may think."""
        self._built = built
        self._time = time
        self._seats: dict[int, _SeatBot] = {}

    @property
    def name(self) -> str:
        """The bot's name."""
        return self._built.entrant.name

    def ask(self, seat: int, sent: Sequence[Message], answer: Answer) -> None:
        """Call `answer` later, from another thread: see `arena.play.table.Hinting`."""
        bot = self._seats.get(seat)
        if bot is None:
            bot = self._seats[seat] = _SeatBot(self._built, self._time)
        bot.ask(_Question(sent, answer))

    def close(self) -> None:
        """End the bot's processes."""
        for bot in self._seats.values():
            bot.close()
        limit = monotonic() + _END_SECONDS
        for bot in self._seats.values():
            bot.join(max(0.0, limit - monotonic()))  # if it takes longer, it ends with this process


class _SeatBot:
    """The bot in one seat. Everything is done in one thread."""

    def __init__(self, built: Built, time: TimeControl) -> None:
        self._built = built
        self._time = time
        self._questions: SimpleQueue[_Question | None] = SimpleQueue()
        self._session: CheckSession | None = None
        self._game_id = ""
        self._answered = 0
        """How many decisions of that game the session has been asked for."""
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="hints", daemon=True)
        self._thread.start()

    def ask(self, question: _Question) -> None:
        self._questions.put(question)

    def close(self) -> None:
        self._is_closed = True
        self._questions.put(None)

    def join(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _work(self) -> None:
        try:
            while (question := self._questions.get()) is not None and not self._is_closed:
                index, why = self._find(question)
                if not self._is_closed:
                    question.answer(index, why)
        finally:
            self._end()

    def _find(self, question: _Question) -> tuple[int | None, str]:
        try:
            return self._ask(question), ""
        except Exception as error:  # whatever it is, nobody may wait for an answer that does not come
            # What is wrong with an answer may tell of a hand, and persons at other pages may read the log.
            _log.info("%s gives no hint", self._built.entrant.name)
            _log.debug("no hint: %r", error)
            self._end()
            why = error.problem.what if isinstance(error, Failed) else str(error)
            return None, f"{self._built.entrant.name} gives no hint: {why}"

    def _ask(self, question: _Question) -> int:
        start, *decides = question.sent
        if self._game_id != start["game_id"] or self._answered >= len(decides):
            self._end()  # another game, or the same question again
        if self._session is None:
            self._session = CheckSession(self._built, self._time)
            self._game_id, self._answered = start["game_id"], 0
            self._session.get_ready()
            self._session.send(self._timed(start))
        index = 0
        for decide in decides[self._answered :]:
            self._session.send(self._timed(decide))
            act, _ = expect.answer(self._session, self._time.move + self._time.bank)
            index = act.index
            self._answered += 1
        return index

    def _timed(self, message: Message) -> dict[str, Any]:
        """Return a message with the bot's clock in place of the person's."""
        return {**message, "clock": msgspec.to_builtins(SeatClock(self._time).shown)}

    def _end(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            with contextlib.suppress(Exception):
                session.close()
