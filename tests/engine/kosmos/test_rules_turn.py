"""The steps of a turn and the moments between them: K-30 to K-36."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.engine.doubles import Scripted
from tests.engine.kosmos.positions import (
    do,
    edition,
    events_of,
    finish_turn,
    go,
    hand,
    named,
    offered,
    position,
    top,
)

DISPLAY = "t2 s5 t3 s6 t4"
FULL = "t2 t2 t3 s4 s5"
ELSEWHERE = {"Paris", "Brindisi", "Suez", "Calcutta", "Hong Kong", "Yokohama", "San Francisco", "New York"}


def does(state, **wanted) -> set[str]:
    return {action["do"] for action in offered(state, **wanted)}


# K-30, K-31


def test_a_swap_before_taking() -> None:
    """K-30: the cards change places, the action stays where it was."""
    state = position(3, display="t2 s5 t3 s6", hands={0: "swap"})
    log = do(state, "swap", places=["gold", "detective"])
    assert events_of(log, "swap") == [
        {"event": "swap", "seat": 0, "by": "swap", "places": ["gold", "detective"], "cards": ["s6", "t2"]}
    ]
    assert named(state.table.display) == "s6 s5 t3 t2 - -"
    assert top(state, 1, 1) == "swap"
    assert "swap" not in hand(state, 0)
    do(state, "take", place="gold", card="s6")
    assert does(state) == {"pass", "gold"}


def test_only_two_displayed_cards_that_differ() -> None:
    """K-30: a place whose card was taken and equal cards are left out."""
    state = position(3, turn=1, first=0, display="t2 - t2 s6", hands={1: "swap"})
    assert [action["places"] for action in offered(state, do="swap")] == [["gold", "detective"], ["event", "detective"]]


def test_no_swap_once_a_card_is_taken() -> None:
    """K-30: neither in the action nor before the leg."""
    state = position(3, display="t2 s5 t3 s6", hands={0: "swap t4 s7"})
    do(state, "take", place="event")
    assert not offered(state, do="swap")
    do(state, "pass")
    assert state.table.phase == "travel"
    assert not offered(state, do="swap")


def test_a_swap_frees_the_card_under_first_player() -> None:
    """K-30, K-31: the bar belongs to the place."""
    state = position(4, display=DISPLAY, hands={0: "swap"})
    assert "t4" not in {action["card"] for action in offered(state, do="take")}
    do(state, "swap", places=["balloon", "first"])
    assert {action["card"] for action in offered(state, do="take")} == {"t2", "t4", "t3", "s6"}


def test_a_card_has_to_be_taken() -> None:
    """K-31: before taking nothing but the moments' actions is offered; one card, from the display into the hand."""
    state = position(3, display="t2 s5 t3 s6", hands={0: FULL}, gold=[3, 1, 1])
    assert does(state) == {"take", "buy"}
    log = do(state, "take", place="detective")
    assert events_of(log, "take") == [{"event": "take", "seat": 0, "place": "detective", "card": "s6"}]
    assert named(state.table.display) == "t2 s5 t3 - - -"
    assert hand(state, 0) == "t2 t2 t3 s4 s5 s6"
    assert not offered(state, do="take")


def test_the_first_player_of_the_round_may_not_take_under_first_player() -> None:
    """K-31: all others may, also when the marker has changed hands."""
    state = position(5, turn=0)
    assert "first" not in {action["place"] for action in offered(state, do="take")}
    state = position(5, turn=1, first=0)
    assert "first" in {action["place"] for action in offered(state, do="take")}
    state = position(5, turn=2, first=0, marker=2)
    assert "first" in {action["place"] for action in offered(state, do="take")}


def test_the_sixth_of_six_may_take_the_deck() -> None:
    """K-31, K-91: the top of the travel deck, unseen by the others, and no action with it."""
    state = position(6, turn=5, first=0, display="- - - - - t2", deck="s8 t6", hands={5: "t3 s7"})
    assert offered(state, do="take") == [
        {"do": "take", "place": "exchange", "card": "t2"}, {"do": "take", "place": "deck"},
    ]  # fmt: skip
    events = state.play(1)
    assert {"event": "take", "seat": 5, "place": "deck", "card": None} in [event.what for event in events]
    assert (5, {"event": "drew", "seat": 5, "card": "s8"}) in events
    assert hand(state, 5) == "t3 s7 s8"
    assert state.table.phase == "travel"
    assert not does(state) & {"pass", "exchange"}
    assert named(state.table.display) == "- - - - - t2"


def test_the_card_of_the_deck_has_no_action_to_pass_over() -> None:
    """K-31, K-36: the leg is next, also where a purchase could be asked about in between."""
    state = position(6, turn=5, first=0, display="- - - - - t2", deck="s8 t6", hands={5: "t3 s7"}, gold=[1] * 5 + [4])
    do(state, "take", place="deck")
    assert does(state) == {"stay", "travel", "buy"}


def test_nobody_else_may_take_the_deck() -> None:
    """K-31: not the fifth of six, nor the last of five, nor of six when one is home."""
    assert not offered(position(6, turn=4, first=0), place="deck")
    assert not offered(position(5, turn=4, first=0), place="deck")
    assert not offered(position(6, turn=5, first=1, home=(0,)), place="deck")
    assert offered(position(6, turn=5, first=0), place="deck")


def test_the_sixth_is_counted_from_the_first_player() -> None:
    """K-31."""
    assert offered(position(6, turn=1, first=2), place="deck")
    assert not offered(position(6, turn=5, first=2), place="deck")


# K-32


def test_the_gold_action() -> None:
    """K-32, K-71: a coin from the supply; an empty supply gives nothing, so it can only be passed over."""
    state = position(3, phase="action", place="gold")
    log = do(state, "gold")
    assert events_of(log, "gold") == [{"event": "gold", "seat": 0, "gold": 1, "why": "action"}]
    assert (state.table.gold, state.table.supply) == ([2, 1, 1], 20)
    state = position(3, phase="action", place="gold", gold=[1, 22, 1])
    assert does(state) == {"pass"}


def test_the_balloon_action() -> None:
    """K-32: a ride in this turn, nothing asked before the leg."""
    state = position(3, display="t2 s5 t3 s6", hands={0: "t3 s7"})
    do(state, "take", place="balloon")
    assert state.table.phase == "travel"
    assert any(use["card"] == "action" for action in offered(state, do="travel") for use in action["uses"])


def test_no_ride_without_the_balloon_action() -> None:
    """K-32: only its place gives it."""
    for place in ("gold", "event", "detective", "first", "exchange"):
        state = position(5, phase="travel", place=place, hands={0: "t3 s7"})
        assert not offered(state, die=True)


def test_the_event_action() -> None:
    """K-32: one event card, unseen."""
    state = position(3, phase="action", place="event", deck="offer swap", hands={0: "t3 s7"})
    events = state.play(list(state.actions()).index({"do": "event"}))
    assert (0, {"event": "drew", "seat": 0, "card": "offer"}) in events
    assert hand(state, 0) == "t3 s7 offer"
    assert state.table.event_cards == [1, 0, 0]


def test_the_detective_action() -> None:
    """K-32: any other city but London."""
    state = position(3, phase="action", place="detective", detective="Bombay")
    assert {action["to"] for action in offered(state, do="move_detective")} == ELSEWHERE
    do(state, "move_detective", to="Yokohama")
    assert state.view(None)["detective"] == "Yokohama"


def test_the_first_player_action() -> None:
    """K-32: the marker, and with it the first turn of the next round."""
    state = position(4, phase="action", place="first", turn=3, first=0, hands={3: "t3 s7"})
    do(state, "first")
    assert (state.table.marker, state.table.first) == (3, 0)
    finish_turn(state)
    assert (state.table.round, state.to_act) == (2, 3)


def test_the_exchange_action() -> None:
    """K-32: one to three named together, then as many drawn; the card just taken may be among them."""
    state = position(5, turn=1, display="t2 s5 t3 s6 t4 s8", deck="t6 t5 t5", hands={1: "s4 s4 t2"})
    do(state, "take", place="exchange")
    choices = [" ".join(action["cards"]) for action in offered(state, do="exchange")]
    assert sorted(choices) == sorted(
        ["t2", "s4", "s8", "t2 s4", "t2 s8", "s4 s4", "s4 s8", "t2 s4 s4", "t2 s4 s8", "s4 s4 s8"]
    )
    log = do(state, "exchange", cards=["t2", "s4", "s8"])
    assert events_of(log, "exchange") == [{"event": "exchange", "seat": 1, "cards": ["t2", "s4", "s8"]}]
    assert hand(state, 1) == "t5 t5 t6 s4"
    assert top(state, 0, 3) == "t2 s4 s8"


def test_an_exchange_with_few_cards() -> None:
    """K-32: fewer than three in hand, fewer to be named; event cards are never exchanged."""
    state = position(5, phase="action", place="exchange", hands={0: "s8 t2 offer"})
    assert [action["cards"] for action in offered(state, do="exchange")] == [["t2"], ["s8"], ["t2", "s8"]]


@pytest.mark.parametrize("place", ["gold", "event", "detective", "first", "exchange"])
def test_every_action_may_be_passed_over(place: str) -> None:
    """K-32: and passing changes nothing."""
    state = position(5, phase="action", place=place, turn=1, hands={1: "t3 s7"})
    before = state.view(1)
    assert state.actions()[0] == {"do": "pass"}
    do(state, "pass")
    assert state.view(1) == before | {"phase": "travel"}


@pytest.mark.parametrize("place", ["gold", "event", "detective", "first", "exchange"])
def test_an_action_is_that_of_its_place_and_comes_once(place: str) -> None:
    """K-32."""
    state = position(5, phase="action", place=place, turn=1, hands={1: "t3 s7"})
    action = {"detective": "move_detective"}.get(place, place)
    assert does(state) == {"pass", action}
    state.play(1)
    assert state.table.phase == "travel"
    assert not does(state) & {"pass", action}


# K-33, K-34


def test_one_leg_or_none() -> None:
    """K-33: after a leg the turn ends, however many cards are left; staying ends it as well."""
    state = position(3, phase="travel", hands={0: "t3 s7 t4 t5"}, at="London")
    go(state, "t3 s7 = 10")
    assert (state.table.city[0], state.to_act) == (1, 1)
    state = position(3, phase="travel", hands={0: "t3 s7"})
    do(state, "stay")
    assert (state.table.city[0], state.to_act, hand(state, 0)) == (0, 1, "t3 s7")


def test_a_second_leg_needs_the_card_for_it() -> None:
    """K-33: cards that pay a leg, and other events in hand that go with one, give none."""
    cards = "t3 s7 t4 t5 offer balloon opportunity propeller"
    state = position(3, phase="travel", hands={0: cards}, gold=[2, 1, 1])
    go(state, "t3 s7 = 10")
    assert (state.table.phase, state.to_act) == ("travel", 0)
    assert not offered(state, do="travel")


def test_the_detective_costs_two_days_at_the_end_of_the_turn() -> None:
    """K-34: travelled there or stayed there."""
    state = position(3, phase="travel", at="Paris", detective="Paris", hands={0: "t3 t4"})
    log = do(state, "stay")
    assert events_of(log, "lose") == [{"event": "lose", "seat": 0, "days": 2, "why": "detective"}]
    state = position(3, phase="travel", at="London", detective="Paris", hands={0: "t3 s7"})
    log = go(state, "t3 s7 = 10")
    assert state.table.days == [12, 0, 0]
    assert len(events_of(log, "lose", why="detective")) == 1


def test_the_detective_costs_nothing_at_other_times() -> None:
    """K-34: not when put onto a player, not who is not on turn, not in a city left again, not elsewhere."""
    state = position(3, phase="action", place="detective", at=["Paris", "Suez", "Suez"], hands={0: "t3 s7 t4"})
    log = do(state, "move_detective", to="Suez")
    log += do(state, "stay")
    assert not events_of(log, "lose")
    state = position(3, phase="travel", at="London", detective="Paris", hands={0: "t3 s7 t4 t5 connections"})
    log = go(state, "t3 s7 = 10")
    log += go(state, "t4 t5 | connections = 9")
    assert not events_of(log, "lose")
    assert state.table.days[0] == 19


def test_the_detective_moved_away_in_time_costs_nothing() -> None:
    """K-34, K-36: what counts is the end of the turn."""
    state = position(3, phase="travel", at="Paris", detective="Paris", hands={0: "detective"})
    do(state, "detective", to="Suez")
    assert state.table.days == [0, 0, 0]
    assert state.to_act == 1


def test_nothing_but_an_escape_against_the_detective() -> None:
    """K-34, K-50: asked only with a card for it, and nothing else can be done then."""
    cards = {0: "distraction elephant detective t3 t4"}
    state = position(3, phase="travel", at="Paris", detective="Paris", hands=cards, gold=[6, 1, 1])
    do(state, "stay")
    assert list(state.actions()) == [{"do": "suffer", "days": 2}, {"do": "escape", "by": "distraction"}]
    clone = state.copy()
    do(clone, "suffer")
    assert (clone.table.days[0], "distraction" in hand(clone, 0)) == (2, True)
    do(state, "escape")
    assert (state.table.days[0], "distraction" in hand(state, 0)) == (0, False)
    assert top(state, 1, 1) == "distraction"


def test_no_escape_is_asked_where_the_detective_is_not() -> None:
    """K-34."""
    state = position(3, phase="travel", at="Paris", detective="Suez", hands={0: "distraction t3 t4"})
    do(state, "stay")
    assert (state.to_act, hand(state, 0)) == (1, "t3 t4 distraction")


# K-35


def test_down_to_six_cards_of_both_sorts() -> None:
    """K-35: travel and event cards together, one at a time, the order on the piles being the player's."""
    cards = {0: "t2 t2 s4 s8 offer swap distraction balloon"}
    state = position(3, phase="travel", hands=cards, at="Paris")
    do(state, "stay")
    assert state.table.phase == "limit"
    assert [action["card"] for action in state.actions()] == [
        "t2", "s4", "s8", "distraction", "offer", "swap", "balloon",
    ]  # fmt: skip
    assert does(state) == {"discard"}
    log = do(state, "discard", card="swap")
    assert events_of(log, "discard") == [{"event": "discard", "seat": 0, "card": "swap", "why": "limit"}]
    assert state.to_act == 0
    do(state, "discard", card="offer")
    assert state.to_act == 1
    assert top(state, 1, 2) == "swap offer"
    assert hand(state, 0) == "t2 t2 s4 s8 distraction balloon"


@pytest.mark.parametrize(
    ("cards", "asked"),
    [
        ("t2 t2 t3 s4 s5 s5", False),
        ("t2 t2 t3 s4 s5 offer", False),
        ("t2 t2 t3 s4 s5 s5 s6", True),
        ("t2 t2 t3 s4 s5 s5 offer", True),
    ],
)
def test_six_are_not_too_many(cards: str, asked: bool) -> None:
    """K-35: the limit is six, event cards included."""
    state = position(3, phase="travel", at="Brindisi", hands={0: cards})
    do(state, "stay")
    assert (state.to_act == 0) == asked


def test_event_cards_alone_can_be_too_many() -> None:
    """K-35."""
    cards = {0: "distraction offer swap elephant elephant detective opportunity"}
    state = position(3, phase="travel", hands=cards)
    do(state, "stay")
    log = do(state, "discard", card="elephant")
    assert not events_of(log, "gold")
    assert state.table.gold == [1, 1, 1]
    assert state.to_act == 1


def test_the_limit_comes_after_the_detective() -> None:
    """K-34, K-35: a distraction that is played need not be discarded."""
    cards = {0: "t2 t2 t3 s4 s5 s6 distraction"}
    state = position(3, phase="travel", at="Paris", detective="Paris", hands=cards)
    do(state, "stay")
    do(state, "escape")
    assert state.to_act == 1
    assert hand(state, 0) == "t2 t2 t3 s4 s5 s6"


def test_the_neighbour_picks_blindly() -> None:
    """K-35, parameter over_limit: by chance, each card alike, nothing asked."""
    picked: Counter[str] = Counter()
    for pick in range(8):
        cards = {0: "t2 t3 t4 s4 s8 s8 swap balloon"}
        chance = Scripted({"blind pick from seat 0": [pick, 0]})
        state = position(3, edition(over_limit="blind"), phase="travel", at="Paris", hands=cards, chance=chance)
        log = do(state, "stay")
        first, second = events_of(log, "discard", why="limit")
        picked[first["card"]] += 1
        assert state.to_act == 1
        assert len(hand(state, 0).split()) == 6
        assert second["card"] == ("t3" if first["card"] == "t2" else "t2")
    assert picked == {"t2": 1, "t3": 1, "t4": 1, "s4": 1, "s8": 2, "swap": 1, "balloon": 1}


# K-36


def moments(cards: str, gold: int = 2):
    """The four moments of a turn, each as a name and a state in it."""
    state = position(
        3,
        display="t2 s5 t3 s6",
        hands={0: f"t3 s7 {cards}"},
        gold=[gold, 1, 1],
        detective="Suez",
        red={"Paris": "gold"},
    )
    yield "before the card is taken", state.copy()
    do(state, "take", place="event")
    yield "before its action", state.copy()
    do(state, "pass")
    yield "before the leg", state.copy()
    go(state, "t3 s7 = 10")
    yield "after the leg", state.copy()


@pytest.mark.parametrize("number", range(4))
def test_the_moments_of_a_turn(number: int) -> None:
    """K-36, K-53, K-54, K-70: buying, selling and the detective at each of the four moments."""
    _, state = list(moments("elephant detective"))[number]
    assert {"buy", "sell", "detective"} <= does(state)


@pytest.mark.parametrize("number", range(4))
def test_any_number_in_any_order(number: int) -> None:
    """K-36: sell, buy with that, move the detective, buy once more, in one moment."""
    _, state = list(moments("elephant elephant detective", gold=2))[number]
    phase = state.table.phase
    for what, more in (("sell", {}), ("buy", {"deck": "travel"}), ("detective", {"to": "Bombay"}), ("sell", {}),
                       ("buy", {"deck": "event"})):  # fmt: skip
        assert (state.table.phase, state.to_act) == (phase, 0)
        do(state, what, **more)
    assert state.table.gold[0] == (1 if number == 3 else 0)


def test_not_while_a_leg_is_under_way_nor_in_the_last_two_steps() -> None:
    """K-36, K-48, K-65: rolling again and a chit are all that is asked within a leg."""
    more = "elephant detective distraction"
    state = position(
        3, phase="travel", place="balloon", gold=[9, 1, 1], detective="Paris", red={"Paris": "travel"}, rolls=[4],
        hands={0: f"t3 s7 {more} t2 t2 t2 t2 t2"},
    )  # fmt: skip
    go(state, "t3 s7 | ride = 3 + die")
    assert does(state) == {"keep", "reroll"}
    do(state, "keep")
    assert does(state) == {"accept", "decline"}
    do(state, "decline")
    assert {"buy", "sell", "detective"} <= does(state)
    do(state, "stay")
    assert does(state) == {"suffer", "escape"}
    do(state, "suffer")
    assert does(state) == {"discard"}


def test_not_after_coming_home() -> None:
    """K-36, K-72: the turn is over in London."""
    state = position(3, phase="travel", at="New York", gold=[9, 1, 1], hands={0: "s4 s5 t2 elephant detective"})
    go(state, "t2 s4 s5 = 11")
    assert state.to_act == 1


def test_not_in_the_turn_of_another() -> None:
    """K-36: only the own cards and coins."""
    state = position(3, gold=[0, 9, 1], hands={1: "elephant detective distraction"})
    assert does(state) == {"take"}
