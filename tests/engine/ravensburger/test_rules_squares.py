"""What the squares do, and what events order: R-30 to R-39."""

from __future__ import annotations

import pytest

from tests.engine.ravensburger.positions import (
    asked,
    choices,
    codes,
    do,
    edition,
    events_of,
    hand,
    order,
    pile,
    position,
)

ROSES = ["rose coach", "rose train", "rose steamer", "rose elephant"]


def event(card: str, cards: str = "coach-1 coach-2", rules=None, **more):
    """Seat 0 has come from 4 to the spyglass at 7, where `card` is drawn; the position and what happened."""
    hands = {0: f"train-3 {cards}"} | more.pop("hands", {})
    state = position(more.pop("players", 3), rules, hands=hands, orders=card, at=more.pop("at", 4), **more)
    return state, do(state, "play train-3 7")


def spyglass_at(square: int, **more):
    """Rules with a spyglass near the goal."""
    return edition(board={"spyglass": [square]}, **more)


#


def test_a_rose_square() -> None:
    """R-30: the rose may be moved, then a further card played."""
    state = position(3, hands={0: "train-3 elephant-1"})
    do(state, "play train-3 3")
    assert (asked(state), choices(state)) == ("0 rose", ROSES)
    assert do(state, "rose elephant") == ["rose 0 elephant"]
    assert choices(state) == ["play elephant-1 4", "end"]


def test_a_rose_square_with_the_rose_left_where_it_lies() -> None:
    """R-30: a further card may still be played."""
    state = position(3, hands={0: "train-3 train-4"})
    do(state, "play train-3 3", "rose train")
    assert choices(state) == ["play train-4 7", "end"]


def test_a_rose_square_and_no_card_that_may_be_played() -> None:
    """R-30: the turn ends, without a draw."""
    state = position(3, hands={0: "train-3 train-4"})
    assert do(state, "play train-3 3", "rose coach")[-2:] == ["rose 0 coach", "turn 1"]
    assert hand(state, 0) == "train-4"


#


def test_a_spyglass() -> None:
    """R-31: the event deck's top card is carried out at once, and lies on its pile by then."""
    state, log = event("self_forward_4")
    assert log == [
        "play 0 train-3 7", "move 0 4 7 card", "draw 0 event", "order 0 self_forward_4 False", "move 0 7 11 order",
        "turn 1",
    ]  # fmt: skip
    assert (pile(state, "event"), len(state.decks[1].order)) == ("self_forward_4", 39)


def test_event_cards_are_shuffled_anew_when_one_is_needed() -> None:
    """R-31: not before."""
    rules = edition(events={"draw_1": 1, "place_rose": 1})
    state = position(3, rules, at=4, hands={0: "train-3 coach-1", 1: "purse coach-1"}, orders="draw_1")
    do(state, "play train-3 7")
    assert len(state.decks[1].order) == 1
    state = position(3, rules, at=4, hands={0: "train-3 coach-1"}, orders="draw_1", orders_rest="pile")
    assert not events_of(do(state, "play train-3 7"), "shuffle")
    assert (len(state.decks[1].order), pile(state, "event")) == (0, "place_rose draw_1")
    state = position(3, rules, at=4, hands={0: "train-3 coach-1"}, orders_rest="pile")
    log = do(state, "play train-3 7")
    assert order(log, "shuffle event 2", "draw 0 event") == [2, 3]
    assert (len(state.decks[1].order), len(state.decks[1].discards)) == (1, 1)


def test_an_order_to_place_the_rose() -> None:
    """R-31, R-03: any mode; it allows no further card."""
    state, _ = event("place_rose", cards="steamer-2")
    assert (asked(state), choices(state)) == ("0 rose", ROSES)
    assert do(state, "rose steamer") == ["rose 0 steamer", "turn 1"]
    assert state.view(None)["rose"] == "steamer"


#


@pytest.mark.parametrize(("square", "after"), [(58, 55), (60, 57), (62, 59)])
def test_a_handcuffs_square(square: int, after: int) -> None:
    """R-32: three back, and the square reached has no effect (55 is a rose square)."""
    state = position(3, at=square - 2, hands={0: "train-2 purse"})
    log = do(state, f"play train-2 {square}")
    assert events_of(log, "move") == [f"move 0 {square - 2} {square} card", f"move 0 {square} {after} square"]
    assert asked(state) == "1 turn"


@pytest.mark.parametrize("kind", ["stage", "spyglass", "handcuffs"])
def test_the_square_reached_from_a_handcuffs_square_has_no_effect(kind: str) -> None:
    """R-32: not even if it is a handcuffs square."""
    board = edition()["board"]
    board["rose"].remove(55)
    board[kind] = sorted([*board[kind], 55])
    if kind == "stage":
        board["stage_names"].append("Halifax")
    state = position(3, edition(board=board), at=56, hands={0: "train-2 purse"}, orders="draw_1")
    do(state, "play train-2 58")
    assert (state.table.square[0], hand(state, 0), asked(state)) == (55, "purse", "1 turn")


def test_a_handcuffs_square_near_the_start() -> None:
    """R-32, R-35."""
    state = position(3, edition(board={"handcuffs": [2]}), hands={0: "train-2 purse"})
    do(state, "play train-2 2")
    assert state.table.square[0] == 0


#


def test_a_stage() -> None:
    """R-33: with a card that fits one may decline, and not draw."""
    state = position(3, at=4, hands={0: "train-1 train-2 coach-1"})
    do(state, "play train-1 5")
    assert (asked(state), choices(state)) == ("0 further", ["play train-2 7", "end"])


@pytest.mark.parametrize("card", ["rose", "handcuffs", "purse"])
def test_a_special_card_always_fits(card: str) -> None:
    """R-33."""
    state = position(3, at=4, hands={0: f"train-1 {card} coach-1"})
    do(state, "play train-1 5")
    assert {choice.split()[0] for choice in choices(state)} == {"play", "end"}


@pytest.mark.parametrize("count", [1, 2])
def test_a_stage_and_no_card_that_fits(count: int) -> None:
    """R-33, R-16: one or two may be drawn, which ends the turn; or none."""
    state = position(3, at=4, hands={0: "train-1 coach-1"}, deck="purse train-2")
    do(state, "play train-1 5")
    assert choices(state) == ["draw 1", "draw 2", "end"]
    clone = state.copy()
    assert do(clone, "end") == ["turn 1"]
    log = do(state, f"draw {count}")
    assert log[0] == f"announce 0 {count}"
    assert hand(state, 0) == ["coach-1 purse", "coach-1 train-2 purse"][count - 1]
    assert asked(state) == "1 turn"


def test_a_purse_that_could_only_reach_the_goal_does_not_fit() -> None:
    """R-33, R-51: as that is forbidden."""
    rules = edition(board={"stage": [79], "stage_names": ["Dover"]})
    state = position(3, rules, at=78, hands={0: "train-1 purse coach-1 coach-2"})
    do(state, "play train-1 79")
    assert choices(state) == ["draw 1", "draw 2", "end"]


#


@pytest.mark.parametrize("kind", ["rose", "stage", "spyglass", "handcuffs"])
def test_squares_reached_by_an_order_have_no_effect(kind: str) -> None:
    """R-34: in the standard edition; not for the own pawn and not for others."""
    board = {"rose": [], "stage": [], "stage_names": [], "spyglass": [7], "handcuffs": []}
    board[kind] = [7, 9] if kind == "spyglass" else [9]
    if kind == "stage":
        board["stage_names"] = ["Paris"]  # type: ignore[list-item]
    rules = edition(board=board)
    state, log = event("self_forward_2", cards="purse coach-1", rules=rules)
    assert (asked(state), state.table.square) == ("1 turn", [9, 4, 4])
    assert len(events_of(log, "order")) == 1
    _, log = event("others_forward_2", rules=rules, at=[4, 7, 7])
    assert log[-3:] == ["move 1 7 9 order", "move 2 7 9 order", "turn 1"]


#


@pytest.mark.parametrize(("at", "card"), [(79, "train-1"), (79, "train-4"), (77, "train-3"), (76, "train-5")])
def test_the_goal_needs_no_exact_count(at: int, card: str) -> None:
    """R-35: what is left over is lost."""
    state = position(3, at=at, hands={0: card})
    assert choices(state)[0] == f"play {card} 80"
    do(state, f"play {card} 80")
    assert (state.table.square[0], asked(state)) == (80, None)


def test_a_purse_offers_each_square_once() -> None:
    """R-35."""
    state = position(3, at=78, hands={0: "purse"})
    assert choices(state) == ["play purse 79", "play purse 80", "draw 1", "draw 2"]


def test_moves_past_the_start_stop_there() -> None:
    """R-35: of the own pawn and of others."""
    rules = edition(board={"spyglass": [2]})
    state = position(3, rules, hands={0: "train-2 coach-1"}, orders="self_back_4")
    do(state, "play train-2 2")
    assert state.table.square == [0, 0, 0]
    state, _ = event("others_back_2", at=[4, 1, 2])
    assert state.table.square == [7, 0, 0]


#


def test_the_leader_is_every_pawn_on_the_furthest_square() -> None:
    """R-36: the own one too, and as the card is carried out, not as the turn began."""
    state, _ = event("leader_back_3", at=[4, 6, 5])
    assert state.table.square == [4, 6, 5]
    state, log = event("leader_back_3", players=4, at=[4, 7, 6, 7])
    assert events_of(log, "move")[1:] == ["move 0 7 4 order", "move 1 7 4 order", "move 3 7 4 order"]


def test_several_pawns_move_in_turn_order() -> None:
    """R-36: beginning with the player on turn; the others without that one."""
    state = position(4, turn=2, at=[9, 10, 4, 13], hands={2: "train-3 coach-1"}, orders="others_back_2")
    log = do(state, "play train-3 7")
    assert events_of(log, "move")[1:] == ["move 3 13 11 order", "move 0 9 7 order", "move 1 10 8 order"]
    assert state.table.square[2] == 7
    state = position(4, turn=2, at=[9, 10, 4, 13], hands={2: "train-3 coach-1"}, orders="others_forward_1")
    log = do(state, "play train-3 7")
    assert events_of(log, "move")[1:] == ["move 3 13 14 order", "move 0 9 10 order", "move 1 10 11 order"]


def test_each_owner_decides_just_before_the_own_pawn_moves() -> None:
    """R-36, R-23: seeing what those before did."""
    hands = {1: "purse", 3: "purse"}
    state, _ = event("others_back_2", players=4, at=[4, 20, 21, 22], hands=hands)
    assert (asked(state), state.table.square) == ("1 defend", [7, 20, 21, 22])
    log = do(state, "retreat")
    assert events_of(log, "move") == ["move 1 20 18 order", "move 2 21 19 order"]
    assert (asked(state), state.table.square) == ("3 defend", [7, 18, 19, 22])
    assert do(state, "purse") == ["purse 3", "turn 1"]
    assert state.table.square == [7, 18, 19, 22]


#


def test_an_order_to_draw() -> None:
    """R-37: cards off the top, as many as there are."""
    state, log = event("draw_2", deck="purse rose train-1")
    assert hand(state, 0) == "coach-1 coach-2 rose purse"
    assert not events_of(log, "announce")
    state, log = event("draw_2", cards="coach-1", deck="purse", pile="rose", rest=2)
    assert order(log, "shuffle action 2") == [6]
    assert state.table.cards[0] == 3
    state, log = event("draw_2", cards="coach-1", rest=2)
    assert (hand(state, 0), asked(state)) == ("coach-1 train-3", "1 turn")


def test_an_order_to_lay_off() -> None:
    """R-37: a card of the own choice."""
    state, _ = event("lay_off_1", cards="coach-1 coach-1 purse")
    assert (asked(state), choices(state)) == ("0 lay_off", ["discard coach-1", "discard purse"])
    assert do(state, "discard purse") == ["discard 0 purse order", "turn 1"]
    assert (hand(state, 0), pile(state)) == ("coach-1 coach-1", "train-3 purse")


def test_an_order_to_lay_off_several() -> None:
    """R-37, R-03: one after the other, as many as there are; a user's own event."""
    rules = edition(events={"lay_off_3": 1})
    state, _ = event("lay_off_3", cards="coach-1 coach-2 purse rose", rules=rules)
    do(state, "discard purse", "discard coach-1")
    assert choices(state) == ["discard coach-2", "discard rose"]
    do(state, "discard rose")
    assert (asked(state), hand(state, 0)) == ("1 turn", "coach-2")
    state, _ = event("lay_off_3", cards="coach-1 coach-1", rules=rules)
    assert (asked(state), hand(state, 0)) == ("1 turn", "")


def test_laying_off_the_last_card_brings_no_leap() -> None:
    """R-37, R-41."""
    state, log = event("lay_off_1", cards="coach-1")
    assert log[-2:] == ["discard 0 coach-1 order", "turn 1"]
    assert hand(state, 0) == ""


def test_laying_off_with_an_empty_hand_does_nothing() -> None:
    """R-37: the leap that the last card earned is not lost by it."""
    state, log = event("lay_off_1", cards="")
    assert not events_of(log, "discard")
    assert asked(state) == "0 leap"


#


@pytest.mark.parametrize(("cards", "home"), [("coach-1", True), ("coach-1 coach-2", False)])
def test_an_own_order_forward_reaches_the_goal_if_that_is_allowed(cards: str, home: bool) -> None:
    """R-38, R-51: with the cards then held; otherwise the pawn stops on the last square before."""
    rules = edition(board={"spyglass": [76]})
    state = position(3, rules, at=74, hands={0: f"train-2 {cards}"}, orders="self_forward_5")
    log = do(state, "play train-2 76")
    assert log[4] == f"move 0 76 {80 if home else 79} order"
    assert (log[-1] == "over [1, 2, 2]") == home
    assert asked(state) == (None if home else "1 turn")


def test_the_last_card_may_carry_into_the_goal_before_its_leap() -> None:
    """R-38, R-41: the game is over then."""
    rules = edition(board={"spyglass": [76]})
    state = position(3, rules, at=74, hands={0: "train-2"}, orders="self_forward_4")
    log = do(state, "play train-2 76")
    assert log[-2:] == ["home 0", "over [1, 2, 2]"]


def test_pawns_of_others_never_enter_the_goal() -> None:
    """R-38: they stop before it, whatever they hold."""
    state, log = event("others_forward_2", at=[4, 78, 79], hands={1: "", 2: ""})
    assert state.table.square == [7, 79, 79]
    assert events_of(log, "move")[1:] == ["move 1 78 79 order"]


#


def test_a_spyglass_without_event_cards() -> None:
    """R-39: has no effect."""
    state = position(3, edition(events={}), at=4, hands={0: "train-3 coach-1"})
    assert do(state, "play train-3 7") == ["play 0 train-3 7", "move 0 4 7 card", "turn 1"]


def test_a_spyglass_after_forty_events_in_one_turn() -> None:
    """R-39: has no effect; in the next turn it has."""
    spyglasses = list(range(1, 60))
    board = {"rose": [], "stage": [], "stage_names": [], "spyglass": spyglasses, "handcuffs": []}
    rules = edition(board=board, event_squares=True, events={"self_forward_1": 1})
    state = position(2, rules, hands={0: "train-1 coach-1", 1: "train-1 coach-1"})
    log = do(state, "play train-1 1")
    assert len(events_of(log, "order")) == 40
    assert (state.table.square, asked(state)) == ([41, 0], "1 turn")
    log = do(state, "play train-1 1")
    assert len(events_of(log, "order")) == 40


def test_what_a_pile_of_events_holds() -> None:
    """R-31: each goes onto it, the last on top."""
    state, _ = event("self_back_1", orders_pile="draw_1 place_rose")
    assert pile(state, "event") == "draw_1 place_rose self_back_1"
    assert codes(pile(state)) == codes("train-3")
