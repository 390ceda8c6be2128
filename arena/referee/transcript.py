"""The history of a game: its steps and events, who may read which of them, and one number over all of it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import msgspec

from arena.ledger.records import Step
from engine.game import Data, Event

_encoder = msgspec.msgpack.Encoder()


def visible(event: Event, reader: int | None) -> bool:
    """Whether a seat, or a spectator (None), may read an event: the one filter for bots, logs, replays and pages."""
    return event.to is None or event.to == reader


class Transcript:
    """Collects a game as it is played."""

    def __init__(self, players: int) -> None:
        """An empty one."""
        self.steps: list[Step] = []
        self._events: list[Event] = []
        self._ends: list[int] = []
        """By step: how many events there were after it."""
        self._read = [0] * players
        """By seat: how many of the events it has been sent, or passed over because they are not for it."""

    def add(self, step: Step, events: Iterable[Event]) -> None:
        """`step` was made and led to `events`."""
        self.steps.append(step)
        self._events += events
        self._ends.append(len(self._events))

    def unread(self, seat: int) -> list[Data]:
        """What `seat` may read and has not been sent yet; it counts as sent from now on."""
        since, self._read[seat] = self._read[seat], len(self._events)
        return [event.what for event in self._events[since:] if visible(event, seat)]

    def digest(self) -> str:
        """A hash in hex over every step (who chose what) and every event (who may read it, what it says)."""
        digest = blake2b(digest_size=16)
        begin = 0
        for step, end in zip(self.steps, self._ends, strict=True):
            new = self._events[begin:end]
            digest.update(_encoder.encode((step.kind, step.seat, step.by, step.index, step.action, new)))
            begin = end
        return digest.hexdigest()
