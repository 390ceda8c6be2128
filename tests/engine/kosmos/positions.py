"""Positions of `kosmos` set up by hand, and moves named by what they say.

All cards are there in every position: what a test does not mention lies in the decks in the stable order, the first on
top (or, with `spent`, in the discard piles). Whatever a hand holds has been seen by all, and no chit lies anywhere but
where the test puts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine import catalog
from engine.chance import Chance
from engine.hidden_deck import HiddenDeck
from engine.kosmos.cards import (
    CHITS,
    CITIES,
    CODES,
    COINS,
    DECKS,
    EMPTY,
    FACE_DOWN,
    FIRST_EVENT,
    LONDON,
    NAMES,
    PLACE_NAMES,
    PLACES,
    TRAVEL_COUNTS,
    deck_of,
)
from engine.kosmos.decision import KosmosState
from engine.kosmos.state import KINDS, OFFSETS
from engine.rules import Data
from tests.engine.doubles import Lowest, Scripted

KOSMOS = catalog.rules("kosmos")
Log = list[dict[str, Any]]


def edition(name: str = "standard", **changed: Any) -> Data:
    """A named edition with some parameters changed; `events` and `legs` (by city name of their start) too."""
    data = KOSMOS.edition(name)
    data["events"] |= changed.pop("events", {})
    for start, leg in changed.pop("legs", {}).items():
        data["board"]["legs"][CITIES.index(start)] = leg
    assert set(changed) <= set(data["parameters"])
    data["parameters"] |= changed
    return data


def position(
    players: int = 3,
    rules: Data | None = None,
    *,
    phase: str = "take",
    turn: int = 0,
    place: str | None = None,
    hands: Mapping[int, str] | None = None,
    display: str | None = None,
    deck: str = "",
    pile: str = "",
    spent: bool = False,
    at: str | Sequence[str] = "London",
    home: Sequence[int] = (),
    gold: Sequence[int] | None = None,
    detective: str = "New York",
    red: Mapping[str, str] | None = None,
    blue: Mapping[str, str] | None = None,
    face_down: bool = False,
    rolls: Iterable[int] = (),
    chance: Chance | None = None,
    **table: Any,
) -> KosmosState:
    """Seat `turn` stands before a decision of `phase`.

    `place`: whose card was taken this turn; `hands`: cards by seat; `display`: by place, `-` for none; `deck`: the top
    cards of both decks, the top first; `pile`: both discard piles, the top last; `at`: the city of all, or of each
    seat; `face_down`: the chits lie so; `home`: seats that arrived in earlier rounds; `rolls`: of the die; the rest:
    attributes of the table.
    """
    rules = rules or edition()
    script = Scripted({"die": [roll - 1 for roll in rolls]}, chance or Lowest())
    state = KOSMOS.start(players, rules, script)
    assert isinstance(state, KosmosState)
    t = state.table
    t.city = [CITIES.index(name) for name in ([at] * players if isinstance(at, str) else at)]
    for seat in home:
        t.city[seat] = LONDON
    t.arrived, t.home_before, t.travelling = list(home), len(home), players - len(home)
    t.gold = list(gold) if gold is not None else [1] * players
    t.supply = COINS - sum(t.gold)
    t.detective = CITIES.index(detective)
    t.red, t.blue = ([(chits or {}).get(city) for city in CITIES[:LONDON]] + [None] for chits in (red, blue))  # type: ignore[assignment]
    state.chits = [[None] * (LONDON + 1), [None] * (LONDON + 1)]
    t.face_down = [[0] * len(CHITS), [0] * len(CHITS)]
    if face_down:
        _turn_down(state)
    t.on_turn = t.first = t.marker = turn
    t.phase = phase  # type: ignore[assignment]
    t.taken = EMPTY if place is None else PLACE_NAMES.index(place)
    t.round, t.marker_taken, t.balloon, t.legs = 1, False, place == "balloon", 0
    for name, value in table.items():
        assert hasattr(t, name), name
        setattr(t, name, value)
    order = [(t.first + step) % players for step in range(players)]
    t.waiting = table.get("waiting", [seat for seat in order[order.index(turn) + 1 :] if t.city[seat] < LONDON])
    _lay_cards(state, hands or {}, display, codes(deck), codes(pile), spent)
    state.stand_here()
    return state


def _turn_down(state: KosmosState) -> None:
    """The chits that lie open are turned face down."""
    for colour, beside in enumerate((state.table.red, state.table.blue)):
        for city, chit in enumerate(beside):
            if chit is not None:
                beside[city], state.chits[colour][city] = FACE_DOWN, chit  # type: ignore[assignment]
                state.table.face_down[colour][CHITS.index(chit)] += 1


def _lay_cards(
    state: KosmosState, hands: Mapping[int, str], display: str | None, deck: list[int], pile: list[int], spent: bool
) -> None:
    table = state.table
    left = [card for card, count in enumerate(TRAVEL_COUNTS) for _ in range(count)]
    left += state.edition.event_cards(state.players)

    def pick(card: int) -> int:
        left.remove(card)  # ValueError: there are not that many of this card
        return card

    table.travel_cards, table.event_cards = [0] * state.players, [0] * state.players
    state.decks = [HiddenDeck(DECKS[deck], state.players, KINDS[deck], OFFSETS[deck]) for deck in range(2)]
    for seat, hand in enumerate(state.hands):
        hand.travel, hand.events = [], []
        for card in codes(hands.get(seat, "")):
            state.hold_openly(seat, pick(card))
    tops, discards = [pick(card) for card in deck], [pick(card) for card in pile]
    if display is None:
        gone = 0 if table.taken == EMPTY else 1
        shown = [pick(max(card for card in left if card < FIRST_EVENT)) for _ in range(table.travelling + 1 - gone)][:6]
        if table.taken < len(shown) and gone:
            shown.insert(table.taken, EMPTY)
    else:
        shown = [EMPTY if name == "-" else pick(CODES[name]) for name in display.split()]
    table.display = (shown + [EMPTY] * len(PLACES))[: len(PLACES)]
    for number in range(2):
        rest = [card for card in left if deck_of(card) == number]
        down = rest if not spent else []
        order = ([card for card in tops if deck_of(card) == number] + down)[::-1]
        state.decks[number].set_up(order[:], Lowest())
        state.decks[number].order = order
        state.decks[number].discards = (rest if spent else []) + [c for c in discards if deck_of(c) == number]


def codes(names: str) -> list[int]:
    """Cards by their names."""
    return [CODES[name] for name in names.split()]


def named(cards: Iterable[int]) -> str:
    """The names of cards."""
    return " ".join("-" if card == EMPTY else NAMES[card] for card in cards)


def hand(state: KosmosState, seat: int) -> str:
    """The names of what a seat holds."""
    return named(state.hands[seat].travel + state.hands[seat].events)


def top(state: KosmosState, which: int, number: int) -> str:
    """The names of that many cards on top of a discard pile (0 travel, 1 event), the topmost last."""
    return named(state.decks[which].discards[-number:])


def offered(state: KosmosState, **wanted: Any) -> list[Any]:
    """The actions that say what is wanted."""
    return [action for action in state.actions() if wanted.items() <= action.items()]


def do(state: KosmosState, what: str, **wanted: Any) -> Log:
    """Play the one action that says all this; what happened."""
    found = offered(state, do=what, **wanted)
    assert len(found) == 1, f"{len(found)} actions are like that: {[dict(action) for action in state.actions()]}"
    return [event.what for event in state.play(list(state.actions()).index(found[0]))]  # type: ignore[misc]


def events_of(log: Log, event: str, **wanted: Any) -> Log:
    """The events of that name that say what is wanted."""
    return [what for what in log if what["event"] == event and wanted.items() <= what.items()]


def finish_turn(state: KosmosState) -> Log:
    """Take the substitute's action until another seat or another round is on."""
    log: Log = []
    now = (state.table.on_turn, state.table.round)
    while state.to_act is not None and (state.table.on_turn, state.table.round) == now:
        log += [event.what for event in state.play(state.substitute_action())]  # type: ignore[misc]
    return log


def finish_round(state: KosmosState) -> Log:
    """The same until another round is on."""
    log: Log = []
    now = state.table.round
    while state.to_act is not None and state.table.round == now:
        log += finish_turn(state)
    return log


def journeys(state: KosmosState) -> list[str]:
    """What can be travelled: `t3 s7 = 10`, `s5 s8 | balloon = 5 + die`, `- | offer = 10`; `ride` is the action's."""
    found = []
    for action in offered(state, do="travel"):
        ride = ["ride"] if any(use["card"] == "action" for use in action["uses"]) else []
        cost = f"{action['days']} + die" if action["die"] else str(action["days"])
        paid = " ".join(action["cards"]) or "-"
        laid = " ".join(["", "|", *action["events"], *ride]) if action["events"] or ride else ""
        found.append(f"{paid}{laid} = {cost}")
    assert len(set(found)) == len(found), found
    return found


def go(state: KosmosState, journey: str) -> Log:
    """Travel the way that `journeys` describes so."""
    number = journeys(state).index(journey)
    action = offered(state, do="travel")[number]
    return [event.what for event in state.play(list(state.actions()).index(action))]  # type: ignore[misc]
