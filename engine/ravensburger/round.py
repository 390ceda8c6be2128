"""Turns and rounds: the order of play, and the end of a game in which no pawn reaches the goal (R-10, R-53, R-54)."""

from __future__ import annotations

from engine.ravensburger.state import RavensburgerPosition
from engine.ravensburger.travel import end_game
from engine.ravensburger.types.events import ravensburger_event
from engine.rules import Event


def start_round(position: RavensburgerPosition, log: list[Event]) -> None:
    """Start a round with the start player's turn."""
    table = position.table
    table.round += 1
    log.append(ravensburger_event(None, {"event": "round", "round": table.round}))
    _start_turn(position, table.first, log)


def _start_turn(position: RavensburgerPosition, seat: int, log: list[Event]) -> None:
    table = position.table
    table.on_turn = seat
    table.further = 0
    table.stage = table.leap = table.waiting = table.moved = table.kept_now = False
    table.orders = 0
    table.beyond = table.square[seat] > position.edition.board.last_handcuffs
    table.pending[:] = [("turn",)]
    log.append(ravensburger_event(None, {"event": "turn", "seat": seat}))


def end_turn(position: RavensburgerPosition, log: list[Event]) -> None:
    """Start the next player's turn in seat order, or end the game (R-53)."""
    table = position.table
    following = (table.on_turn + 1) % position.players
    if following != table.first:
        _start_turn(position, following, log)
    elif table.round < position.edition.max_rounds:
        start_round(position, log)
    else:
        end_game(position, log)
