"""The rules for experienced travellers: R-70 to R-76."""

from __future__ import annotations

import pytest

from tests.engine.ravensburger.positions import (
    asked,
    choices,
    do,
    edition,
    events_of,
    kept,
    order,
    pile,
    position,
)

DRAWS = ["draw 1", "draw 2"]
ELEVEN = "coach-1 coach-1 coach-2 coach-2 coach-2 coach-3 coach-3 coach-3 coach-4 coach-4 coach-5"


def expert(players: int = 3, **more):
    """The turn of seat 0 begins, in the expert edition."""
    return position(players, edition("expert", **more.pop("changed", {})), **more)


def event(card: str, answer: str = "carry_out", cards: str = "coach-1 coach-2", **more):
    """Seat 0 has come from 4 to the spyglass at 7, drawn `card` and answered; the position and what happened."""
    hands = {0: f"train-3 {cards}"} | more.pop("hands", {})
    state = expert(hands=hands, orders=card, at=more.pop("at", 4), **more)
    return state, do(state, "play train-3 7", answer)


#


def test_forwards_or_backwards() -> None:
    """R-70: in the expert edition only; not the purse."""
    cards = {0: "train-2 train-5 purse"}
    assert choices(expert(at=15, hands=cards)) == [
        "play train-2 17", "play train-2 13", "play train-5 20", "play train-5 10",
        "play purse 16", "play purse 17", "play purse 18", *DRAWS,
    ]  # fmt: skip
    assert choices(position(3, at=15, hands=cards))[:2] == ["play train-2 17", "play train-5 20"]
    state = expert(at=15, hands=cards)
    log = do(state, "play train-5 10")
    assert log[:2] == ["play 0 train-5 10", "move 0 15 10 card"]


@pytest.mark.parametrize(("at", "back"), [(0, False), (2, False), (3, True), (4, True)])
def test_backwards_only_with_as_many_squares_behind(at: int, back: bool) -> None:
    """R-70, R-12: a card is never shortened; the start itself may be reached."""
    offered = choices(expert(at=at, hands={0: "train-3 coach-1"}))
    assert offered == [f"play train-3 {at + 3}", *([f"play train-3 {at - 3}"] if back else []), *DRAWS]


@pytest.mark.parametrize(
    ("at", "to", "then"), [(5, 3, "0 rose"), (7, 5, "0 further"), (9, 7, "0 event"), (60, 58, "1 turn")]
)
def test_the_square_counts_in_full_backwards(at: int, to: int, then: str) -> None:
    """R-70."""
    state = expert(at=at, hands={0: "train-2 coach-1"})
    do(state, f"play train-2 {to}")
    assert asked(state) == then
    assert state.table.square[0] == (55 if to == 58 else to)


def test_backwards_where_forwards_is_forbidden() -> None:
    """R-70, R-71: and where nothing else may be played it counts as a card that fits."""
    state = expert(at=78, hands={0: "train-2 coach-1 coach-2"})
    assert choices(state)[0] == "play train-2 76"
    assert "play train-2 80" not in choices(state)


def test_the_leap_goes_forwards_only() -> None:
    """R-70."""
    state = expert(at=16, hands={0: "train-2"})
    do(state, "play train-2 18")
    assert choices(state) == ["leap", "stay"]
    do(state, "leap")
    assert state.table.square[0] == 23


#


@pytest.mark.parametrize(("cards", "allowed"), [("train-2", True), ("train-2 coach-1", False)])
def test_the_goal_takes_an_empty_hand(cards: str, allowed: bool) -> None:
    """R-71: counted after the play, as in R-51."""
    assert ("play train-2 80" in choices(expert(at=78, hands={0: cards}))) == allowed


#


def test_a_drawn_event_card_may_be_carried_out_or_kept() -> None:
    """R-72: the others see neither which it is, nor, before that, that anybody is asked."""
    state = expert(at=4, hands={0: "train-3 coach-1"}, orders="self_forward_1")
    log = do(state, "play train-3 7")
    assert log[2:] == ["draw 0 event", "[0] drew 0 event self_forward_1"]
    assert (asked(state), choices(state)) == ("0 event", ["carry_out", "keep"])
    clone = state.copy()
    assert do(clone, "carry_out") == ["order 0 self_forward_1 False", "move 0 7 8 order", "turn 1"]
    assert (kept(clone, 0), pile(clone, "event")) == (None, "self_forward_1")
    assert do(state, "keep") == ["keep 0", "turn 1"]
    assert (kept(state, 0), pile(state, "event"), state.table.square[0]) == ("self_forward_1", "", 7)


def test_in_the_standard_edition_nobody_is_asked() -> None:
    """R-72."""
    state = position(3, at=4, hands={0: "train-3 coach-1"}, orders="self_forward_1")
    assert "order 0 self_forward_1 False" in do(state, "play train-3 7")


@pytest.mark.parametrize("first", ["event", "play train-2 10"])
def test_a_kept_card_is_played_before_or_after_an_action_card(first: str) -> None:
    """R-72, R-75: in a later own turn."""
    state = expert(at=8, hands={0: "train-2 coach-1"}, kept={0: "self_forward_3"})
    assert choices(state) == ["play train-2 10", "play train-2 6", "event", *DRAWS]
    log = do(state, first)
    log += do(state, "event" if first != "event" else "play train-2 13")
    assert "order 0 self_forward_3 True" in log
    assert (kept(state, 0), pile(state, "event"), state.table.square[0]) == (None, "self_forward_3", 13)
    assert asked(state) == "1 turn"


#


def test_who_keeps_one_must_carry_out_another_at_once() -> None:
    """R-73: unasked, and all see it."""
    state = expert(at=4, hands={0: "train-3 coach-1"}, kept={0: "draw_1"}, orders="self_forward_1")
    log = do(state, "play train-3 7")
    assert log[2:] == ["draw 0 event", "order 0 self_forward_1 False", "move 0 7 8 order"]
    assert (kept(state, 0), choices(state)) == ("draw_1", ["event", "end"])


def test_a_kept_card_goes_only_by_being_carried_out() -> None:
    """R-73: no discard and no exchange takes it."""
    state = expert(at=70, hands={0: "coach-1 coach-2 coach-3"}, kept={0: "draw_1"})
    assert "discard draw_1" not in choices(state)
    state = expert(hands={0: f"{ELEVEN} purse"}, kept={0: "draw_1"})
    do(state, "exchange")
    assert set(choices(state)) == {f"discard {card}" for card in (*ELEVEN.split(), "purse")}


def test_the_goal_is_closed_while_a_card_is_kept() -> None:
    """R-73: as with too many cards; the pawn may go before the goal."""
    state = expert(at=78, hands={0: "purse"}, kept={0: "place_rose"})
    assert choices(state) == ["play purse 79", "event", *DRAWS]
    do(state, "event", "rose coach")
    assert choices(state) == ["play purse 79", "play purse 80", *DRAWS]


def test_the_goal_is_closed_to_an_order_while_another_is_kept() -> None:
    """R-73, R-38."""
    rules = {"board": {"spyglass": [76]}}
    state = expert(at=73, hands={0: "train-3"}, kept={0: "draw_1"}, orders="self_forward_5", changed=rules)
    log = do(state, "play train-3 76")
    assert "move 0 76 79 order" in log
    assert asked(state) == "0 leap"


def test_the_kept_card_itself_may_carry_the_pawn_into_the_goal() -> None:
    """R-73, R-38: with an empty hand."""
    state = expert(at=77, kept={0: "self_forward_4"})
    assert do(state, "event")[-2:] == ["home 0", "over [1, 2, 2]"]
    state = expert(at=77, hands={0: "coach-1"}, kept={0: "self_forward_4"})
    do(state, "event")
    assert state.table.square[0] == 79


#


@pytest.mark.parametrize(
    ("card", "then", "square"),
    [
        ("self_forward_2", "0 rose", 9),
        ("self_back_2", "0 further", 5),
        ("self_forward_5", "0 event", 12),
        ("self_forward_1", "1 turn", 5),
    ],
)
def test_a_square_reached_by_an_order_counts_in_full(card: str, then: str, square: int) -> None:
    """R-74: rose, stage (here one fits not, so a draw is offered), spyglass, handcuffs."""
    changed = {"board": {"handcuffs": [8, 60, 62]}}
    state, _ = event(card, changed=changed)
    assert (asked(state), state.table.square[0]) == (then, square)
    if then == "0 further":
        assert choices(state) == [*DRAWS, "end"]


def test_the_own_pawn_as_the_leader() -> None:
    """R-74: counts in full too."""
    rules = {"events": {"leader_forward_2": 1}}
    state, _ = event("leader_forward_2", changed=rules, at=[4, 7, 2])
    assert (asked(state), state.table.square) == ("0 rose", [9, 9, 2])


@pytest.mark.parametrize("kind", ["rose", "stage", "spyglass", "handcuffs"])
@pytest.mark.parametrize("card", ["others_forward_2", "others_back_2"])
def test_for_pawns_of_others_only_handcuffs_squares_count(card: str, kind: str) -> None:
    """R-74: three back from them."""
    square = 32 if card == "others_forward_2" else 28
    board = {"rose": [], "stage": [], "stage_names": ["X"] * (kind == "stage"), "spyglass": [7], "handcuffs": []}
    board[kind] = [*board[kind], square]  # type: ignore[misc]
    state, log = event(card, changed={"board": board}, at=[4, 30, 20])
    assert (asked(state), state.table.square[1]) == ("1 turn", square - 3 if kind == "handcuffs" else square)
    assert len(events_of(log, "order")) == 1


def test_what_an_order_reaches_before_a_leap() -> None:
    """R-74, R-40: spyglass and handcuffs count before it, rose and stage do not."""
    state, _ = event("self_forward_2", cards="")
    assert (asked(state), state.table.square[0]) == ("0 leap", 9)
    do(state, "leap")
    assert (state.table.square[0], asked(state)) == (14, "1 turn")
    state, log = event("self_forward_5", cards="")
    assert (asked(state), state.table.square[0]) == ("0 event", 12)
    state, log = event("self_forward_1", cards="", changed={"board": {"handcuffs": [8, 60, 62]}})
    assert events_of(log, "move")[-1] == "move 0 8 5 square"
    assert asked(state) == "0 leap"


def test_a_purse_that_stops_an_order_counts_no_square() -> None:
    """R-74, R-18, R-23."""
    state, _ = event("self_back_2", cards="purse coach-1")
    assert asked(state) == "0 defend"
    assert do(state, "purse") == ["purse 0", "turn 1"]


#


def test_played_first_the_turn_follows_unchanged() -> None:
    """R-75: it does not use up the turn."""
    state = expert(at=15, hands={0: "train-2 coach-1"}, kept={0: "others_forward_1"})
    log = do(state, "event")
    assert log == ["order 0 others_forward_1 True", "move 1 15 16 order", "move 2 15 16 order"]
    assert (asked(state), choices(state)) == ("0 turn", ["play train-2 17", "play train-2 13", *DRAWS])


def test_played_first_onto_a_rose_square() -> None:
    """R-75, R-74: the rose is placed, then the turn's choice is made."""
    state = expert(at=15, hands={0: "coach-2 coach-1"}, kept={0: "self_forward_4"})
    do(state, "event", "rose coach")
    assert (asked(state), choices(state)) == ("0 turn", [
        "play coach-1 20", "play coach-1 18", "play coach-2 21", "play coach-2 17", *DRAWS,
    ])  # fmt: skip


def test_played_between_two_cards_the_right_stays() -> None:
    """R-75."""
    state = expert(at=15, hands={0: "rose train-2 coach-1"}, kept={0: "others_forward_1"})
    do(state, "play rose", "rose train")
    assert choices(state) == ["play train-2 17", "play train-2 13", "event", "end"]
    do(state, "event")
    assert (asked(state), choices(state)) == ("0 further", ["play train-2 17", "play train-2 13", "end"])


def test_played_first_its_square_allows_a_further_card() -> None:
    """R-75, R-74: beside the turn's own card; a rose square here. After a first card R-11 offers no draw any more."""
    state = expert(at=15, hands={0: "coach-2 coach-1 train-1"}, kept={0: "self_forward_4"})
    do(state, "event", "rose coach", "play coach-2 21")
    assert (asked(state), choices(state)) == ("0 further", ["play coach-1 22", "play coach-1 20", "end"])
    do(state, "play coach-1 20")
    assert asked(state) == "1 turn"


def test_played_first_its_stage_allows_a_draw_where_no_card_fits() -> None:
    """R-75, R-33: after the turn's own card; a draw as the turn's own choice ends it."""
    state = expert(at=13, hands={0: "train-2 coach-1"}, kept={0: "self_forward_2"})
    do(state, "event")
    assert (asked(state), choices(state)) == ("0 turn", ["play train-2 17", "play train-2 13", *DRAWS])
    clone = state.copy()
    assert do(clone, "draw 1")[-1] == "turn 1"
    do(state, "play train-2 17")
    assert (asked(state), choices(state)) == ("0 further", [*DRAWS, "end"])
    do(state, "draw 2")
    assert (asked(state), len(state.hands[0].cards)) == ("1 turn", 3)


def test_rights_to_further_cards_add_up() -> None:
    """R-75: one from the event's square, one from the turn's own card."""
    state = expert(at=15, hands={0: "rose train-2 train-1 train-3 coach-1"}, kept={0: "self_forward_4"})
    do(state, "play rose", "rose train", "event", "rose train", "play train-2 21", "play train-1 20")
    assert (asked(state), state.table.square[0]) == ("1 turn", 20)


def test_a_stages_right_is_used_last() -> None:
    """R-75, R-33: the draw that it allows likewise stays."""
    state = expert(at=13, hands={0: "rose train-2 coach-1"}, kept={0: "self_forward_2"})
    do(state, "play rose", "rose train", "event", "play train-2 17")
    assert (asked(state), choices(state)) == ("0 further", [*DRAWS, "end"])


def test_a_leap_leaves_no_right_of_an_event_before_it() -> None:
    """R-75, R-44: after it only the square that it reached counts; declined, the right stays."""
    state = expert(at=14, hands={0: "train-3"}, kept={0: "self_forward_1"})
    do(state, "event", "play train-3 18")
    clone = state.copy()
    do(clone, "leap")
    assert (asked(clone), clone.table.square[0]) == ("1 turn", 23)
    do(state, "stay")
    assert (asked(state), choices(state)) == ("0 further", [*DRAWS, "end"])


def test_played_after_the_last_card() -> None:
    """R-75: its square may give a further card; it is optional."""
    state = expert(at=15, hands={0: "train-2 coach-1"}, kept={0: "self_forward_2"})
    do(state, "play train-2 17")
    assert (asked(state), choices(state)) == ("0 further", ["event", "end"])
    clone = state.copy()
    assert do(clone, "end") == ["turn 1"]
    assert kept(clone, 0) == "self_forward_2"
    do(state, "event")
    assert asked(state) == "0 rose"
    do(state, "rose coach")
    assert choices(state) == ["play coach-1 20", "play coach-1 18", "end"]


def test_not_in_the_turn_in_which_it_was_drawn() -> None:
    """R-75: not even with a further card to come; in the next own turn."""
    state = expert(2, at=8, hands={0: "train-2"}, orders="draw_1", changed={"board": {"spyglass": [10]}})
    do(state, "play train-2 10", "keep", "leap")
    assert (asked(state), state.table.square[0]) == ("0 further", 15)
    assert "event" not in choices(state)
    do(state, "end", "draw 1")
    assert (asked(state), "event" in choices(state)) == ("0 turn", True)


def test_not_after_a_draw_an_exchange_or_a_discard() -> None:
    """R-75: they end the turn."""
    for at, cards, plays in (
        (0, "coach-1", ["draw 1"]),
        (0, f"{ELEVEN} purse", ["exchange", "discard coach-1", "discard purse"]),
        (70, "coach-1 coach-2 coach-3", ["discard coach-1"]),
    ):
        state = expert(at=at, hands={0: cards}, kept={0: "draw_1"})
        do(state, *plays)
        assert (asked(state), kept(state, 0)) == ("1 turn", "draw_1")


def test_a_kept_card_is_asked_about_after_the_leap() -> None:
    """R-75, R-41: the leap first."""
    state = expert(at=8, hands={0: "train-2"}, kept={0: "draw_1"})
    do(state, "play train-2 10")
    assert asked(state) == "0 leap"
    log = do(state, "stay", "event")
    assert order(log, "leap 0 False", "order 0 draw_1 True", "turn 1") == [0, 1, 4]


#


def test_a_kept_event_card_is_no_card_in_hand() -> None:
    """R-76: not for the exchange, the leap, the last stretch; nor is it counted."""
    state = expert(hands={0: ELEVEN}, kept={0: "draw_1"})
    assert choices(state) == ["event", *DRAWS]
    assert state.view(None)["cards"] == [11, 0, 0]
    state = expert(at=8, hands={0: "train-2"}, kept={0: "draw_1"})
    do(state, "play train-2 10")
    assert asked(state) == "0 leap"
    state = expert(at=70, hands={0: "coach-1 coach-2"}, kept={0: "draw_1"})
    assert choices(state) == ["event", *DRAWS]


def test_nor_is_it_counted_at_the_goal() -> None:
    """R-76, R-51: with one card in hand the card itself carries the pawn in, where one is allowed."""
    state = expert(at=77, hands={0: "coach-1"}, kept={0: "self_forward_4"}, changed={"goal_hand_limit": 1})
    assert do(state, "event")[-2:] == ["home 0", "over [1, 2, 2]"]
