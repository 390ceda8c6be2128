"""A round from its start to the marker's way on, and decks that run out: K-20 to K-25."""

from __future__ import annotations

import pytest

from engine.kosmos.decision import KosmosState
from tests.engine.doubles import Highest
from tests.engine.kosmos.checks import check_whole
from tests.engine.kosmos.positions import (
    do,
    edition,
    events_of,
    finish_round,
    finish_turn,
    go,
    hand,
    named,
    offered,
    position,
    top,
)

ACTIONS = ["gold", "balloon", "event", "detective", "first", "exchange"]
NO_GREY = {"storm": 0, "delay": 0}


def turns(state: KosmosState, number: int) -> list[int | None]:
    """Who is on turn in that many turns, the present one first; all do as the substitute."""
    order = [state.to_act]
    for _ in range(number - 1):
        finish_turn(state)
        order.append(state.to_act)
    return order


def test_nobody_loses_a_day_before_somebody_is_home() -> None:
    """K-20."""
    state = position(4)
    assert not events_of(finish_round(state), "lose")
    assert state.table.days == [0] * 4


def test_a_day_a_round_once_somebody_is_home_in_an_earlier_round() -> None:
    """K-20: not for the round of the arrival, one day after it, and not for those who are home."""
    state = position(4, phase="travel", at=["New York", "Paris", "Paris", "Paris"], hands={0: "s4 s5 t2"})
    log = go(state, "t2 s4 s5 = 11")
    assert not events_of(log, "lose")
    log = finish_round(state)
    assert events_of(log, "lose") == [{"event": "lose", "seat": seat, "days": 1, "why": "late"} for seat in (1, 2, 3)]
    log = finish_round(state)
    assert [what["seat"] for what in events_of(log, "lose", why="late", days=1)] == [1, 2, 3]
    assert state.table.days == [11, 2, 2, 2]


def test_still_one_day_when_several_are_home() -> None:
    """K-20: however many."""
    state = position(6, home=(0, 2, 5), turn=1)
    finish_round(state)
    assert state.table.days == [0, 1, 0, 1, 1, 0]


@pytest.mark.parametrize(("travelling", "cards"), [(2, 3), (3, 4), (4, 5), (5, 6), (6, 6)])
def test_the_size_of_the_display(travelling: int, cards: int) -> None:
    """K-21, K-22: one more than travel, at most six, under the actions from the left."""
    view = position(travelling).view(None)
    state = position(travelling)
    finish_round(state)
    for shown in (view["display"], state.view(None)["display"]):
        assert [bool(card) for card in shown] == [True] * cards + [False] * (6 - cards)
    assert [action["place"] for action in offered(state, do="take") if action["place"] != "deck"] == [
        place for place in ACTIONS[:cards] if place != "first"
    ]


@pytest.mark.parametrize(("home", "cards"), [((), 6), ((0,), 6), ((0, 1), 5), ((0, 1, 2), 4)])
def test_the_display_shrinks_with_those_who_travel(home: tuple[int, ...], cards: int) -> None:
    """K-21: players who travel as the round begins count, not those at the table."""
    state = position(6, home=home, turn=5)
    finish_round(state)
    assert 6 - named(state.table.display).split().count("-") == cards


def test_cards_are_laid_from_left_to_right() -> None:
    """K-21, K-22: the deck's top comes to lie under gold."""
    state = position(2, deck="t2 s8 t3", display="s4 s4 s4", hands={0: "", 1: ""})
    log = finish_round(state)
    assert events_of(log, "round")[0]["display"] == ["t2", "s8", "t3", None, None, None]


@pytest.mark.parametrize("name", ["standard", "en", "ru", "nim"])
@pytest.mark.parametrize(("players", "missing"), [(2, {"detective", "first", "exchange"}), (3, {"first", "exchange"}),
                                                  (4, {"exchange"}), (5, set()), (6, set())])  # fmt: skip
def test_which_actions_are_in_play(name: str, players: int, missing: set[str]) -> None:
    """K-22: counted from the left, in `ru` too."""
    state = position(players, edition(name), turn=1, first=0)
    assert {action["place"] for action in offered(state, do="take")} == set(ACTIONS) - missing


def test_turns_go_to_the_left_from_the_marker() -> None:
    """K-23: through whole rounds, each from the marker of its start."""
    state = position(4, turn=2)
    assert turns(state, 9) == [2, 3, 0, 1, 3, 0, 1, 2, 0]
    assert state.table.round == 3


def test_who_is_home_is_skipped() -> None:
    """K-23."""
    state = position(5, turn=3, home=(0, 4))
    assert turns(state, 7) == [3, 1, 2, 1, 2, 3, 2]
    assert state.table.round == 3


def test_who_takes_the_marker_does_not_change_the_round() -> None:
    """K-23, K-24: the first player of a round stays it, and so does the order; the marker counts from the next."""
    state = position(4, turn=0)
    finish_turn(state)
    do(state, "take", place="first")
    log = do(state, "first")
    assert events_of(log, "marker", why="action", seat=1)
    assert (state.table.first, state.table.marker, state.to_act) == (0, 1, 2)
    finish_turn(state)
    assert state.to_act == 3
    log = finish_turn(state)
    assert not events_of(log, "marker")
    assert (state.table.round, state.to_act, state.table.first, state.table.marker) == (2, 1, 1, 1)


def test_a_marker_taken_counts_for_one_round_only() -> None:
    """K-24: in the next round it passes on as ever."""
    state = position(4, turn=3, first=0, marker=2, marker_taken=True)
    finish_turn(state)
    assert (state.table.marker, state.table.marker_taken) == (2, False)
    finish_round(state)
    assert state.table.marker == 3


def test_a_marker_that_nobody_took_passes_to_the_left() -> None:
    """K-24."""
    state = position(3, turn=2)
    log = finish_round(state)
    assert events_of(log, "marker") == [{"event": "marker", "seat": 0, "why": "passed"}]
    assert state.to_act == 0


def test_the_marker_passes_over_those_who_are_home() -> None:
    """K-24."""
    state = position(5, turn=1, home=(2, 3))
    finish_round(state)
    assert state.to_act == state.table.marker == 4


def test_a_holder_who_came_home_hands_it_on() -> None:
    """K-24: the first player arrives in the round, nobody took the marker."""
    state = position(4, phase="travel", turn=1, at=["Paris", "New York", "Paris", "Paris"], hands={1: "s4 s5 t2"})
    go(state, "t2 s4 s5 = 11")
    finish_round(state)
    assert state.to_act == state.table.marker == 2


def test_a_marker_taken_in_the_turn_that_ends_in_london_goes_on_from_there() -> None:
    """K-24: seat 2 takes it and arrives; seat 3 is next, not seat 1 after the round's first."""
    state = position(5, turn=2, first=0, at=["Paris", "Paris", "New York", "Paris", "Paris"], hands={2: "s4 s5 t2"})
    do(state, "take", place="first")
    do(state, "first")
    go(state, "t2 s4 s5 = 11")
    log = finish_round(state)
    assert events_of(log, "marker") == [{"event": "marker", "seat": 3, "why": "passed"}]
    assert state.to_act == 3


def test_a_marker_taken_by_one_who_arrives_later_in_the_round_by_another_way() -> None:
    """K-24: the holder left of whom two are home."""
    state = position(6, turn=5, first=0, marker=2, marker_taken=True, home=(3, 4), at="Paris")
    state.table.city[2] = 10
    state.table.arrived = [3, 4, 2]
    finish_turn(state)
    assert state.to_act == state.table.marker == 5


def test_unused_display_cards_are_discarded() -> None:
    """K-24."""
    state = position(2, display="t2 - t4 t3", turn=1, first=0)
    do(state, "take", card="t3")
    log = do(state, "pass")
    assert events_of(log, "clear") == [{"event": "clear", "cards": ["t2", "t4"]}]
    assert named(state.decks[0].discards) == "t2 t4"


# Decks that run out


def test_the_travel_deck_is_renewed_as_soon_as_its_last_card_is_taken() -> None:
    """K-25: not only when the next one is needed."""
    state = position(2, spent=True, deck="t2", gold=[2, 1])
    discards = len(state.decks[0].discards)
    assert discards > 40
    log = do(state, "buy", deck="travel")
    assert events_of(log, "shuffle") == [{"event": "shuffle", "deck": "travel", "cards": discards}]
    assert (len(state.decks[0].order), state.decks[0].discards) == (discards, [])
    assert "t2" in hand(state, 0)
    check_whole(state)


def test_the_new_deck_is_shuffled() -> None:
    """K-25: the order comes from chance, not from the pile."""
    orders = []
    for chance in (None, Highest()):
        state = position(2, spent=True, deck="t2", gold=[2, 1], chance=chance)
        do(state, "buy", deck="travel")
        orders.append(state.decks[0].order)
    assert orders[0] != orders[1]


def test_it_is_renewed_while_the_display_is_laid() -> None:
    """K-25: two cards of three, then the rest from the new deck."""
    state = position(2, spent=True, deck="t2 s8", display="t3 t3 t3")
    log = finish_round(state)
    assert events_of(log, "round")[0]["display"][:2] == ["t2", "s8"]
    assert len(events_of(log, "shuffle", deck="travel")) == 1
    check_whole(state)


def test_what_a_move_discards_lies_there_before_it_draws() -> None:
    """K-25: exchanging with an empty deck gives back the very cards."""
    state = position(2, phase="action", place="exchange", hands={0: "t2 t3", 1: "s4"}, spent=True)
    state.decks[0].discards.clear()
    state.stand_here()
    assert not state.decks[0].order
    log = do(state, "exchange", cards=["t2", "t3"])
    assert len(events_of(log, "draw", deck="travel")) == 2
    assert hand(state, 0) == "t2 t3"


def test_a_deck_without_discards_is_renewed_when_a_card_is_needed() -> None:
    """K-25: the last event card leaves both deck and pile empty; later discards serve the next draw."""
    only = dict.fromkeys(["distraction", "elephant", "offer"], 1)
    events = dict.fromkeys(edition()["events"], 0) | only
    state = position(3, edition(events=events), deck="distraction", hands={0: "elephant offer"}, gold=[9, 0, 0])
    state.decks[1].order = state.decks[1].order[-1:]
    log = do(state, "buy", deck="event")
    assert not events_of(log, "shuffle")
    assert len(state.decks[1].order) == 0
    assert not offered(state, do="buy", deck="event")
    assert offered(state, do="buy", deck="travel")
    do(state, "sell")
    assert len(state.decks[1].order) == 0
    log = do(state, "buy", deck="event")
    assert events_of(log, "shuffle") == [{"event": "shuffle", "deck": "event", "cards": 1}]
    assert hand(state, 0) == "distraction offer elephant"


def test_nothing_is_offered_that_could_only_draw_from_nothing() -> None:
    """K-25, K-32: neither the event action nor a purchase, and an event chit is not asked about."""
    none = dict.fromkeys(edition()["events"], 0)
    state = position(3, edition(events=none), phase="action", place="event", gold=[5, 1, 1])
    assert not offered(state, do="event")
    assert not offered(state, do="buy", deck="event")
    state = position(3, edition(events=none), phase="travel", hands={0: "t3 s7"}, red={"Paris": "event"})
    log = go(state, "t3 s7 = 10")
    assert not events_of(log, "draw")
    assert not offered(state, do="accept")
    assert state.table.red[1] is None


def test_the_event_deck_without_grey_cards_is_renewed_too() -> None:
    """K-25."""
    state = position(3, edition(events=NO_GREY), spent=True, deck="offer", phase="action", place="event")
    discards = len(state.decks[1].discards)
    log = do(state, "event")
    assert events_of(log, "shuffle") == [{"event": "shuffle", "deck": "event", "cards": discards}]
    check_whole(state)


def test_no_travel_card_is_sold_where_none_is_left() -> None:
    """K-25: a deck and a pile both empty, as can only be where cards outside hands, row and deck are none."""
    trains = "t2 t2 t2 t2 t2 t3 t3 t3 t3 t3 t3 t4 t4 t4 t4 t4 t4 t4 t5 t5 t5 t5 t5 t5 t5 t5 t6 t6 t6 t6"
    ships = "s5 s5 s5 s5 s5 s5 s6 s6 s6 s6 s6 s6 s6 s7 s7 s7 s7 s7 s7 s7 s7"
    state = position(6, hands={0: f"{trains} {ships}"}, display="s8 s8 s8 s8 s8 s4", gold=[8, 1, 1, 1, 1, 1])
    for _ in range(3):
        do(state, "buy", deck="travel")
    assert len(state.decks[0].order) == 0
    assert top(state, 0, 1) == ""
    assert offered(state, do="buy") == offered(state, do="buy", deck="event") != []


def test_the_event_deck_never_runs_out_while_it_has_a_grey_card() -> None:
    """K-25, K-63: the last card can only be a grey one, and with it all come back."""
    state = position(3, spent=True, deck="storm", phase="action", place="event")
    log = do(state, "event")
    assert events_of(log, "shuffle") == [{"event": "shuffle", "deck": "event", "cards": 15}]
    assert len(state.decks[1].order) == 15
