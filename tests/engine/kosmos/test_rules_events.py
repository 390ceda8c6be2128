"""The event cards, one by one: K-50 to K-64."""

from __future__ import annotations

import pytest

from tests.engine.kosmos.checks import check_whole
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

GREY = [("storm", 2), ("delay", 1)]


def at(city: str, cards: str, **more):
    """Seat 0 before its leg."""
    return position(3, more.pop("rules", None), phase="travel", at=city, hands={0: cards}, **more)


def ways(city: str, cards: str, **more) -> list[str]:
    return sorted(journeys(at(city, cards, **more)))


# K-50 to K-54


def test_distraction() -> None:
    """K-50: the detective costs nothing, once."""
    state = at("Paris", "distraction", detective="Paris")
    do(state, "stay")
    log = do(state, "escape", by="distraction")
    assert events_of(log, "escape") == [{"event": "escape", "seat": 0, "by": "distraction"}]
    assert not events_of(log, "lose")
    assert (state.table.days[0], hand(state, 0), top(state, 1, 1)) == (0, "", "distraction")


@pytest.mark.parametrize("city", ["London", "Paris", "Suez", "Hong Kong", "New York"])
def test_offer(city: str) -> None:
    """K-51: ten days, no travel card."""
    state = at(city, "offer t2 s4")
    assert "- | offer = 10" in journeys(state)
    go(state, "- | offer = 10")
    assert state.table.days[0] == 10
    if city != "New York":
        assert hand(state, 0) == "t2 s4"


def test_no_offer_to_calcutta() -> None:
    """K-51: the parameter india_events allows it."""
    assert ways("Bombay", "offer") == ["- = 12"]
    assert ways("Bombay", "offer", rules=edition(india_events=True)) == ["- = 12", "- | offer = 10"]


def test_swap() -> None:
    """K-52: one swap a card."""
    state = position(3, display="t2 s5 t3 s6", hands={0: "swap t4"})
    assert len(offered(state, do="swap")) == 6
    do(state, "swap", places=["gold", "event"])
    assert not offered(state, do="swap")
    assert top(state, 1, 1) == "swap"


def test_an_elephant_sold() -> None:
    """K-53: a coin from the supply, the card to the pile; with an empty supply it is not offered."""
    state = position(3, hands={0: "elephant"})
    log = do(state, "sell")
    assert events_of(log, "gold") == [{"event": "gold", "seat": 0, "gold": 1, "why": "elephant"}]
    assert (state.table.gold, state.table.supply) == ([2, 1, 1], 20)
    assert (hand(state, 0), top(state, 1, 1)) == ("", "elephant")
    assert not offered(position(3, hands={0: "elephant"}, gold=[0, 12, 12]), do="sell")


def test_no_coin_for_an_elephant_brought_home() -> None:
    """K-53, K-72."""
    state = at("New York", "t2 s4 s5 elephant", gold=[1, 1, 1])
    log = go(state, "t2 s4 s5 = 11")
    assert not events_of(log, "gold")
    assert state.table.gold == [1, 1, 1]


def test_detective() -> None:
    """K-54: any other city but London, and the card is used up."""
    state = position(3, hands={0: "detective"}, detective="Calcutta")
    cities = [action["to"] for action in offered(state, do="detective")]
    assert cities == ["Paris", "Brindisi", "Suez", "Bombay", "Hong Kong", "Yokohama", "San Francisco", "New York"]
    log = do(state, "detective", to="Paris")
    assert events_of(log, "detective") == [{"event": "detective", "seat": 0, "to": "Paris", "by": "detective"}]
    assert state.view(None)["detective"] == "Paris"
    assert not offered(state, do="detective")
    assert (hand(state, 0), top(state, 1, 1)) == ("", "detective")


# K-55: the princess


def test_the_princess_swaps() -> None:
    """K-55: before taking a card, as the top of the pile is a swap."""
    state = position(3, display="t2 s5 t3 s6", hands={0: "princess"}, pile="swap")
    do(state, "swap", by="princess", places=["balloon", "event"])
    assert top(state, 1, 2) == "swap princess"
    assert state.view(None)["display"] == ["t2", "t3", "s5", "s6", None, None]
    assert not offered(position(3, phase="travel", hands={0: "princess t3"}, pile="swap"), do="swap")


def test_a_swap_and_the_princess_after_it() -> None:
    """K-55: the card just played is on top."""
    state = position(3, hands={0: "princess swap"}, display="t2 s5 t3 s6")
    assert not offered(state, do="swap", by="princess")
    do(state, "swap", by="swap", places=["gold", "balloon"])
    do(state, "swap", by="princess", places=["gold", "balloon"])
    assert state.view(None)["display"][:2] == ["t2", "s5"]


@pytest.mark.parametrize(("phase", "place"), [("take", None), ("action", "event"), ("travel", None)])
def test_the_princess_moves_the_detective(phase: str, place: str | None) -> None:
    """K-55: at the moments of K-36."""
    state = position(3, phase=phase, place=place, hands={0: "princess"}, pile="detective")
    assert len(offered(state, do="detective", by="princess")) == 8
    do(state, "detective", to="Bombay")
    assert state.view(None)["detective"] == "Bombay"
    assert top(state, 1, 2) == "detective princess"


@pytest.mark.parametrize(
    ("city", "cards", "pile", "expected"),
    [
        ("Suez", "", "offer", ["- | princess = 10"]),
        ("Bombay", "", "offer", ["- = 12"]),
        ("Bombay", "", "elephant", ["- = 12", "- | princess = 6 + die"]),
        ("Suez", "s5 s8", "elephant", ["s5 s8 = 13"]),
        ("Suez", "s5 s8", "opportunity", ["s5 s8 = 13", "s5 s8 | princess = 8"]),
        ("London", "t3 s8", "opportunity", ["t3 s8 = 11"]),
        ("London", "t3 s8", "balloon", ["t3 s8 = 11", "t3 s8 | princess = 3 + die", "t3 s8 | princess = 8 + die"]),
        ("London", "t3 s8", "submarine", ["t3 s8 = 11", "t3 s8 | princess = 6"]),
        ("London", "t3 s8", "propeller", ["t3 s8 = 11", "t3 s8 | princess = 9"]),
        ("Brindisi", "s8", "propeller", ["s8 = 8"]),
        ("London", "t3 s8", "connections", ["t3 s8 = 11"]),
        ("London", "t3 s8", "distraction", ["t3 s8 = 11"]),
        ("London", "t3 s8", "swap", ["t3 s8 = 11"]),
        ("London", "t3 s8", "", ["t3 s8 = 11"]),
    ],
)
def test_the_princess_with_a_leg(city: str, cards: str, pile: str, expected: list[str]) -> None:
    """K-55: what tops the pile, under that card's own conditions; an empty pile gives nothing."""
    assert ways(city, f"{cards} princess", pile=pile) == sorted(expected)


def test_only_the_top_of_the_pile_is_copied() -> None:
    """K-55: what lies beneath it does not count."""
    assert ways("London", "t3 s8 princess", pile="submarine swap") == ["t3 s8 = 11"]
    assert "t3 s8 | princess = 6" in ways("London", "t3 s8 princess", pile="swap submarine")


def test_a_princess_does_not_copy_a_princess() -> None:
    """K-55: neither one on the pile nor one laid for the same leg."""
    rules = edition(events={"princess": 3})
    assert ways("London", "t3 s8 princess", rules=rules, pile="submarine princess") == ["t3 s8 = 11"]
    assert ways("London", "t3 s8 princess princess", rules=rules, pile="submarine") == [
        "t3 s8 = 11", "t3 s8 | princess = 6",
    ]  # fmt: skip
    assert "s7 s8 | princess = 10" in (found := ways("Suez", "s7 s8 princess princess", rules=rules, pile="submarine"))
    assert "s7 s8 | princess princess = 6" not in found, "the second copied what the first had covered"
    state = position(3, rules, display="t2 s5 t3 s6", hands={0: "princess princess"}, pile="swap")
    do(state, "swap", by="princess", places=["gold", "balloon"])
    assert hand(state, 0) == "princess"
    assert not offered(state, do="swap")


def test_a_princess_sells_no_elephant() -> None:
    """K-55: the effect, not the sale."""
    state = position(3, hands={0: "princess"}, pile="elephant")
    assert not offered(state, do="sell")


def test_a_princess_copies_an_event_of_the_same_leg() -> None:
    """K-55, K-64: a submarine and she on two ships, with the pile empty."""
    assert ways("Suez", "s7 s8 submarine princess") == [
        "s7 s8 = 15", "s7 s8 | submarine = 10", "s7 s8 | submarine = 11", "s7 s8 | submarine princess = 6",
    ]  # fmt: skip
    assert "t5 t6 | propeller princess = 2" in ways("Paris", "t5 t6 propeller princess")


@pytest.mark.parametrize(
    ("city", "cards"), [("Suez", "s7 s8 opportunity"), ("Suez", "s7 s8 balloon"), ("Suez", "s7 s8 offer")]
)
def test_a_princess_that_would_do_nothing_more(city: str, cards: str) -> None:
    """K-55: a second opportunity, offer or balloon on a leg is none; she never makes a second balloon."""
    assert not [way for way in ways(city, f"{cards} princess") if "princess" in way]


def test_a_princess_makes_no_second_balloon() -> None:
    """K-55, K-44: not beside the card nor beside the action's ride."""
    found = ways("Suez", "s7 s8 balloon princess", pile="balloon", balloon=True)
    assert [way for way in found if "die" in way] == [
        f"s7 s8 | {by} = {days} + die" for by in ("balloon", "princess", "ride") for days in (7, 8)
    ]


def test_the_princess_against_the_detective() -> None:
    """K-55, K-34: as a distraction in step 5."""
    state = at("Paris", "princess", detective="Paris", pile="distraction")
    do(state, "stay")
    do(state, "escape", by="princess")
    assert (state.table.days[0], top(state, 1, 2)) == (0, "distraction princess")
    state = at("Paris", "princess", detective="Paris", pile="distraction swap")
    do(state, "stay")
    assert state.table.days[0] == 2


def test_the_princess_connects() -> None:
    """K-55, K-58: a further leg after a leg, as connections top the pile."""
    state = at("London", "t3 s7 t4 t5 princess", pile="connections")
    go(state, "t3 s7 = 10")
    assert journeys(state) == ["t4 t5 | princess = 9"]
    go(state, "t4 t5 | princess = 9")
    assert (state.table.city[0], state.table.days[0]) == (2, 19)


def test_connections_cover_what_a_princess_could_have_copied() -> None:
    """K-55, K-64: they are on the pile before the cards of their leg, and beside her there is nothing else to copy."""
    for covered in ("submarine", "offer", "opportunity", "balloon"):
        state = at("Suez", "s7 s8 connections princess", pile=covered, legs=1)
        assert journeys(state) == ["s7 s8 | connections = 15"], covered
        assert "princess" in " ".join(ways("Suez", "s7 s8 princess", pile=covered)), covered
    copied = journeys(at("Suez", "s7 s8 connections princess submarine", pile="opportunity", legs=1))
    assert "s7 s8 | connections submarine princess = 6" in copied, "what lies on the connections she can copy"
    assert not [way for way in copied if way.startswith("s7 s8 | princess")]


def test_a_princess_that_connects_covers_the_connections() -> None:
    """K-55, K-58: a second one finds the first on top."""
    rules = edition(events={"princess": 2})
    state = at("Suez", "s7 s8 princess princess", rules=rules, pile="connections", legs=1)
    assert journeys(state) == ["s7 s8 | princess = 15"]


# K-56 to K-60


@pytest.mark.parametrize(
    ("city", "cards", "days"),
    [("Suez", "s4 s8", 8), ("Paris", "t2 t6", 6), ("New York", "t6 s4 s8", 14), ("Suez", "s6 s6", 6),
     ("Hong Kong", "s5 s7", 7)],
)  # fmt: skip
def test_opportunity(city: str, cards: str, days: int) -> None:
    """K-56: only the higher of two trains or two ships; from New York of the ships, and the train is added."""
    assert f"{cards} | opportunity = {days}" in ways(city, f"{cards} opportunity")


@pytest.mark.parametrize(("city", "cards"), [("London", "t3 s8"), ("Brindisi", "s8"), ("Hong Kong", "t3 s8")])
def test_no_opportunity_without_two_of_a_kind(city: str, cards: str) -> None:
    """K-56."""
    assert not [way for way in ways(city, f"{cards} opportunity") if "opportunity" in way]


def test_the_balloon_card() -> None:
    """K-57: a ride for one leg, used up with it."""
    state = at("Paris", "t5 t6 s8 balloon connections", rolls=[1], gold=[0, 1, 1])
    go(state, "t5 t6 | balloon = 5 + die")
    assert journeys(state) == ["s8 | connections = 8"]


def test_connections() -> None:
    """K-58: one more leg, paid for, in the same turn; the card goes with it."""
    state = at("London", "t3 s7 t4 t5 connections")
    assert journeys(state) == ["t3 s7 = 10", "t4 s7 = 11", "t5 s7 = 12"]
    go(state, "t3 s7 = 10")
    assert (state.to_act, state.table.phase) == (0, "travel")
    assert journeys(state) == ["t4 t5 | connections = 9"]
    go(state, "t4 t5 | connections = 9")
    assert (state.table.city[0], state.table.days[0], state.to_act, top(state, 1, 1)) == (2, 19, 1, "connections")


def test_connections_only_after_a_leg_and_with_one_that_can_be_paid() -> None:
    """K-58."""
    state = at("London", "t3 s7 t4 connections")
    assert not [way for way in journeys(state) if "connections" in way]
    go(state, "t3 s7 = 10")
    assert (state.to_act, hand(state, 0)) == (1, "t4 connections")


def test_connections_not_to_calcutta() -> None:
    """K-58: the ban is on that leg as the further one, not on the leg after it; parameter india_events."""
    state = at("Suez", "s7 s7 connections elephant")
    go(state, "s7 s7 = 7")
    assert not journeys(state)
    state = at("Suez", "s7 s7 connections elephant offer", rules=edition(india_events=True))
    go(state, "s7 s7 = 7")
    assert sorted(journeys(state)) == [
        "- | connections = 12", "- | connections elephant = 6 + die", "- | connections offer = 10",
    ]  # fmt: skip
    state = at("Bombay", "s7 s7 connections")
    go(state, "- = 12")
    assert journeys(state) == ["s7 s7 | connections = 7"]


def test_the_chit_comes_before_the_connections() -> None:
    """K-58, K-63: a grey card from the chit of the first leg takes them away."""
    state = at("London", "t3 s7 t4 t5 connections", red={"Paris": "event"}, deck="delay")
    go(state, "t3 s7 = 10")
    do(state, "accept")
    assert (state.table.city[0], state.to_act, hand(state, 0)) == (1, 1, "t4 t5")
    state = at("London", "t3 s7 t4 t5", red={"Paris": "event"}, deck="connections")
    go(state, "t3 s7 = 10")
    do(state, "accept")
    assert journeys(state) == ["t4 t5 | connections = 9"]


def test_three_legs() -> None:
    """K-58, K-55: connections, then the princess in their place."""
    state = at("London", "t3 s7 t4 t5 s8 connections princess")
    go(state, "t3 s7 = 10")
    go(state, "t4 t5 | connections = 9")
    go(state, "s8 | princess = 8")
    assert (state.table.city[0], state.table.days[0], state.to_act) == (3, 27, 1)


def test_no_third_leg_when_something_lies_on_the_connections() -> None:
    """K-58, K-64: a submarine of the same leg lies above them."""
    state = at("Paris", "t4 t5 s7 s6 s5 connections princess submarine")
    go(state, "t4 t5 = 9")
    go(state, "s7 | connections submarine = 3")
    assert not [way for way in journeys(state) if "princess" in way]


@pytest.mark.parametrize(("city", "cards", "way"), [("Brindisi", "s8", "s8 | submarine = 3"),
                                                    ("London", "t5 s4", "t5 s4 | submarine = 8")])  # fmt: skip
def test_submarine(city: str, cards: str, way: str) -> None:
    """K-59: a ship counts 3, and is paid."""
    state = at(city, f"{cards} submarine")
    go(state, way)
    assert (state.table.days[0], hand(state, 0)) == (int(way[-1]), "")


def test_propeller() -> None:
    """K-60: a train counts 1, and is paid."""
    state = at("London", "t6 s4 propeller")
    go(state, "t6 s4 | propeller = 5")
    assert (state.table.days[0], hand(state, 0)) == (5, "")


# K-61 to K-63


@pytest.mark.parametrize(("card", "days"), GREY)
def test_a_grey_card_acts_at_once(card: str, days: int) -> None:
    """K-61, K-62: everyone on the way, the drawer too, but nobody who is home."""
    state = position(4, phase="action", place="event", home=(2,), deck=card, days=[5, 6, 70, 79])
    log = do(state, "event")
    assert events_of(log, "grey") == [{"event": "grey", "seat": 0, "card": card}]
    assert [(what["seat"], what["days"], what["why"]) for what in events_of(log, "lose")] == [
        (seat, days, card) for seat in (0, 1, 3)
    ]
    assert state.table.days == [5 + days, 6 + days, 70, 79 + days]
    assert card not in hand(state, 0)


@pytest.mark.parametrize(("card", "days"), GREY)
def test_after_a_grey_card_all_event_cards_are_shuffled(card: str, days: int) -> None:
    """K-63: those of all hands, of the pile and the grey one; no gold for an elephant; the pile is empty."""
    cards = {0: "t3 s7 elephant offer", 1: "t2 elephant", 2: "s4 swap balloon"}
    state = position(3, phase="action", place="event", hands=cards, deck=card, pile="princess t5")
    log = do(state, "event")
    assert [(what["seat"], what["cards"]) for what in events_of(log, "lay_off")] == [
        (0, ["offer", "elephant"]), (1, ["elephant"]), (2, ["swap", "balloon"]),
    ]  # fmt: skip
    assert events_of(log, "shuffle") == [{"event": "shuffle", "deck": "event", "cards": 15}]
    assert [hand(state, seat) for seat in range(3)] == ["t3 s7", "t2", "s4"]
    assert state.table.event_cards == [0, 0, 0]
    assert (len(state.decks[1].order), state.decks[1].discards) == (15, [])
    assert state.table.gold == [1, 1, 1]
    check_whole(state)


def test_a_grey_card_is_part_of_the_new_deck() -> None:
    """K-63: with nothing but two storms in the deck, each draw is a storm."""
    events = dict.fromkeys(edition()["events"], 0) | {"storm": 2}
    state = position(3, edition(events=events), gold=[7, 1, 1])
    for days in (2, 4, 6):
        do(state, "buy", deck="event")
        assert state.table.days == [days] * 3
        assert len(state.decks[1].order) == 2


# K-64


@pytest.mark.parametrize(
    ("city", "cards", "pile", "way", "order"),
    [
        # In the order of the list, whatever they touch.
        ("London", "t6 s8 propeller balloon", "", "t6 s8 | balloon propeller = 1 + die", "balloon propeller"),
        ("London", "t6 s8 submarine propeller", "", "t6 s8 | submarine propeller = 4", "submarine propeller"),
        # She copied the old top: beneath the others.
        ("London", "t6 s8 princess propeller", "submarine", "t6 s8 | princess propeller = 4",
         "submarine princess propeller"),
        ("Suez", "s7 s8 princess submarine", "balloon", "s7 s8 | princess submarine = 3 + die",
         "balloon princess submarine"),
        # She copied a card of the same leg: right on it, above all others.
        ("Suez", "s7 s8 princess submarine", "", "s7 s8 | submarine princess = 6", "submarine princess"),
        ("New York", "t6 s7 s8 princess submarine propeller", "",
         "t6 s7 s8 | propeller submarine princess = 7", "propeller submarine princess"),
    ],
)  # fmt: skip
def test_the_order_on_the_pile(city: str, cards: str, pile: str, way: str, order: str) -> None:
    """K-64: the last on top."""
    state = at(city, cards, pile=pile, rolls=[3], gold=[0, 1, 1])
    log = go(state, way)
    if city != "New York":
        assert top(state, 1, len(order.split())) == order
    assert events_of(log, "travel")[0]["events"] == [card for card in order.split() if card != pile]


def test_connections_lie_beneath_the_cards_of_the_further_leg() -> None:
    """K-64: they are played before those cards."""
    state = at("London", "t3 s7 t5 t6 connections propeller balloon", rolls=[2], gold=[0, 1, 1])
    go(state, "t3 s7 = 10")
    go(state, "t5 t6 | connections balloon propeller = 1 + die")
    assert top(state, 1, 3) == "connections balloon propeller"


def test_a_princess_can_copy_what_lies_on_connections() -> None:
    """K-64, K-55: the opportunity of the further leg tops the pile."""
    state = at("Paris", "t4 t5 s8 t6 connections offer princess")
    go(state, "t4 t5 = 9")
    go(state, "- | connections offer = 10")
    assert top(state, 1, 2) == "connections offer"
    assert "- | princess = 10" in journeys(position(
        3, phase="travel", at="Paris", hands={0: "princess"}, pile=top(state, 1, 2)
    ))  # fmt: skip


def test_a_hand_laid_down_in_london_on_top() -> None:
    """K-64, K-72: in the order of the list, princess and all, the last on top."""
    state = at("New York", "t2 s4 s5 s8 t6 propeller distraction princess", pile="swap s6")
    go(state, "t2 s4 s5 = 11")
    assert top(state, 1, 4) == "swap distraction princess propeller"


def test_a_hand_laid_down_under_the_pile() -> None:
    """K-64, K-72, parameter home_cards: the same order below what lies there."""
    rules = edition(home_cards="bottom")
    state = at("New York", "t2 s4 s5 s8 t6 propeller distraction princess", pile="swap s6", rules=rules)
    go(state, "t2 s4 s5 = 11")
    assert top(state, 1, 4) == "distraction princess propeller swap"
    assert top(state, 0, 6) == "t6 s8 s6 t2 s4 s5"


def test_the_card_on_top_is_what_the_next_princess_copies() -> None:
    """K-64, K-55: after propeller and balloon, it is the propeller."""
    state = position(
        3, phase="travel", hands={0: "t6 s8 propeller balloon", 1: "t5 s6 princess"}, rolls=[1], gold=[0, 0, 0]
    )
    go(state, "t6 s8 | balloon propeller = 1 + die")
    do(state, "take", place="gold")
    do(state, "pass")
    assert "t5 s6 | princess = 7" in journeys(state)
    finish_turn(state)
