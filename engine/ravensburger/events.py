"""What squares do to the own pawn, and what event cards order (R-30 to R-39, R-74)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.game import Event
from engine.ravensburger.board import ROSE_SQUARE, SPYGLASS, STAGE
from engine.ravensburger.cards import EMPTY, EVENT, EVENTS_A_TURN, EventCard
from engine.ravensburger.state import RavensburgerPosition, Task
from engine.ravensburger.travel import advance_own, end_game, handcuffs_square, is_home, move

ASK_ROSE: Final[Task] = ("rose",)
ASK_EVENT: Final[Task] = ("event",)
ORDER_DONE: Final[Task] = ("order_done",)


def reach(position: RavensburgerPosition, log: list[Event]) -> None:
    """The own pawn came to a square, which counts; before a leap only a spyglass or handcuffs does (R-40)."""
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
    """R-30, R-33: a rose or stage square under the own pawn allows a further card, beside what was allowed before."""
    table = position.table
    kind = position.edition.board.kinds[table.square[table.on_turn]]
    if kind == ROSE_SQUARE:
        table.further += 1
        table.pending.append(ASK_ROSE)
    elif kind == STAGE:
        table.further += 1
        table.stage = True


def _spyglass(position: RavensburgerPosition, log: list[Event]) -> None:
    """R-31, R-39; R-72: whoever keeps no event card yet is asked whether to keep this one."""
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
    """R-72, R-73: the drawn event card stays in the hand."""
    table = position.table
    hand = position.hands[table.on_turn]
    hand.event, hand.drawn = hand.drawn, EMPTY
    table.kept[table.on_turn] = table.kept_now = True
    log.append(Event(None, {"event": "keep", "seat": table.on_turn}))


def carry_out_drawn(position: RavensburgerPosition, log: list[Event]) -> None:
    """R-72: the drawn event card is carried out at once."""
    seat = position.table.on_turn
    hand = position.hands[seat]
    card, hand.drawn = hand.drawn, EMPTY
    position.lay_order(seat, card)
    carry_out(position, card, False, log)


def play_kept(position: RavensburgerPosition, log: list[Event]) -> None:
    """R-75: the kept event card is carried out, and so it keeps nobody from the goal any more (R-73)."""
    table = position.table
    seat = table.on_turn
    hand = position.hands[seat]
    card, hand.event = hand.event, EMPTY
    table.kept[seat] = False
    position.lay_order(seat, card)
    carry_out(position, card, True, log)


def carry_out(position: RavensburgerPosition, code: int, kept: bool, log: list[Event]) -> None:
    """Do what an event card orders; it lies on its pile already (R-31)."""
    card = position.edition.events[code]
    log.append(Event(None, {"event": "order", "seat": position.table.on_turn, "card": card.name, "kept": kept}))
    _EFFECTS[card.effect](position, card, log)


def order_done(position: RavensburgerPosition, log: list[Event]) -> None:
    """When all pawns have moved, the square counts to which the own one came, in editions that say so (R-34, R-74)."""
    table = position.table
    moved, table.moved = table.moved, False
    if is_home(position):
        end_game(position, log)
    elif moved and position.edition.event_squares:
        reach(position, log)


def _move_self(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    _move_pawns(position, [position.table.on_turn], card.steps, log)


def _move_leader(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    """R-36: every pawn on the furthest square that is occupied, the own one too."""
    furthest = max(position.table.square)
    leaders = [seat for seat in _turn_order(position) if position.table.square[seat] == furthest]
    _move_pawns(position, leaders, card.steps, log)


def _move_others(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    _move_pawns(position, _turn_order(position)[1:], card.steps, log)


def _turn_order(position: RavensburgerPosition) -> list[int]:
    return [(position.table.on_turn + step) % position.players for step in range(position.players)]


def _move_pawns(position: RavensburgerPosition, seats: list[int], steps: int, log: list[Event]) -> None:
    """R-36: one after the other; whoever has to go back is asked about a purse just before (R-23)."""
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
    """R-74: for pawns of others that an event card moved only handcuffs squares count."""
    if position.edition.event_squares:
        handcuffs_square(position, seat, log)


def _draw(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    position.draw(position.table.on_turn, card.cards, log)


def _lay_off(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    """R-37: as many as there are, one after the other."""
    if number := min(card.cards, position.table.cards[position.table.on_turn]):
        position.table.pending.append(("lay_off", number))


def _place_rose(position: RavensburgerPosition, card: EventCard, log: list[Event]) -> None:
    position.table.pending.append(ASK_ROSE)


_EFFECTS: Final[dict[str, Callable[[RavensburgerPosition, EventCard, list[Event]], None]]] = {
    "self": _move_self,
    "leader": _move_leader,
    "others": _move_others,
    "draw": _draw,
    "lay_off": _lay_off,
    "rose": _place_rose,
}
