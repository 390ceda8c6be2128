"""The table: what each visitor's page or terminal knows at every moment, and what its person may do.

A visitor's messages are made of the frames that its own seats were sent, of the page data kept for these seats
(`arena.play.page_data_by_seat`), and of what its persons did. Who waits is shown at once what its seat may read, and
whose decision is awaited or seems to be: a pause looks like a question, and takes as long (`arena.referee.time`).
Several persons may share a visitor; then a curtain hides each turn until the person who has it says so, and between
turns such a visitor sees what all see.
"""

from __future__ import annotations

import json
import logging
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, Protocol

from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.ledger import GameRecord
from arena.play.page_data_by_seat import PageDataBySeat
from arena.play.person import Message, Person
from arena.replays.page_data import build_page_data, encode
from arena.replays.views import rows
from arena.replays.words import Words
from arena.web.visitors import NotNowError, Visitor
from engine.picture import Guided, Illustrated
from engine.rules import Data, Rules

_log = logging.getLogger(__name__)

STAGES: Final = ("lobby", "curtain", "turn", "live", "over", "void")
"""The messages of which a visitor has one at a time."""
_OF_TURN: Final = ("fault", "hint")


class Hinting(Protocol):
    """Says what a bot would do with what a seat was sent. `arena.play.hints.HintBots` implements it."""

    @property
    def name(self) -> str:
        """The bot's name."""

    def ask(self, seat: int, sent: Sequence[Message], answer: Callable[[int | None, str], object]) -> None:
        """Call `answer` later with the index that the bot chooses; or with None and why there is none.

        `sent`: the `start` and all `decide` of the seat, the last of which is asked about.
        """


@dataclass
class _Seat:
    """A person's seat in the present game."""

    seat: int
    person: Person
    visitor: Visitor
    sent: list[Message] = field(default_factory=list)
    """The `start` and all `decide` messages of this game."""
    decision: int | None = None
    """The number of the decision that waits for this person; None: none does."""
    turn: int = 0
    due: float | None = None
    shown: int = 0
    """How many public steps its person has been shown."""
    order: list[int] = field(default_factory=list)
    """The indices of the actions in the order in which its person reads them."""


@dataclass(frozen=True)
class TableSettings:
    """What is the same for all games at a table."""

    rules: Rules
    edition: Data
    move: float | None = None
    """Seconds that a person has for a decision; None: any time."""
    has_tutorial: bool = False
    note: str = ""
    """What became of a game before, for people."""
    pages: Path | None = None
    """Where to keep by what the persons' pages are known."""


class PlayTable:
    """One table with persons, over any number of games. Its methods may be called from any thread."""

    def __init__(self, settings: TableSettings, places: Mapping[str, Visitor], hints: Hinting | None = None) -> None:
        """Take the persons by name, each with the visitor at which it plays. Nothing is played yet."""
        self._settings = settings
        self._hints = hints
        self.persons: Final = {
            name: Person(name, partial(self.hear, name), partial(self.lose, name)) for name in places
        }
        """By name: what the referee starts."""
        self.visitors: Final = tuple(dict.fromkeys(places.values()))
        self._places = dict(places)
        self._guard = threading.RLock()
        self._changed = threading.Condition(self._guard)
        self._seats: dict[str, _Seat] = {}
        self._spec: GameSpec | None = None
        self._page_data: PageDataBySeat | None = None
        self._number = 0
        self._decisions = Counter[Visitor]()
        """Each visitor's are counted by themselves: a gap would show that somebody else was asked."""
        self._waited_for: set[Visitor] = set()
        """Who has not yet asked for the game to begin or, if it is over, for another."""
        self._is_over = False
        self._games, self._won = 0, Counter[str]()
        """How many games were played at this table, and how many each has won."""
        self._shown: dict[Visitor, int | None] = {}
        """By visitor: the seat whose turn was shown last."""
        self._has_begun: set[Visitor] = set()
        """Who has been shown something of this game."""
        self.is_left = False
        """Whether the table has been left, so that the game is not played on."""
        self.failure: str | None = None
        """The error because of which the present game cannot be shown, and so not be played on; None: there is none."""
        self.lost: str | None = None
        """The person who cannot be asked any more, in this game or another; None: all can."""

    # What the game's course brings

    def set_up(self, spec: GameSpec) -> None:
        """Lay out a new game, and wait for all visitors to begin."""
        with self._guard:
            self._number += 1
            self._is_over = False
            self.failure = None
            self._spec = spec
            persons = {spec.bots.index(name): name for name in self._places}
            self._page_data = PageDataBySeat(self._settings.rules, self._settings.edition, spec, persons.keys())
            self._seats = {
                name: _Seat(seat, self.persons[name], self._places[name]) for seat, name in sorted(persons.items())
            }
            self._words = Words(self._settings.rules, spec.bots)
            self._shown = dict.fromkeys(self.visitors)
            self._has_begun.clear()
            # Later, and in a game that goes on, they said so already.
            self._waited_for = set(self.visitors) if self._number == 1 and not spec.answers else set()
            for visitor in self.visitors:
                fixed = self._fixed(visitor, spec)
                visitor.bulletin.put("table", encode(fixed), drop=(*STAGES, *_OF_TURN, "thinking", "mistakes"))
            self._show_lobby()

    def on_step(self, _: GameSpec, game_step: GameStep) -> None:
        """Note a step of the game."""
        assert self._page_data is not None
        self._page_data.add(game_step)

    def on_thinking(self, _: GameSpec, seat: int, events: int | None = None) -> None:
        """Note whose decision is awaited, or seems to be, and that the first so many events, or all, may be seen."""
        assert self._page_data is not None
        with self._guard:
            news = self._page_data.open(events)
            for visitor in self.visitors:
                if visitor not in self._has_begun or news.intersection(self._seats_at(visitor)):
                    if visitor not in self._has_begun and self._spec is not None and self._spec.answers:
                        for each in self._seats.values():  # what was shown before is no news
                            each.shown = self._page_data.of(each.seat).steps
                    self._has_begun.add(visitor)
                    self._show_live(visitor)
                visitor.bulletin.put("thinking", _json({"seat": seat}))

    def _show_live(self, visitor: Visitor) -> None:
        """Show the game as a visitor may know it now, in place of a question."""
        assert self._page_data is not None
        seats = self._seats_at(visitor)
        data = self._page_data.of(seats[0])
        if len(seats) > 1:  # nobody may see the other one's cards
            live = b'{"seat":null,"own":null,"view":null,"public":%s}' % data.public
        else:
            live = b'{"seat":%d,"own":%s,"view":%s,"public":%s}' % (seats[0], data.own, _json(data.view), data.public)
        visitor.bulletin.drop("hint")
        self._put_stage(visitor, "live", live)

    def over(self, record: GameRecord, where: Mapping[str, Any]) -> None:
        """Show the end of a game. `where`: how the record can be read again."""
        with self._guard:
            self._games += 1
            self._won.update(record.bots[seat] for seat, rank in enumerate(record.ranks) if rank == 1)
            self._show_over(record, where)
            self._end_game()

    def over_again(self, record: GameRecord, where: Mapping[str, Any]) -> None:
        """Show the end of a game again, with more to know of it, unless the next one has begun."""
        with self._guard:
            if self._is_present(record) and self._waited_for:
                self._show_over(record, where)

    def _show_over(self, record: GameRecord, where: Mapping[str, Any]) -> None:
        settings = self._settings
        public, owns = build_page_data(record, settings.rules, settings.edition, self.game_steps)
        for visitor in self.visitors:
            mine = [each for each in self._seats.values() if each.visitor is visitor]
            shown = {
                "seat": mine[0].seat,
                "since": mine[0].shown,
                "public": public,
                "own": owns[mine[0].seat],
                "evening": {"games": self._games, "won": dict(self._won.most_common())},
                **where,
            }
            self._put_stage(visitor, "over", encode(shown))
            visitor.bulletin.drop("thinking", *_OF_TURN)

    def _is_present(self, record: GameRecord) -> bool:
        return self._spec is not None and self._spec.id == record.id

    def void(self, text: str) -> None:
        """Show that a game failed through no fault of its players."""
        with self._guard:
            for visitor in self.visitors:
                self._put_stage(visitor, "void", _json({"text": text}))
                visitor.bulletin.drop("thinking", *_OF_TURN)
            self._end_game()

    def _end_game(self) -> None:
        for each in self._seats.values():
            each.decision = None
        self._is_over = True
        self._waited_for = set(self.visitors)

    def mistakes(self, record: GameRecord, seat: int, found: Mapping[str, Any]) -> None:
        """Show which choices of the person in a seat cost most, unless the next game has begun."""
        with self._guard:
            for each in self._seats.values():
                if each.seat == seat and self._is_present(record):
                    each.visitor.bulletin.put("mistakes", _json({"seat": seat, **found}), key=str(seat))

    @property
    def game_steps(self) -> list[GameStep]:
        """The steps of the present game."""
        assert self._page_data is not None
        return self._page_data.steps

    def seats(self) -> list[int]:
        """Return the persons' seats in the present game."""
        return [each.seat for each in self._seats.values()]

    # Waiting and leaving

    def leave(self) -> None:
        """Leave the table: what waits for anybody ends."""
        with self._changed:
            self.is_left = True
            self._changed.notify_all()
        for person in self.persons.values():
            person.wake()

    @property
    def is_playing(self) -> bool:
        """Whether a game has begun and is not over."""
        return bool(self._has_begun) and not self._is_over

    def wait_for_all(self, seconds: float) -> bool:
        """Wait for all visitors to be ready for the next game. Return whether they are; at once if it is left."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_left or not self._waited_for, seconds)
            return not self._waited_for and not self.is_left

    def close(self, text: str) -> None:
        """Say to all visitors that nothing more will come."""
        for visitor in self.visitors:
            visitor.bulletin.put("gone", _json({"text": text}))
            visitor.bulletin.close()

    # What persons ask for

    def begin(self, visitor: Visitor) -> None:
        """Note that a visitor is ready. Raises `NotNowError`."""
        self._ready(visitor, self._is_over, "the game has begun")
        self._show_lobby()

    def want_rematch(self, visitor: Visitor) -> None:
        """Note that a visitor wants another game. Raises `NotNowError`."""
        self._ready(visitor, not self._is_over, "the game is not over")

    def choose(self, visitor: Visitor, decision: int, index: int) -> None:
        """Play an action. Raises `NotNowError`."""
        with self._guard:
            seat = self._asked(visitor, decision)
            if self._shown[visitor] != seat.seat:  # before anything is said of what the next person may do
                raise NotNowError("the curtain is down")
            if not 0 <= index < len(seat.order):
                raise NotNowError(f"there are the actions 0 to {len(seat.order) - 1}, not {index}")
            seat.decision = None
            visitor.bulletin.drop("fault")
            self._show_live(visitor)
            sent = seat.sent[-1]
        seat.person.choose(sent["game_id"], sent["turn"], seat.order[index])

    def hint(self, visitor: Visitor, decision: int) -> None:
        """Ask a bot what it would do. Raises `NotNowError`."""
        with self._guard:
            seat = self._asked(visitor, decision)
            if self._hints is None:
                raise NotNowError("no bot gives hints here")
            if self._shown[visitor] != seat.seat:
                raise NotNowError("the curtain is down")
            name, sent = self._hints.name, list(seat.sent)

        def answer(index: int | None, why: str) -> None:
            with self._guard:
                if seat.decision == decision:
                    place = seat.order.index(index) if index in seat.order else None
                    what = {"decision": decision, "index": place, "bot": name}
                    visitor.bulletin.put("hint", _json(what | ({"error": why} if why else {})))

        self._hints.ask(seat.seat, sent, answer)

    def show(self, visitor: Visitor, decision: int) -> None:
        """Raise the curtain. Raises `NotNowError`."""
        with self._guard:
            seat = self._asked(visitor, decision)
            if self._shown[visitor] != seat.seat:
                self._shown[visitor] = seat.seat
                try:
                    self._show_turn(seat)
                except Exception:  # whatever a plug-in raises
                    self.failure = traceback.format_exc()

    def _asked(self, visitor: Visitor, decision: int) -> _Seat:
        for each in self._seats.values():
            if each.visitor is visitor and each.decision == decision:
                return each
        raise NotNowError("this decision is not asked for, or not any more")

    def _ready(self, visitor: Visitor, is_other: bool, why: str) -> None:
        with self._changed:
            if is_other or visitor not in self._waited_for:
                raise NotNowError(why)
            self._waited_for.discard(visitor)
            self._changed.notify_all()

    # What the referee sends

    def hear(self, name: str, message: Message) -> None:
        """Take a message of the referee to a person. If it cannot be shown, the game has failed."""
        try:
            with self._guard:
                seat = self._seats.get(name)
                if seat is not None:
                    self._hear(seat, message)
        except Exception:  # whatever a plug-in raises
            self.failure = traceback.format_exc()

    def lose(self, name: str, error: str) -> None:
        """Note that a person cannot be asked any more. The game has failed."""
        self.failure, self.lost = error, name

    def _hear(self, seat: _Seat, message: Message) -> None:
        kind = message["type"]
        if kind == "start":
            seat.sent = seat.sent or [message]
        elif kind == "decide":
            if message["turn"] > seat.turn:
                self._decide(seat, message)
        elif kind == "fault":
            if message["code"] == "late":  # the substitute has moved
                seat.decision = None
                self._show_live(seat.visitor)
            seat.visitor.bulletin.put(
                "fault", _json({"seat": seat.seat, **{key: message[key] for key in ("code", "text", "strikes_left")}})
            )

    def _decide(self, seat: _Seat, message: Message) -> None:
        seat.turn = message["turn"]
        seat.sent.append(message)
        seat.order = self._order(message["actions"])
        clock = message["clock"]
        seat.due = None if clock is None else monotonic() + (clock["move"] + clock["bank"]) / 1000
        visitor = seat.visitor
        self._decisions[visitor] += 1
        seat.decision = self._decisions[visitor]
        assert self._page_data is not None
        self._page_data.asked(seat.seat, message["view"])
        if len(self._seats_at(visitor)) > 1 and self._shown[visitor] != seat.seat:
            self._shown[visitor] = None
            what = {"decision": seat.decision, "seat": seat.seat, "name": seat.person.name}
            visitor.bulletin.drop(*_OF_TURN)
            self._put_stage(visitor, "curtain", _json(what), seat.due)
        else:
            self._shown[visitor] = seat.seat
            self._show_turn(seat)

    def _show_turn(self, seat: _Seat) -> None:
        assert self._page_data is not None
        message, page_data = seat.sent[-1], self._page_data.of(seat.seat)
        rest = _json(
            {
                "decision": seat.decision,
                "seat": seat.seat,
                "since": seat.shown,
                **self._asking(seat),
                "choices": [
                    {"text": self._words.named(self._words.action(each)), "action": each}
                    for each in (message["actions"][index] for index in seat.order)
                ],
            }
        )
        data = b'%s,"public":%s,"own":%s}' % (rest[:-1], page_data.public, page_data.own)
        seat.shown = page_data.steps
        seat.visitor.bulletin.drop("hint")
        self._put_stage(seat.visitor, "turn", data, seat.due)

    def _asking(self, seat: _Seat) -> dict[str, Any]:
        """Return what is asked, with the hand, as far as the game says so by what its seat was sent.

        Of a game without pictures that is the view, as rows, and as it was when the seat was asked before.
        """
        *before, message = seat.sent
        rules, view, edition = self._settings.rules, message["view"], self._settings.edition
        asking: dict[str, Any] = {"hand": [], "question": None, "barred": None, "view": None, "view_before": None}
        if isinstance(rules, Illustrated):
            self._add(asking, "hand", lambda: rules.hand(view))
        else:
            asking["view"] = rows(view)
            asking["view_before"] = rows(before[-1]["view"]) if before and "view" in before[-1] else None
        if isinstance(rules, Guided):
            self._add(asking, "question", lambda: self._words.named(rules.question(view, message["actions"], edition)))
            self._add(asking, "barred", lambda: rules.barred(view, message["actions"], edition))
        return asking

    def _order(self, actions: Sequence[Data]) -> list[int]:
        plain = list(range(len(actions)))
        found: dict[str, Any] = {"order": plain}
        if isinstance(rules := self._settings.rules, Guided):
            self._add(found, "order", lambda: rules.order(actions))
        return found["order"] if sorted(found["order"]) == plain else plain

    def _add(self, asking: dict[str, Any], what: str, find: Callable[[], Any]) -> None:
        """Add what helps a person to choose. Without it the game goes on: the choices are there."""
        try:
            found = find()
            _json(found)
        except Exception as error:  # whatever a plug-in raises; its text may tell what the person beside must not see
            name = self._settings.rules.name
            _log.warning("%s: %s is left out, because the game's code raised %s", name, what, type(error).__name__)
        else:
            asking[what] = found

    # What visitors are shown

    def _seats_at(self, visitor: Visitor) -> list[int]:
        return [each.seat for each in self._seats.values() if each.visitor is visitor]

    def _fixed(self, visitor: Visitor, spec: GameSpec) -> Data:
        settings, rules = self._settings, self._settings.rules
        return {
            "game": rules.name,
            "edition": str(settings.edition.get("name", "")),
            "players": spec.players,
            "bots": spec.bots,
            "persons": self.seats(),
            "mine": self._seats_at(visitor),
            "board": rules.board(settings.edition) if isinstance(rules, Illustrated) else None,
            "invites": visitor is self.visitors[0] and len(self.visitors) > 1,
            "move": settings.move,
            "hints": None if self._hints is None else self._hints.name,
            "weighs": rules.capabilities.worlds,
            "tutorial": settings.has_tutorial,
            "number": self._number,
            "note": settings.note if self._number == 1 else "",
        }

    def _show_lobby(self) -> None:
        with self._guard:
            missing = [each.name for each in self.visitors if each in self._waited_for]
            for visitor in self.visitors:
                others = [name for name in missing if name != visitor.name]
                ready = visitor not in self._waited_for
                self._put_stage(visitor, "lobby", _json({"ready": ready, "waiting_for": others}))

    def _put_stage(self, visitor: Visitor, stage: str, data: bytes, due: float | None = None) -> None:
        visitor.bulletin.put(stage, data, due=due, drop=STAGES)


def _json(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode("ascii")
