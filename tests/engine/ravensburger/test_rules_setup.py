"""What is in the box and how a game begins: R-01 to R-05, R-10."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.chance import Seeded
from engine.ravensburger import RULES
from engine.ravensburger.decision import RavensburgerState
from tests.engine.doubles import Scripted
from tests.engine.ravensburger.checks import COUNTS, EDITIONS, action_cards, event_cards
from tests.engine.ravensburger.positions import asked, choices, do, edition, events_of, lines, named, position
from tests.marking import mostly_slow

ACTION_CARDS = {
    f"{mode}-{value}": count
    for mode in ("coach", "train", "steamer", "elephant")
    for value, count in ((1, 2), (2, 3), (3, 3), (4, 2), (5, 1))
} | {"rose": 6, "handcuffs": 5, "purse": 5}
EVENT_CARDS = {
    "self_forward_1": 1, "self_forward_2": 2, "self_forward_3": 3, "self_forward_4": 2, "self_forward_5": 2,
    "self_back_1": 2, "self_back_2": 2, "self_back_3": 2, "self_back_4": 2, "leader_back_3": 3, "others_back_1": 1,
    "others_back_2": 2, "others_forward_1": 1, "others_forward_2": 1, "draw_1": 3, "draw_2": 3, "lay_off_1": 3,
    "place_rose": 5,
}  # fmt: skip
BOARD = {
    "goal": 80,
    "rose": [3, 9, 19, 26, 33, 40, 47, 55, 67, 74],
    "stage": [5, 15, 22, 29, 36, 43, 50, 64, 71, 77],
    "stage_names": ["Paris", "Brindisi", "Suez", "Bombay", "Calcutta", "Hong Kong", "Yokohama", "San Francisco",
                    "New York", "Liverpool"],
    "spyglass": [7, 12, 24, 31, 38, 45, 53, 69],
    "handcuffs": [58, 60, 62],
}  # fmt: skip


def begin(players: int, name: str = "standard", chance: int = 0) -> RavensburgerState:
    return RULES.start(players, edition(name), Seeded(bytes([chance]) * 16))


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("name", EDITIONS)
def test_the_action_cards(name: str, players: int) -> None:
    """R-01: sixty, eleven travel cards of each mode and sixteen special ones."""
    state = begin(players, name)
    assert {named([card]): count for card, count in action_cards(state).items()} == ACTION_CARDS
    assert sum(ACTION_CARDS.values()) == 60
    assert len(state.decks[0].order) == 60


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("name", EDITIONS)
def test_the_event_cards(name: str, players: int) -> None:
    """R-03: forty."""
    state = begin(players, name)
    assert {state.edition.event_names[card]: n for card, n in event_cards(state).items()} == EVENT_CARDS
    assert len(state.decks[1].order) == sum(EVENT_CARDS.values()) == 40


def test_what_the_event_cards_order() -> None:
    """R-03: the data say effect, squares (back: negative) and cards, as the name does."""
    rows = {row["card"]: (row["effect"], row["steps"], row["cards"]) for row in edition()["events"]}
    assert rows["self_forward_4"] == ("self", 4, 0)
    assert rows["leader_back_3"] == ("leader", -3, 0)
    assert rows["others_back_2"] == ("others", -2, 0)
    assert (rows["draw_2"], rows["lay_off_1"]) == (("draw", 0, 2), ("lay_off", 0, 1))
    assert rows["place_rose"] == ("rose", 0, 0)


@pytest.mark.parametrize("name", EDITIONS)
def test_the_track(name: str) -> None:
    """R-02: the goal, the special squares and the stages' names."""
    assert edition(name)["board"] == BOARD
    assert len(BOARD["handcuffs"]) == 3  # type: ignore[arg-type]


def test_it_is_said_what_is_reconstructed() -> None:
    """R-01, R-02, R-03: the data say of each datum what the document states of it."""
    sources = {parameter.name: parameter.source for parameter in RULES.parameters("standard")}
    for name in (
        "coach cards",
        "rose cards",
        "goal",
        "rose squares",
        "stage names",
        "event draw_1",
        "event place_rose",
    ):
        assert "reconstructed" in sources[name], name
    for name in ("train cards", "rose squares", "stage squares", "handcuffs squares", "goal_hand_limit"):
        assert "stated" in sources[name], name


def test_one_rose_and_a_pawn_for_each_player() -> None:
    """R-04: two to six players."""
    for players in COUNTS:
        view = begin(players).view(None)
        assert (len(view["square"]), view["rose"]) == (players, None)
    for players in (1, 7):
        with pytest.raises(ValueError, match=f"2 to 6 players, not {players}"):
            begin(players)


def test_a_board_without_handcuffs_squares() -> None:
    """R-05, R-50: nobody is ever beyond them."""
    state = position(2, edition(board={"handcuffs": []}), at=79, hands={0: "coach-1 coach-2 coach-3"})
    assert choices(state) == ["draw 1", "draw 2"]
    state = position(2, at=79, hands={0: "coach-1 coach-2 coach-3"})
    assert choices(state) == ["discard coach-1", "discard coach-2", "discard coach-3"]
    do(state, "discard coach-1")
    assert state.edition.board.last_handcuffs == 62


@pytest.mark.parametrize("players", COUNTS)
def test_the_start_player_places_the_rose_before_any_card_is_dealt(players: int) -> None:
    """R-10: all pawns on the start, then the rose, then five cards each; face down."""
    state = begin(players)
    table = state.table
    assert table.square == [0] * players
    assert table.cards == [0] * players
    assert [(len(deck.order), deck.discards) for deck in state.decks] == [(60, []), (40, [])]
    assert asked(state) == f"{table.first} setup"
    assert choices(state) == ["rose coach", "rose train", "rose steamer", "rose elephant"]
    log = do(state, "rose steamer")
    assert state.view(None)["rose"] == "steamer"
    assert table.cards == [5] * players == [len(hand.cards) for hand in state.hands]
    assert [len(deck.order) for deck in state.decks] == [60 - 5 * players, 40]
    assert log[0] == f"rose {table.first} steamer"
    assert len(events_of(log, "draw")) == 5 * players
    assert log[-2:] == ["round 1", f"turn {table.first}"]
    assert asked(state) == f"{table.first} turn"


def test_the_cards_are_dealt_seat_by_seat() -> None:
    """R-10: five cards off the top each."""
    state = RULES.start(3, edition(), Scripted({"first player": [1]}, Seeded(bytes(16))))
    top = state.decks[0].order[::-1]
    do(state, "rose coach")
    assert [hand.cards for hand in state.hands] == [sorted(top[5 * seat : 5 * seat + 5]) for seat in range(3)]


@pytest.mark.parametrize("players", mostly_slow(COUNTS, 2))
def test_lot_decides_who_begins(players: int) -> None:
    """R-10: every seat can be drawn, and the one drawn places the rose and has the first turn."""
    for seat in range(players):
        state = RULES.start(players, edition(), Scripted({"first player": [seat]}))
        assert asked(state) == f"{seat} setup"
        do(state, "rose coach")
        assert asked(state) == f"{seat} turn"
    assert {begin(players, chance=number).table.first for number in range(60)} == set(range(players))


def test_the_decks_are_shuffled_apart() -> None:
    """R-10: another seed, another order, of each deck."""
    one, other = begin(3, chance=1), begin(3, chance=2)
    assert one.decks[0].order != other.decks[0].order
    assert one.decks[1].order != other.decks[1].order
    assert Counter(one.decks[0].order) == Counter(other.decks[0].order)


@pytest.mark.parametrize("players", COUNTS)
def test_turns_go_round_in_seat_order(players: int) -> None:
    """R-10, R-53: a round is one turn of every player, and begins with the start player."""
    first = players - 1
    state = position(players, turn=first, first=first)
    log = []
    for _ in range(2 * players):
        log += lines(state.play(choices(state).index("draw 1")))
    seats = [(first + step) % players for step in range(1, players)]
    turns = [f"turn {seat}" for seat in seats]
    assert [line for line in log if line.split()[0] in ("turn", "round")] == [
        *turns, "round 2", f"turn {first}", *turns, "round 3", f"turn {first}",
    ]  # fmt: skip
