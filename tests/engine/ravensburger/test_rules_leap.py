"""The great leap: R-40 to R-45."""

from __future__ import annotations

import pytest

from tests.engine.ravensburger.positions import asked, choices, do, edition, events_of, hand, kept, order, position

FIVE = "coach-1 coach-2 coach-3 coach-4 coach-5"
"""The next cards of the deck; none may be played while the rose lies on the train."""


def last(at: int, card: str, play: str, **more):
    """Seat 0 plays the last card in hand; the position and what happened."""
    rules = more.pop("rules", None)
    more.setdefault("deck", FIVE)
    state = position(3, rules, at=[at, 30, 30], hands={0: card}, **more)
    return state, do(state, play)


#


def test_the_leap() -> None:
    """R-40: five squares on, then five cards."""
    state, log = last(8, "train-2", "play train-2 10")
    assert log == ["play 0 train-2 10", "move 0 8 10 card"]
    assert (asked(state), choices(state)) == ("0 leap", ["leap", "stay"])
    log = do(state, "leap")
    assert log[:3] == ["leap 0 True", "move 0 10 15 leap", "draw 0 action"]
    assert (state.table.square[0], hand(state, 0)) == (15, FIVE)


def test_no_leap_with_a_card_left() -> None:
    """R-40."""
    _, log = last(8, "train-2 coach-1", "play train-2 10", deck="")
    assert log[-1] == "turn 1"


@pytest.mark.parametrize(("at", "to"), [(8, 9), (14, 15)])
def test_a_rose_or_stage_square_does_not_count_before_the_leap(at: int, to: int) -> None:
    """R-40: nor after it, when it is taken."""
    state, _ = last(at, "train-1", f"play train-1 {to}", deck="purse coach-2 coach-3 coach-4 coach-5")
    assert asked(state) == "0 leap"
    log = do(state, "leap")
    assert log[-1] == "turn 1"
    assert not events_of(log, "rose")


def test_a_spyglass_counts_before_the_leap() -> None:
    """R-40."""
    state, log = last(4, "train-3", "play train-3 7", orders="self_forward_4")
    assert events_of(log, "order") == ["order 0 self_forward_4 False"]
    assert (asked(state), state.table.square[0]) == ("0 leap", 11)


def test_a_handcuffs_square_counts_before_the_leap_and_after_it() -> None:
    """R-40: the square reached by the leap counts in full."""
    state, log = last(56, "train-2", "play train-2 58")
    assert events_of(log, "move") == ["move 0 56 58 card", "move 0 58 55 square"]
    log = do(state, "leap")
    assert events_of(log, "move") == ["move 0 55 60 leap", "move 0 60 57 square"]
    assert asked(state) == "1 turn"


def test_reaching_the_goal_by_the_leap_draws_nothing() -> None:
    """R-40, R-52."""
    state, _ = last(73, "train-3", "play train-3 76")
    log = do(state, "leap")
    assert log == ["leap 0 True", "move 0 76 80 leap", "home 0", "over [1, 2, 2]"]
    assert hand(state, 0) == ""


#


@pytest.mark.parametrize(
    ("card", "plays"),
    [
        ("train-2", ["play train-2 10"]),
        ("purse", ["play purse 10"]),
        ("rose", ["play rose", "rose train"]),
        ("handcuffs", ["play handcuffs 1"]),
    ],
)
def test_earned_by_a_card_of_any_kind(card: str, plays: list[str]) -> None:
    """R-41: asked when it has been carried out."""
    state = position(3, at=8, hands={0: card}, deck=FIVE)
    do(state, *plays)
    assert asked(state) == "0 leap"
    do(state, "leap")
    assert state.table.square[0] == (15 if card in ("train-2", "purse") else 13)


def test_not_before_the_victim_has_decided() -> None:
    """R-41, R-23."""
    state = position(3, at=8, hands={0: "handcuffs", 1: "purse"})
    do(state, "play handcuffs 1")
    assert asked(state) == "1 defend"
    do(state, "retreat")
    assert (asked(state), state.table.square[1]) == ("0 leap", 5)


def test_not_when_the_last_card_ends_the_game() -> None:
    """R-41."""
    state, log = last(78, "train-2", "play train-2 80")
    assert (asked(state), log[-1]) == (None, "over [1, 2, 2]")


def test_kept_whatever_an_event_brings_into_the_hand() -> None:
    """R-41."""
    state, _ = last(4, "train-3", "play train-3 7", orders="draw_2")
    assert (asked(state), hand(state, 0)) == ("0 leap", "coach-1 coach-2")
    do(state, "leap")
    assert state.table.cards[0] == 7


def test_a_card_played_in_the_own_turn_and_no_other_way() -> None:
    """R-41: not by laying off a card beyond the handcuffs squares, nor by an exchange, drawn back or not."""
    state = position(2, at=70, hands={0: "coach-1 coach-2 coach-3"})
    assert not events_of(do(state, "discard coach-1"), "leap")
    twelve = "coach-1 coach-1 coach-2 coach-2 coach-2 coach-3 coach-3 coach-3 coach-4 coach-4 coach-5 purse"
    state = position(2, hands={0: twelve})
    log = do(state, "exchange", "discard purse", "discard coach-5")
    assert (asked(state), events_of(log, "leap")) == ("1 turn", [])


def test_the_leap_is_taken_whole_or_declined_whole() -> None:
    """R-41: declined, nothing moves and nothing is drawn."""
    state, _ = last(8, "train-2", "play train-2 10")
    assert do(state, "stay") == ["leap 0 False", "turn 1"]
    assert (state.table.square[0], hand(state, 0)) == (10, "")


#


def test_five_on_then_five_cards_then_the_square_counts() -> None:
    """R-42: so its decisions are made with the new cards."""
    state, _ = last(2, "train-2", "play train-2 4")
    log = do(state, "leap")
    assert log[1] == "move 0 4 9 leap"
    assert (asked(state), hand(state, 0)) == ("0 rose", FIVE)
    do(state, "rose coach")
    assert choices(state) == [*(f"play coach-{value} {9 + value}" for value in range(1, 6)), "end"]


def test_the_leaps_event_comes_after_its_cards() -> None:
    """R-42."""
    state, _ = last(5, "train-2", "play train-2 7", orders="place_rose draw_1", deck=f"{FIVE} purse")
    do(state, "rose train")
    log = do(state, "leap")
    assert log[1] == "move 0 7 12 leap"
    assert order(log, "[0] drew 0 action coach-5", "order 0 draw_1", "[0] drew 0 action purse") == [11, 13, 15]


def test_several_leaps_in_one_turn() -> None:
    """R-42: each with the last card in hand."""
    state, _ = last(8, "train-2", "play train-2 10", deck=f"{'rose ' * 5} {FIVE}")
    log = do(state, "leap")
    for _ in range(5):
        log += do(state, "play rose", "rose train")
    log += do(state, "leap")
    assert events_of(log, "leap") == ["leap 0 True", "leap 0 True"]
    assert (state.table.square[0], hand(state, 0), asked(state)) == (20, FIVE, "1 turn")


#


def test_declined_on_a_rose_square() -> None:
    """R-43: the rose may be moved now; there is no card to play."""
    state, _ = last(8, "train-1", "play train-1 9")
    assert do(state, "stay") == ["leap 0 False"]
    assert asked(state) == "0 rose"
    assert do(state, "rose coach") == ["rose 0 coach", "turn 1"]


@pytest.mark.parametrize("draw", ["draw 1", "draw 2", "end"])
def test_declined_on_a_stage(draw: str) -> None:
    """R-43, R-33: one or two may be drawn."""
    state, _ = last(14, "train-1", "play train-1 15")
    do(state, "stay")
    assert (asked(state), choices(state)) == ("0 further", ["draw 1", "draw 2", "end"])
    do(state, draw)
    assert (asked(state), state.table.cards[0]) == ("1 turn", {"draw 1": 1, "draw 2": 2, "end": 0}[draw])


def test_declined_on_a_square_to_which_an_event_brought_the_pawn() -> None:
    """R-43, R-74: in the expert edition."""
    state, _ = last(4, "train-3", "play train-3 7", rules=edition("expert"), orders="self_forward_2")
    do(state, "carry_out")
    assert (asked(state), state.table.square[0]) == ("0 leap", 9)
    do(state, "stay")
    assert asked(state) == "0 rose"


def test_declined_where_the_last_card_did_not_bring_the_pawn() -> None:
    """R-43, R-18: the stage counted when an earlier card came to it."""
    state = position(3, at=4, hands={0: "train-1 rose"})
    do(state, "play train-1 5", "play rose", "rose train")
    assert asked(state) == "0 leap"
    assert do(state, "stay") == ["leap 0 False", "turn 1"]


def test_declined_on_a_square_that_an_order_left_again() -> None:
    """R-43: what counts is where the pawn stands."""
    rules = edition("expert", board={"spyglass": [7]})
    state, _ = last(4, "train-3", "play train-3 7", rules=rules, orders="self_forward_3")
    do(state, "carry_out")
    assert state.table.square[0] == 10
    assert do(state, "stay")[-1] == "turn 1"


def test_declined_with_cards_from_an_event() -> None:
    """R-43, R-16: a spyglass allows no further card, whatever was drawn."""
    state, _ = last(4, "train-3", "play train-3 7", orders="draw_2", deck="purse rose")
    assert do(state, "stay") == ["leap 0 False", "turn 1"]
    assert hand(state, 0) == "rose purse"


#


def test_what_the_last_card_allowed_is_gone_after_the_leap() -> None:
    """R-44: on a plain square the turn ends, whatever was drawn."""
    state, _ = last(5, "rose", "play rose", deck="purse purse rose rose handcuffs")
    do(state, "rose train")
    log = do(state, "leap")
    assert (asked(state), state.table.square[0]) == ("1 turn", 10)
    assert log[-1] == "turn 1"


@pytest.mark.parametrize(("at", "then"), [(3, "0 rose"), (9, "0 further")])
def test_only_the_square_reached_by_the_leap_allows_a_further_card(at: int, then: str) -> None:
    """R-44, R-40: it counts in full; a stage lets draw where no card fits."""
    state, _ = last(at, "train-1", f"play train-1 {at + 1}")
    do(state, "leap")
    assert asked(state) == then
    if then == "0 further":
        assert choices(state) == ["draw 1", "draw 2", "end"]


#


def test_a_leap_into_the_goal_that_is_forbidden() -> None:
    """R-45: it stops before the goal and draws five; by R-51, as an event brought cards."""
    rules = edition(board={"spyglass": [76]})
    state, _ = last(74, "train-2", "play train-2 76", rules=rules, orders="draw_2", deck=f"{FIVE} purse purse")
    log = do(state, "leap")
    assert log[1] == "move 0 76 79 leap"
    assert (state.table.cards[0], asked(state)) == (7, "1 turn")
    state, _ = last(74, "train-2", "play train-2 76", rules=rules, orders="draw_1")
    do(state, "leap")
    assert asked(state) is None


def test_a_leap_into_the_goal_with_an_event_card_kept() -> None:
    """R-45, R-73."""
    state, _ = last(74, "train-2", "play train-2 76", rules=edition("expert"), kept={0: "draw_1"})
    do(state, "leap")
    assert (state.table.square[0], hand(state, 0), kept(state, 0)) == (79, FIVE, "draw_1")


def test_a_leap_that_cannot_move() -> None:
    """R-45, R-18: draws five, and its square, here a stage, does not count."""
    rules = edition("expert", board={"stage": [79], "stage_names": ["Dover"]})
    state, _ = last(78, "train-1", "play train-1 79", rules=rules, kept={0: "draw_1"})
    log = do(state, "leap")
    assert not events_of(log, "move")
    assert hand(state, 0) == FIVE
    assert (asked(state), choices(state)) == ("0 further", ["event", "end"])
