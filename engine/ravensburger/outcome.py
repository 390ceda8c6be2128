"""Who is ahead in a game of `ravensburger`, and in the end why, for people (see `engine.picture.Explained`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.picture import CHANCE, RULES
from engine.ravensburger.course import courses, how_it_arrived, what_brought_it_on, what_held_it_up
from engine.rules import Data

WEIGHTS: Final = (1.240, 0.699, 1.137, -1.028, 0.178)
"""Of the features below. `benchmarks/fit_chances.py` fits them to finished games of the bots in
`bots/`: here 74 games, 5,202 turns; loss 0.772 nats on games kept apart, 0.910 with equal chances."""
_BEGIN: Final = ("turn", "play", "announce", "order", "round")
_BOOKKEEPING: Final = ("turn", "round", "draw", "shuffle", "home", "over")


def features(scene: Data, seat: int, edition: Data) -> tuple[float, ...]:
    """Return what says how strong a seat's position is: its square, its cards, and those in the way at the end."""
    own = scene["seats"][seat]
    way = own["square"] / edition["board"]["goal"]
    cards = own["cards"]
    return 8 * way, 8 * way**4, cards / 4, way**4 * cards / 2, float(scene["turn"] == seat)


def strengths(scene: Data, edition: Data) -> list[float]:
    """Return the strength of each seat's position."""
    return [sum(map(float.__mul__, WEIGHTS, features(scene, seat, edition))) for seat in range(len(scene["at"]))]


def begins(event: Mapping[str, Any]) -> bool:
    """Return whether an event only announces what the next one does."""
    return event["event"] in _BEGIN


def follows(event: Mapping[str, Any]) -> bool:
    """Return whether an event completes the one before without a decision."""
    name = event["event"]
    return (name in _BOOKKEEPING and name not in _BEGIN) or (name == "move" and event["by"] != "card")


def bookkeeping(event: Mapping[str, Any]) -> bool:
    """Return whether an event is of no interest by itself."""
    return event["event"] in _BOOKKEEPING


def cause(scene: Data, event: Mapping[str, Any]) -> int | str:
    """Return the seat that decided an event, or that a draw or the rules did.

    Pawns are moved by the seat on turn; the seat that is sent back decides on a purse alone (R-23).
    """
    if event["event"] == "order" and not event["kept"]:
        return CHANCE
    if event["event"] == "move":
        return RULES if scene["turn"] is None else int(scene["turn"])
    return RULES if "seat" not in event or event["event"] in _BOOKKEEPING else int(event["seat"])


def remark(scene: Data, event: Mapping[str, Any]) -> str:
    """Return that handcuffs do nothing to a pawn on the start (R-35)."""
    if event["event"] == "play" and "victim" in event and not scene["seats"][event["victim"]]["square"]:
        return "whose pawn is still on the start and stays there"
    return ""


def outcome(scene: Data, seat: int, edition: Data) -> str:
    """Return in which round a seat reached London, else its square."""
    square = scene["seats"][seat]["square"]
    if square == edition["board"]["goal"]:
        return f"{scene['table']['round']} rounds"
    return f"square {square}"


def reasons(scene: Data, ranks: list[int], edition: Data, events: Sequence[Data]) -> list[str]:
    """Return for each seat why it has its rank (R-52, R-53), and what in its whole game had most part in that."""
    goal = edition["board"]["goal"]
    arrived = any(seat["square"] == goal for seat in scene["seats"])
    course = courses(len(ranks), events)
    best = ranks.index(min(ranks))
    next_best = min((seat for seat in range(len(ranks)) if seat != best), key=ranks.__getitem__)
    found = []
    for seat, own in enumerate(scene["seats"]):
        left = goal - own["square"]
        if not left:
            how = how_it_arrived(seat, events)
            found.append(f"was the first in London, which ends the game{how}{what_brought_it_on(course[seat])}")
        elif not arrived and ranks[seat] == 1:
            more = what_brought_it_on(course[seat])
            found.append(f"was on square {own['square']}, the furthest, when the last round ended{more}")
        else:
            squares = "square" if left == 1 else "squares"
            held_up = what_held_it_up(course[seat], left, best, course[best])
            by = "; all but the first are placed by how far they came" if seat == next_best and len(ranks) > 2 else ""
            found.append(
                f"was {left} {squares} from London, on {own['square']}{_with_cards(own['cards'])}{held_up}{by}"
            )
    return found


def _with_cards(cards: int) -> str:
    """Return with how many cards a seat ended, which kept it from London if they were many (R-51)."""
    return f", with {cards} {'card' if cards == 1 else 'cards'} in hand"
