"""Build the data that a game's page loads: one part that everybody may read, and one for each seat.

Both come from replaying the record. The public part is a function of the public events alone, and each of its steps is
one such event. It leaves out how often each seat was asked, because a seat with a single choice is not asked and the
count would reveal that. It also leaves out what was offered, chosen or noted, and the events for one seat: those are
only in that seat's part.

The public part is `{"id", "game", "edition", "players", "bots", "ending", "ranks", "scores", "retired", "texts",
"start", "steps", "begins", "follows", "bookkeeping", "chances", "turning_points", "outcome", "runner_up", "reasons"}`.
`ending`, `ranks`, `scores`, `outcome`, `runner_up` and `reasons` are null while the game is not over. `start` is the
scene before the first step, or null for a game without pictures (see `engine.picture`). Such a game has `seen`, which
is `{"rows": {label: text}, "scores": {name: [number, by seat]}}` by a spectator's view (see `arena.replays.views`), and
the `changes` of its steps are those of `seen`, where null stands for a row that is gone. A game with teams has `teams`,
the seats of each. For a game that explains
itself, `begins` lists the steps (from 0) that the next one ends, `follows` those that complete the one before, and
`bookkeeping` those that say nothing of what was decided; `chances` is `[[steps, chance of seat 0, …], …]` in parts of a
thousand, one entry for each turn, and `turning_points` those turns that changed them most (see
`arena.replays.turning_points`), each with its `account`, what was done in it in one sentence; `outcome` says how far
the winner came, `runner_up` how far the best other one did, and `reasons` why each seat has its rank. A step is
`[seat, by, [text], changes, label]`:

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
"chosen": index in offered}]`, with `"note": str` and `"metrics": {name: number}` where the bot sent them, and for a
game without pictures with `"view": {label: text}`, what the seat knew besides what all saw. A move that the substitute
made for the seat is among the `events`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from arena.game.replay import begun, replay_from
from arena.game.transcript import GameStep, visible
from arena.ledger import GameRecord
from arena.replays.public_part import BOT, REFEREE, SUBSTITUTE, PublicPart
from arena.replays.views import PublicView, Rows
from arena.replays.words import Texts, Words
from engine.picture import Illustrated
from engine.rules import Data, Rules, State

__all__ = ["BOT", "REFEREE", "SUBSTITUTE", "build_page_data", "encode"]


def build_page_data(
    record: GameRecord, rules: Rules, edition: Data, game_steps: Iterable[GameStep] | None = None
) -> tuple[Data, list[Data]]:
    """Return the public part and the list of the seats' parts.

    Args:
        record: The game's record.
        rules: The game.
        edition: Its resolved edition.
        game_steps: The steps of the game. Without them the record is replayed.

    Raises:
        ReplayError: The record cannot be replayed.
    """
    state = begun(record, rules, edition)
    running = RunningPageData(record.bots, rules, edition, state)
    if game_steps is None or not isinstance(rules, Illustrated):  # views are needed as they were at every step
        game_steps = replay_from(state, record)
    for game_step in game_steps:
        running.add(game_step)
        state = game_step.state
    over = state.to_act is None or record.players - len(running.retired) <= 1
    return running.public(record, over), [running.seat(record, seat) for seat in range(record.players)]


class RunningPageData:
    """The page data of a game that goes on, step by step."""

    def __init__(
        self, bots: Sequence[str], rules: Rules, edition: Data, state: State, *, has_views: bool = True
    ) -> None:
        """Begin with the state before the first step.

        Args:
            bots: Their names, by seat.
            rules: The game.
            edition: Its resolved edition.
            state: The state.
            has_views: Whether the steps of a game without pictures have what a spectator sees after them. That tells
                which decisions were asked for, so while it is played no person may be shown it.
        """
        words = Words(rules, bots)
        pictures = rules if isinstance(rules, Illustrated) else None
        start = pictures.scene(state.view(None)) if pictures else None
        self._is_drawn = pictures is not None
        self._teams = [list(team) for team in rules.capabilities.teams.get(len(bots), ())]
        self._view = None if pictures or not has_views else PublicView(state)
        seen = None if self._view is None else self._view.start
        self._public = PublicPart(bots, edition, words, pictures, start, seen)
        self._own: Rows = {}
        """Of a game without pictures, what the seat that is to act knows besides what all see."""
        self._seats = [
            _Seat(seat, words, pictures, pictures.hand(state.view(seat)) if pictures else [])
            for seat in range(len(bots))
        ]
        self._look(state)

    @property
    def retired(self) -> list[int]:
        """Return the seats that have retired, in order."""
        return self._public.retired

    def _look(self, state: State) -> None:
        seat = state.to_act
        if self._view is not None and seat is not None:
            self._own = self._view.besides(state.view(seat))

    def add(self, game_step: GameStep, *, is_continued: bool = False) -> None:
        """Add the next step, or further events of it (`is_continued`).

        Of a game without pictures it must be the latest one, since its state is looked at.
        """
        public, seats, kind = self._public, self._seats, game_step.step.kind
        decider = game_step.step.seat
        if kind == "play" and not is_continued:
            seats[decider].decide(game_step, len(public.steps), self._own)
        last = next((event for event in reversed(game_step.events) if visible(event, None)), None)
        for event in game_step.events:
            if visible(event, None):  # and so every seat may read it
                seen = self._view.changes(game_step.state) if self._view is not None and event is last else None
                about = public.add(kind, event.what, seen)
                if about is not None and self._is_drawn:
                    seats[about].see(event.what, len(public.steps))
            else:
                for seat in seats:
                    if visible(event, seat.seat):
                        seat.hear(event.what, len(public.steps))
        if kind == "retire" and not is_continued:
            public.retired.append(decider)
        self._look(game_step.state)

    def public(self, record: GameRecord, over: bool = False) -> Data:
        """Return the public part so far. Only if the game is `over` need the record say how it went."""
        return {**self._public.data(record, over), **({"teams": self._teams} if self._teams else {})}

    def seat(self, record: GameRecord, seat: int) -> Data:
        """Return a seat's part so far."""
        return self._seats[seat].data(record.id, len(self._public.steps))


class _Seat:
    """Builds one seat's part: what only that seat may know."""

    def __init__(self, seat: int, words: Words, pictures: Illustrated | None, hand: list[str]) -> None:
        self.seat = seat
        self._words = words
        self._texts = Texts(words)
        self._hand_after = None if pictures is None else pictures.hand_after
        self._start = self._hand = hand
        self._steps: dict[int, dict[str, Any]] = {}
        self._decided = -1
        """The number of public steps before this seat's last decision."""

    def decide(self, game_step: GameStep, before: int, view: Rows) -> None:
        step = game_step.step
        self._decided = before
        if step.by == "bot":
            choice: dict[str, Any] = {"offered": self._texts.action_numbers(game_step.offered), "chosen": step.index}
            if view:
                choice["view"] = view
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
        found = dict(self._steps)
        late = found.pop(steps, None)
        if late is not None:
            last = dict(found.get(max(steps - 1, 0), {}))
            for key, value in late.items():
                last[key] = value if key == "hand" else [*last.get(key, []), *value]
            found[max(steps - 1, 0)] = last
        return {
            "id": game,
            "seat": self.seat,
            "texts": self._texts.data(),
            "hand": self._start,
            "steps": {str(step): each for step, each in sorted(found.items())},
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
