"""Chits, gold and London: K-65 to K-73."""

from __future__ import annotations

import pytest

from engine.rules import Data
from tests.engine.doubles import Scripted
from tests.engine.kosmos.checks import check_whole
from tests.engine.kosmos.positions import (
    do,
    edition,
    events_of,
    finish_round,
    go,
    hand,
    journeys,
    named,
    offered,
    position,
    top,
)

CHITS = ["gold", "travel", "event", "delay"]
TO_PARIS = "t3 s7 = 10"


def to_paris(rules=None, reached: int = 0, players: int = 4, **more):
    """Seat 0 about to reach Paris, that many others having been there; seats count from the end."""
    cities = ["London"] * (players - reached) + ["Paris"] * reached
    return position(players, rules, phase="travel", at=cities, hands={0: f"t3 s7 {more.pop('cards', '')}"}, **more)


# K-10


def test_chits_that_lie_face_down_are_turned_over_for_who_comes_first() -> None:
    """K-10, parameter chits_face_down: both of the city, for all to see, before anything is asked."""
    state = to_paris(edition("ru"), red={"Paris": "delay"}, blue={"Paris": "gold", "Suez": "event"}, face_down=True)
    for seat in (0, 1, None):
        view = state.view(seat)
        assert (view["red"][1:4], view["blue"][1:4]) == (["face_down", None, None], ["face_down", None, "face_down"])
        assert view["face_down"] == {
            "red": {"gold": 0, "travel": 0, "event": 0, "delay": 1},
            "blue": {"gold": 1, "travel": 0, "event": 1, "delay": 0},
        }
    log = go(state, TO_PARIS)
    assert events_of(log, "turn_over") == [{"event": "turn_over", "city": "Paris", "red": "delay", "blue": "gold"}]
    assert list(state.actions()) == [
        {"do": "decline", "chit": "delay", "colour": "red"}, {"do": "accept", "chit": "delay", "colour": "red"},
    ]  # fmt: skip
    for seat in (0, 1, None):
        assert state.view(seat)["face_down"] == {
            "red": dict.fromkeys(CHITS, 0), "blue": dict.fromkeys(CHITS, 0) | {"event": 1},
        }  # fmt: skip


def test_a_chit_that_was_turned_over_stays_open() -> None:
    """K-10, K-66: refused, it lies open for later players; nothing is turned over again."""
    state = to_paris(edition("ru"), red={"Paris": "delay"}, blue={"Paris": "gold"}, face_down=True)
    go(state, TO_PARIS)
    do(state, "decline")
    assert [state.view(seat)["red"][1] for seat in (0, 1, None)] == ["delay"] * 3
    assert [state.view(seat)["blue"][1] for seat in (0, 1, None)] == ["gold"] * 3
    check_whole(state)


def test_face_up_chits_are_counted_by_nobody() -> None:
    """K-10: where they lie open there is nothing to turn over."""
    state = to_paris(red={"Paris": "gold"})
    assert state.view(0)["face_down"] is None
    assert not events_of(go(state, TO_PARIS), "turn_over")


# K-65


def test_the_first_to_arrive_takes_the_red_chit() -> None:
    """K-65: at once, and it is gone."""
    state = to_paris(red={"Paris": "gold"}, blue={"Paris": "delay"})
    log = go(state, TO_PARIS)
    assert events_of(log, "chit") == [
        {"event": "chit", "seat": 0, "city": "Paris", "colour": "red", "chit": "gold", "taken": True}
    ]
    assert state.table.gold[0] == 2
    assert (state.table.red[1], state.table.blue[1]) == (None, "delay")


@pytest.mark.parametrize(("reached", "taken"), [(0, False), (1, False), (2, False), (3, True)])
def test_the_last_to_arrive_takes_the_blue_chit(reached: int, taken: bool) -> None:
    """K-65: of all players, not of a round."""
    state = to_paris(blue={"Paris": "gold"}, reached=reached)
    log = go(state, TO_PARIS)
    assert bool(events_of(log, "chit", colour="blue")) == taken
    assert state.table.gold[0] == 1 + taken


@pytest.mark.parametrize(("reached", "taken"), [(0, False), (1, True), (2, True), (3, True)])
def test_or_the_second_to_arrive(reached: int, taken: bool) -> None:
    """K-65, parameter blue_chit: the second takes what lies there; for later ones it only lies there by a refusal."""
    state = to_paris(edition(blue_chit="second"), blue={"Paris": "gold"}, reached=reached)
    assert bool(events_of(go(state, TO_PARIS), "chit", colour="blue")) == taken


def test_those_who_are_further_on_have_been_there() -> None:
    """K-65: cities left behind were reached, London included."""
    state = position(
        3, phase="travel", at=["London", "Suez", "London"], home=(2,), hands={0: "t3 s7"}, blue={"Paris": "gold"}
    )
    assert events_of(go(state, TO_PARIS), "chit", colour="blue", taken=True)


def test_a_city_left_again_in_the_same_turn_was_reached() -> None:
    """K-65: the red chit of the first leg's city is taken, and the next to arrive is not the first."""
    state = position(
        2, phase="travel", at=["Paris", "Paris"], hands={0: "t3 t4 s7 princess", 1: "t5 t6"}, pile="swap",
        red={"Brindisi": "gold"}, blue={"Brindisi": "gold"}, gold=[1, 1],
    )  # fmt: skip
    state.table.legs = 0
    go(state, "t3 t4 = 7")
    assert state.table.gold == [2, 1]
    state = position(
        3, phase="travel", at=["London", "Paris", "Paris"], hands={0: "t3 s7 t4 t5 connections"},
        blue={"Paris": "gold", "Brindisi": "gold"}, red={"Brindisi": "gold"},
    )  # fmt: skip
    go(state, TO_PARIS)
    go(state, "t4 t5 | connections = 9")
    assert state.table.gold[0] == 3
    assert (state.table.blue[1], state.table.red[2], state.table.blue[2]) == (None, None, "gold")


def test_gold_if_there_is_any() -> None:
    """K-65, K-71: with the supply empty the chit brings nothing and is gone."""
    state = to_paris(red={"Paris": "gold"}, gold=[0, 8, 8, 8])
    log = go(state, TO_PARIS)
    assert not events_of(log, "gold")
    assert (state.table.gold[0], state.table.red[1]) == (0, None)


@pytest.mark.parametrize(("chit", "deck", "card"), [("travel", 0, "s8"), ("event", 1, "offer")])
def test_a_card_chit_is_a_choice_and_gone_either_way(chit: str, deck: int, card: str) -> None:
    """K-65: the top card of the deck; declined it stays there."""
    for take in (True, False):
        state = to_paris(red={"Paris": chit}, deck="s8 offer")
        size = len(state.decks[deck].order)
        go(state, TO_PARIS)
        assert list(state.actions()) == [
            {"do": "decline", "chit": chit, "colour": "red"}, {"do": "accept", "chit": chit, "colour": "red"},
        ]  # fmt: skip
        log = do(state, "accept" if take else "decline")
        assert (hand(state, 0), len(state.decks[deck].order)) == ((card, size - 1) if take else ("", size))
        assert events_of(log, "chit")[0]["taken"] is take
        assert state.table.red[1] is None


@pytest.mark.parametrize(("chit", "card"), [("travel", "s8"), ("event", "offer")])
@pytest.mark.parametrize("rules", [edition("nim"), edition(decline_chit_cards=False)], ids=["nim", "own"])
def test_or_a_card_chit_must_be_drawn(rules: Data, chit: str, card: str) -> None:
    """K-65, parameter decline_chit_cards: nothing is asked, the card comes into the hand."""
    state = to_paris(rules, red={"Paris": chit}, deck="s8 offer")
    log = go(state, TO_PARIS)
    assert events_of(log, "chit") == [
        {"event": "chit", "seat": 0, "city": "Paris", "colour": "red", "chit": chit, "taken": True}
    ]
    assert (hand(state, 0), state.table.red[1], state.to_act) == (card, None, 1)


def test_a_grey_card_must_be_drawn_too() -> None:
    """K-65, K-61: it takes a hand of events away."""
    state = to_paris(edition("nim"), red={"Paris": "event"}, deck="storm", cards="offer")
    go(state, TO_PARIS)
    assert (state.table.days, hand(state, 0)) == ([12, 2, 2, 2], "")


def test_a_card_that_is_not_there_is_not_drawn() -> None:
    """K-65, K-25: the chit of an event is gone when there is no event card."""
    rules = edition("nim", events=dict.fromkeys(edition()["events"], 0))
    state = to_paris(rules, red={"Paris": "event"})
    assert events_of(go(state, TO_PARIS), "chit")[0]["taken"] is False
    assert state.table.red[1] is None


def test_where_chits_may_be_refused_a_card_may_be_too() -> None:
    """K-65, K-66: leaving the chit where it is declines no card of a chit that was taken."""
    state = to_paris(edition("ru", decline_chit_cards=False), red={"Paris": "travel"}, deck="s8")
    go(state, TO_PARIS)
    assert [action["do"] for action in state.actions()] == ["decline", "accept"]


def test_a_grey_card_from_a_chit() -> None:
    """K-65, K-61: it acts at once, on the drawer too."""
    state = to_paris(red={"Paris": "event"}, deck="storm")
    go(state, TO_PARIS)
    do(state, "accept")
    assert state.table.days == [12, 2, 2, 2]


def test_a_delay_is_for_every_other_player_on_the_way() -> None:
    """K-65: not for the taker, nor for those who are home; and nothing is asked."""
    state = to_paris(red={"Paris": "delay"}, home=(2,))
    log = go(state, TO_PARIS)
    assert events_of(log, "lose") == [{"event": "lose", "seat": seat, "days": 1, "why": "chit"} for seat in (1, 3)]
    assert state.table.days == [10, 1, 0, 1]


def test_red_before_blue() -> None:
    """K-65: with the blue one for the second, one who is first and last alike cannot be; both lie, one is taken."""
    state = position(2, phase="travel", hands={0: "t3 s7"}, red={"Paris": "gold"}, blue={"Paris": "gold"})
    log = go(state, TO_PARIS)
    assert [what["colour"] for what in events_of(log, "chit")] == ["red"]
    state = position(
        2, phase="travel", at=["London", "Paris"], hands={0: "t3 s7"}, red={"Paris": "gold"}, blue={"Paris": "gold"}
    )
    log = go(state, TO_PARIS)
    assert [what["colour"] for what in events_of(log, "chit")] == ["red", "blue"]


# K-66


@pytest.mark.parametrize("chit", CHITS)
def test_a_chit_of_any_kind_may_be_refused(chit: str) -> None:
    """K-66: it stays for later players; if taken, it is carried out."""
    for take in (True, False):
        state = to_paris(edition("ru"), red={"Paris": chit}, deck="s8 offer")
        go(state, TO_PARIS)
        assert [action["do"] for action in state.actions()] == ["decline", "accept"]
        log = do(state, "accept" if take else "decline")
        assert state.table.red[1] == (None if take else chit)
        assert events_of(log, "chit")[0]["taken"] is take
        effects = events_of(log, "gold") + events_of(log, "draw") + events_of(log, "lose")
        assert bool(effects) == take


@pytest.mark.parametrize("reached", [1, 2, 3])
def test_a_refused_chit_is_there_for_any_later_arrival(reached: int) -> None:
    """K-66: red and blue, each a question of its own, and one arrival can take both."""
    state = to_paris(edition("ru"), reached=reached, red={"Paris": "gold"}, blue={"Paris": "gold"})
    go(state, TO_PARIS)
    assert {action["colour"] for action in state.actions()} == {"red"}
    do(state, "accept")
    assert {action["colour"] for action in state.actions()} == {"blue"}
    do(state, "accept")
    assert state.table.gold[0] == 3
    assert (state.table.red[1], state.table.blue[1]) == (None, None)


def test_the_first_to_arrive_is_not_asked_about_the_blue_chit() -> None:
    """K-66: it is there from the second on, whether red was taken or not."""
    for answer in ("accept", "decline"):
        state = to_paris(edition("ru"), red={"Paris": "gold"}, blue={"Paris": "gold"}, gold=[0, 1, 1, 1])
        go(state, TO_PARIS)
        do(state, answer)
        assert (state.to_act, state.table.blue[1]) == (1, "gold")


@pytest.mark.parametrize("reached", [0, 1, 2, 3])
@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_the_blue_chit_of_the_last_may_be_refused_too(reached: int, answer: str) -> None:
    """K-66 with blue_chit = last, which no named edition has: only the last to reach the city is asked about it."""
    state = to_paris(edition(refuse_chits=True), blue={"Paris": "delay"}, reached=reached)
    go(state, TO_PARIS)
    if reached < 3:
        assert (state.to_act, state.table.blue[1]) == (1, "delay")
        return
    assert [action["colour"] for action in state.actions()] == ["blue", "blue"]
    log = do(state, answer)
    assert events_of(log, "chit")[0]["taken"] is (answer == "accept")
    assert state.table.blue[1] == (None if answer == "accept" else "delay")
    assert state.table.days[1:] == ([1, 1, 1] if answer == "accept" else [0, 0, 0])


def test_refusing_one_and_taking_the_other() -> None:
    """K-66."""
    state = to_paris(edition("ru"), reached=1, red={"Paris": "delay"}, blue={"Paris": "travel"}, deck="s8")
    go(state, TO_PARIS)
    do(state, "decline", colour="red")
    do(state, "accept", colour="blue")
    assert (state.table.red[1], state.table.blue[1], hand(state, 0)) == ("delay", None, "s8")
    assert state.table.days[1:] == [0, 0, 0]


# K-70, K-71


@pytest.mark.parametrize(("deck", "card"), [("travel", "s8"), ("event", "offer")])
def test_two_gold_for_a_card(deck: str, card: str) -> None:
    """K-70, K-71: the top of either deck; the coins go to the supply."""
    state = position(3, gold=[5, 1, 1], deck="s8 offer")
    log = do(state, "buy", deck=deck)
    assert events_of(log, "gold") == [{"event": "gold", "seat": 0, "gold": -2, "why": "buy"}]
    assert (state.table.gold[0], state.table.supply, hand(state, 0)) == (3, 19, card)
    do(state, "buy", deck=deck)
    assert not offered(state, do="buy")
    assert state.table.gold[0] == 1


def test_a_card_bought_may_be_used_straight_away() -> None:
    """K-70."""
    state = position(3, phase="travel", gold=[2, 1, 1], hands={0: "s7"}, deck="t3")
    assert not journeys(state)
    do(state, "buy", deck="travel")
    assert journeys(state) == [TO_PARIS]


def test_a_grey_card_bought_acts_at_once() -> None:
    """K-70, K-62."""
    state = position(3, phase="travel", gold=[2, 1, 1], hands={0: "s7 t3 offer"}, deck="delay")
    do(state, "buy", deck="event")
    assert state.table.days == [1, 1, 1]
    assert hand(state, 0) == "t3 s7"


def test_coins_paid_can_be_received_again() -> None:
    """K-71: an empty supply that two coins go to."""
    state = position(3, phase="action", place="gold", gold=[2, 11, 11])
    assert not offered(state, do="gold")
    do(state, "buy", deck="travel")
    do(state, "gold")
    assert (state.table.gold, state.table.supply) == ([1, 11, 11], 1)


# K-72, K-73


def come_home(rules=None, more_cards: str = "t6 s8 elephant balloon", **more):
    return position(
        4, rules, phase="travel", at=["New York", "New York", "Suez", "Suez"],
        hands={0: f"t2 s4 s5 {more_cards}", 1: "t3 s6 s6"}, **more,
    )  # fmt: skip


def test_coming_home() -> None:
    """K-72: the order of arrival, the hand laid down face up, the gold kept, the turn over."""
    state = come_home(gold=[3, 1, 1, 1], days=[60, 0, 0, 0])
    log = go(state, "t2 s4 s5 = 11")
    assert events_of(log, "home") == [{"event": "home", "seat": 0, "place": 1, "days": 71}]
    assert events_of(log, "lay_off") == [{"event": "lay_off", "seat": 0, "cards": ["t6", "s8", "elephant", "balloon"]}]
    assert hand(state, 0) == ""
    assert top(state, 0, 2) == "t6 s8"
    assert top(state, 1, 2) == "elephant balloon"
    assert state.table.gold[0] == 3
    assert state.to_act == 1
    check_whole(state)
    do(state, "take", place="gold")
    do(state, "pass")
    log = go(state, "t3 s6 s6 = 9")
    assert events_of(log, "home")[0]["place"] == 2
    assert state.table.arrived == [0, 1]


def test_the_hand_goes_under_the_piles() -> None:
    """K-72, parameter home_cards: the cards paid for the leg lie on top as ever."""
    state = come_home(edition(home_cards="bottom"), pile="t3 swap")
    go(state, "t2 s4 s5 = 11")
    assert named(state.decks[0].discards) == "t6 s8 t3 t2 s4 s5"
    assert named(state.decks[1].discards) == "elephant balloon swap"


def test_nothing_waits_in_london() -> None:
    """K-72: no chit, no detective, no hand limit."""
    state = come_home(more_cards="t2 t3 t4 t5 t6 s8 s8 distraction")
    state.table.red[10] = state.table.blue[10] = "gold"
    state.table.detective = 10
    log = go(state, "t2 s4 s5 = 11")
    assert not events_of(log, "chit") + events_of(log, "lose") + events_of(log, "discard")
    assert state.to_act == 1


def test_no_further_leg_from_london() -> None:
    """K-72: a connections in hand is laid down."""
    state = come_home(more_cards="t3 s7 connections")
    go(state, "t2 s4 s5 = 11")
    assert (state.to_act, hand(state, 0)) == (1, "")


def test_nothing_changes_the_days_of_who_is_home() -> None:
    """K-72: no round, grey card, chit, detective nor penalty."""
    state = position(
        4, edition(inattention_days=2), phase="action", place="event", home=(2,), days=[0, 0, 77, 0], deck="storm",
        hands={0: "t3 s7"}, red={"Paris": "delay"},
    )  # fmt: skip
    do(state, "event")
    go(state, TO_PARIS)
    finish_round(state)
    assert state.penalize(2) == []
    assert state.table.days == [13, 4, 77, 4]


def test_who_is_home_takes_no_part() -> None:
    """K-72: no turn, no gold back to the supply."""
    state = position(4, home=(1,), gold=[1, 9, 1, 1])
    for _ in range(8):
        assert state.to_act != 1
        state.play(0)
    assert state.table.gold[1] == 9


def test_days_count_on_past_eighty() -> None:
    """K-73."""
    state = position(3, phase="travel", days=[79, 0, 0], hands={0: "t3 s7"}, red={"Paris": "event"}, deck="storm")
    go(state, TO_PARIS)
    do(state, "accept")
    assert state.table.days[0] == 91
    assert state.scores()[0]["days"] == 91


def test_the_blind_pick_has_a_stream_of_its_own() -> None:
    """K-35, K-92: what a neighbour picks shifts no roll."""
    cards = {0: "t2 t2 t3 s4 s5 s5 s6"}
    rolls = []
    for rules in (edition(over_limit="blind"), edition()):
        state = position(3, rules, phase="travel", hands=cards, at="Brindisi", chance=Scripted({"x": []}), rolls=[5])
        do(state, "stay")
        rolls.append(state.chance.roll("die"))
    assert rolls == [5, 5]
