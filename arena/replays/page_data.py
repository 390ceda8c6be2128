"""Build the data that a game's page loads: one part that everybody may read, and one for each seat.

Both come from replaying the record. The public part is a function of the public events alone, and each of its steps is
one such event. It leaves out how often each seat was asked, because a seat with a single choice is not asked and the
count would reveal that. It also leaves out what was offered, chosen or noted, and the events for one seat: those are
only in that seat's part.

The public part is `{"id", "game", "edition", "players", "bots", "ending", "ranks", "scores", "retired", "texts",
"start", "steps", "begins", "chances", "turning_points", "outcome", "reasons"}`. `ending`, `ranks`, `scores`,
`outcome` and `reasons` are null while the game is not over. `start` is the scene before the first step, or null for a
game without pictures (see `engine.picture`). For a game that explains itself, `begins` lists the steps (from 0) that
the next one ends, `chances` is `[[steps, chance of seat 0, …], …]` in parts of a thousand, one entry for each turn,
and `turning_points` those turns at which they changed most (see `arena.replays.chances`); `outcome` says how the
winner won and `reasons` why each seat has its rank. A step is `[seat, by, [text], changes, label]`:

- `seat`: whom the event is about, or null if it is about nobody in particular;
- `by`: who acted for that seat: 0 its bot, 1 the substitute, 2 the referee;
- `text`: an index into `texts`;
- `changes`: what the event changes in the scene, as a nested object. An object in it holds the changes of an object
  or, if its keys are numbers from 0, of a list. Anything else is the new value. So
  `{"seats": {"2": {"days": 12}}, "at": {"2": 3}}` changes two values and leaves all others as they were;
- `label`: the name of the turn or round that begins here, else null.

A seat's part is `{"id", "seat", "texts", "hand", "steps"}`. `hand` is its cards at the start. `steps` maps the number
of a public step to `{"hand", "events", "choices"}`, each key only where it is needed: the hand after that step, the
private events that came with it, and what this seat decided just before it, in order, as `[{"offered": [text],
"chosen": index in offered}]`, with `"note": str` and `"metrics": {name: number}` where the bot sent them. A move that
the substitute made for the seat is among the `events`.
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
from arena.replays.chances import Turn, final, shares, turning_points
from engine.game import Action, Data, Game
from engine.picture import Explained, Illustrated, follow

BOT, SUBSTITUTE, REFEREE = range(3)
_NAME: Final = 40
"""Longer names are cut in texts, because most texts repeat them."""
_SEAT: Final = re.compile(r"\bseat \d+\b")


def build_page_data(
    record: MatchRecord, rules: Game, edition: Data, match_steps: Iterable[MatchStep] | None = None
) -> tuple[Data, list[Data]]:
    """Return the public part and the list of the seats' parts.

    Args:
        record: The game's record.
        rules: The game.
        edition: Its resolved edition.
        match_steps: The steps of the game. Without them the record is replayed.

    Raises:
        ReplayError: The record cannot be replayed.
    """
    state = begun(record, rules, edition)
    words = Words(rules, record.bots)
    pictures = rules if isinstance(rules, Illustrated) else None
    public = _Public(record, edition, words, pictures, pictures.scene(state.view(None)) if pictures else None)
    seats = [
        _Seat(seat, words, pictures, pictures.hand(state.view(seat)) if pictures else [])
        for seat in range(record.players)
    ]
    for match_step in replay_from(state, record) if match_steps is None else match_steps:
        decider = match_step.step.seat
        if match_step.step.kind == "play":
            seats[decider].decide(match_step, len(public.steps))
        for event in match_step.events:
            if visible(event, None):  # and so every seat may read it
                about = public.add(match_step.step.kind, event.what)
                if about is not None and pictures is not None:
                    seats[about].see(event.what, len(public.steps))
            else:
                for seat in seats:
                    if visible(event, seat.seat):
                        seat.hear(event.what, len(public.steps))
        if match_step.step.kind == "retire":
            public.retired.append(decider)
        state = match_step.state
    over = state.to_act is None or record.players - len(public.retired) <= 1
    return public.data(over), [seat.data(record.id, len(public.steps)) for seat in seats]


class Words:
    """Renders events and actions of a game as text, with the bots' names for seats, and caches the texts of actions."""

    _LIMIT: Final = 10_000
    _kept: Final[dict[str, dict[int, tuple[object, str]]]] = {}
    """By game and `id()` of an action. The action is kept too, so that its id is not given to another object."""

    def __init__(self, rules: Game, bots: Sequence[str]) -> None:
        """Take the bots' names, by seat."""
        self.game = rules.name
        self._rules = rules
        cut = [bot if len(bot) <= _NAME else f"{bot[: _NAME - 1]}…" for bot in bots]
        self._bots = {f"seat {seat}": bot for seat, bot in enumerate(cut)}
        self._actions = self._kept.setdefault(rules.name, {})
        self._named: dict[str, str] = {}

    def event(self, what: Data) -> str:
        """Return an event as one line, with seat numbers."""
        return self._rules.words(what)

    def action(self, what: Mapping[str, Any]) -> str:
        """Return an action as one line, with seat numbers. Games share actions between calls and never change one."""
        kept = self._actions.get(id(what))
        if kept is not None:
            return kept[1]
        if len(self._actions) >= self._LIMIT:
            self._actions.clear()
        text = self._rules.words(what)
        self._actions[id(what)] = what, text
        return text

    def named(self, text: str) -> str:
        """Return the text with the bots' names in place of seat numbers."""
        if "seat " not in text:
            return text
        named = self._named.get(text)  # the same in the parts of several seats
        if named is None:
            named = self._named[text] = _SEAT.sub(lambda found: self._bots.get(found[0], found[0]), text)
        return named


class _Texts:
    """The texts of one file, each once, with their numbers."""

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
    """Builds the public part: one step for each public event."""

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
        self._explains = pictures if isinstance(pictures, Explained) else None
        self._begins: list[int] = []
        self._turns: list[Turn] = []

    def add(self, kind: str, what: Data) -> int | None:
        """Add a step, and return the seat that it is about."""
        about = what.get("seat")
        seat = about if type(about) is int and 0 <= about < self._record.players else None
        by = REFEREE if seat is None or kind != "play" else SUBSTITUTE if seat in self.retired else BOT
        changes: Data = {}
        label = None
        if self._pictures is not None and self._scene is not None:
            changes = follow(self._scene, self._pictures.scene_changes(self._scene, what, self._edition))
            if "turn" in changes or "table" in changes or not self.steps:
                label = self._label(self._scene)
            if self._explains is not None and self._explains.begins(what):
                self._begins.append(len(self.steps))
            if label is not None:
                self._end_turn()
        self.steps.append([seat, by, [self._texts.number(self._words.event(what))], changes, label])
        return seat

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
            self._turns.append((len(self.steps), shares(self._explains.strengths(self._scene, self._edition))))

    def _explanation(self, over: bool) -> Data:
        """Return who was ahead when, and in the end why."""
        ranks, explains, scene = self._record.ranks, self._explains, self._scene
        if explains is None or scene is None:
            return {}
        self._end_turn()
        why: Data = {"outcome": None, "reasons": None}
        if over:
            self._turns[-1] = (len(self.steps), final(ranks))
            words = self._words.named
            why = {
                "outcome": words(explains.outcome(scene, ranks.index(min(ranks)), self._edition)),
                "reasons": [words(each) for each in explains.reasons(scene, ranks, self._edition)],
            }
        return {
            "begins": self._begins,
            "chances": [[steps, *found] for steps, found in self._turns],
            "turning_points": turning_points(self._turns, self.steps),
            **why,
        }

    def data(self, over: bool) -> Data:
        record = self._record
        return {
            **self._explanation(over),
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
    """Builds one seat's part: what only that seat may know."""

    def __init__(self, seat: int, words: Words, pictures: Illustrated | None, hand: list[str]) -> None:
        self.seat = seat
        self._words = words
        self._texts = _Texts(words)
        self._hand_after = None if pictures is None else pictures.hand_after
        self._start = self._hand = hand
        self._steps: dict[int, dict[str, Any]] = {}
        self._decided = -1
        """The number of public steps before this seat's last decision."""

    def decide(self, match_step: MatchStep, before: int) -> None:
        step = match_step.step
        self._decided = before
        if step.by == "bot":
            choice: dict[str, Any] = {"offered": self._texts.action_numbers(match_step.offered), "chosen": step.index}
            if step.note:
                choice["note"] = step.note
            if step.metrics:
                choice["metrics"] = step.metrics
            self._at(before).setdefault("choices", []).append(choice)
        elif step.action is not None:
            text = f"the substitute plays: {self._words.event(dict(step.action))}"
            self._at(before).setdefault("events", []).append(self._texts.number(text))

    def see(self, what: Data, steps: int) -> None:
        """Follow the hand through a public event. `steps`: the number of public steps up to and including it."""
        if self._hand_after is not None:
            hand = self._hand_after(self._hand, self.seat, what)
            if hand is not self._hand:
                self._at_event(steps)["hand"] = self._hand = hand

    def hear(self, what: Data, steps: int) -> None:
        """Add a private event. `steps`: the number of public steps before it."""
        self._at_event(steps).setdefault("events", []).append(self._texts.number(self._words.event(what)))
        self.see(what, steps)

    def _at_event(self, steps: int) -> dict[str, Any]:
        """Return the entry of the public event before; that of the next one if this seat has decided since."""
        return self._at(steps - 1 if steps > self._decided and steps else steps)

    def data(self, game: str, steps: int) -> Data:
        """Return the part. `steps`: the number of public steps; what came after the last one is added to it."""
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

    def _at(self, step: int) -> dict[str, Any]:
        return self._steps.setdefault(step, {})


def encode(data: object) -> bytes:
    """Return data as JSON in ASCII, even if a bot sent text that is not Unicode."""
    try:
        text = msgspec.json.encode(data)
    except UnicodeEncodeError:  # half a surrogate pair in a bot's text
        text = b"\xff"
    return text if text.isascii() else json.dumps(msgspec.to_builtins(data), separators=(",", ":")).encode("ascii")
