"""Play a game twice by the referee (twin worlds), with other cards where a reader has seen none so far.

`played` plays a game and keeps the bytes that one seat is sent up to some decision of its own, and a `Witness` that
knows which card was drawn from which place of which shuffle, and which of them that seat has seen by then. `dealt_anew`
lays the other cards elsewhere, within their shuffle. Played again with that deal and the same moves, by value and not
by index, the bytes have to be equal. What is special to a game stands in `Watched`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any
from unittest.mock import patch

from arena.game import bot_messages
from arena.game import game as game_module
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep, visible
from arena.ledger.records import GameRecord, Step
from arena.protocol.codec import encode
from arena.protocol.messages import Act, FromReferee
from engine.chance import Chance, Seeded, T, derive
from engine.rules import Data, State
from tests.noninterference.witness import Place, Position, Watched, Witness

Anew = Mapping[tuple[str, int], list[Any]]
"""Orders by the deck's name, or by the chance stream of other shuffles, and by the number of the shuffle."""


class Diverged(Exception):
    """The other world cannot make the moves of the first: a reader could tell the two apart."""


class Deal(Chance):
    """Chance that remembers what it gave; or gives what another gave, with some decks in another order."""

    def __init__(
        self,
        seed: bytes,
        game: Watched,
        first: Deal | None = None,
        decks: Anew | None = None,
    ) -> None:
        self._source = Seeded(seed)
        self._game = game
        self._first = first
        self._decks = decks or {}
        self.rolls: dict[str, list[int]] = {}
        self.specs: dict[str, list[list[Any]]] = {}
        self.position: Position | None = None  # whose hands are picked from

    def below(self, stream: str, bound: int) -> int:
        given = self.rolls.setdefault(stream, [])
        roll = self._source.below(stream, bound)
        if self._first is not None and len(given) < len(self._first.rolls.get(stream, [])):
            roll = self._first.rolls[stream][len(given)]
        if not stream.startswith("blind pick"):
            given.append(roll)
            return roll
        assert self.position is not None
        cards = self._game.hands(self.position)[int(stream.split()[-1])]
        if self._first is not None and len(given) < len(self._first.rolls.get(stream, [])):
            given.append(roll)  # the card that was picked in the first world, wherever it now is
            return cards.index(roll)
        given.append(cards[roll])
        return roll

    def shuffle(self, stream: str, items: MutableSequence[T]) -> None:
        given = self.specs.setdefault(stream, [])
        number = len(given)
        before: MutableSequence[Any] = sorted(items, key=str)
        if self._first is not None and number < len(self._first.specs.get(stream, [])):
            items[:] = self._first.specs[stream][number]
            deck = stream.removesuffix(" deck")
            if (deck, number) in self._decks:
                items[:] = self._decks[deck, number]
            assert sorted(items, key=str) == before, "not the same cards"
        else:
            self._source.shuffle(stream, items)
        given.append(list(items))

    def copy(self) -> Deal:
        raise TypeError("the referee does not copy games")


@dataclass(frozen=True)
class Plan:
    """What is played: one game, one reader, how far."""

    game: Watched
    edition: Data
    players: int
    reader: int | None
    """A seat, or None for a spectator."""
    decisions: int
    """The reader's own decisions up to the cut; for a spectator anybody's."""
    label: str
    faults: bool = False
    """Some answers are illegal, late or stale; the same ones in both worlds."""
    retires_after: int | None = None
    """Whoever of the rivals is asked first after so many moves fails, again and again until it retires."""
    retires_by: str = "crash"
    """By which fault."""
    retires_reader: bool = False
    """The reader instead."""


@dataclass
class Told:
    """What came of it."""

    frames: list[bytes] = field(default_factory=list)
    """All that the reader was sent; for a spectator, the events it may read."""
    views: dict[int, Any] = field(default_factory=dict)
    """A spectator's view, by the number of moves before."""
    phases: list[str] = field(default_factory=list)
    """Of the reader's decisions."""
    milestones: list[frozenset[str]] = field(default_factory=list)
    """What had been reached at each of them."""
    asked: list[tuple[int, str]] = field(default_factory=list)
    """Who was asked in which phase, decision by decision."""
    questions: list[tuple[int, str]] = field(default_factory=list)
    """As in `asked`, with the forced moves for which the referee pauses: what its times are made of."""
    over: bool = False
    retired: list[int] = field(default_factory=list)
    retirement: int | None = None
    """How many of the reader's decisions came before somebody retired."""
    witness: Witness = field(default_factory=Witness)
    deal: Deal | None = None
    steps: list[Step] = field(default_factory=list)
    """What the referee would record."""
    faults: dict[int, str] = field(default_factory=dict)
    """By the number of moves before."""
    planned: dict[int, Any] = field(default_factory=dict)
    """Over sockets: what bots were about to do, by the number of moves before."""
    hands: list[list[int]] = field(default_factory=list)
    """At the cut, the rivals'."""
    decks: list[list[int]] = field(default_factory=list)
    face_down: dict[str, list[int]] = field(default_factory=dict)
    """At the cut: what else nobody has seen, as `Watched.face_down` has it."""
    chits: list[Any] = field(default_factory=list)
    """And what it is."""
    seen: frozenset[Place] | None = None
    """What the reader held when it retired: what its seat draws later it is not told. None: it has not."""

    def note_hidden(self, plan: Plan, state: Any) -> None:
        """Note what the reader has not seen at this moment."""
        assert self.deal is not None
        self.hands = [cards for seat, cards in enumerate(plan.game.hands(state)) if seat != plan.reader]
        self.decks = [deck.order[:] for deck in state.decks]
        self.face_down = plan.game.face_down(state)
        self.chits = [
            self.deal.specs[stream][0][place] for stream, places in self.face_down.items() for place in places
        ]

    def differs(self, other: Told) -> bool:
        """Whether the bytes tell the worlds apart."""
        if not self.views:
            return self.frames != other.frames
        # A spectator sees both go on by themselves up to the next decision, which may come later in one of them.
        common = self.views.keys() & other.views.keys()
        frames = any(one != same for one, same in zip(self.frames, other.frames, strict=False))
        return frames or any(self.views[moves] != other.views[moves] for moves in common)


FAULTS = ("illegal", "late", "stale", "malformed")


class Script:
    """Answers every `decide`: in the first world at random, in the other as in the first, by value."""

    def __init__(self, plan: Plan, first: Told | None, told: Told, faults: Sequence[str] = FAULTS) -> None:
        self._plan = plan
        self._first = first
        self._told = told
        self._faults = faults
        self._random = Random(plan.label)
        self._retiring: int | None = None
        """Who is to retire."""

    def fault(self, state: Position) -> str | None:
        """What goes wrong with the answer now asked for. Only where it is asked for in every world."""
        number = len(self._told.witness.moves)
        if self._first is not None:
            return self._first.faults.get(number)
        if self._has_to_retire(state, number):
            return self._told.faults.setdefault(number, self._plan.retires_by)
        if self._plan.faults and self._plan.game.may_fail(state) and self._random.random() < 0.15:
            return self._told.faults.setdefault(number, self._random.choice(self._faults))
        return None

    def _has_to_retire(self, state: Position, number: int) -> bool:
        after, seat = self._plan.retires_after, state.to_act
        if after is None or number < after or not self._plan.game.may_fail(state):
            return False
        if (seat == self._plan.reader) != self._plan.retires_reader:
            return False
        self._retiring = seat if self._retiring is None else self._retiring
        return seat == self._retiring

    def is_used_up(self) -> bool:
        """Whether the first world went no further."""
        return self._first is not None and len(self._told.witness.moves) >= len(self._first.witness.moves)

    def index(self, state: Position) -> int:
        actions = list(state.actions())
        if self._first is None:
            return self._plan.game.choose(state, self._random)
        seat, action = self._first.witness.moves[len(self._told.witness.moves)]
        if seat != state.to_act or action not in actions:
            raise Diverged(f"seat {state.to_act} cannot do {action}")
        return actions.index(action)


def played(plan: Plan, first: Told | None = None, decks: Anew | None = None) -> Told:
    """Play up to the cut: the first world; or, of the `first`, the other with these decks, and with another seed."""
    told = Told()
    seed = derive(b"twins in testing", plan.label, "first" if first is None else "twin")
    deal = Deal(derive(seed, "chance"), plan.game, None if first is None else first.deal, decks)
    told.deal = deal

    def begin(*args: object) -> State:
        return plan.game.rules.start(plan.players, plan.edition, deal)

    def on_step(_: GameSpec, game_step: GameStep) -> None:
        told.steps.append(game_step.step)
        if plan.reader is None:
            told.frames += [repr(event.what).encode() for event in game_step.events if visible(event, None)]

    spec = GameSpec("game", 0, plan.players, 0, 0, seed.hex(), [f"bot{seat}" for seat in range(plan.players)])
    with (
        plan.game.witnessing(told.witness),
        patch.object(game_module, "begin", begin),
        # Each seat's own random numbers are another secret, and the game's id is drawn like them: here they are equal,
        # so that all bytes can be compared.
        patch.object(bot_messages, "bot_seed", lambda seed, seat: 1000 + seat),
        patch.object(game_module, "public_id", lambda seed, game_id: game_id),
    ):
        game = Game(plan.game.rules, plan.edition, spec, TimeControl(strikes=4), on_step=on_step)
        _drive(game, plan, Script(plan, first, told), told)
    return told


def _drive(game: Game, plan: Plan, script: Script, told: Told) -> None:
    """What the host does, for bots that answer at once."""
    state: Any = game._state
    assert told.deal is not None
    told.deal.position = state

    def send(seat: int, message: FromReferee | None) -> None:
        if seat == plan.reader and message is not None:
            told.frames.append(encode(message))

    for seat in range(plan.players):
        send(seat, game.start(seat))
    decisions = 0
    while (asked := game.awaited) is not None:
        told.questions += [(move.seat, move.phase) for move in game.take_unasked()]
        decide = game.decide()
        send(asked, decide)
        told.asked.append((asked, state.table.phase))
        told.questions.append((asked, state.table.phase))
        if plan.reader is None:
            told.views[len(told.witness.moves)] = repr(state.view(None))
        if plan.reader in (asked, None):
            told.phases.append(state.table.phase)
            told.milestones.append(frozenset(what for what, is_so in plan.game.milestones(state).items() if is_so))
            decisions += 1
            if decisions == plan.decisions:
                break
        fault = script.fault(state)
        if fault is None and script.is_used_up():
            break
        if fault == "late":
            send(asked, game.late(1.0, ""))
        elif fault == "crash":
            send(asked, game.fault(asked, "crash", "its process ended"))
        elif fault == "malformed":
            send(asked, game.fault(asked, "malformed", "not a map"))
        elif fault == "illegal":
            send(asked, game.answer(asked, Act("game", decide.turn, 9999), 0.0))
        else:
            if fault == "stale":
                send(asked, game.answer(asked, Act("game", decide.turn + 7, 0), 0.0))
            send(asked, game.answer(asked, Act("game", decide.turn, script.index(state)), 0.0))
        if told.retirement is None and game.is_retired(asked):
            told.retirement = decisions
    told.questions += [(move.seat, move.phase) for move in game.take_unasked()]
    told.over = game.over
    told.retired = [seat for seat in range(plan.players) if game.is_retired(seat)]
    if game.over:
        for seat in range(plan.players):
            send(seat, game.end())
        if plan.reader is None:
            told.frames.append(encode(game.end()))
    told.note_hidden(plan, state)


def dealt_anew(plan: Plan, told: Told, random: Random, of_retired: int = 0) -> Anew:
    """The orders of all decks with the cards that the reader has not seen laid elsewhere; by deck and shuffle.

    A retired seat's cards stay, but for `of_retired` of them: what the substitute plays and discards follows from them
    by rules that all know, so most others would lead to another game.
    """
    assert told.deal is not None
    witness = told.witness
    kept = [place for place, (seat, _) in witness.held.items() if seat in told.retired]
    kept = random.sample(kept, max(0, len(kept) - of_retired))
    found: dict[tuple[str, int], list[Any]] = {}
    for stream, places in told.face_down.items():
        laid = told.deal.specs[stream][0][:]
        for place, chit in zip(places, random.sample([laid[place] for place in places], len(places)), strict=True):
            laid[place] = chit
        found[stream, 0] = laid
    for deck in plan.game.decks:
        for number, spec in enumerate(told.deal.specs[f"{deck} deck"]):
            free = [
                place
                for place in ((deck, number, index) for index in range(len(spec)))
                if _is_unseen(plan, told, place) and place not in kept
            ]
            without = [
                plan.game.never_held | witness.lacked_at(place) if place in witness.held else frozenset()
                for place in free
            ]
            cards = _laid_elsewhere([spec[place[2]] for place in free], without, random)
            found[deck, number] = spec[:]
            for (_, _, index), card in zip(free, cards, strict=True):
                found[deck, number][index] = card
    return found


def _is_unseen(plan: Plan, told: Told, place: Place) -> bool:
    held, seen = told.witness.held.get(place), told.seen
    is_drawn_for_it = held is not None and held[0] == plan.reader and seen is not None and place not in seen
    return is_drawn_for_it or told.witness.unseen_by(plan.reader, place)


def drawn_in_another_order(plan: Plan, told: Told) -> Iterator[Anew]:
    """The orders of all decks with two cards exchanged that one rival drew, and showed when it had both.

    All have seen both cards by the cut, but never which of the two was drawn first.
    """
    assert told.deal is not None
    witness = told.witness
    shuffles = {deck: told.deal.specs[f"{deck} deck"] for deck in plan.game.decks}
    for one, other in combinations(witness.shown, 2):
        (seat, drawn), (seat_too, drawn_too) = witness.drawn[one], witness.drawn[other]
        if seat != seat_too or seat == plan.reader or one[:2] != other[:2] or seat in told.retired:
            continue
        if min(witness.shown[one], witness.shown[other]) < max(drawn, drawn_too):
            continue
        decks = {(deck, number): spec[:] for deck, specs in shuffles.items() for number, spec in enumerate(specs)}
        spec = decks[one[:2]]
        card, card_too = spec[one[2]], spec[other[2]]
        if card == card_too or card in witness.lacked_at(other) or card_too in witness.lacked_at(one):
            continue
        spec[one[2]], spec[other[2]] = card_too, card
        yield decks


def _laid_elsewhere(cards: list[int], without: list[frozenset[int]], random: Random) -> list[int]:
    """The cards in another order, none where it cannot be. Where there is least choice it is made first."""
    spec = sorted(range(len(cards)), key=lambda index: -len(without[index]))
    for _ in range(100):
        left = random.sample(cards, len(cards))
        laid = [0] * len(cards)
        for index in spec:
            fits = next((number for number, card in enumerate(left) if card not in without[index]), None)
            if fits is None:
                break
            laid[index] = left.pop(fits)
        else:
            return laid
    return cards


def two_worlds(plan: Plan, random: Random) -> tuple[Told, Told]:
    """Play a world and another that is the same to the reader. Raises `Diverged`."""
    first = played(plan)
    other = played(plan, first, dealt_anew(plan, first, random))
    made, again = first.witness.moves, other.witness.moves
    if any(one != same for one, same in zip(made, again, strict=plan.reader is not None)):
        raise Diverged("the other world went another way")
    return first, other


def recorded(plan: Plan, told: Told, world: str) -> tuple[GameRecord, Callable[..., State]]:
    """The record of a world as far as it went, and what begins a game with the deal of that world."""
    seed = derive(b"twins in testing", plan.label, world)
    numbers = list(range(plan.players))
    record = GameRecord(
        "game", 0, plan.players, 0, 0, seed.hex(), [f"bot{seat}" for seat in numbers], "finished", numbers,
        [{} for _ in numbers], told.steps, told.retired, [], [[] for _ in numbers], "", "",
    )  # fmt: skip

    def begin(*args: object) -> State:
        deal = Deal(seed, plan.game, told.deal)
        state: Any = plan.game.rules.start(plan.players, plan.edition, deal)
        deal.position = state
        return state

    return record, begin
