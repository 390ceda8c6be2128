"""What a turn is: R-11 to R-19."""

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

DRAWS = ["draw 1", "draw 2"]
TWELVE = "coach-1 coach-1 coach-2 coach-2 coach-2 coach-3 coach-3 coach-3 coach-4 coach-4 coach-5 elephant-1"
"""No one playable while the rose lies on the train."""
QUIET = {"rose": [], "stage": [], "stage_names": [], "spyglass": [], "handcuffs": []}


#


def test_draw_or_play() -> None:
    """R-11: one or two cards, or a card that may be played; not both."""
    state = position(3, hands={0: "train-4 coach-2"})
    assert choices(state) == ["play train-4 4", *DRAWS]
    clone = state.copy()
    do(clone, "play train-4 4")
    assert (asked(clone), hand(clone, 0)) == ("1 turn", "coach-2")
    do(state, "draw 1")
    assert (asked(state), hand(state, 0)) == ("1 turn", "coach-1 coach-2 train-4")


@pytest.mark.parametrize("count", [1, 2])
def test_a_draw_moves_nothing_and_ends_the_turn(count: int) -> None:
    """R-11, R-16: the number is said before the first card is seen; off the top, into the hand."""
    state = position(3, at=4, hands={0: "coach-2"}, deck="purse steamer-5")
    log = do(state, f"draw {count}")
    assert hand(state, 0) == ["coach-2 purse", "coach-2 steamer-5 purse"][count - 1]
    assert log[:3] == [f"announce 0 {count}", "draw 0 action", "[0] drew 0 action purse"]
    assert len(events_of(log, "draw")) == count
    assert log[-1] == "turn 1"
    assert state.table.square == [4, 4, 4]


def test_drawing_stays_legal_when_there_is_nothing_to_draw() -> None:
    """R-11: it amounts to a pass."""
    state = position(3, rest=2)
    assert choices(state) == DRAWS
    assert do(state, "draw 2") == ["announce 0 2", "turn 1"]
    assert hand(state, 0) == ""


#


@pytest.mark.parametrize("mode", ["coach", "train", "steamer", "elephant"])
def test_only_the_mode_on_which_the_rose_lies(mode: str) -> None:
    """R-12: and exactly the card's value."""
    cards = "coach-1 coach-4 elephant-1 elephant-4 steamer-1 steamer-4 train-1 train-4"
    state = position(3, rose=mode, at=15, hands={0: cards})
    assert choices(state) == [f"play {mode}-1 16", f"play {mode}-4 19", *DRAWS]
    log = do(state, f"play {mode}-1 16")
    assert log[:2] == [f"play 0 {mode}-1 16", "move 0 15 16 card"]
    assert state.table.square == [16, 15, 15]


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_a_travel_card_moves_its_value(value: int) -> None:
    """R-12."""
    state = position(3, edition(board=QUIET), at=30, hands={0: f"train-{value} coach-1"})
    do(state, f"play train-{value} {30 + value}")
    assert state.table.square == [30 + value, 30, 30]


@pytest.mark.parametrize("mode", ["coach", "train", "steamer", "elephant"])
def test_special_cards_can_always_be_played(mode: str) -> None:
    """R-12."""
    state = position(3, rose=mode, at=15, hands={0: "rose handcuffs purse"})
    assert choices(state)[:3] == ["play rose", "play handcuffs 1", "play purse 16"]


def test_equal_cards_are_offered_once() -> None:
    """R-12, R-19."""
    state = position(3, at=15, hands={0: "train-2 train-2 purse purse"})
    assert choices(state) == ["play train-2 17", "play purse 16", "play purse 17", "play purse 18", *DRAWS]


def test_any_number_of_pawns_may_share_a_square() -> None:
    """R-13: nobody is thrown out, whichever square it is."""
    state = position(4, at=[13, 16, 16, 16], hands={0: "train-3 coach-1"})
    log = do(state, "play train-3 16")
    assert events_of(log, "move") == ["move 0 13 16 card"]
    assert state.table.square == [16] * 4


#


def test_an_exchange_takes_twelve_cards() -> None:
    """R-14: beside drawing and playing."""
    assert choices(position(3, hands={0: TWELVE})) == [*DRAWS, "exchange"]
    eleven = TWELVE.removesuffix(" elephant-1")
    assert choices(position(3, hands={0: eleven})) == DRAWS
    state = position(3, hands={0: f"{TWELVE} train-2 rose"})
    assert choices(state) == ["play train-2 2", "play rose", *DRAWS, "exchange"]


def test_an_exchange() -> None:
    """R-14, R-16: the cards are chosen one after the other, then two drawn; the turn ends."""
    state = position(3, hands={0: TWELVE}, deck="purse rose steamer-1")
    log = do(state, "exchange")
    assert (log, asked(state)) == (["exchange 0"], "0 exchange")
    discards = ["coach-1", "coach-2", "coach-3", "coach-4", "coach-5", "elephant-1"]
    assert choices(state) == [f"discard {card}" for card in discards]
    log = do(state, "discard coach-5")
    assert log == ["discard 0 coach-5 exchange"]
    assert choices(state) == [f"discard {card}" for card in discards if card != "coach-5"]
    log = do(state, "discard coach-1")
    assert log[0] == "discard 0 coach-1 exchange"
    assert len(events_of(log, "draw")) == 2
    assert (asked(state), pile(state)) == ("1 turn", "coach-5 coach-1")
    assert hand(state, 0).endswith("coach-4 coach-4 elephant-1 rose purse")
    assert state.table.cards[0] == 12


def test_both_exchanged_cards_lie_on_the_pile_before_the_first_is_drawn() -> None:
    """R-14, R-15, R-17: with nothing else there they come back."""
    state = position(3, hands={0: TWELVE}, rest=2)
    log = do(state, "exchange", "discard coach-5", "discard elephant-1")
    assert "shuffle action 2" in log
    assert hand(state, 0).split() == TWELVE.split()
    assert pile(state) == ""


def test_there_is_no_upper_limit_to_a_hand() -> None:
    """R-14."""
    state = position(2, rest=0, deck="purse rose coach-1")
    assert state.table.cards[0] == 57
    do(state, "draw 2")
    assert (state.table.cards[0], asked(state)) == (59, "1 turn")


#


def test_the_deck_is_renewed_at_once_when_its_last_card_is_taken() -> None:
    """R-15: from all that was discarded."""
    state = position(3, hands={1: ""}, deck="coach-1", pile="train-1 train-2 rose", rest=2)
    log = do(state, "draw 1")
    assert order(log, "draw 0 action", "shuffle action 3") == [1, 3]
    assert (len(state.decks[0].order), pile(state)) == (3, "")
    assert sorted(state.decks[0].order) == codes("train-1 train-2 rose")


def test_a_draw_goes_on_with_the_renewed_deck() -> None:
    """R-15."""
    state = position(3, deck="coach-1", pile="rose rose", rest=2)
    log = do(state, "draw 2")
    assert hand(state, 0) == "coach-1 rose"
    assert order(log, "shuffle action 2", "[0] drew 0 action rose") == [3, 5]
    assert (len(state.decks[0].order), pile(state)) == (1, "")


def test_without_discards_the_deck_is_renewed_when_a_card_is_needed() -> None:
    """R-15: as soon as there is one; until then drawing draws nothing."""
    state = position(3, hands={1: "train-1 coach-1", 2: ""}, deck="coach-2", rest=0)
    assert not events_of(do(state, "draw 2"), "shuffle")
    assert (len(state.decks[0].order), state.table.cards[0]) == (0, 58)
    log = do(state, "play train-1 1")
    assert not events_of(log, "shuffle")
    assert (len(state.decks[0].order), pile(state)) == (0, "train-1")
    log = do(state, "draw 1")
    assert order(log, "shuffle action 1", "draw 2 action") == [1, 2]
    assert (hand(state, 2), pile(state)) == ("train-1", "")


def test_who_is_to_draw_more_than_there_is_draws_what_there_is() -> None:
    """R-15: also if the discards are part of it."""
    state = position(3, deck="coach-2", rest=2)
    do(state, "draw 2")
    assert (hand(state, 0), asked(state)) == ("coach-2", "1 turn")
    state = position(3, pile="coach-2", rest=2)
    do(state, "draw 2")
    assert hand(state, 0) == "coach-2"


#


@pytest.mark.parametrize(
    ("at", "play", "right"),
    [
        (0, "play train-1 1", False),  # plain
        (2, "play train-1 3", True),  # rose
        (4, "play train-1 5", True),  # stage
        (6, "play train-1 7", False),  # spyglass
        (57, "play train-1 58", False),  # handcuffs
        (0, "play handcuffs 1", False),
        (0, "play rose", True),
    ],
)
def test_what_allows_a_further_card(at: int, play: str, right: bool) -> None:
    """R-16: a rose card, a rose square, a stage; nothing else."""
    cards = "train-1 handcuffs rose purse purse"
    state = position(3, at=at, hands={0: cards}, orders="draw_1")
    do(state, play)
    if asked(state) == "0 rose":
        do(state, "rose train")
    assert asked(state) == ("0 further" if right else "1 turn")
    if right:
        assert {"play purse " + str(state.table.square[0] + 1), "end"} <= set(choices(state))


def test_a_further_card_is_optional() -> None:
    """R-16: declined, the turn ends without a draw."""
    state = position(3, at=2, hands={0: "train-1 train-2"})
    do(state, "play train-1 3", "rose train")
    assert choices(state) == ["play train-2 5", "end"]
    assert do(state, "end") == ["turn 1"]
    assert (hand(state, 0), state.table.square) == ("train-2", [3, 2, 2])


def test_it_is_one_card_which_may_again_allow_one() -> None:
    """R-16."""
    state = position(3, hands={0: "train-1 train-2 train-3 purse"})
    do(state, "play train-3 3", "rose train", "play train-2 5")
    assert asked(state) == "0 further"
    do(state, "play train-1 6")
    assert (asked(state), hand(state, 0)) == ("1 turn", "purse")


def test_a_rose_cards_further_card_is_used_up_by_any_card() -> None:
    """R-16: the handcuffs card after it allows none."""
    state = position(3, hands={0: "rose handcuffs purse"})
    do(state, "play rose", "rose train", "play handcuffs 1")
    assert (asked(state), hand(state, 0)) == ("1 turn", "purse")


def test_the_turn_ends_by_itself_when_no_card_may_be_played() -> None:
    """R-16, R-19: and nothing is drawn."""
    state = position(3, hands={0: "train-3 coach-1"})
    log = do(state, "play train-3 3", "rose steamer")
    assert log[-1] == "turn 1"
    assert not events_of(log, "draw")
    assert hand(state, 0) == "coach-1"


#


def test_a_card_lies_on_the_pile_before_its_order_is_carried_out() -> None:
    """R-17: so a reshuffle in the same turn includes it."""
    state = position(3, at=4, hands={0: "train-3 coach-1"}, deck="coach-2", rest=2, orders="draw_2")
    log = do(state, "play train-3 7")
    assert "shuffle action 1" in log
    assert hand(state, 0) == "coach-1 coach-2 train-3"


def test_discards_lie_face_up_the_last_on_top() -> None:
    """R-17: played and laid off cards alike."""
    state = position(3, at=[0, 65, 0], hands={0: "rose train-4 coach-1", 1: "coach-3 coach-4 coach-5"}, pile="purse")
    do(state, "play rose", "rose train", "play train-4 4", "discard coach-4")
    assert pile(state) == "purse rose train-4 coach-4"


#


@pytest.mark.parametrize("square", [3, 5, 7, 58])
def test_the_square_where_the_turn_begins_does_not_count(square: int) -> None:
    """R-18: not for drawing, nor when a card is played that moves nothing."""
    state = position(3, at=square, hands={0: "handcuffs coach-2", 1: ""}, orders="self_forward_1")
    assert asked(state) == "0 turn"
    assert choices(state) == ["play handcuffs 1", *DRAWS]
    log = do(state, "play handcuffs 1")
    assert events_of(log, "move") == [f"move 1 {square} {square - 3} handcuffs"]
    assert not events_of(log, "order")
    assert asked(state) == "1 turn"


def test_a_rose_card_on_a_stage_gives_no_draw() -> None:
    """R-18, R-20."""
    state = position(3, at=5, hands={0: "rose coach-2"})
    log = do(state, "play rose", "rose train")
    assert (log[-1], hand(state, 0)) == ("turn 1", "coach-2")


def test_an_order_that_moves_nothing_counts_no_square() -> None:
    """R-18, R-38: on the last square before the goal, which here is a rose square."""
    rules = edition("expert", board={"rose": [79]})
    state = position(3, rules, at=79, hands={0: "coach-1 coach-2"}, kept={0: "self_forward_2"})
    log = do(state, "event")
    assert not events_of(log, "move")
    assert asked(state) == "0 turn"


#


def test_nobody_is_asked_where_there_is_only_one_action() -> None:
    """R-19, R-54: three equal cards beyond the handcuffs squares, of which none may be played."""
    state = position(3, at=[0, 65, 0], hands={1: "coach-2 coach-2 coach-2"})
    log = do(state, "draw 1")
    assert log[-2:] == ["discard 1 coach-2 turn", "turn 2"]
    assert (asked(state), hand(state, 1)) == ("2 turn", "coach-2 coach-2")
