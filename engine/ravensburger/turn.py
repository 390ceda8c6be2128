"""A turn as a table of questions in the order of the rules: the actions for each, and what they do.

    setup     place the rose at the start        R-10
    turn      draw, play, exchange or discard    R-11, R-14, R-50, R-75
    rose      place the rose                     R-20, R-30
    defend    of any seat: purse or retreat      R-23
    event     keep a drawn event card            R-72
    lay_off   a card, by an event's order        R-37
    leap      the great leap                     R-40, R-41
    further   a further card, or the end         R-16, R-33, R-75
    exchange  choose the cards to exchange       R-14

Questions and the tasks after them form a stack, `RavensburgerPublicState.pending`, on which an interruption is pushed
and popped. `options` lists the actions of the question on top. `play` carries one out and goes on to the next question
with two or more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.ravensburger import events
from engine.ravensburger.cards import (
    ACTION,
    CODES,
    EXCHANGE_CARDS,
    EXCHANGE_FROM,
    FREE_CARDS,
    HANDCUFFS,
    LEAP_CARDS,
    LEAP_STEPS,
    MODES,
    NAMES,
    PURSE,
    RETREAT,
    ROSE,
    START_CARDS,
)
from engine.ravensburger.state import RavensburgerPosition
from engine.ravensburger.travel import (
    advance_own,
    end_game,
    go_back,
    handcuffs_square,
    is_home,
    move,
    playable,
    plays,
)
from engine.ravensburger.types import actions
from engine.ravensburger.types.events import RavensburgerPlayEvent, ravensburger_event
from engine.ravensburger.types.names import DiscardReason, MoveReason
from engine.rules import Event, ForcedMove

# The actions that are always the same, built once.
PLACE: Final[list[actions.RavensburgerAction]] = [{"do": "rose", "to": mode} for mode in MODES]
DRAW: Final[list[actions.RavensburgerDrawAction]] = [{"do": "draw", "count": count} for count in (1, 2)]
EXCHANGE: Final[actions.RavensburgerPlainAction] = {"do": "exchange"}
DISCARD: Final[list[actions.RavensburgerDiscardAction]] = [{"do": "discard", "card": card} for card in NAMES]
PLAY_EVENT: Final[actions.RavensburgerPlainAction] = {"do": "event"}
END: Final[actions.RavensburgerPlainAction] = {"do": "end"}
LEAP: Final[list[actions.RavensburgerAction]] = [{"do": "leap"}, {"do": "stay"}]
RETREAT_ONLY: Final[actions.RavensburgerPlainAction] = {"do": "retreat"}
DEFEND: Final[actions.RavensburgerPlainAction] = {"do": "purse"}
CARRY_OUT_OR_KEEP: Final[list[actions.RavensburgerAction]] = [{"do": "carry_out"}, {"do": "keep"}]


def options(position: RavensburgerPosition) -> list[actions.RavensburgerAction]:
    """Return the legal actions of the seat that is asked; empty when the game is over."""
    return _QUESTIONS[position.table.phase][0](position)


def play(
    position: RavensburgerPosition, action: actions.RavensburgerAction, log: list[Event]
) -> list[actions.RavensburgerAction]:
    """Carry out an action and everything that follows without a choice, and return the options of the next decision."""
    _QUESTIONS[position.table.phase][1](position, action, log)
    return advance(position, log)


def advance(position: RavensburgerPosition, log: list[Event]) -> list[actions.RavensburgerAction]:
    """Go on to the next decision with two or more options (R-19) and return them; none when the game is over."""
    pending = position.table.pending
    while True:
        name = pending[-1][0]
        if name in _STEPS:
            pending.pop()
            _STEPS[name](position, log)
            continue
        found, choose = _QUESTIONS[str(name)]
        choices = found(position)
        if len(choices) != 1:
            return choices
        if _may_have_choice(position):
            position.forced += (ForcedMove(position.table.decider, position.table.phase, len(log)),)
        choose(position, choices[0], log)


def _may_have_choice(position: RavensburgerPosition) -> bool:
    """Return whether the seat that is asked might have several actions, as far as others can know (R-90, R-91)."""
    table = position.table
    cards = table.cards[table.decider]
    match table.phase:
        case "defend":
            return cards > 0 and table.square[table.decider] > 0
        case "further":
            return cards > 0 and table.further > 0
    return cards > 1 and table.phase in ("turn", "exchange", "lay_off")


# Turns and rounds


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


# The rose


def _set_up(position: RavensburgerPosition, action: actions.RavensburgerRoseAction, log: list[Event]) -> None:
    """Place the rose, deal the cards and begin the first round (R-10)."""
    _place(position, action, log)
    for seat in range(position.players):
        position.draw(seat, START_CARDS, log)
    start_round(position, log)


def _place(position: RavensburgerPosition, action: actions.RavensburgerRoseAction, log: list[Event]) -> None:
    table = position.table
    table.pending.pop()
    table.rose = MODES.index(action["to"])
    log.append(ravensburger_event(None, {"event": "rose", "seat": table.on_turn, "to": action["to"]}))


# The turn


def _turn_options(position: RavensburgerPosition) -> list[actions.RavensburgerAction]:
    table = position.table
    hand = position.hands[table.on_turn].cards
    found = plays(position) + _kept_options(position)
    if table.beyond and len(hand) > FREE_CARDS:
        return found + _discards(position)
    found += DRAW
    if len(hand) >= EXCHANGE_FROM:
        found.append(EXCHANGE)
    return found


def _kept_options(position: RavensburgerPosition) -> list[actions.RavensburgerAction]:
    """Return the action that plays the kept event card, if it may be played (R-75)."""
    table = position.table
    return [PLAY_EVENT] if table.kept[table.on_turn] and not table.kept_now else []


def _discards(position: RavensburgerPosition) -> list[actions.RavensburgerAction]:
    return [DISCARD[card] for card in dict.fromkeys(position.hands[position.table.on_turn].cards)]


def _further_options(position: RavensburgerPosition) -> list[actions.RavensburgerAction]:
    """Return the plays of a further card, and the action that ends the turn instead (R-16).

    On a stage a player without a card that fits may draw (R-33).
    """
    table = position.table
    if not table.further:
        return [*_kept_options(position), END]
    found = plays(position)
    draws = DRAW if table.stage and not found else []
    return [*found, *_kept_options(position), *draws, END]


def _choose(position: RavensburgerPosition, action: actions.RavensburgerAction, log: list[Event]) -> None:
    """Carry out what a player does at the start of a turn, or after a card has been resolved."""
    _TURN[action["do"]](position, action, log)


def _play_card(position: RavensburgerPosition, action: actions.RavensburgerPlayAction, log: list[Event]) -> None:
    """Discard the card and carry out its order, after which a leap may follow (R-12, R-17, R-20 to R-22)."""
    table = position.table
    seat = table.on_turn
    card = CODES[action["card"]]
    if table.phase == "further":
        _use_right(position)
    table.pending[:] = [("further",), ("card_done",)]
    table.waiting = False
    log.append(ravensburger_event(None, _played(action, seat)))
    position.discard(seat, card)
    table.leap = not position.hands[seat].cards
    if card == ROSE:
        table.further += 1
        table.pending.append(events.ASK_ROSE)
    elif card == HANDCUFFS:
        table.pending.append(("defend", action["victim"], RETREAT, "handcuffs"))
    else:
        move(position, seat, action["to"], "card", log)
        if is_home(position):
            end_game(position, log)
        else:
            events.reach(position, log)


def _played(action: actions.RavensburgerPlayAction, seat: int) -> RavensburgerPlayEvent:
    what: RavensburgerPlayEvent = {"event": "play", "seat": seat, "card": action["card"]}
    if "to" in action:
        what["to"] = action["to"]
    if "victim" in action:
        what["victim"] = action["victim"]
    return what


def _use_right(position: RavensburgerPosition) -> None:
    """Use up one right to a further card; a stage's right is used last, as it also allows a draw (R-75)."""
    table = position.table
    table.further -= 1
    table.stage = table.stage and table.further > 0


def _draw(position: RavensburgerPosition, action: actions.RavensburgerDrawAction, log: list[Event]) -> None:
    """Announce the number of cards and draw them (R-11); on a stage, drawing shows that no card in hand fits (R-33)."""
    table = position.table
    seat = table.on_turn
    if table.phase == "further":
        position.decks[ACTION].lack(seat, playable(position))
    log.append(ravensburger_event(None, {"event": "announce", "seat": seat, "count": action["count"]}))
    position.draw(seat, action["count"], log)
    end_turn(position, log)


def _exchange(position: RavensburgerPosition, action: actions.RavensburgerPlainAction, log: list[Event]) -> None:
    table = position.table
    log.append(ravensburger_event(None, {"event": "exchange", "seat": table.on_turn}))
    table.pending[-1] = ("exchange", EXCHANGE_CARDS)


def _discard(position: RavensburgerPosition, action: actions.RavensburgerDiscardAction, log: list[Event]) -> None:
    """Discard a card instead of drawing (R-50)."""
    _lay_away(position, action, "turn", log)
    end_turn(position, log)


def _lay_away(
    position: RavensburgerPosition, action: actions.RavensburgerDiscardAction, why: DiscardReason, log: list[Event]
) -> None:
    seat = position.table.on_turn
    log.append(ravensburger_event(None, {"event": "discard", "seat": seat, "card": action["card"], "why": why}))
    position.discard(seat, CODES[action["card"]])


def _give_up(position: RavensburgerPosition, action: actions.RavensburgerDiscardAction, log: list[Event]) -> None:
    """Discard a card to exchange; both go on the pile before the first new card is drawn (R-14)."""
    table = position.table
    _lay_away(position, action, "exchange", log)
    left = int(table.pending[-1][1]) - 1
    table.pending[-1] = ("exchange", left)
    if not left:
        position.draw(table.on_turn, EXCHANGE_CARDS, log)
        end_turn(position, log)


def _lay_off(position: RavensburgerPosition, action: actions.RavensburgerDiscardAction, log: list[Event]) -> None:
    """Lay off a card (R-37)."""
    table = position.table
    _lay_away(position, action, "order", log)
    left = int(table.pending.pop()[1]) - 1
    if left:
        table.pending.append(("lay_off", left))


# Being sent back


def _defend_options(position: RavensburgerPosition) -> list[actions.RavensburgerAction]:
    """Return the retreat, and the purse if the seat holds one and its pawn is not on the start (R-24)."""
    seat = position.table.decider
    if position.table.square[seat] and PURSE in position.hands[seat].cards:
        return [RETREAT_ONLY, DEFEND]
    return [RETREAT_ONLY]


def _defend(position: RavensburgerPosition, action: actions.RavensburgerAction, log: list[Event]) -> None:
    """Carry out or avert a retreat: one purse averts all of it (R-23), and it never earns a leap (R-25)."""
    table = position.table
    _, seat, steps, by = table.pending.pop()
    reason: MoveReason = "handcuffs" if by == "handcuffs" else "order"
    assert isinstance(seat, int)
    assert isinstance(steps, int)
    if action["do"] == "purse":
        log.append(ravensburger_event(None, {"event": "purse", "seat": seat}))
        position.discard(seat, PURSE)
    elif not go_back(position, seat, steps, reason, log):
        return
    elif by == "handcuffs":
        handcuffs_square(position, seat, log)
    elif seat == table.on_turn:
        table.moved = True
    else:
        events.others_square(position, seat, log)


# Event cards and the leap


def _answer_event(position: RavensburgerPosition, action: actions.RavensburgerAction, log: list[Event]) -> None:
    position.table.pending.pop()
    if action["do"] == "keep":
        events.keep_drawn(position, log)
    else:
        events.carry_out_drawn(position, log)


def _card_done(position: RavensburgerPosition, log: list[Event]) -> None:
    """Ask about a leap once the last card has been carried out and the game goes on (R-41)."""
    if position.table.leap:
        position.table.pending.append(("leap",))


def _leap(position: RavensburgerPosition, action: actions.RavensburgerAction, log: list[Event]) -> None:
    """Leap, draw and apply the square reached (R-42), or apply the square on which the last card ended (R-43)."""
    table = position.table
    table.pending.pop()
    waiting, table.waiting, table.leap = table.waiting, False, False
    log.append(ravensburger_event(None, {"event": "leap", "seat": table.on_turn, "taken": action["do"] == "leap"}))
    if action["do"] == "stay":
        if waiting:
            events.count_square(position)
        return
    table.further, table.stage = 0, False
    moved = advance_own(position, LEAP_STEPS, "leap", log)
    if is_home(position):
        end_game(position, log)
        return
    position.draw(table.on_turn, LEAP_CARDS, log)
    if moved:
        events.reach(position, log)


_TURN: Final[dict[str, Callable[[RavensburgerPosition, Any, list[Event]], None]]] = {
    "play": _play_card,
    "event": lambda position, action, log: events.play_kept(position, log),
    "draw": _draw,
    "exchange": _exchange,
    "discard": _discard,
    "end": lambda position, action, log: end_turn(position, log),
}
_Options = Callable[[RavensburgerPosition], list[actions.RavensburgerAction]]
_Choose = Callable[[RavensburgerPosition, Any, list[Event]], None]
_QUESTIONS: Final[dict[str, tuple[_Options, _Choose]]] = {
    "setup": (lambda position: PLACE[:], _set_up),
    "turn": (_turn_options, _choose),
    "rose": (lambda position: PLACE[:], _place),
    "defend": (_defend_options, _defend),
    "event": (lambda position: CARRY_OUT_OR_KEEP[:], _answer_event),
    "lay_off": (_discards, _lay_off),
    "leap": (lambda position: LEAP[:], _leap),
    "further": (_further_options, _choose),
    "exchange": (_discards, _give_up),
    "over": (lambda position: [], _choose),
}
_STEPS: Final[dict[str | int, Callable[[RavensburgerPosition, list[Event]], None]]] = {
    "card_done": _card_done,
    "order_done": events.order_done,
}
