"""What a person who plays `kosmos` is asked, and why a card in hand cannot be used (see `engine.picture.Guided`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.kosmos.cards import CODES, DAYS, FIRST_EVENT, HAND_LIMIT
from engine.kosmos.faces import texts
from engine.kosmos.words import card
from engine.picture import Reason
from engine.rules import Data

_MODES: Final = {"t": "train", "s": "ship"}
_NOT_YET: Final = "Not now: its time has not come."


def question(view: Data, actions: Sequence[Data], edition: Data) -> str:
    """Return what the seat of this view is asked, in a sentence or two."""
    ask = _QUESTIONS.get(view["phase"])
    return ask(view, {action["do"] for action in actions}, edition) if ask else "What will you do?"


def order(actions: Sequence[Data]) -> list[int]:
    """Return the actions in the order of a list: to leave a thing undone is last, if there is more than to disturb."""
    kinds = {action["do"] for action in actions}
    is_last = kinds & _LEFT_UNDONE if kinds & _MEANT else set()
    return sorted(range(len(actions)), key=lambda index: actions[index]["do"] in is_last)


def barred(view: Data, actions: Sequence[Data], edition: Data) -> dict[str, Reason]:
    """Return why each card in the hand of this view cannot be used in any of these actions."""
    used = {held for action in actions for held in _hand_cards(action)}
    return {held: _why_not(held, view, edition) for held in view["hand"] or [] if held not in used}


def _hand_cards(action: Data) -> list[str]:
    found = list(action.get("cards", ()))
    found += action.get("events", ())
    if action["do"] in ("sell", "discard"):
        found.append(action["card"])
    if "by" in action:
        found.append(action["by"])
    return found


def _leg(view: Data, edition: Data) -> tuple[str, str, Any]:
    """Return from where to where the next leg leads, and what it asks for; nothing at home."""
    place = view["city"][view["seat"]]
    cities, legs = edition["board"]["cities"], edition["board"]["legs"]
    return (cities[place], cities[place + 1], legs[place]) if place < len(legs) else ("", "", None)


def _ticket(leg: Any) -> str:
    """Return in words what a leg asks for."""
    if leg == "elephant":
        return "no cards: it takes 12 days, or 6 and a roll by elephant"
    options = []
    for option in leg:
        numbers = [(option.count(mode), mode) for mode in ("train", "ship") if mode in option]
        options.append(" and ".join(f"a {mode}" if number == 1 else f"{number} {mode}s" for number, mode in numbers))
    return ", or ".join(options)


def _take(view: Data, kinds: set[str], edition: Data) -> str:
    start, end, leg = _leg(view, edition)
    return (
        f"Take a card; then you may use the action above it. Your next leg, {start} to {end}, asks for {_ticket(leg)}."
    )


def _action(view: Data, kinds: set[str], edition: Data) -> str:
    if not kinds - {"pass"} - set(_ASIDE):
        return f"The action of your card is of no use now. {_aside(kinds)}"
    return f"The card that you took lets you {texts()['places'][view['taken']]['ask']}. Will you?"


def _travel(view: Data, kinds: set[str], edition: Data) -> str:
    start, end, leg = _leg(view, edition)
    left = DAYS - view["days"][view["seat"]]
    spare = f"You have {left} day{'' if left == 1 else 's'} left." if left >= 0 else "Your 80 days are over."
    if leg is None:
        return f"You are home. {_aside(kinds)}"
    if "travel" not in kinds:
        done = (
            "You have travelled." if view["legs"] else f"You cannot travel to {end} yet, which asks for {_ticket(leg)}."
        )
        return f"{done} {_aside(kinds)} {spare}"
    further = "Travel a further leg" if view["legs"] else "Travel"
    return f"{further} to {end}, or stay in {start}? The leg asks for {_ticket(leg)}. {spare}"


def _aside(kinds: set[str]) -> str:
    """Return in words what may be done beside the turn's own steps."""
    return f"Do you want to {' or '.join(text for kind, text in _ASIDE.items() if kind in kinds)}?"


def _reroll(view: Data, kinds: set[str], edition: Data) -> str:
    days, roll = view["leg"]["days"], view["leg"]["roll"]
    return f"You rolled a {roll}, so the leg takes {days + roll} days. Keep the roll, or pay a coin to roll again?"


def _chit(view: Data, kinds: set[str], edition: Data) -> str:
    chit = view["chit"]
    return f"The {chit['colour']} chit here {texts()['chits'].get(chit['chit'], chit['chit'])}. Do you want that?"


_ASIDE: Final = {"buy": "buy a card", "sell": "sell an elephant", "detective": "play a card to move the detective"}
_LEFT_UNDONE: Final = frozenset(("pass", "stay", "decline", "suffer"))
_MEANT: Final = frozenset(("gold", "event", "first", "exchange", "travel", "accept", "escape", "buy"))
_QUESTIONS: Final[dict[str, Callable[[Data, set[str], Data], str]]] = {
    "take": _take,
    "action": _action,
    "travel": _travel,
    "reroll": _reroll,
    "chit": _chit,
    "escape": lambda *_: "The detective is in your city. Play a card against him, or lose 2 days?",
    "limit": lambda view, *_: f"You hold {len(view['hand'])} cards and may keep {HAND_LIMIT}. Choose one to discard.",
}


def _why_not(held: str, view: Data, edition: Data) -> Reason:
    """Return why a card is of no use now, the nearest reason first."""
    phase = view["phase"]
    if phase in ("reroll", "chit"):
        return "Not now: a leg runs to its end before anything else is played.", "K-48"
    if phase == "escape":
        return "Not now: only a distraction helps against the detective.", "K-34"
    if CODES[held] >= FIRST_EVENT:
        event = texts()["events"].get(held, {})
        return (f"Not now: {event['when']}.", event["rule"]) if "when" in event else (_NOT_YET, "K-36")
    if phase == "take":
        return "Not yet: first take a card, then use its action, then travel with your cards.", "K-31"
    if phase == "action":
        return "Not yet: travel cards are paid when you travel, after the action.", "K-33"
    return _no_fare(held, view, edition)


def _no_fare(held: str, view: Data, edition: Data) -> Reason:
    """Return why a travel card cannot pay for the next leg."""
    start, end, leg = _leg(view, edition)
    where = f"{start} to {end}"
    if leg == "elephant":
        return f"{where} is not paid for with travel cards.", "K-43"
    if view["legs"]:
        return "You have travelled: a further leg needs the event card connections.", "K-58"
    mode = _MODES[held[0]]
    if not any(mode in option for option in leg):
        return f"{where} asks for {_ticket(leg)}: {card(held)} cannot pay for it.", "K-40"
    return f"{where} asks for {_ticket(leg)}, all of them at once: you lack a card.", "K-40"
