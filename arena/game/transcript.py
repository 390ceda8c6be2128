"""The history of a game: its steps and events, who may read which of them, and a digest of all of it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from arena.ledger.records import Step
from engine.rules import Action, Data, Event, State

_encoder = msgspec.msgpack.Encoder()


def visible(event: Event, reader: int | None) -> bool:
    """Return whether a seat, or a spectator (None), may read an event. Every reader's events pass this one filter.

    `arena.game.bot_messages` sends bots what passes it, `arena.replays.page_data` puts it on pages.
    """
    return event.to is None or event.to == reader


class GameStep(NamedTuple):
    """One step of a game: the actions offered before it, its events, and the state after it."""

    step: Step
    offered: list[Action]
    events: list[Event]
    state: State
    """The same object in every step: it changes as the game goes on."""
    microseconds: int | None = None
    """How long the answer took; None: it was no answer."""


class Transcript:
    """The steps and events of a game, collected as it is played."""

    def __init__(self, players: int) -> None:
        """Begin an empty transcript."""
        self.steps: list[Step] = []
        self._events: list[Event] = []
        self._ends: list[int] = []
        """By step: the number of events up to its end."""
        self._unread: list[list[Data]] = [[] for _ in range(players)]
        """By seat: the events that it may read and has not been sent yet."""

    def add(self, step: Step, events: Iterable[Event]) -> None:
        """Add a step and its events."""
        self.steps.append(step)
        for event in events:
            self._events.append(event)
            if visible(event, None):  # a spectator may read nothing that not all may
                for unread in self._unread:
                    unread.append(event.what)
                continue
            for seat, unread in enumerate(self._unread):
                if visible(event, seat):
                    unread.append(event.what)
        self._ends.append(len(self._events))

    @property
    def events(self) -> int:
        """How many events there have been."""
        return len(self._events)

    def unread(self, seat: int) -> list[Data]:
        """Return the events that `seat` may read and has not been sent yet, and mark them as sent."""
        unread, self._unread[seat] = self._unread[seat], []
        return unread

    def digest(self) -> str:
        """Hash every step (who chose what) and every event (who may read it, what it says); return the hash in hex."""
        digest = blake2b(digest_size=16)
        begin = 0
        for step, end in zip(self.steps, self._ends, strict=True):
            new = self._events[begin:end]
            digest.update(_encoder.encode((step.kind, step.seat, step.by, step.index, step.action, new)))
            begin = end
        return digest.hexdigest()
