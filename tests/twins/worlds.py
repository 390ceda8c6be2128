"""Twin worlds: a game of `kosmos` played twice by the referee, with other cards where a reader has seen none so far.

`played` plays a game and keeps the bytes that one seat is sent up to some decision of its own, and a `Witness` that
knows which card was drawn from which place of which shuffle, and which of them that seat has seen by then. `dealt_anew`
lays the other cards elsewhere, within their shuffle. Played again with that deal and the same moves, by value and not
by index, the bytes have to be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

from arena.ledger.records import Step
from arena.protocol.codec import encode
from arena.protocol.messages import Act, FromReferee
from arena.referee import table as referee
from arena.referee.clock import TimeControl
from arena.referee.orders import GameOrder
from arena.referee.table import Table
from arena.referee.transcript import visible
from engine.catalog import game
from engine.chance import Chance, Seeded, T, derive
from engine.game import Data, Event, State
from engine.kosmos import turn
from engine.kosmos.cards import DECKS, GREY_DAYS, deck_of
from engine.kosmos.game import KosmosState
from engine.kosmos.state import Position

KOSMOS = game("kosmos")
Place = tuple[int, int, int]
"""Deck, number of its shuffle, place in it (the last is drawn first)."""
Move = tuple[int, Mapping[str, Any]]
"""Seat and action, asked for or made because there was no other."""


class Diverged(Exception):
    """A twin cannot make the moves of the first world: what was dealt anew is no twin."""


class Deal(Chance):
    """Chance that remembers what it gave; or gives what another gave, with some decks in another order."""

    def __init__(
        self, seed: bytes, first: Deal | None = None, decks: Mapping[tuple[int, int], list[int]] | None = None
    ) -> None:
        self._source = Seeded(seed)
        self._first = first
        self._decks = decks or {}
        self.rolls: dict[str, list[int]] = {}
        self.orders: dict[str, list[list[Any]]] = {}
        self.position: KosmosState | None = None  # whose hands are picked from

    def below(self, stream: str, bound: int) -> int:
        given = self.rolls.setdefault(stream, [])
        roll = self._source.below(stream, bound)
        if self._first is not None and len(given) < len(self._first.rolls.get(stream, [])):
            roll = self._first.rolls[stream][len(given)]
        if not stream.startswith("blind pick"):
            given.append(roll)
            return roll
        assert self.position is not None
        hand = self.position.hands[int(stream.split()[-1])]
        cards = hand.travel + hand.events
        if self._first is not None and len(given) < len(self._first.rolls.get(stream, [])):
            given.append(roll)  # the card that was picked in the first world, wherever it now is
            return cards.index(roll)
        given.append(cards[roll])
        return roll

    def shuffle(self, stream: str, items: MutableSequence[T]) -> None:
        given = self.orders.setdefault(stream, [])
        number = len(given)
        before: MutableSequence[Any] = sorted(items, key=str)
        if self._first is not None and number < len(self._first.orders.get(stream, [])):
            items[:] = self._first.orders[stream][number]
            deck = DECKS.index(stream.split()[0]) if stream.endswith("deck") else None
            if deck is not None and (deck, number) in self._decks:
                items[:] = self._decks[deck, number]  # type: ignore[assignment]
            assert sorted(items, key=str) == before, "not the same cards"
        else:
            self._source.shuffle(stream, items)
        given.append(list(items))

    def copy(self) -> Deal:
        raise TypeError("the referee does not copy games")


@dataclass
class Witness:
    """Sees every card drawn, and every move."""

    moves: list[Move] = field(default_factory=list)
    open: set[Place] = field(default_factory=set)
    held: dict[Place, tuple[int, int]] = field(default_factory=dict)
    """Cards drawn unseen and not shown since: seat and card."""
    drawer: int | None = None

    def took(self, position: Position, deck: int, card: int) -> None:
        place = deck, position.table.unseen[deck].shuffle, len(position.decks[deck])
        if self.drawer is None or card in GREY_DAYS:
            self.open.add(place)
        else:
            self.held[place] = self.drawer, card

    def showed(self, position: Position, seat: int, card: int) -> None:
        """A card that all know to be in hand is none of those held unseen."""
        if card not in position.table.known[seat]:
            self._reveal(next(place for place, held in self.held.items() if held == (seat, card)))

    def laid_off(self) -> None:
        for place in [place for place, (_, card) in self.held.items() if deck_of(card)]:
            self._reveal(place)

    def followed(self, position: Position, deck: int) -> None:
        """Of a shuffle that is settled everyone knows who holds what."""
        pools = position.table.unseen[deck].pools
        for place in [place for place in self.held if place[0] == deck and place[1] not in pools]:
            self._reveal(place)

    def _reveal(self, place: Place) -> None:
        del self.held[place]
        self.open.add(place)

    def unseen_by(self, seat: int | None, place: Place) -> bool:
        return place not in self.open and (place not in self.held or self.held[place][0] != seat)


@contextmanager
def witnessing(witness: Witness) -> Iterator[None]:
    """Have the engine tell the witness; nothing else of it changes."""
    take_top, draw, show, grey = Position._take_top, Position.draw, Position.show, Position._grey
    settle = Position._settle

    def _take_top(self: Position, deck: int, events: list[Event]) -> int:
        card = take_top(self, deck, events)
        witness.took(self, deck, card)
        return card

    def _draw(self: Position, seat: int, deck: int, events: list[Event]) -> None:
        witness.drawer = seat
        draw(self, seat, deck, events)
        witness.drawer = None

    def _show(self: Position, seat: int, card: int) -> None:
        witness.showed(self, seat, card)
        show(self, seat, card)

    def _grey(self: Position, seat: int, card: int, events: list[Event]) -> None:
        witness.laid_off()
        grey(self, seat, card, events)

    def _settle(self: Position, deck: int) -> None:
        settle(self, deck)
        witness.followed(self, deck)

    def told(do: Callable[..., Any]) -> Callable[..., Any]:
        def play(position: Position, action: Mapping[str, Any], log: list[Event]) -> None:
            witness.moves.append((position.table.on_turn, action))
            do(position, action, log)

        return play

    with (
        patch.multiple(Position, _take_top=_take_top, draw=_draw, show=_show, _grey=_grey, _settle=_settle),
        patch.dict(turn._PLAYS, {name: told(do) for name, do in turn._PLAYS.items()}),
    ):
        yield


@dataclass(frozen=True)
class Plan:
    """What is played: one game, one reader, how far."""

    edition: Data
    players: int
    reader: int | None
    """A seat, or None for a spectator."""
    decisions: int
    """The reader's own decisions up to the cut; for a spectator anybody's."""
    label: str
    faults: bool = False
    """Some answers are illegal, late or stale; the same ones in both worlds."""


@dataclass
class Told:
    """What came of it."""

    frames: list[bytes] = field(default_factory=list)
    """All that the reader was sent; for a spectator, the events it may read."""
    views: dict[int, Any] = field(default_factory=dict)
    """A spectator's view, by the number of moves before."""
    phases: list[str] = field(default_factory=list)
    """Of the reader's decisions."""
    asked: list[int] = field(default_factory=list)
    """Who was asked, decision by decision."""
    over: bool = False
    retired: list[int] = field(default_factory=list)
    witness: Witness = field(default_factory=Witness)
    deal: Deal | None = None
    faults: dict[int, str] = field(default_factory=dict)
    """By the number of moves before."""
    hands: list[list[int]] = field(default_factory=list)
    """At the cut, the rivals'."""
    decks: list[list[int]] = field(default_factory=list)

    def differs(self, other: Told) -> bool:
        """Whether the bytes tell the worlds apart."""
        if not self.views:
            return self.frames != other.frames
        # A spectator sees both go on by themselves up to the next decision, which may come later in one of them.
        common = self.views.keys() & other.views.keys()
        frames = any(one != same for one, same in zip(self.frames, other.frames, strict=False))
        return frames or any(self.views[moves] != other.views[moves] for moves in common)


class _Script:
    """Answers every `decide`: in the first world at random, in its twin as in the first, by value."""

    def __init__(self, plan: Plan, first: Told | None, told: Told) -> None:
        self._plan = plan
        self._first = first
        self._told = told
        self._random = Random(plan.label)

    def fault(self, state: KosmosState) -> str | None:
        """What goes wrong with the answer now asked for. Only where every twin is asked as well."""
        number = len(self._told.witness.moves)
        if self._first is not None:
            return self._first.faults.get(number)
        display = len([action for action in state.actions() if action["do"] == "take"])
        if self._plan.faults and state.table.phase == "take" and display > 1 and self._random.random() < 0.15:
            return self._told.faults.setdefault(number, self._random.choice(["illegal", "late", "stale", "malformed"]))
        return None

    def is_used_up(self) -> bool:
        """Whether the first world went no further."""
        return self._first is not None and len(self._told.witness.moves) >= len(self._first.witness.moves)

    def index(self, state: KosmosState) -> int:
        actions = list(state.actions())
        if self._first is None:
            legs = [index for index, action in enumerate(actions) if action["do"] == "travel"]
            return (
                self._random.choice(legs)
                if legs and self._random.random() < 0.4
                else self._random.randrange(len(actions))
            )
        seat, action = self._first.witness.moves[len(self._told.witness.moves)]
        if seat != state.to_act or action not in actions:
            raise Diverged(f"seat {state.to_act} cannot do {action}")
        return actions.index(action)


def played(plan: Plan, first: Told | None = None, decks: Mapping[tuple[int, int], list[int]] | None = None) -> Told:
    """Play up to the cut: the first world; or, of the `first`, the twin with these decks, and with another seed."""
    told = Told()
    seed = derive(b"twins in testing", plan.label, "first" if first is None else "twin")
    deal = Deal(derive(seed, "chance"), None if first is None else first.deal, decks)
    told.deal = deal

    def begin(*args: object) -> State:
        return KOSMOS.start(plan.players, plan.edition, deal)

    def watch(order: GameOrder, step: Step, events: Sequence[Event], state: State) -> None:
        if plan.reader is None:
            told.frames += [repr(event.what).encode() for event in events if visible(event, None)]

    order = GameOrder("game", 0, plan.players, 0, 0, seed.hex(), [f"bot{seat}" for seat in range(plan.players)])
    with (
        witnessing(told.witness),
        patch.object(referee, "begin", begin),
        # Each seat's own random numbers are another secret: here they are equal, so that all bytes can be compared.
        patch.object(referee, "bot_seed", lambda seed, seat: 1000 + seat),
    ):
        table = Table(KOSMOS, plan.edition, order, TimeControl(strikes=4), watch=watch)
        _drive(table, plan, _Script(plan, first, told), told)
    return told


def _drive(table: Table, plan: Plan, script: _Script, told: Told) -> None:
    """What the host does, for bots that answer at once."""
    state = table._state
    assert isinstance(state, KosmosState)
    assert told.deal is not None
    told.deal.position = state

    def send(seat: int, message: FromReferee | None) -> None:
        if seat == plan.reader and message is not None:
            told.frames.append(encode(message))

    for seat in range(plan.players):
        send(seat, table.start(seat))
    decisions = 0
    while (asked := table.awaited) is not None:
        decide = table.decide()
        send(asked, decide)
        told.asked.append(asked)
        if plan.reader is None:
            told.views[len(told.witness.moves)] = repr(state.view(None))
        if plan.reader in (asked, None):
            told.phases.append(state.table.phase)
            decisions += 1
            if decisions == plan.decisions:
                break
        fault = script.fault(state)
        if fault is None and script.is_used_up():
            break
        if fault == "late":
            send(asked, table.late(1.0, ""))
        elif fault == "malformed":
            send(asked, table.fault(asked, "malformed", "not a map"))
        elif fault == "illegal":
            send(asked, table.answer(asked, Act("game", decide.turn, 9999), 0.0))
        else:
            if fault == "stale":
                send(asked, table.answer(asked, Act("game", decide.turn + 7, 0), 0.0))
            send(asked, table.answer(asked, Act("game", decide.turn, script.index(state)), 0.0))
    told.over = table.over
    told.retired = [seat for seat in range(plan.players) if table.is_retired(seat)]
    if table.over:
        for seat in range(plan.players):
            send(seat, table.end())
        if plan.reader is None:
            told.frames.append(encode(table.end()))
    told.hands = [hand.travel + hand.events for seat, hand in enumerate(state.hands) if seat != plan.reader]
    told.decks = [deck[:] for deck in state.decks]


def dealt_anew(plan: Plan, told: Told, random: Random) -> dict[tuple[int, int], list[int]]:
    """The orders of all decks with the cards that the reader has not seen laid elsewhere; by deck and shuffle.

    A retired seat's cards stay: that it discards the first in order, and so what the others cannot be, is known.
    """
    assert told.deal is not None
    held = told.witness.held
    found = {}
    for deck, name in enumerate(DECKS):
        for number, order in enumerate(told.deal.orders[f"{name} deck"]):
            places = {place: (deck, number, place) for place in range(len(order))}
            free = [
                place
                for place, whole in places.items()
                if told.witness.unseen_by(plan.reader, whole) and not (whole in held and held[whole][0] in told.retired)
            ]
            cards = [order[place] for place in free]
            random.shuffle(cards)
            changed = order[:]
            in_hand = [place for place in free if places[place] in held]
            for place in in_hand:  # a grey card would have acted
                changed[place] = cards.pop(next(i for i, card in enumerate(cards) if card not in GREY_DAYS))
            for place in free:
                if place not in in_hand:
                    changed[place] = cards.pop()
            found[deck, number] = changed
    return found


def twins(plan: Plan, random: Random) -> tuple[Told, Told]:
    """A world and its twin. Raises `Diverged`."""
    first = played(plan)
    twin = played(plan, first, dealt_anew(plan, first, random))
    made, again = first.witness.moves, twin.witness.moves
    if any(one != same for one, same in zip(made, again, strict=plan.reader is not None)):
        raise Diverged("the twin went another way")
    return first, twin
