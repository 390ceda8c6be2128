"""The effects of squares on the player's own pawn, and the orders of event cards (R-30 to R-39, R-74)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.ravensburger.board import ROSE_SQUARE, SPYGLASS, STAGE
from engine.ravensburger.cards import EMPTY, EVENT, EVENTS_A_TURN, EventCard
from engine.ravensburger.state import RavensburgerPosition, Task
from engine.ravensburger.travel import advance_own, end_game, handcuffs_square, is_home, move
from engine.ravensburger.types.events import ravensburger_event
from engine.rules import Event

ASK_ROSE: Final[Task] = ("rose",)
ASK_EVENT: Final[Task] = ("event",)
ORDER_DONE: Final[Task] = ("order_done",)


def reach(position: RavensburgerPosition, log: list[Event]) -> None:
    """Apply the square that the player's own pawn reached; before a leap only spyglass and handcuffs count (R-40)."""
    table = position.table
    table.waiting = False
    kind = position.edition.board.kinds[table.square[table.on_turn]]
    if kind in (ROSE_SQUARE, STAGE):
        table.waiting = table.leap
        if not table.leap:
            count_square(position)
    elif kind == SPYGLASS:
        _spyglass(position, log)
    else:
        handcuffs_square(position, table.on_turn, log)


def count_square(position: RavensburgerPosition) -> None:
    """Allow one more further card if the player's own pawn is on a rose or stage square (R-30, R-33)."""
    table = position.table
    kind = position.edition.board.kinds[table.square[table.on_turn]]
    if kind == ROSE_SQUARE:
        table.further += 1
        table.pending.append(ASK_ROSE)
    elif kind == STAGE:
        table.further += 1
        table.stage = True


def _spyglass(position: RavensburgerPosition, log: list[Event]) -> None:
    """Draw an event card (R-31, R-39); a player who keeps none yet is asked whether to keep this one (R-72)."""
    table = position.table
    if table.orders >= EVENTS_A_TURN or not position.decks[EVENT].drawable:
        return
    table.orders += 1
    may_keep = position.edition.keep_events and not table.kept[table.on_turn]
    card = position.draw_event(may_keep, log)
    if may_keep:
        table.pending.append(ASK_EVENT)
    else:
        position.decks[EVENT].discards.append(card)
        carry_out(position, card, False, log)


def keep_drawn(position: RavensburgerPosition, log: list[Event]) -> None:
    """Keep the drawn event card in the hand (R-72, R-73)."""
    table = position.table
    hand = position.hands[table.on_turn]
    hand.event, hand.drawn = hand.drawn, EMPTY
    table.kept[table.on_turn] = table.kept_now = True
    log.append(ravensburger_event(None, {"event": "keep", "seat": table.on_turn}))


def carry_out_drawn(position: RavensburgerPosition, log: list[Event]) -> None:
    """Carry out the drawn event card immediately (R-72)."""
    seat = position.table.on_turn
    hand = position.hands[seat]
    card, hand.drawn = hand.drawn, EMPTY
    position.lay_order(seat, card)
    carry_out(position, card, False, log)


def play_kept(position: RavensburgerPosition, log: list[Event]) -> None:
    """Carry out the kept event card (R-75), which then no longer bars its player from the goal (R-73)."""
    table = position.table
    seat = table.on_turn
    hand = position.hands[seat]
    card, hand.event = hand.event, EMPTY
    table.kept[seat] = False
    position.lay_order(seat, card)
    carry_out(position, card, True, log)


def carry_out(position: RavensburgerPosition, code: int, kept: bool, log: list[Event]) -> None:
    """Carry out the order of an event card, which is already on its pile (R-31)."""
    card = position.edition.events[code]
    log.append(
        ravensburger_event(None, {"event": "order", "seat": position.table.on_turn, "card": card.name, "kept": kept})
    )
    _EFFECTS[card.effect](position, card, log)


def order_done(position: RavensburgerPosition, log: list[Event]) -> None:
    """Apply the square that an order moved the own pawn to, after all moves, if the edition says so (R-34, R-74)."""
    table = position.table
    moved, table.moved = table.moved, False
    if is_home(position):
        end_game(position, log)
    elif moved and position.edition.event_squares:
        reach(position, log)


def _move_leader(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    """Move every pawn on the furthest occupied square, the player's own too (R-36)."""
    furthest = max(position.table.square)
    leaders = [seat for seat in _turn_order(position) if position.table.square[seat] == furthest]
    _move_pawns(position, leaders, card.steps, log)


def _move_others(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    _move_pawns(position, _turn_order(position)[1:], card.steps, log)


def _turn_order(position: RavensburgerPosition) -> list[int]:
    return [(position.table.on_turn + step) % position.players for step in range(position.players)]


def _move_pawns(position: RavensburgerPosition, seats: list[int], steps: int, log: list[Event]) -> None:
    """Move pawns one after another; a player whose pawn must go back is first asked about a purse (R-23, R-36)."""
    table = position.table
    table.pending.append(ORDER_DONE)
    if steps < 0:
        table.pending += [("defend", seat, -steps, "order") for seat in reversed(seats)]
        return
    for seat in seats:
        if seat == table.on_turn:
            table.moved = advance_own(position, steps, "order", log)
        elif move(position, seat, min(table.square[seat] + steps, position.edition.goal - 1), "order", log):
            others_square(position, seat, log)


def others_square(position: RavensburgerPosition, seat: int, log: list[Event]) -> None:
    """Apply the square of another player's pawn that an event card moved: only handcuffs squares count (R-74)."""
    if position.edition.event_squares:
        handcuffs_square(position, seat, log)


def _lay_off(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    """Ask the player to lay off cards one after another, at most as many as there are (R-37)."""
    if number := min(card.cards, position.table.cards[position.table.on_turn]):
        position.table.pending.append(("lay_off", number))


_EFFECTS: Final[dict[str, Callable[[RavensburgerPosition, EventCard, list[Event]], None]]] = {
    "self": lambda position, card, log: _move_pawns(position, [position.table.on_turn], card.steps, log),
    "leader": _move_leader,
    "others": _move_others,
    "draw": lambda position, card, log: position.draw(position.table.on_turn, card.cards, log),
    "lay_off": _lay_off,
    "rose": lambda position, card, log: position.table.pending.append(ASK_ROSE),
}
