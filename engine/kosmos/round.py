"""Rounds: the display, the order of play, the first-player marker, and the game's end (K-20 to K-24, K-80, K-84)."""

from __future__ import annotations

from engine.kosmos.cards import EMPTY, LONDON, NAMES, PLACES, TRAVEL
from engine.kosmos.edition import max_rounds
from engine.kosmos.state import KosmosPosition
from engine.kosmos.types.events import KosmosRoundEvent, kosmos_event
from engine.kosmos.types.names import Card
from engine.rules import Event


def start_round(position: KosmosPosition, log: list[Event]) -> None:
    """Charge the players still travelling a day if others are home, deal a new display and set the order of play."""
    table = position.table
    table.round += 1
    if table.home_before:  # K-20: one day, however many are home
        for seat in range(position.players):
            position.lose(seat, 1, "late", log)
    table.travelling = sum(city < LONDON for city in table.city)
    for place in range(min(table.travelling + 1, len(PLACES))):  # K-21, K-22
        table.display[place] = position.turn_up(TRAVEL, log)
    table.first = table.marker
    table.marker_taken = False
    order = [(table.marker + step) % position.players for step in range(position.players)]  # K-23
    table.waiting = [seat for seat in order if table.city[seat] < LONDON]
    display = [None if card == EMPTY else NAMES[card] for card in table.display]
    log.append(kosmos_event(None, round_event(table.round, table.first, display)))
    _start_turn(position)


def round_event(number: int, first: int, display: list[Card | None]) -> KosmosRoundEvent:
    """Return the event of a round that begins. `display`: its cards by place, None where no card lies."""
    return {"event": "round", "round": number, "first": first, "display": display}


def _start_turn(position: KosmosPosition) -> None:
    table = position.table
    table.on_turn = table.waiting.pop(0)
    table.phase = "take"
    table.taken = EMPTY
    table.balloon = False
    table.legs = 0


def end_turn(position: KosmosPosition, log: list[Event]) -> None:
    """Start the next player's turn, or end the round."""
    if position.table.waiting:
        _start_turn(position)
        return
    _clear_display(position, log)
    if _is_over(position):
        end_game(position, log)
        return
    _pass_marker(position, log)
    table = position.table
    table.home_before = len(table.arrived)
    start_round(position, log)


def _clear_display(position: KosmosPosition, log: list[Event]) -> None:
    """Discard the cards that nobody took (K-24)."""
    table = position.table
    unused = [card for card in table.display if card != EMPTY]
    if unused:
        position.decks[TRAVEL].discards += unused
        log.append(kosmos_event(None, {"event": "clear", "cards": [NAMES[card] for card in unused]}))
    table.display[:] = [EMPTY] * len(PLACES)


def _is_over(position: KosmosPosition) -> bool:
    table = position.table
    enough = {2: 1, 6: 4}.get(position.players, position.players - 1)  # K-80
    still_played = [seat for seat in range(position.players) if seat not in table.retired]
    return (
        len(table.arrived) >= enough
        or table.round >= max_rounds(position.edition.data, position.players)  # K-84
        or all(table.city[seat] == LONDON for seat in still_played)  # K-85
    )


def _pass_marker(position: KosmosPosition, log: list[Event]) -> None:
    """Pass the marker to the left unless it was taken this round, and always to a player who still travels (K-24)."""
    table = position.table
    if table.marker_taken and table.city[table.marker] < LONDON:
        return
    table.marker = position.next_travelling(table.marker)
    log.append(kosmos_event(None, {"event": "marker", "seat": table.marker, "why": "passed"}))


def end_game(position: KosmosPosition, log: list[Event]) -> None:
    """End the game: there are no more decisions."""
    position.table.phase = "over"
    log.append(kosmos_event(None, {"event": "over", "ranks": position.ranks()}))
