"""Positions of `ravensburger` set up by hand. Actions and events are written as their values in a row:

    play train-4 17      {"do": "play", "card": "train-4", "to": 17}
    move 0 13 17 card    {"event": "move", "seat": 0, "from": 13, "to": 17, "by": "card"}

All cards are there in every position: what a test does not mention lies in the decks in the stable order, the first on
top, or where `rest` says. Whatever a hand holds has been seen by all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.chance import Chance
from engine.ravensburger import RULES
from engine.ravensburger.cards import ACTION, CODES, EMPTY, EVENT, MODES, NAMES, event_card
from engine.ravensburger.decision import RavensburgerState
from engine.ravensburger.edition import typed
from engine.ravensburger.turn import end_turn
from engine.rules import Data, Event
from tests.engine.doubles import Lowest

Log = list[str]


def edition(
    name: str = "standard",
    *,
    board: Data | None = None,
    cards: Data | None = None,
    events: Mapping[str, int] | None = None,
    **parameters: Any,
) -> Data:
    """A named edition with some parameters changed, squares and action cards replaced; `events`: the whole deck."""
    data = RULES.edition(name)
    assert set(parameters) <= set(data["parameters"])
    data["parameters"] |= parameters
    data["board"] |= board or {}
    data["cards"] |= cards or {}
    if events is not None:
        found = [(event_card(card), count) for card, count in events.items()]
        data["events"] = [
            {"card": card.name, "effect": card.effect, "steps": card.steps, "cards": card.cards, "count": count}
            for card, count in found
            if card is not None
        ]
        assert len(data["events"]) == len(events)
    return data


def position(
    players: int = 3,
    rules: Data | None = None,
    *,
    turn: int = 0,
    rose: str = "train",
    at: int | Sequence[int] = 0,
    hands: Mapping[int, str] | None = None,
    kept: Mapping[int, str] | None = None,
    deck: str = "",
    pile: str = "",
    rest: str | int = "deck",
    orders: str = "",
    orders_pile: str = "",
    orders_rest: str = "deck",
    chance: Chance | None = None,
    first: int = 0,
    round_: int = 1,
) -> RavensburgerState:
    """The turn of seat `turn` begins.

    `at`: the square of all, or of each seat; `hands`, `kept`: action cards and the kept event card by seat; `deck`,
    `orders`: the top cards of the decks, the top first; `pile`, `orders_pile`: the discards, the top last; `rest`:
    where the action cards lie that were not named, `deck`, `pile` or in a seat's hand; `orders_rest`: the same for
    event cards; `first`: the start player; `round_`: the number of the round.
    """
    state = RavensburgerState(players, typed(rules or edition()), chance or Lowest())
    t = state.table
    t.square = [at] * players if isinstance(at, int) else list(at)
    assert len(t.square) == players
    t.rose, t.first, t.round = MODES.index(rose), first, round_
    _lay_action_cards(state, hands or {}, codes(deck), codes(pile), rest)
    _lay_event_cards(state, kept or {}, orders.split(), orders_pile.split(), orders_rest)
    t.on_turn = (turn - 1) % players
    t.round -= turn == first  # the turn before was in the round before
    end_turn(state, [])
    assert (t.on_turn, t.round) == (turn, round_)
    state.stand_here()
    return state


def _lay_action_cards(
    state: RavensburgerState, hands: Mapping[int, str], deck: list[int], pile: list[int], rest: str | int
) -> None:
    left = state.edition.action_cards[:]
    held = {seat: codes(names) for seat, names in hands.items()}
    for card in [*deck, *pile, *(card for cards in held.values() for card in cards)]:
        left.remove(card)  # ValueError: there are not that many of this card
    if isinstance(rest, int):
        held[rest] = held.get(rest, []) + left
    for seat, cards in held.items():
        state.hands[seat].cards = sorted(cards)
        state.table.cards[seat] = len(cards)
        state.decks[ACTION].known[seat] = tuple(sorted(cards))
    _lay_down(state, ACTION, deck + (left if rest == "deck" else []), pile + (left if rest == "pile" else []))


def _lay_event_cards(
    state: RavensburgerState, kept: Mapping[int, str], orders: list[str], pile: list[str], rest: str
) -> None:
    code = state.edition.event_codes
    left = state.edition.event_cards[:]
    for name in [*orders, *pile, *kept.values()]:
        left.remove(code[name])
    for seat, name in kept.items():
        state.hands[seat].event = code[name]
        state.table.kept[seat] = True
        state.decks[EVENT].known[seat] = (code[name],)
    deck = [code[name] for name in orders] + (left if rest == "deck" else [])
    _lay_down(state, EVENT, deck, [code[name] for name in pile] + (left if rest == "pile" else []))


def _lay_down(state: RavensburgerState, which: int, deck: list[int], pile: list[int]) -> None:
    state.decks[which].set_up(deck[:], Lowest())
    state.decks[which].order = deck[::-1]
    state.decks[which].discards = pile


def codes(names: str) -> list[int]:
    """Action cards by their names."""
    return [CODES[name] for name in names.split()]


def named(cards: Iterable[int]) -> str:
    """The names of action cards."""
    return " ".join(NAMES[card] for card in cards)


def hand(state: RavensburgerState, seat: int) -> str:
    """The names of the action cards that a seat holds."""
    return named(state.hands[seat].cards)


def kept(state: RavensburgerState, seat: int) -> str | None:
    """The name of the event card that a seat keeps."""
    card = state.hands[seat].event
    assert state.table.kept[seat] == (card != EMPTY)
    return None if card == EMPTY else state.edition.event_names[card]


def pile(state: RavensburgerState, which: str = "action") -> str:
    """The names of the cards on a discard pile, the top last."""
    return " ".join(state.view(None)["piles"][which])


def choices(state: RavensburgerState) -> list[str]:
    """What is offered."""
    return [" ".join(map(str, action.values())) for action in state.actions()]


def asked(state: RavensburgerState) -> str | None:
    """Who is asked what: `0 further`; None: the game is over."""
    return None if state.to_act is None else f"{state.to_act} {state.view(state.to_act)['phase']}"


def do(state: RavensburgerState, *actions: str) -> Log:
    """Play actions, one after the other; what happened."""
    log: Log = []
    for action in actions:
        assert action in choices(state), f"{asked(state)} is offered {choices(state)}"
        log += lines(state.play(choices(state).index(action)))
    return log


def lines(events: Iterable[Event]) -> Log:
    """Events in the short form; one for a single seat begins with that seat in brackets."""
    return [
        ("" if event.to is None else f"[{event.to}] ") + " ".join(map(str, event.what.values())) for event in events
    ]


def events_of(log: Log, event: str) -> Log:
    """Return the events of that name that everyone may read."""
    return [line for line in log if line.split()[0] == event]


def order(log: Log, *parts: str) -> list[int]:
    """Where in the log the lines are that begin so; each must be there once."""
    found = [[number for number, line in enumerate(log) if line.startswith(part)] for part in parts]
    assert all(len(numbers) == 1 for numbers in found), log
    return [numbers[0] for numbers in found]
