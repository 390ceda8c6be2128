"""The public part of a game's page data: one step for each event that everybody may read, and nothing else.

`arena.replays.page_data` says what it holds. It is built up from public events alone, of a record as of a game that is
still being played, so that no reader's choice, hand or draw can get into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from arena.ledger import GameRecord
from arena.replays.turning_points import Chances, Turn, TurnWalk, final, shares, turning_points
from arena.replays.words import Texts, Words
from engine.picture import Explained, Illustrated, follow
from engine.rules import Data

BOT, SUBSTITUTE, REFEREE = range(3)


class PublicPart:
    """Builds the public part: one step for each public event."""

    def __init__(
        self,
        bots: Sequence[str],
        edition: Data,
        words: Words,
        pictures: Illustrated | None,
        start: Data | None,
        seen: Data | None = None,
    ) -> None:
        """Begin before the first event.

        Args:
            bots: Their names, by seat.
            edition: The resolved edition.
            words: The game's words with these names.
            pictures: The game, if it can be drawn.
            start: Its scene before the first event, if it can be drawn.
            seen: Else what a spectator sees then, as `arena.replays.views.PublicView` says it.
        """
        self.steps: list[list[Any]] = []
        self.retired: list[int] = []
        self._bots = bots
        self._players = len(bots)
        self._edition = edition
        self._words = words
        self._texts = Texts(words)
        self._pictures = pictures
        self._start = start
        self._seen = seen
        self._scene = deepcopy(start)
        self._labelled: tuple[object, object] = (None, None)
        self._explains = pictures if isinstance(pictures, Explained) else None
        self._events: list[Data] = []
        self._begins: list[int] = []
        self._follows: list[int] = []
        self._bookkeeping: list[int] = []
        self._turn_end = 0
        """The number of steps up to the last one of a turn."""
        self._turns: list[Turn] = []

    def add(self, kind: str, what: Data, seen: Data | None = None) -> int | None:
        """Add a step, and return the seat that it is about.

        Args:
            kind: Of the game's step that the event belongs to.
            what: The event.
            seen: For a game without pictures, what changed in a spectator's view.
        """
        about = what.get("seat")
        seat = about if type(about) is int and 0 <= about < self._players else None
        by = REFEREE if seat is None or kind != "play" else SUBSTITUTE if seat in self.retired else BOT
        changes: Data = seen or {}
        label = None
        text = self._words.event(what)
        if (
            self._explains is not None
            and self._scene is not None
            and (more := self._explains.remark(self._scene, what))
        ):
            text = f"{text}, {more}"
        if self._pictures is not None and self._scene is not None:
            changes = follow(self._scene, self._pictures.scene_changes(self._scene, what, self._edition))
            if "turn" in changes or "table" in changes or not self.steps:
                label = self._label(self._scene)
            if label is not None:
                self._end_turn()
            if self._explains is not None:
                self._join(self._explains, what, label)
        self.steps.append([seat, by, [self._texts.number(text)], changes, label])
        return seat

    def _join(self, explains: Explained, what: Data, label: str | None) -> None:
        """Note with which others the next step is shown. One that begins a turn completes nothing."""
        number = len(self.steps)
        begins, is_bookkeeping = explains.begins(what), explains.bookkeeping(what)
        self._events.append(what)
        if begins:
            self._begins.append(number)
        elif explains.follows(what) and number and label is None:
            self._follows.append(number)
        if is_bookkeeping:
            self._bookkeeping.append(number)
        if not (begins and is_bookkeeping):  # what only announces a turn is no part of the last one
            self._turn_end = number + 1

    def _label(self, scene: Data) -> str | None:
        """Return the name of the turn and round that begin with this scene. Return None if none begins."""
        if scene["turn"] is None:
            return None
        now = scene["table"].get("round"), scene["turn"]
        if now == self._labelled:
            return None
        self._labelled = now
        name = self._words.named(f"seat {now[1]}")
        return name if not now[0] else f"round {now[0]}, {name}"

    def _end_turn(self) -> None:
        """Note the chances by what lies open now, after all steps so far and the first of a new turn."""
        if self._explains is not None and self._scene is not None:
            self._turns.append((self._turn_end, self._chances(self._explains, self._scene)))

    def _chances(self, explains: Explained, scene: Data) -> Chances:
        return shares(explains.strengths(scene, self._edition))

    def piece(self, begin: int, end: int) -> Data:
        """Return the steps from one place up to another, with what is said of them, and no step twice.

        A step has its text in the place of the text's number: a piece is read by itself.
        """
        texts = self._texts.data()
        steps = [[seat, by, [texts[text] for text in said], *rest] for seat, by, said, *rest in self.steps[begin:end]]
        return {
            "steps": steps,
            "begins": [step for step in self._begins if begin <= step < end],
            "follows": [step for step in self._follows if begin <= step < end],
            "bookkeeping": [step for step in self._bookkeeping if begin <= step < end],
            "chances": [[step, *found] for step, found in self._turns if begin <= step < end],
        }

    def _explanation(self, record: GameRecord, over: bool) -> Data:
        """Return who was ahead when, and in the end why."""
        ranks, explains, scene = record.ranks, self._explains, self._scene
        if explains is None or scene is None or self._start is None:
            return {}
        why: Data = {"outcome": None, "runner_up": None, "reasons": None}
        last = (len(self.steps), final(ranks)) if over else (len(self.steps), self._chances(explains, scene))
        turns = [*self._turns, last]
        if over:
            words = self._words.named
            first, second = sorted(range(len(ranks)), key=ranks.__getitem__)[:2]
            why = {
                "outcome": words(explains.outcome(scene, first, self._edition)),
                "runner_up": words(explains.outcome(scene, second, self._edition)),
                "reasons": [words(each) for each in explains.reasons(scene, ranks, self._edition, self._events)],
            }
        walk = TurnWalk(self._start, self.steps, self._events, explains, self._edition)
        return {
            "begins": self._begins,
            "follows": self._follows,
            "bookkeeping": self._bookkeeping,
            "chances": [[steps, *found] for steps, found in turns],
            "turning_points": [
                {**point, "account": self._account(explains, point["why"])}
                for point in turning_points(turns, walk.moves, last[1] if over else None)
            ],
            **why,
        }

    def _account(self, explains: Explained, why: Sequence[int]) -> str:
        """Return what the steps of a turning point did, in words."""
        return self._words.named(explains.account([self._events[step] for step in why])) if why else ""

    def data(self, record: GameRecord, over: bool) -> Data:
        """Return the part with the events added so far. Only if the game is `over` need the record say how it went."""
        return {
            **self._explanation(record, over),
            "id": record.id,
            "game": self._words.game,
            "edition": str(self._edition.get("name", "")),
            "players": self._players,
            "bots": list(self._bots),
            "ending": record.ending if over else None,
            "ranks": record.ranks if over else None,
            "scores": record.scores if over else None,
            "retired": self.retired,
            "texts": self._texts.data(),
            "start": self._start,
            **({} if self._seen is None else {"seen": self._seen}),
            "steps": self.steps,
        }
