"""What a person who plays `ravensburger` is asked, and why a card cannot be used (see `engine.picture.Guided`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.picture import Reason
from engine.ravensburger.cards import CODES, EXCHANGE_CARDS, FREE_CARDS
from engine.ravensburger.words import card
from engine.ravensburger.words import order as order_in_words
from engine.rules import Data


def question(view: Data, actions: Sequence[Data], edition: Data) -> str:
    """Return what the seat of this view is asked, in a sentence or two."""
    ask = _QUESTIONS.get(view["phase"] or "")
    return ask(view, {action["do"] for action in actions}, edition) if ask else "What will you do?"


def order(actions: Sequence[Data]) -> list[int]:
    """Return the actions in the order of a list: as they are."""
    return list(range(len(actions)))


def barred(view: Data, actions: Sequence[Data], edition: Data) -> dict[str, Reason]:
    """Return why each card in the hand of this view cannot be used in any of these actions."""
    used = {action["card"] for action in actions if "card" in action}
    used |= {"purse"} if any(action["do"] == "purse" for action in actions) else set()
    found = {held: _why_not(held, view, edition) for held in view["hand"] or [] if held not in used}
    kept = view["event"]
    if kept is not None and not any(action["do"] == "event" for action in actions):
        found[kept] = ("Not now: a kept event card is played in a later turn of your own.", "R-75")
    return found


def _own_square(view: Data) -> int:
    square: int = view["square"][view["seat"]]
    return square


def _turn(view: Data, kinds: set[str], edition: Data) -> str:
    ways = [text for kind, text in _WAYS.items() if kind in kinds]
    asked = f"{', '.join(ways[:-1])} or {ways[-1]}" if len(ways) > 1 else ways[0]
    if view["turn"]["beyond"] and len(view["hand"]) > FREE_CARDS:
        left = edition["board"]["goal"] - _own_square(view)
        ends = f"{left} squares from London nobody draws who holds more than {FREE_CARDS} cards."
    else:
        ends = f"{'Drawing or exchanging' if 'exchange' in kinds else 'Drawing'} ends your turn."
    return f"{asked[0].upper()}{asked[1:]}. {_rose(view, kinds)}. {ends}"


def _rose(view: Data, kinds: set[str]) -> str:
    lies = f"he rose lies on the {view['rose']}"
    return (
        f"T{lies}: other travel cards have to wait" if "play" in kinds else f"None of your cards can be played: t{lies}"
    )


def _further(view: Data, kinds: set[str], edition: Data) -> str:
    if not view["turn"]["further"]:
        return "Carry out the event card that you kept, or end your turn?"
    kept = "carry out the event card that you kept, " if "event" in kinds else ""
    if "play" in kinds:
        return f"Play a further card, {kept}or end your turn? {_rose(view, kinds)}."
    draw = "draw 1 or 2 cards, " if "draw" in kinds else ""
    asked = f"{kept}{draw}or end your turn?".capitalize()
    return f"You may play a further card, but none of yours fits: the rose lies on the {view['rose']}. {asked}"


def _defend(view: Data, kinds: set[str], edition: Data) -> str:
    _, _, steps, _ = view["turn"]["pending"][-1]
    return f"You are sent back {steps} squares from square {_own_square(view)}. Lay a purse and stay, or go back?"


def _exchange(view: Data, kinds: set[str], edition: Data) -> str:
    is_first = view["turn"]["pending"][-1][1] == EXCHANGE_CARDS
    return f"Choose the {'first' if is_first else 'second'} card that you lay off to exchange it."


_WAYS: Final = {
    "play": "play a card",
    "event": "carry out the event card that you kept",
    "draw": "draw 1 or 2 cards",
    "exchange": "exchange 2 cards",
    "discard": "lay off a card",
}
_QUESTIONS: Final[dict[str, Callable[[Data, set[str], Data], str]]] = {
    "setup": lambda *_: (
        "You begin: on which mode shall the rose lie? Of all travel cards only those of its mode may be played."
    ),
    "turn": _turn,
    "further": _further,
    "rose": lambda *_: "Where shall the rose lie? Of all travel cards only those of its mode may be played.",
    "defend": _defend,
    "event": lambda view, *_: (
        f"You drew an event card: {order_in_words(view['drawn']).replace('own pawn', 'your pawn')}. "
        "Carry it out now, or keep it for a later turn?"
    ),
    "lay_off": lambda *_: "An event card tells you to lay off a card. Which one?",
    "leap": lambda *_: "That was your last card. Take the great leap, 5 squares on and 5 new cards?",
    "exchange": _exchange,
}
_ELSEWHERE: Final[dict[str, Reason]] = {
    "setup": ("Not yet: first the rose is placed.", "R-10"),
    "rose": ("Not yet: first place the rose.", "R-30"),
    "defend": ("Not now: only a purse saves you from being sent back.", "R-23"),
    "event": ("Not now: first the event card.", "R-31"),
    "leap": ("Not now: first the great leap.", "R-41"),
}


def _why_not(held: str, view: Data, edition: Data) -> Reason:
    """Return why a card is of no use now."""
    if (elsewhere := _ELSEWHERE.get(view["phase"] or "")) is not None:
        return elsewhere
    if held not in CODES:
        return "Not now: event cards are not played like others.", "R-31"
    mode, _, value = held.partition("-")
    if value and mode != view["rose"]:
        return f"The rose lies on the {view['rose']}: {card(held)} waits until it lies on the {mode}.", "R-12"
    limit = edition["parameters"]["goal_hand_limit"]
    most = "no card" if limit == 0 else f"at most {limit} card{'s' if limit > 1 else ''}"
    return f"It would reach London, which you may only enter with {most} left in hand.", "R-51"
