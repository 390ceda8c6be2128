"""What a person who plays `ravensburger` is asked, and why a card cannot be used (see `engine.picture.Guided`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.picture import Reason
from engine.ravensburger.cards import CODES, FREE_CARDS
from engine.ravensburger.words import card, order
from engine.rules import Data


def question(view: Data, edition: Data) -> str:
    """Return what the seat of this view is asked, in a sentence or two."""
    ask = _QUESTIONS.get(view["phase"] or "")
    return ask(view, edition) if ask else "What will you do?"


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


def _turn(view: Data, edition: Data) -> str:
    left = edition["board"]["goal"] - _own_square(view)
    rose = f"The rose lies on {view['rose']}: only its travel cards move you."
    if view["turn"]["beyond"] and len(view["hand"]) > FREE_CARDS:
        return f"{rose} Here, {left} squares from London, play a card or discard one."
    return f"Play a card, or draw 1 or 2 and end your turn. {rose}"


_QUESTIONS: Final[dict[str, Callable[[Data, Data], str]]] = {
    "setup": lambda *_: "You begin. On which mode shall the rose lie? Only its travel cards may be played.",
    "turn": _turn,
    "further": lambda view, _: f"You may play a further card. The rose lies on {view['rose']}.",
    "rose": lambda *_: "Place the rose: only travel cards of its mode may be played.",
    "defend": lambda view, _: f"You are sent back from square {_own_square(view)}. Go, or lay a purse and stay?",
    "event": lambda view, _: f"You drew an event card: {order(view['drawn'])}. Carry it out now, or keep it?",
    "lay_off": lambda *_: "An event card tells you to lay off a card. Which one?",
    "leap": lambda *_: "That was your last card. Take the great leap: 5 squares on and 5 new cards?",
    "exchange": lambda *_: "Which card do you lay off to exchange it?",
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
        return f"The rose lies on {view['rose']}: {card(held)} waits until it lies on {mode}.", "R-12"
    limit = edition["parameters"]["goal_hand_limit"]
    most = "no card" if limit == 0 else f"at most {limit} card{'s' if limit > 1 else ''}"
    return f"It would reach London, which you may only enter with {most} left in hand.", "R-51"
