"""What a leg costs: K-40 to K-49. `journeys` says in words what is offered."""

from __future__ import annotations

import pytest

from tests.engine.kosmos.checks import check_offers
from tests.engine.kosmos.positions import (
    do,
    edition,
    events_of,
    finish_turn,
    go,
    hand,
    journeys,
    offered,
    position,
    top,
)


def at(city: str, cards: str, **more):
    """Seat 0 before its leg."""
    return position(3, more.pop("rules", None), phase="travel", at=city, hands={0: cards}, **more)


def ways(city: str, cards: str, **more) -> list[str]:
    return sorted(journeys(at(city, cards, **more)))


# K-40, K-41, K-42


def test_worked_example_of_a_leg() -> None:
    """K-40: ship 7 + train 3 = 10 days, and both cards go to the pile."""
    state = at("London", "t3 s7 s8 t5", days=[4, 0, 0])
    assert "t3 s7 = 10" in journeys(state)
    log = go(state, "t3 s7 = 10")
    assert state.table.days[0] == 14
    assert state.table.city[0] == 1
    assert hand(state, 0) == "t5 s8"
    assert events_of(log, "arrive") == [{"event": "arrive", "seat": 0, "city": "Paris", "progress": 1, "days": 10}]
    assert sorted(top(state, 0, 2).split()) == ["s7", "t3"]


@pytest.mark.parametrize(("city", "cards", "days"), [
    ("Suez", "s8 s8", 8), ("Suez", "s5 s4", 9), ("London", "s4 t4", 8), ("Paris", "t6 t6", 6), ("Paris", "t6 t2", 8),
    ("New York", "s6 s6 t4", 10), ("New York", "s6 s7 t6", 19), ("New York", "s4 s4 t4", 8),
    ("Hong Kong", "s4 t4", 8), ("Hong Kong", "s7 s7", 7), ("Brindisi", "s8", 8), ("San Francisco", "t5 t5", 5),
])  # fmt: skip
def test_worked_examples_of_pairs(city: str, cards: str, days: int) -> None:
    """K-41: two ships 8: 8 days; ships 5 and 4: 9; ship 4 + train 4: 8; a pair on the last leg counts once."""
    [only] = ways(city, cards)
    assert only.endswith(f" = {days}")
    assert sorted(only.split(" = ")[0].split()) == sorted(cards.split())


@pytest.mark.parametrize(("city", "cards"), [
    ("London", "t2 t3 t4"), ("London", "s4 s5"), ("Paris", "t2 s4 s5"), ("Brindisi", "t2 t3"), ("Suez", "s4 t2"),
    ("Hong Kong", "t2 t3"), ("Hong Kong", "s4"), ("New York", "s4 s5"), ("New York", "s4 t2 t3"),
])  # fmt: skip
def test_a_leg_without_its_cards_cannot_be_travelled(city: str, cards: str) -> None:
    """K-40, K-06: staying is all that is left."""
    assert list(at(city, cards).actions()) == [{"do": "stay"}]


def test_every_choice_of_cards_once() -> None:
    """K-40, K-49: equal cards make equal ways."""
    assert ways("London", "t2 t2 t5 s4 s4") == ["t2 s4 = 6", "t5 s4 = 9"]
    assert ways("Suez", "s4 s4 s4 s6 s6") == ["s4 s4 = 4", "s4 s6 = 10", "s6 s6 = 6"]


def test_two_options() -> None:
    """K-42: Hong Kong-Yokohama by two ships or by train and ship, the player choosing."""
    assert ways("Hong Kong", "t3 s7 s8") == ["s7 s8 = 15", "t3 s7 = 10", "t3 s8 = 11"]
    state = at("Hong Kong", "t3 s7 s8")
    go(state, "t3 s8 = 11")
    assert (state.table.days[0], hand(state, 0)) == (11, "s7")


# K-43


def test_bombay_to_calcutta() -> None:
    """K-43: 12 days and no cards, whatever is in hand."""
    state = at("Bombay", "t2 s4 s4")
    assert journeys(state) == ["- = 12"]
    go(state, "- = 12")
    assert (state.table.days[0], state.table.city[0], hand(state, 0)) == (12, 5, "t2 s4 s4")
    assert ways("Bombay", "") == ["- = 12"]


def test_bombay_to_calcutta_by_elephant() -> None:
    """K-43, K-53: 6 and a die, and the elephant is laid down."""
    state = at("Bombay", "elephant", rolls=[4], gold=[0, 1, 1])
    assert sorted(journeys(state)) == ["- = 12", "- | elephant = 6 + die"]
    go(state, "- | elephant = 6 + die")
    assert (state.table.days[0], hand(state, 0), top(state, 1, 1)) == (10, "", "elephant")


def test_no_balloon_to_calcutta() -> None:
    """K-43, K-44: neither the card nor the action's ride, with an elephant or without."""
    assert ways("Bombay", "balloon elephant t2 s4", balloon=True) == ["- = 12", "- | elephant = 6 + die"]


def test_going_to_calcutta_leaves_the_ride() -> None:
    """K-43, K-46: the ride of the action serves the leg after it."""
    state = at("Bombay", "connections s5 s8", balloon=True, rolls=[1], gold=[0, 1, 1])
    go(state, "- = 12")
    go(state, "s5 s8 | connections ride = 5 + die")
    assert state.table.days[0] == 18


# K-44, K-45, K-46


def test_worked_examples_of_a_balloon() -> None:
    """K-44: ships 5 and 8 with the 8 replaced by a rolled 5: 10; train 4 + ship 7, ship replaced by a 2: 6."""
    state = at("Suez", "s5 s8", balloon=True, rolls=[5], gold=[0, 1, 1])
    go(state, "s5 s8 | ride = 5 + die")
    assert (state.table.days[0], hand(state, 0)) == (10, "")
    state = at("London", "t4 s7 balloon", rolls=[2], gold=[0, 1, 1])
    log = go(state, "t4 s7 | balloon = 4 + die")
    assert (state.table.days[0], hand(state, 0), top(state, 1, 1)) == (6, "", "balloon")
    assert events_of(log, "travel")[0]["uses"] == [{"card": "balloon", "as": "balloon", "on": "s7"}]


@pytest.mark.parametrize(("city", "cards", "offer"), [
    ("London", "t4 s7", ["t4 s7 | ride = 4 + die", "t4 s7 | ride = 7 + die"]),
    ("Suez", "s5 s8", ["s5 s8 | ride = 5 + die", "s5 s8 | ride = 8 + die"]),
    ("Suez", "s8 s8", ["s8 s8 | ride = 8 + die"]),
    ("Brindisi", "s8", ["s8 | ride = 0 + die"]),
    ("New York", "t6 s8 s8", ["t6 s8 s8 | ride = 14 + die", "t6 s8 s8 | ride = 8 + die"]),
])  # fmt: skip
def test_a_ride_may_replace_any_card_paid(city: str, cards: str, offer: list[str]) -> None:
    """K-44, K-41: the rest counts in full, a card whose partner is replaced makes no pair."""
    assert [way for way in ways(city, cards, balloon=True) if "ride" in way] == offer


def test_at_most_one_balloon_on_a_leg() -> None:
    """K-44: of the card and the action one; two cards neither."""
    ridden = [way for way in ways("Suez", "s5 s8 balloon balloon", balloon=True) if "die" in way]
    assert ridden == [
        "s5 s8 | balloon = 5 + die", "s5 s8 | balloon = 8 + die", "s5 s8 | ride = 5 + die", "s5 s8 | ride = 8 + die",
    ]  # fmt: skip


def test_rolling_again() -> None:
    """K-45: a coin to the supply for each further roll, the last one counts, also when it is the worse."""
    state = at("Suez", "s5 s8", balloon=True, rolls=[2, 1, 6], gold=[3, 1, 1])
    log = go(state, "s5 s8 | ride = 5 + die")
    assert events_of(log, "roll") == [{"event": "roll", "seat": 0, "roll": 2}]
    assert list(state.actions()) == [{"do": "keep", "roll": 2}, {"do": "reroll", "gold": 1}]
    do(state, "reroll")
    assert list(state.actions()) == [{"do": "keep", "roll": 1}, {"do": "reroll", "gold": 1}]
    do(state, "reroll")
    assert (state.table.gold[0], state.table.supply) == (1, 21)
    do(state, "keep", roll=6)
    assert state.table.days[0] == 11


def test_no_further_roll_without_gold() -> None:
    """K-45: the last coin's roll stands and nothing is asked."""
    state = at("Suez", "s5 s8", balloon=True, rolls=[2, 6], gold=[1, 1, 1])
    go(state, "s5 s8 | ride = 5 + die")
    do(state, "reroll")
    assert (state.table.days[0], state.table.gold[0], state.to_act) == (11, 0, 1)
    state = at("Suez", "s5 s8", balloon=True, rolls=[2], gold=[0, 1, 1])
    go(state, "s5 s8 | ride = 5 + die")
    assert (state.table.days[0], state.to_act) == (7, 1)


@pytest.mark.parametrize(("city", "cards", "way"), [
    ("Suez", "s5 s8 balloon", "s5 s8 | balloon = 5 + die"), ("Bombay", "elephant", "- | elephant = 6 + die"),
])  # fmt: skip
def test_there_is_no_way_back_after_the_roll(city: str, cards: str, way: str) -> None:
    """K-45: balloon or elephant, only keeping or rolling again."""
    state = at(city, cards, rolls=[6], gold=[5, 1, 1])
    go(state, way)
    assert [action["do"] for action in state.actions()] == ["keep", "reroll"]
    assert hand(state, 0) == ""


def test_the_ride_serves_any_one_leg_of_the_turn() -> None:
    """K-46: the first or the second, and never both."""
    state = at("Paris", "t5 t6 s8 connections", balloon=True, rolls=[1, 1], gold=[0, 1, 1])
    second = state.copy()
    go(state, "t5 t6 | ride = 5 + die")
    assert journeys(state) == ["s8 | connections = 8"]
    go(second, "t5 t6 = 11")
    assert journeys(second) == ["s8 | connections = 8", "s8 | connections ride = 0 + die"]
    go(second, "s8 | connections ride = 0 + die")
    assert second.table.days[0] == 12


def test_a_card_may_serve_the_other_leg() -> None:
    """K-46."""
    state = at("Paris", "t5 t6 s8 connections balloon", balloon=True, rolls=[1, 2], gold=[0, 1, 1])
    go(state, "t5 t6 | balloon = 5 + die")
    go(state, "s8 | connections ride = 0 + die")
    assert state.table.days[0] == 8


def test_a_ride_not_used_lapses() -> None:
    """K-46: in the next turn, of the same seat or another, there is none."""
    state = position(2, display="t2 t3 t4", hands={0: "t4 s8", 1: "t5 s8"})
    do(state, "take", place="balloon")
    do(state, "stay")
    assert state.table.balloon is False
    do(state, "take", place="gold")
    do(state, "pass")
    assert not offered(state, die=True)
    finish_turn(state)
    assert not state.table.balloon


# K-47, K-49


@pytest.mark.parametrize(("city", "cards", "expected"), [
    # Two values replaced: no pair of two 3s.
    ("Suez", "s7 s8 submarine", ["s7 s8 = 15", "s7 s8 | submarine = 10", "s7 s8 | submarine = 11"]),
    # A replaced half of a pair: the other counts in full, so nothing is gained below 3.
    ("Suez", "s8 s8 submarine", ["s8 s8 = 8", "s8 s8 | submarine = 11"]),
    ("Paris", "t6 t6 propeller", ["t6 t6 = 6", "t6 t6 | propeller = 7"]),
    ("Paris", "t5 t6 propeller", ["t5 t6 = 11", "t5 t6 | propeller = 6", "t5 t6 | propeller = 7"]),
    # A submarine touches ships only, a propeller trains only; both go together on one leg.
    ("London", "t6 s8 submarine propeller",
     ["t6 s8 = 14", "t6 s8 | propeller = 9", "t6 s8 | submarine = 9", "t6 s8 | submarine propeller = 4"]),
    ("Paris", "t5 t6 submarine", ["t5 t6 = 11"]),
    ("Brindisi", "s8 propeller", ["s8 = 8"]),
    # Opportunity: the higher of two of a kind, playable on equal ones, not where only one is asked for.
    ("Suez", "s5 s8 opportunity", ["s5 s8 = 13", "s5 s8 | opportunity = 8"]),
    ("Suez", "s8 s8 opportunity", ["s8 s8 = 8", "s8 s8 | opportunity = 8"]),
    ("Paris", "t2 t6 opportunity", ["t2 t6 = 8", "t2 t6 | opportunity = 6"]),
    ("London", "t6 s8 opportunity", ["t6 s8 = 14"]),
    ("Hong Kong", "t6 s8 opportunity", ["t6 s8 = 14"]),
    ("New York", "t6 s5 s8 opportunity", ["t6 s5 s8 = 19", "t6 s5 s8 | opportunity = 14"]),
    # A card with a replaced value takes no part in it.
    ("Suez", "s7 s8 submarine opportunity",
     ["s7 s8 = 15", "s7 s8 | opportunity = 8", "s7 s8 | submarine = 10", "s7 s8 | submarine = 11"]),
    ("New York", "t6 s5 s8 propeller opportunity",
     ["t6 s5 s8 = 19", "t6 s5 s8 | opportunity = 14", "t6 s5 s8 | opportunity propeller = 9",
      "t6 s5 s8 | propeller = 14"]),
    # An elephant and an offer play no travel card.
    ("Suez", "s8 s8 offer submarine opportunity",
     ["- | offer = 10", "s8 s8 = 8", "s8 s8 | opportunity = 8", "s8 s8 | submarine = 11"]),
    ("Brindisi", "offer", ["- | offer = 10"]),
    # Cards that have nothing to do with a leg.
    ("Brindisi", "s8 distraction swap detective elephant connections", ["s8 = 8"]),
])  # fmt: skip
def test_modifiers_combine_where_they_touch_different_cards(city: str, cards: str, expected: list[str]) -> None:
    """K-47, K-49, K-51, K-56, K-59, K-60: all that is offered, and each way once."""
    assert ways(city, cards) == sorted(expected)


@pytest.mark.parametrize(("city", "cards", "expected"), [
    ("New York", "t6 s6 s6", ["t6 s6 s6 | ride = 12 + die", "t6 s6 s6 | ride = 6 + die"]),
    ("Suez", "s7 s8 submarine",
     ["s7 s8 | ride = 7 + die", "s7 s8 | ride = 8 + die", "s7 s8 | submarine ride = 3 + die"]),
    ("Brindisi", "s8 submarine", ["s8 | ride = 0 + die"]),
    ("Suez", "s7 s8 opportunity", ["s7 s8 | ride = 7 + die", "s7 s8 | ride = 8 + die"]),
    ("New York", "t6 s5 s8 opportunity",
     ["t6 s5 s8 | opportunity ride = 8 + die", "t6 s5 s8 | ride = 11 + die", "t6 s5 s8 | ride = 13 + die",
      "t6 s5 s8 | ride = 14 + die"]),
    ("London", "t6 s8 propeller submarine offer",
     ["t6 s8 | propeller ride = 1 + die", "t6 s8 | ride = 6 + die", "t6 s8 | ride = 8 + die",
      "t6 s8 | submarine ride = 3 + die"]),
])  # fmt: skip
def test_a_ride_combines_likewise(city: str, cards: str, expected: list[str]) -> None:
    """K-47: the last leg with ships 6 and 6 and the balloon on the train takes 6 + the roll."""
    assert sorted(way for way in ways(city, cards, balloon=True) if "ride" in way) == sorted(expected)


@pytest.mark.parametrize(("city", "cards", "expected"), [
    # A pair beside a balloon on the train counts twice, and once without it.
    ("New York", "t6 s6 s6", ["t6 s6 s6 = 12", "t6 s6 s6 | balloon = 12 + die"]),
    ("New York", "t4 s6 s6", ["t4 s6 s6 = 10", "t4 s6 s6 | balloon = 10 + die", "t4 s6 s6 | balloon = 12 + die"]),
    # An opportunity asks for two of a kind, equal or not.
    ("New York", "t6 s6 s6 opportunity",
     ["t6 s6 s6 = 12", "t6 s6 s6 | balloon = 12 + die", "t6 s6 s6 | opportunity = 12",
      "t6 s6 s6 | opportunity balloon = 6 + die"]),
    # On legs of two cards nothing changes.
    ("Suez", "s8 s8", ["s8 s8 = 8", "s8 s8 | balloon = 8 + die"]),
    ("Suez", "s5 s8", ["s5 s8 = 13", "s5 s8 | balloon = 5 + die", "s5 s8 | balloon = 8 + die"]),
])  # fmt: skip
def test_or_a_balloon_breaks_every_pair_of_its_leg(city: str, cards: str, expected: list[str]) -> None:
    """K-44, K-47, parameter balloon_breaks_pairs: ships 6 and 6 with the balloon on the train take 12 + the roll."""
    rules = edition(balloon_breaks_pairs=True)
    assert ways(city, f"{cards} balloon", rules=rules) == sorted(expected)
    ridden = [way.replace("ride", "balloon") for way in ways(city, cards, rules=rules, balloon=True)]
    assert sorted(ridden) == sorted(expected)


def test_two_ships_at_three_days_take_six() -> None:
    """K-47: two replaced values make no pair."""
    rules = edition(events={"submarine": 2})
    found = ways("Suez", "s7 s8 submarine submarine", rules=rules)
    assert "s7 s8 | submarine submarine = 6" in found
    assert len(found) == 4


def test_one_of_them_on_a_card_at_most() -> None:
    """K-49: one ship paid, two submarines in hand: only one can be laid down."""
    rules = edition(events={"submarine": 2})
    assert ways("Brindisi", "s8 submarine submarine", rules=rules) == ["s8 = 8", "s8 | submarine = 3"]
    assert ways("Brindisi", "s8 submarine balloon") == ["s8 = 8", "s8 | balloon = 0 + die", "s8 | submarine = 3"]


def test_ways_that_differ_in_nothing_are_one_action() -> None:
    """K-49: a rich hand; no two actions with equal cards, events and cost, and the order is stable."""
    rules = edition(events={"submarine": 2, "propeller": 2, "princess": 2, "opportunity": 2})
    cards = "t5 t6 s7 s8 s8 submarine submarine propeller princess princess opportunity balloon offer"
    state = at("New York", cards, rules=rules, balloon=True, pile="opportunity")
    check_offers(list(state.actions()))
    assert state.copy().actions() == state.actions()
    state.stand_here()
    assert list(state.actions()) == list(at("New York", cards, rules=rules, balloon=True, pile="opportunity").actions())


def test_what_an_action_says_is_what_it_costs() -> None:
    """K-49, K-40: each way of a rich hand, played: its days, its cards gone, its events on the pile."""
    rules = edition(events={"submarine": 2, "princess": 2, "opportunity": 2})
    cards = "t5 s7 s8 s8 submarine submarine propeller princess balloon opportunity"
    state = at("New York", cards, rules=rules, balloon=True, rolls=[4], gold=[0, 1, 1], pile="opportunity")
    assert len(journeys(state)) > 40
    for number, action in enumerate(state.actions()):
        if action["do"] != "travel":
            continue
        after = state.copy()
        pile = len(after.decks[1].discards)
        after.play(number)
        assert after.table.days[0] == action["days"] + (4 if action["die"] else 0)
        assert top(after, 1, len(after.decks[1].discards) - pile).split()[: len(action["events"])] == action["events"]


# K-48


def test_a_leg_runs_in_its_order() -> None:
    """K-48: announced, rolled, rolled again, arrived, then the chit; the days are added once the last roll is there."""
    state = at("London", "t4 s7 balloon", rolls=[6, 2], gold=[1, 1, 1], red={"Paris": "delay"})
    log = go(state, "t4 s7 | balloon = 4 + die")
    assert (state.table.city[0], state.table.days) == (0, [0, 0, 0])
    assert (top(state, 0, 2), top(state, 1, 1)) == ("t4 s7", "balloon")
    log += do(state, "reroll")
    assert [what["event"] for what in log] == [
        "travel", "roll", "reroll", "gold", "roll", "arrive", "chit", "lose", "lose",
    ]  # fmt: skip
    assert state.table.days == [6, 1, 1]


def test_the_announcement_says_the_whole_leg() -> None:
    """K-48: destination, cards, events, what each touches, and the cost before the roll."""
    state = at("London", "t4 s7 propeller balloon", rolls=[3], gold=[0, 1, 1])
    log = go(state, "t4 s7 | balloon propeller = 1 + die")
    assert events_of(log, "travel") == [{
        "event": "travel", "seat": 0, "to": "Paris", "cards": ["t4", "s7"], "days": 1, "die": True,
        "events": ["balloon", "propeller"],
        "uses": [
            {"card": "propeller", "as": "propeller", "on": "t4"}, {"card": "balloon", "as": "balloon", "on": "s7"},
        ],
    }]  # fmt: skip
