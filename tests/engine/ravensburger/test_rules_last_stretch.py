"""The last stretch, the end of the game and the substitute: R-50 to R-55."""

from __future__ import annotations

import pytest

from tests.engine.ravensburger.positions import asked, choices, do, edition, events_of, hand, lines, pile, position

DRAWS = ["draw 1", "draw 2"]
TWELVE = "coach-1 coach-1 coach-2 coach-2 coach-2 coach-3 coach-3 coach-3 coach-4 coach-4 coach-5 elephant-1"


def caretake(state) -> list[str]:
    """The substitute's action; what happened."""
    return lines(state.play(state.substitute_action()))


def chosen(state) -> str:
    return choices(state)[state.substitute_action()]


#


def test_beyond_the_third_handcuffs_square() -> None:
    """R-50: with more than two cards, play one or discard one."""
    state = position(3, at=65, hands={0: "train-1 coach-1 coach-1 purse"})
    assert choices(state) == [
        "play train-1 66", "play purse 66", "play purse 67", "play purse 68",
        "discard coach-1", "discard train-1", "discard purse",
    ]  # fmt: skip
    assert do(state, "discard purse") == ["discard 0 purse turn", "turn 1"]
    assert (hand(state, 0), pile(state), state.table.square[0]) == ("coach-1 coach-1 train-1", "purse", 65)


@pytest.mark.parametrize(("at", "cards", "ordinary"), [
    (65, "coach-1 coach-2", True), (65, "coach-1 coach-2 coach-3", False), (63, "coach-1 coach-2 coach-3", False),
    (62, "coach-1 coach-2 coach-3", True), (61, "coach-1 coach-2 coach-3", True), (79, TWELVE, False),
])  # fmt: skip
def test_where_and_when_the_ordinary_rules_hold(at: int, cards: str, ordinary: bool) -> None:
    """R-50: with two or fewer, and up to the third handcuffs square itself."""
    state = position(3, at=at, hands={0: cards})
    assert choices(state) == (DRAWS if ordinary else [f"discard {card}" for card in dict.fromkeys(cards.split())])


def test_a_board_with_other_handcuffs_squares() -> None:
    """R-50: the last of them is what counts."""
    for at, ordinary in ((41, True), (42, False)):
        state = position(3, edition(board={"handcuffs": [20, 30, 41]}), at=at, hands={0: "coach-1 coach-2 coach-3"})
        assert (choices(state) == DRAWS) == ordinary


#


@pytest.mark.parametrize(("cards", "allowed"), [("", True), ("coach-1", True), ("coach-1 coach-2", False)])
def test_the_goal_takes_fewer_than_two_cards(cards: str, allowed: bool) -> None:
    """R-51: counted after the play that reaches it; otherwise that play is not legal."""
    state = position(3, at=78, hands={0: f"train-2 {cards}"})
    assert ("play train-2 80" in choices(state)) == allowed
    state = position(3, at=78, hands={0: f"purse {cards}"})
    assert ("play purse 80" in choices(state)) == allowed
    assert "play purse 79" in choices(state)


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_the_goals_limit_is_a_parameter(limit: int) -> None:
    """R-51."""
    for left in range(5):
        cards = " ".join(["train-2", *["coach-1", "coach-2", "coach-3", "coach-4"][:left]])
        state = position(3, edition(goal_hand_limit=limit), at=78, hands={0: cards})
        assert ("play train-2 80" in choices(state)) == (left <= limit)


def test_down_to_two_then_home_with_the_other() -> None:
    """R-50, R-51: what it takes."""
    state = position(2, at=[78, 0], hands={0: "train-2 coach-1 coach-2"})
    assert choices(state) == ["discard coach-1", "discard coach-2", "discard train-2"]
    do(state, "discard coach-1", "draw 1")
    assert choices(state) == ["play train-2 80", *DRAWS]
    log = do(state, "play train-2 80")
    assert log[-2:] == ["home 0", "over [1, 2]"]


#


def test_the_first_pawn_in_london_wins() -> None:
    """R-52: the game ends there; the others by square, equal squares tie."""
    state = position(5, turn=2, at=[70, 10, 79, 70, 0], hands={2: "train-1"})
    log = do(state, "play train-1 80")
    assert log == ["play 2 train-1 80", "move 2 79 80 card", "home 2", "over [2, 4, 1, 2, 5]"]
    assert (state.to_act, choices(state)) == (None, [])
    assert state.ranks() == [2, 4, 1, 2, 5]
    assert state.scores()[2] == {"square": 80, "arrived": 1, "cards": 0}
    assert state.scores()[0] == {"square": 70, "arrived": 0, "cards": 0}


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_game_ends_after_so_many_rounds(players: int) -> None:
    """R-53: every player has had a turn in the last one; then all are ranked by square."""
    squares = [9, 12, 9, 0, 30, 30][:players]
    state = position(players, edition(max_rounds=3), turn=1, first=1, round_=2, at=squares)
    log = []
    for _ in range(2 * players):
        assert state.to_act is not None
        log += do(state, "draw 1")
    ranks = [1 + sum(other > own for other in squares) for own in squares]
    assert (state.to_act, log[-1]) == (None, f"over {ranks}")
    assert events_of(log, "round") == ["round 3"]
    assert not events_of(log, "home")


def test_two_hundred_rounds_unless_the_edition_says_otherwise() -> None:
    """R-53."""
    assert {edition(name)["parameters"]["max_rounds"] for name in ("standard", "expert")} == {200}


#


def test_sent_back_behind_and_under_the_ordinary_rules_again() -> None:
    """R-54: judged by the square when the turn begins."""
    state = position(3, at=[70, 64, 9], hands={0: "handcuffs coach-5", 1: "coach-1 coach-2 coach-3"})
    do(state, "play handcuffs 1")
    assert (state.table.square[1], choices(state)) == (61, DRAWS)


def test_within_a_turn_the_other_side_is_judged_by_where_it_began() -> None:
    """R-54: who comes beyond may still draw on a stage, and has the ordinary turn's choices no more."""
    state = position(3, at=63, hands={0: "train-1 coach-1 coach-2 coach-3"})
    do(state, "play train-1 64")
    assert choices(state) == ["draw 1", "draw 2", "end"]
    do(state, "draw 2")
    assert state.table.cards[0] == 5


@pytest.mark.parametrize(
    ("at", "card", "to", "ordinary"), [(61, "self_forward_4", 65, True), (65, "self_back_4", 61, False)]
)
def test_an_event_card_played_first_changes_nothing(at: int, card: str, to: int, ordinary: bool) -> None:
    """R-54, R-75: of which rules the turn is under."""
    state = position(3, edition("expert"), at=at, hands={0: "coach-1 coach-2 coach-3"}, kept={0: card})
    do(state, "event")
    assert state.table.square[0] == to
    assert choices(state) == (DRAWS if ordinary else ["discard coach-1", "discard coach-2", "discard coach-3"])


def test_no_draw_and_no_exchange_beyond() -> None:
    """R-54: with more than two cards the discard stands for both."""
    state = position(3, at=70, hands={0: f"{TWELVE} train-2"})
    assert {choice.split()[0] for choice in choices(state)} == {"play", "discard"}


def test_squares_events_and_the_leap_still_give_cards() -> None:
    """R-54."""
    state = position(3, at=67, hands={0: "train-2 coach-1 coach-2"}, orders="draw_2")
    do(state, "play train-2 69")
    assert state.table.cards[0] == 4
    state = position(3, at=70, hands={0: "train-2"})
    do(state, "play train-2 72", "leap")
    assert state.table.cards[0] == 5


def test_a_kept_event_card_may_be_played_beyond() -> None:
    """R-54, R-75: nothing else is replaced."""
    state = position(3, edition("expert"), at=70, hands={0: "coach-1 coach-2 coach-3"}, kept={0: "draw_1"})
    assert choices(state) == ["event", "discard coach-1", "discard coach-2", "discard coach-3"]


def test_the_discard_is_the_only_choice_without_a_card_to_play() -> None:
    """R-54: asked is which; it ends the turn."""
    state = position(3, at=70, hands={0: "coach-1 coach-2 coach-3"})
    assert choices(state) == ["discard coach-1", "discard coach-2", "discard coach-3"]
    do(state, "discard coach-2")
    assert asked(state) == "1 turn"


#


def test_a_retired_seat_stays_in_the_game() -> None:
    """R-55: it is still asked, and retires once."""
    state = position(3)
    assert lines(state.retire(1)) == ["retired 1"]
    assert state.retire(1) == []
    assert state.view(0)["retired"] == [1]
    do(state, "draw 1")
    assert asked(state) == "1 turn"


@pytest.mark.parametrize(
    ("cards", "at", "plays"),
    [
        ("train-2 train-4 coach-1", 10, "play train-2 12"),
        ("train-2 purse", 10, "play purse 11"),
        ("train-4 rose handcuffs", 10, "play train-4 14"),
        ("rose handcuffs coach-1", 10, "draw 1"),
        ("coach-1", 10, "draw 1"),
        (TWELVE, 10, "exchange"),
        (f"{TWELVE} train-5", 10, "play train-5 15"),
        ("train-2", 78, "draw 1"),
        ("purse", 78, "play purse 79"),
        ("train-2 coach-1 coach-2", 78, "discard coach-1"),
        ("train-2 coach-1 coach-2", 70, "play train-2 72"),
    ],
)
@pytest.mark.parametrize("name", ["standard", "expert"])
def test_what_the_substitute_does_in_its_turn(name: str, cards: str, at: int, plays: str) -> None:
    """R-55: the lowest forward travel card or purse that does not reach the goal, else exchange, draw 1, discard."""
    assert chosen(position(3, edition(name), at=at, hands={0: cards})) == plays


@pytest.mark.parametrize("mode", ["coach", "train", "steamer", "elephant"])
def test_the_substitute_leaves_the_rose_where_it_lies(mode: str) -> None:
    """R-55."""
    state = position(3, rose=mode, at=2, hands={0: f"{mode}-1 coach-5 rose"})
    do(state, f"play {mode}-1 3")
    assert (asked(state), chosen(state)) == ("0 rose", f"rose {mode}")


def test_the_substitute_plays_on_where_it_may() -> None:
    """R-55: a further card by the same rule; drawing on a stage where none fits."""
    state = position(3, at=4, hands={0: "train-1 train-2 train-3"})
    log = caretake(state) + caretake(state)
    assert events_of(log, "move")[:2] == ["move 0 4 5 card", "move 0 5 7 card"]
    state = position(3, at=4, hands={0: "train-1 coach-1"})
    caretake(state)
    assert chosen(state) == "draw 1"


def test_the_substitute_declines_everything_else() -> None:
    """R-55: further special cards, the leap, a purse in defence, keeping or playing an event card."""
    state = position(3, at=4, hands={0: "train-1 rose handcuffs"})
    caretake(state)
    assert (asked(state), chosen(state)) == ("0 further", "end")
    state = position(3, at=4, hands={0: "train-2"})
    caretake(state)
    assert (asked(state), chosen(state)) == ("0 leap", "stay")
    state = position(3, at=4, hands={0: "handcuffs rose", 1: "purse"})
    do(state, "play handcuffs 1")
    assert (asked(state), chosen(state)) == ("1 defend", "retreat")
    state = position(3, edition("expert"), at=4, hands={0: "train-3 coach-1"}, orders="self_forward_1")
    caretake(state)
    assert (asked(state), chosen(state)) == ("0 event", "carry_out")
    state = position(3, edition("expert"), at=4, hands={0: "coach-1"}, kept={0: "self_forward_1"})
    assert (choices(state), chosen(state)) == (["event", *DRAWS], "draw 1")


def test_plays_come_before_draws() -> None:
    """R-55: the stable order of actions."""
    state = position(3, edition("expert"), at=10, hands={0: f"{TWELVE} train-2 rose"}, kept={0: "draw_1"})
    assert choices(state) == ["play train-2 12", "play train-2 8", "play rose", "event", *DRAWS, "exchange"]
