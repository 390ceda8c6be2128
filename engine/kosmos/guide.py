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


def question(view: Data, edition: Data) -> str:
    """Return what the seat of this view is asked, in a sentence or two."""
    ask = _QUESTIONS.get(view["phase"])
    return ask(view, edition) if ask else "What will you do?"


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
        return "12 days and no cards, or an elephant"
    options = []
    for option in leg:
        numbers = [(option.count(mode), mode) for mode in ("train", "ship") if mode in option]
        options.append(" and ".join(f"a {mode}" if number == 1 else f"{number} {mode}s" for number, mode in numbers))
    return ", or ".join(options)


def _take(view: Data, edition: Data) -> str:
    start, end, leg = _leg(view, edition)
    return f"Take a card: you may use the action above it. Your next leg, {start} to {end}, asks for {_ticket(leg)}."


def _action(view: Data, edition: Data) -> str:
    place = texts()["places"].get(view["taken"])
    return f"Use the action of your card: {place['ask']}?" if place else "What will you do before you travel?"


def _travel(view: Data, edition: Data) -> str:
    start, end, leg = _leg(view, edition)
    further = "a further leg" if view["legs"] else "travel"
    left = DAYS - view["days"][view["seat"]]
    spare = f"{left} days are left." if left >= 0 else "Your 80 days are over."
    return f"Will you {further} from {start} to {end}, for {_ticket(leg)}, or stay? {spare}"


def _chit(view: Data, edition: Data) -> str:
    chit = view["chit"]
    return f"The {chit['colour']} chit here brings {texts()['chits'].get(chit['chit'], chit['chit'])}. Do you want it?"


_QUESTIONS: Final[dict[str, Callable[[Data, Data], str]]] = {
    "take": _take,
    "action": _action,
    "travel": _travel,
    "reroll": lambda view, _: (
        f"You rolled {view['leg']['roll']}: these are the days. Keep it, or pay a coin to roll again?"
    ),
    "chit": _chit,
    "escape": lambda *_: "The detective is in your city. Lose 2 days, or lay a card against him?",
    "limit": lambda view, _: f"You hold {len(view['hand'])} cards and may keep {HAND_LIMIT}. Which one do you discard?",
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
