"""The special cards: R-20 to R-25."""

from __future__ import annotations

import pytest

from tests.engine.ravensburger.positions import asked, choices, do, edition, events_of, hand, order, pile, position

ROSES = ["rose coach", "rose train", "rose steamer", "rose elephant"]
BACK = ["retreat", "purse"]


# the rose


def test_the_rose_card_places_the_rose() -> None:
    """R-20: on any mode, the one where it lies among them; then a further card may be played."""
    state = position(3, hands={0: "rose steamer-4"})
    log = do(state, "play rose")
    assert log == ["play 0 rose"]
    assert (asked(state), choices(state)) == ("0 rose", ROSES)
    assert do(state, "rose steamer") == ["rose 0 steamer"]
    assert choices(state) == ["play steamer-4 4", "end"]
    assert state.table.square == [0, 0, 0]


def test_a_rose_that_is_left_where_it_lies() -> None:
    """R-20: allows a further card as well."""
    state = position(3, hands={0: "rose train-4"})
    do(state, "play rose", "rose train")
    assert choices(state) == ["play train-4 4", "end"]


def test_a_rose_card_and_no_card_that_may_be_played() -> None:
    """R-20: the turn ends, without a draw."""
    state = position(3, hands={0: "rose coach-1"})
    log = do(state, "play rose", "rose elephant")
    assert log == ["play 0 rose", "rose 0 elephant", "turn 1"]
    assert hand(state, 0) == "coach-1"


def test_a_rose_card_after_a_rose_card() -> None:
    """R-20: it is a further card like any other."""
    state = position(3, hands={0: "rose rose coach-1"})
    do(state, "play rose", "rose elephant", "play rose", "rose coach", "play coach-1 1")
    assert state.table.square == [1, 0, 0]


def test_a_rose_card_takes_the_stages_draw() -> None:
    """R-20: played on a stage it leaves the right to a card, and none to a draw."""
    state = position(3, at=4, hands={0: "train-1 rose coach-1"})
    do(state, "play train-1 5", "play rose")
    assert do(state, "rose elephant") == ["rose 0 elephant", "turn 1"]


# the handcuffs


def test_the_next_player_goes_back_three() -> None:
    """R-21: the own pawn stays, the turn ends, and the victim still gets its own turn."""
    state = position(4, turn=1, at=16, hands={1: "handcuffs train-2"})
    assert choices(state)[:2] == ["play train-2 18", "play handcuffs 2"]
    log = do(state, "play handcuffs 2")
    assert log == ["play 1 handcuffs 2", "move 2 16 13 handcuffs", "turn 2"]
    assert (asked(state), state.table.square) == ("2 turn", [16, 16, 13, 16])


@pytest.mark.parametrize("players", [2, 3, 6])
def test_after_the_last_seat_comes_the_first(players: int) -> None:
    """R-21: next in turn order."""
    state = position(players, turn=players - 1, at=16, hands={players - 1: "handcuffs train-2"})
    do(state, "play handcuffs 0")
    assert state.table.square == [13] + [16] * (players - 1)


@pytest.mark.parametrize(("before", "after"), [(4, 1), (3, 0), (2, 0), (1, 0), (0, 0)])
def test_never_behind_the_start(before: int, after: int) -> None:
    """R-21, R-35: at the start it does nothing, and may be played."""
    state = position(3, at=[9, before, 9], hands={0: "handcuffs train-2"})
    log = do(state, "play handcuffs 1")
    assert state.table.square == [9, after, 9]
    assert len(events_of(log, "move")) == (before > 0)
    assert asked(state) == "1 turn"


@pytest.mark.parametrize(("before", "after"), [(61, 55), (63, 57), (65, 59)])
def test_from_a_handcuffs_square_three_more(before: int, after: int) -> None:
    """R-21: 58, 60 and 62 are ones."""
    state = position(3, at=[9, before, 9], hands={0: "handcuffs train-2"})
    log = do(state, "play handcuffs 1")
    assert events_of(log, "move") == [f"move 1 {before} {before - 3} handcuffs", f"move 1 {before - 3} {after} square"]
    assert asked(state) == "1 turn"


def test_three_more_once() -> None:
    """R-21, R-32: even if that ends on a handcuffs square again."""
    state = position(3, edition(board={"handcuffs": [54, 57]}), at=[9, 60, 9], hands={0: "handcuffs train-2"})
    do(state, "play handcuffs 1")
    assert state.table.square == [9, 54, 9]


@pytest.mark.parametrize("name", ["standard", "expert"])
@pytest.mark.parametrize("square", [3, 5, 7])
def test_no_other_square_counts_for_the_victim(name: str, square: int) -> None:
    """R-21: rose, stage, spyglass."""
    state = position(3, edition(name), at=[9, square + 3, 9], hands={0: "handcuffs train-2"})
    log = do(state, "play handcuffs 1")
    assert log == ["play 0 handcuffs 1", f"move 1 {square + 3} {square} handcuffs", "turn 1"]
    assert asked(state) == "1 turn"


# the purse


def test_the_purse_moves_one_two_or_three() -> None:
    """R-22: at choice, whatever the rose lies on."""
    state = position(3, at=15, hands={0: "purse coach-2"})
    assert choices(state) == ["play purse 16", "play purse 17", "play purse 18", "draw 1", "draw 2"]
    log = do(state, "play purse 17")
    assert log == ["play 0 purse 17", "move 0 15 17 card", "turn 1"]


@pytest.mark.parametrize(
    ("at", "to", "then"),
    [(1, 3, "0 rose"), (4, 5, "0 further"), (6, 7, "1 turn"), (57, 58, "1 turn"), (8, 10, "1 turn")],
)
def test_the_purses_square_counts(at: int, to: int, then: str) -> None:
    """R-22: like any other."""
    state = position(3, at=at, hands={0: "purse purse coach-2"}, orders="draw_1")
    log = do(state, f"play purse {to}")
    assert asked(state) == then
    assert len(events_of(log, "order")) == (to == 7)
    assert state.table.square[0] == (55 if to == 58 else to)


# the purse in defence


def test_a_purse_against_the_handcuffs() -> None:
    """R-23: no retreat, and no turn used up."""
    state = position(3, at=16, hands={0: "handcuffs train-2", 1: "purse train-1"})
    assert do(state, "play handcuffs 1") == ["play 0 handcuffs 1"]
    assert (asked(state), choices(state)) == ("1 defend", BACK)
    log = do(state, "purse")
    assert log == ["purse 1", "turn 1"]
    assert (state.table.square, hand(state, 1)) == ([16, 16, 16], "train-1")
    assert pile(state) == "handcuffs purse"
    assert choices(state) == ["play train-1 17", "draw 1", "draw 2"]


def test_a_purse_need_not_be_played() -> None:
    """R-23: the retreat goes on as without one."""
    state = position(3, at=[9, 63, 9], hands={0: "handcuffs train-2", 1: "purse train-1"})
    log = do(state, "play handcuffs 1", "retreat")
    assert log == ["play 0 handcuffs 1", "move 1 63 60 handcuffs", "move 1 60 57 square", "turn 1"]
    assert hand(state, 1) == "train-1 purse"


@pytest.mark.parametrize(
    ("card", "squares", "victim", "moved"),
    [
        ("self_back_4", [4, 9, 9], 0, 3),
        ("leader_back_3", [4, 9, 30], 2, 27),
        ("others_back_2", [4, 9, 30], 1, 7),
    ],
)
def test_a_purse_against_an_order_to_go_back(card: str, squares: list[int], victim: int, moved: int) -> None:
    """R-23: an event card's, of one's own or of another; asked within the turn."""
    hands = {0: "train-3 coach-1"}
    hands[victim] = f"{hands.get(victim, 'coach-2')} purse"
    for answer, purses in (("retreat", 1), ("purse", 0)):
        state = position(3, at=squares, hands=hands, orders=card)
        do(state, "play train-3 7")
        assert (asked(state), choices(state)) == (f"{victim} defend", BACK)
        before = state.table.square[victim]
        log = do(state, answer)
        assert state.table.square[victim] == (before if answer == "purse" else moved)
        assert events_of(log, "purse") == ([f"purse {victim}"] if answer == "purse" else [])
        assert hand(state, victim).split().count("purse") == purses
        assert asked(state) == "1 turn"


def test_no_purse_against_an_order_forward() -> None:
    """R-23: nobody is asked."""
    state = position(3, at=4, hands={0: "train-3 purse", 1: "purse", 2: "purse"}, orders="others_forward_2")
    log = do(state, "play train-3 7")
    assert events_of(log, "move")[1:] == ["move 1 4 6 order", "move 2 4 6 order"]


def test_who_holds_no_purse_is_not_asked() -> None:
    """R-24."""
    state = position(3, at=16, hands={0: "handcuffs train-2", 1: "rose handcuffs train-1", 2: "purse"})
    do(state, "play handcuffs 1")
    assert (asked(state), state.table.square) == ("1 turn", [16, 13, 16])


def test_who_stands_on_the_start_is_not_asked() -> None:
    """R-24: there is nothing to defend."""
    state = position(3, at=[4, 0, 0], hands={0: "handcuffs train-3", 1: "purse", 2: "purse"}, orders="others_back_2")
    clone = state.copy()
    do(clone, "play handcuffs 1")
    assert (asked(clone), hand(clone, 1)) == ("1 turn", "purse")
    do(state, "play train-3 7")
    assert (asked(state), hand(state, 2)) == ("1 turn", "purse")


def test_the_question_comes_before_the_pawn_moves() -> None:
    """R-24."""
    state = position(3, at=16, hands={0: "handcuffs train-2", 1: "purse"})
    do(state, "play handcuffs 1")
    assert state.table.square == [16, 16, 16]


def test_one_purse_stops_the_whole_retreat() -> None:
    """R-24: the three more of a handcuffs square included."""
    state = position(3, at=[9, 63, 9], hands={0: "handcuffs train-2", 1: "purse purse"})
    log = do(state, "play handcuffs 1", "purse")
    assert not events_of(log, "move")
    assert (hand(state, 1), asked(state)) == ("purse", "1 turn")


def test_no_purse_against_a_handcuffs_square() -> None:
    """R-24: neither one's own way there nor, once the pawn has moved, on the way back."""
    state = position(3, at=56, hands={0: "train-2 purse"})
    log = do(state, "play train-2 58")
    assert events_of(log, "move") == ["move 0 56 58 card", "move 0 58 55 square"]
    assert (asked(state), hand(state, 0)) == ("1 turn", "purse")


def test_no_purse_once_the_pawn_has_moved() -> None:
    """R-24: asked once a retreat."""
    state = position(3, at=[9, 61, 9], hands={0: "handcuffs train-2", 1: "purse"})
    log = do(state, "play handcuffs 1", "retreat")
    assert order(log, "move 1 61 58 handcuffs", "move 1 58 55 square", "turn 1") == [1, 2, 3]


@pytest.mark.parametrize("card", ["others_forward_2", "others_back_2"])
def test_no_purse_against_the_handcuffs_square_of_an_order(card: str) -> None:
    """R-24, R-74: an order forward asks nothing, one back asks before it and not again."""
    before = 56 if card == "others_forward_2" else 62
    state = position(3, edition("expert"), at=[4, before, 9], hands={0: "train-3 coach-1", 1: "purse"}, orders=card)
    log = do(state, "play train-3 7", "carry_out")
    if card == "others_back_2":
        assert asked(state) == "1 defend"
        log += do(state, "retreat")
        assert "move 1 60 57 square" in log
    else:
        assert "move 1 58 55 square" in log
    assert (asked(state), hand(state, 1)) == ("1 turn", "purse")


def test_a_purse_in_defence_never_brings_the_leap() -> None:
    """R-25: that player goes on with an empty hand."""
    state = position(3, at=16, hands={0: "handcuffs train-2", 1: "purse"})
    log = do(state, "play handcuffs 1", "purse")
    assert not events_of(log, "leap")
    assert (asked(state), hand(state, 1), choices(state)) == ("1 turn", "", ["draw 1", "draw 2"])


def test_nor_in_the_own_turn() -> None:
    """R-25: against one's own order."""
    state = position(3, at=4, hands={0: "train-3 purse"}, orders="self_back_2")
    log = do(state, "play train-3 7", "purse")
    assert log[-2:] == ["purse 0", "turn 1"]
    assert (state.table.square[0], hand(state, 0)) == (7, "")
