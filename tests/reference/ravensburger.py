"""What may be done in `ravensburger` a second time, straight from the rules: R-11 to R-16, R-20 to R-24, R-33, R-35,
R-41, R-50, R-51, R-54, R-70 to R-73, R-75 and R-76.

For every decision it writes down all that somebody could try and strikes out what a rule forbids. It is slow, plain,
and knows nothing of the engine but the data that bots are sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

Action = dict[str, Any]
View = Mapping[str, Any]

MODES = ("coach", "train", "steamer", "elephant")
VALUES = range(1, 6)
PURSE_STEPS = range(1, 4)


def legal(view: View, edition: Mapping[str, Any]) -> list[Action]:
    """Everything that the seat that looks at `view` may do now, in no particular order."""
    return [action for action in thinkable(view, edition) if allowed(action, view, edition)]


def thinkable(view: View, edition: Mapping[str, Any]) -> Iterator[Action]:
    """Whatever there is to do in this game, whether it makes sense now or not."""
    here, goal = view["square"][view["seat"]], edition["board"]["goal"]
    yield from ({"do": "rose", "to": mode} for mode in MODES)
    for mode, value in product(MODES, VALUES):
        for to in {min(here + value, goal), here - value}:
            yield {"do": "play", "card": f"{mode}-{value}", "to": to}
    yield from ({"do": "play", "card": "purse", "to": to} for to in {min(here + n, goal) for n in PURSE_STEPS})
    yield {"do": "play", "card": "rose"}
    yield from ({"do": "play", "card": "handcuffs", "victim": victim} for victim in range(len(view["square"])))
    for card in {*(f"{mode}-{value}" for mode, value in product(MODES, VALUES)), "rose", "handcuffs", "purse"}:
        yield {"do": "discard", "card": card}
    yield from ({"do": "draw", "count": count} for count in (1, 2))
    for word in ("exchange", "event", "end", "leap", "stay", "retreat", "purse", "carry_out", "keep"):
        yield {"do": word}


def allowed(action: Action, view: View, edition: Mapping[str, Any]) -> bool:
    """Whether the rules let this be done in the phase of `view`."""
    what, hand, now = action["do"], view["hand"], view["turn"]
    if "card" in action and action["card"] not in hand:
        return False
    match view["phase"]:
        case "setup" | "rose":
            return what == "rose"
        case "exchange" | "lay_off":
            return what == "discard"
        case "event":
            return what in ("carry_out", "keep")
        case "leap":
            return what in ("leap", "stay")
        case "defend":
            return what in ("retreat", "purse")
        case "turn":
            few = not now["beyond"] or len(hand) <= 2
            return {
                "play": what == "play" and may_be_played(action, view, edition),
                "event": keeps_an_old_event(view),
                "draw": few,
                "exchange": few and len(hand) >= 12,
                "discard": not few,
            }.get(what, False)
        case "further":
            may_play = now["further"] > 0
            return {
                "play": may_play and what == "play" and may_be_played(action, view, edition),
                "event": keeps_an_old_event(view),
                "draw": may_play and now["stage"] and not something_fits(view, edition),
                "end": True,  # a further card is optional
            }.get(what, False)
    raise AssertionError(f"an unknown phase {view['phase']}")


def may_be_played(action: Action, view: View, edition: Mapping[str, Any]) -> bool:
    """Whether a card of the hand may be played like that, were it the time for it."""
    card, seat = action["card"], view["seat"]
    if card == "rose":
        return True
    if card == "handcuffs":
        return bool(action["victim"] == (seat + 1) % len(view["square"]))  # the next in turn order
    here, to, goal = view["square"][seat], action["to"], edition["board"]["goal"]
    if to >= goal and not may_arrive(view, edition, len(view["hand"]) - 1):
        return False
    if card == "purse":
        return bool(to > here)
    mode, value = card.split("-")
    if mode != view["rose"]:
        return False
    if to > here:
        return bool(to == min(here + int(value), goal))
    return bool(edition["parameters"]["backwards"] and to == here - int(value) and to >= 0)


def may_arrive(view: View, edition: Mapping[str, Any], left: int) -> bool:
    """R-51, R-71, R-73: whether the goal may be reached with so many cards left in hand."""
    return bool(left <= edition["parameters"]["goal_hand_limit"] and view["event"] is None)


def something_fits(view: View, edition: Mapping[str, Any]) -> bool:
    """R-33: whether some card in hand may be played."""
    return any(
        action["do"] == "play" and action["card"] in view["hand"] and may_be_played(action, view, edition)
        for action in thinkable(view, edition)
    )


def keeps_an_old_event(view: View) -> bool:
    """R-75: an event card may be played, though not in the turn in which it was drawn."""
    return view["event"] is not None and not view["turn"]["kept_now"]


class Rights:
    """What the turn allows besides, followed from what all are told: R-16, R-20, R-30, R-33, R-40 to R-44, R-75."""

    def __init__(self, edition: Mapping[str, Any]) -> None:
        board = edition["board"]
        self._squares = {square: kind for kind in ("rose", "stage") for square in board[kind]}
        self._orders_count = edition["parameters"]["event_squares"]
        self._turn(None)

    def _turn(self, seat: int | None) -> None:
        self.seat = seat
        self.given: list[str] = []
        """Rights to a further card that are not used up yet, each by what gave it."""
        self._leaping = False
        self._beneath: str | None = None  # a square that waits for what becomes of the leap

    def follow(self, before: View, told: list[Mapping[str, Any]], opens_turn: bool) -> None:
        """What was told of one decision. `before`: a view before it; `opens_turn`: it was a turn's first choice."""
        for what in told:
            match what["event"]:
                case "turn":
                    self._turn(what["seat"])
                case "play":
                    if not opens_turn:
                        self._use()
                    self._leaping = before["cards"][self.seat] == 1
                    self._beneath = None
                    if what["card"] == "rose":
                        self.given.append("rose")
                case "leap":
                    self._leap(what["taken"])
                case "move" if what["seat"] == self.seat and what["from"] != what["to"]:
                    self._moved(what["to"], what["by"])

    def _use(self) -> None:
        """One of them: that of a stage, which is worth more, last."""
        self.given.remove(next((right for right in self.given if right != "stage"), "stage"))

    def _leap(self, taken: bool) -> None:
        waiting, self._beneath, self._leaping = self._beneath, None, False
        if taken:
            self.given = []
        elif waiting:
            self.given.append(waiting)

    def _moved(self, to: int, by: str) -> None:
        """The own pawn came to a square; from a handcuffs square three back it has no effect."""
        kind = self._squares.get(to)
        if by == "square" or (by == "order" and not self._orders_count):
            if by == "square":
                self._beneath = None
            return
        if self._leaping:
            self._beneath = kind
        elif kind:
            self.given.append(kind)
