"""Moving pawns, and the cards that may be played (R-12, R-13, R-21, R-22, R-35, R-51, R-70, R-73)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.ravensburger.board import HANDCUFFS_SQUARE
from engine.ravensburger.cards import CODES, FIRST_SPECIAL, HANDCUFFS, KINDS, PURSE, PURSE_STEPS, RETREAT, VALUES
from engine.ravensburger.edition import RavensburgerEdition
from engine.ravensburger.state import RavensburgerPosition
from engine.ravensburger.types.actions import RavensburgerPlayAction
from engine.ravensburger.types.events import ravensburger_event
from engine.ravensburger.types.names import MoveReason
from engine.rules import Event

PLAY_ROSE: Final[RavensburgerPlayAction] = {"do": "play", "card": "rose"}
PLAY_HANDCUFFS: Final[list[RavensburgerPlayAction]] = [
    {"do": "play", "card": "handcuffs", "victim": seat} for seat in range(6)
]


def may_finish(position: RavensburgerPosition, cards: int) -> bool:
    """Return whether the seat on turn may enter the goal with this many cards left in hand (R-51, R-73)."""
    table = position.table
    return cards <= position.edition.goal_hand_limit and not table.kept[table.on_turn]


def plays(position: RavensburgerPosition) -> list[RavensburgerPlayAction]:
    """Return the cards that the seat on turn may play, once for each value and square, in the stable order."""
    table = position.table
    seat = table.on_turn
    hand = position.hands[seat].cards
    finish = may_finish(position, len(hand) - 1)
    victim = (seat + 1) % position.players
    return _plays(position.edition, hand, table.square[seat], table.rose, finish, victim)


def _plays(
    edition: RavensburgerEdition, hand: Sequence[int], square: int, rose: int, finish: bool, victim: int
) -> list[RavensburgerPlayAction]:
    goal = edition.goal
    first = rose * VALUES
    found: list[RavensburgerPlayAction] = []
    previous = -1
    for card in hand:
        if card == previous:
            continue
        previous = card
        if card < FIRST_SPECIAL:
            steps = card - first + 1
            if not 0 < steps <= VALUES:
                continue  # the rose lies on another mode
            if square + steps < goal or finish:
                found.append(edition.plays[card][min(square + steps, goal)])
            if edition.backwards and steps <= square:
                found.append(edition.plays[card][square - steps])
        elif card == PURSE:
            squares = dict.fromkeys(min(square + steps, goal) for steps in PURSE_STEPS)
            found += [edition.plays[PURSE][to] for to in squares if to < goal or finish]
        else:
            found.append(PLAY_HANDCUFFS[victim] if card == HANDCUFFS else PLAY_ROSE)
    return found


@lru_cache(maxsize=1 << 12)
def _playable(edition: RavensburgerEdition, square: int, rose: int, finish: bool) -> tuple[int, ...]:
    found = _plays(edition, range(KINDS), square, rose, finish, 0)
    return tuple(dict.fromkeys(CODES[action["card"]] for action in found))


def playable(position: RavensburgerPosition) -> tuple[int, ...]:
    """Return the kinds of cards that the seat on turn could play if it held them; this is public knowledge (R-33)."""
    table = position.table
    finish = may_finish(position, table.cards[table.on_turn] - 1)
    return _playable(position.edition, table.square[table.on_turn], table.rose, finish)


def move(position: RavensburgerPosition, seat: int, to: int, by: MoveReason, log: list[Event]) -> bool:
    """Move a pawn to a square, and return whether it was not there already (R-18)."""
    square = position.table.square
    if square[seat] == to:
        return False
    log.append(ravensburger_event(None, {"event": "move", "seat": seat, "from": square[seat], "to": to, "by": by}))
    square[seat] = to
    return True


def go_back(position: RavensburgerPosition, seat: int, steps: int, by: MoveReason, log: list[Event]) -> bool:
    """Move a pawn back, never past the start (R-35), and return whether it moved."""
    return move(position, seat, max(position.table.square[seat] - steps, 0), by, log)


def handcuffs_square(position: RavensburgerPosition, seat: int, log: list[Event]) -> bool:
    """Move a pawn three squares back, once, if it is on a handcuffs square (R-32); return whether it was."""
    if position.edition.board.kinds[position.table.square[seat]] != HANDCUFFS_SQUARE:
        return False
    go_back(position, seat, RETREAT, "square", log)
    return True


def advance_own(position: RavensburgerPosition, steps: int, by: MoveReason, log: list[Event]) -> bool:
    """Move the player's own pawn forward by an order or a leap, and return whether it moved.

    If it may not enter the goal now it stops on the square before (R-38, R-45). Steps left over are lost (R-35).
    """
    table = position.table
    seat = table.on_turn
    goal = position.edition.goal
    to = min(table.square[seat] + steps, goal)
    if to == goal and not may_finish(position, table.cards[seat]):
        to = goal - 1
    return move(position, seat, to, by, log)


def is_home(position: RavensburgerPosition) -> bool:
    """Return whether the seat on turn has reached the goal."""
    table = position.table
    return table.square[table.on_turn] == position.edition.goal


def end_game(position: RavensburgerPosition, log: list[Event]) -> None:
    """End the game: there are no more decisions (R-52, R-53)."""
    if is_home(position):
        log.append(ravensburger_event(None, {"event": "home", "seat": position.table.on_turn}))
    position.table.pending[:] = [("over",)]
    log.append(ravensburger_event(None, {"event": "over", "ranks": position.ranks()}))
