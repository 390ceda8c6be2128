"""A game as a page's data: what everybody may know of it, and what one seat may know besides.

Both come from playing the record again. What is public is a function of the events that all may read and of nothing
else: a step is one such event. Who was asked how often is not told, as who has a single choice is not asked; nor is
what was offered, chosen or noted, and nor are the events for one seat: those stand in that seat's part only.

The public part: `{"id", "game", "edition", "players", "bots", "ending", "ranks", "scores", "retired", "texts", "start",
"steps"}`; `ending`, `ranks` and `scores` are null while the game is not over. `start` is the scene before the first
step, null for a game without pictures (see `engine.picture`). A step is `[seat, by, [text], changes, label]`: whom the
event is about (null: nobody in particular), who plays that seat (0 its bot, 1 the substitute, 2: it was the referee's
doing), numbers of `texts`, what it changes in the scene, and, where a turn or round begins, its name, else null.
Changes are a nested object: an object in it stands for what changes in an object, or, its keys being numbers from 0, in
a list; anything else is the new value. After `{"seats": {"2": {"days": 12}}, "at": {"2": 3}}` all else is as it was.

A seat's part: `{"id", "seat", "texts", "hand", "steps"}`: the cards at the start, and by the number of a public step
`{"hand", "events", "choices"}`, each only where there is one: the hand after that step; what only this seat was told
with it; and what this seat decided just before it: `[{"offered": [text], "chosen": index in offered}]`, in order, with
`"note": str` where the bot said one. A move that the substitute made for it is told in `events`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

import msgspec

from arena.ledger import MatchRecord
from arena.match.replay import begun, replay_from
from arena.match.transcript import MatchStep, visible
from engine.game import Action, Data, Game
from engine.picture import Illustrated, follow

BOT, SUBSTITUTE, REFEREE = range(3)
_NAME: Final = 40
"""A longer name is cut where it stands in a text, as it comes again in most of them."""
_SEAT: Final = re.compile(r"\bseat \d+\b")


def stories(
    record: MatchRecord, rules: Game, edition: Data, moments: Iterable[MatchStep] | None = None
) -> tuple[Data, list[Data]]:
    """The public part and the part of every seat. Raises `ReplayError`.

    `moments`: what the game went through; None: it is played again.
    """
    state = begun(record, rules, edition)
    words = Words(rules, record.bots)
    pictures = rules if isinstance(rules, Illustrated) else None
    public = _Public(record, edition, words, pictures, pictures.scene(state.view(None)) if pictures else None)
    seats = [
        _Seat(seat, words, pictures, pictures.hand(state.view(seat)) if pictures else [])
        for seat in range(record.players)
    ]
    for moment in replay_from(state, record) if moments is None else moments:
        decider = moment.step.seat
        if moment.step.kind == "play":
            seats[decider].decide(moment, len(public.steps))
        for event in moment.events:
            if visible(event, None):  # and so every seat may read it
                about = public.add(moment.step.kind, event.what)
                if about is not None and pictures is not None:
                    seats[about].see(event.what, len(public.steps))
            else:
                for seat in seats:
                    if visible(event, seat.seat):
                        seat.hear(event.what, len(public.steps))
        if moment.step.kind == "retire":
            public.retired.append(decider)
        state = moment.state
    over = state.to_act is None or record.players - len(public.retired) <= 1
    return public.data(over), [seat.data(record.id, len(public.steps)) for seat in seats]


class Words:
    """Events and actions of a game as text, with names for seats; what comes again is said again."""

    _LIMIT: Final = 10_000
    _kept: Final[dict[str, dict[int, tuple[object, str]]]] = {}
    """By game and by the identity of an action, which is kept so that it stays the only one of that identity."""

    def __init__(self, rules: Game, bots: Sequence[str]) -> None:
        """`bots`: the names by seat."""
        self.game = rules.name
        self._rules = rules
        cut = [bot if len(bot) <= _NAME else f"{bot[: _NAME - 1]}…" for bot in bots]
        self._bots = {f"seat {seat}": bot for seat, bot in enumerate(cut)}
        self._actions = self._kept.setdefault(rules.name, {})
        self._named: dict[str, str] = {}

    def event(self, what: Data) -> str:
        """An event as one line, by seat number."""
        return self._rules.words(what)

    def action(self, what: Mapping[str, Any]) -> str:
        """An action as one line, by seat number. Games share actions between calls, and never change one."""
        kept = self._actions.get(id(what))
        if kept is not None:
            return kept[1]
        if len(self._actions) >= self._LIMIT:
            self._actions.clear()
        text = self._rules.words(what)
        self._actions[id(what)] = what, text
        return text

    def named(self, text: str) -> str:
        """The text with the bots' names for the seats."""
        if "seat " not in text:
            return text
        named = self._named.get(text)  # the same in the parts of several seats
        if named is None:
            named = self._named[text] = _SEAT.sub(lambda found: self._bots.get(found[0], found[0]), text)
        return named


class _Texts:
    """The texts of one file, each once, by number."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def action_numbers(self, actions: Sequence[Action]) -> list[int]:
        numbers, text = self._numbers, self._words.action
        return [numbers.setdefault(text(each), len(numbers)) for each in actions]

    def data(self) -> list[str]:
        return [self._words.named(text) for text in self._numbers]


class _Public:
    """Reads what all may read, one event a step."""

    def __init__(
        self, record: MatchRecord, edition: Data, words: Words, pictures: Illustrated | None, start: Data | None
    ) -> None:
        self.steps: list[list[Any]] = []
        self.retired: list[int] = []
        self._record = record
        self._edition = edition
        self._words = words
        self._texts = _Texts(words)
        self._pictures = pictures
        self._start = start
        self._scene = deepcopy(start)
        self._labelled: tuple[object, object] = (None, None)

    def add(self, kind: str, what: Data) -> int | None:
        """A step more; the seat that it is about is given back."""
        about = what.get("seat")
        seat = about if type(about) is int and 0 <= about < self._record.players else None
        by = REFEREE if seat is None or kind != "play" else SUBSTITUTE if seat in self.retired else BOT
        changes: Data = {}
        label = None
        if self._pictures is not None and self._scene is not None:
            changes = follow(self._scene, self._pictures.scene_changes(self._scene, what, self._edition))
            if "turn" in changes or "table" in changes or not self.steps:
                label = self._label(self._scene)
        self.steps.append([seat, by, [self._texts.number(self._words.event(what))], changes, label])
        return seat

    def _label(self, scene: Data) -> str | None:
        """Whose turn it is in which round, when that is new."""
        if scene["turn"] is None:
            return None
        now = scene["table"].get("round"), scene["turn"]
        if now == self._labelled:
            return None
        self._labelled = now
        name = self._words.named(f"seat {now[1]}")
        return name if not now[0] else f"round {now[0]}, {name}"

    def data(self, over: bool) -> Data:
        record = self._record
        return {
            "id": record.id,
            "game": self._words.game,
            "edition": str(self._edition.get("name", "")),
            "players": record.players,
            "bots": record.bots,
            "ending": record.ending if over else None,
            "ranks": record.ranks if over else None,
            "scores": record.scores if over else None,
            "retired": self.retired,
            "texts": self._texts.data(),
            "start": self._start,
            "steps": self.steps,
        }


class _Seat:
    """Reads what one seat may read, and keeps what only it may know."""

    def __init__(self, seat: int, words: Words, pictures: Illustrated | None, hand: list[str]) -> None:
        self.seat = seat
        self._words = words
        self._texts = _Texts(words)
        self._hand_after = None if pictures is None else pictures.hand_after
        self._start = self._hand = hand
        self._steps: dict[int, Data] = {}
        self._decided = -1
        """The number of public steps before this seat's last decision."""

    def decide(self, moment: MatchStep, before: int) -> None:
        step = moment.step
        self._decided = before
        if step.by == "bot":
            choice: Data = {"offered": self._texts.action_numbers(moment.offered), "chosen": step.index}
            if step.note:
                choice["note"] = step.note
            self._at(before).setdefault("choices", []).append(choice)
        elif step.action is not None:
            text = f"the substitute plays: {self._words.event(dict(step.action))}"
            self._at(before).setdefault("events", []).append(self._texts.number(text))

    def see(self, what: Data, steps: int) -> None:
        """An event that all may read, the last of so many public steps."""
        if self._hand_after is not None:
            hand = self._hand_after(self._hand, self.seat, what)
            if hand is not self._hand:
                self._told(steps)["hand"] = self._hand = hand

    def hear(self, what: Data, steps: int) -> None:
        """An event for this seat only, after so many public steps."""
        self._told(steps).setdefault("events", []).append(self._texts.number(self._words.event(what)))
        self.see(what, steps)

    def _told(self, steps: int) -> Data:
        """With the public event before it; with what comes next if this seat has decided something since: it knows."""
        return self._at(steps - 1 if steps > self._decided and steps else steps)

    def data(self, game: str, steps: int) -> Data:
        """The part, of a game with so many public steps. What came after the last one is told with it."""
        late = self._steps.pop(steps, None)
        if late is not None:
            last = self._at(max(steps - 1, 0))
            for key, value in late.items():
                last[key] = value if key == "hand" else [*last.get(key, []), *value]
        return {
            "id": game,
            "seat": self.seat,
            "texts": self._texts.data(),
            "hand": self._start,
            "steps": {str(step): each for step, each in sorted(self._steps.items())},
        }

    def _at(self, step: int) -> Data:
        return self._steps.setdefault(step, {})


def encode(data: object) -> bytes:
    """Data as JSON in ASCII, whatever bots said."""
    try:
        text = msgspec.json.encode(data)
    except UnicodeEncodeError:  # half a surrogate pair in a bot's text
        text = b"\xff"
    return text if text.isascii() else json.dumps(msgspec.to_builtins(data), separators=(",", ":")).encode("ascii")
