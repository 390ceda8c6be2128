"""Who may see what: K-90 to K-92. The tests of non-interference go further; these name each thing."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine.chance import Seeded
from engine.kosmos.cards import CITIES, FIRST_EVENT, NAMES
from engine.kosmos.decision import KosmosState
from engine.rules import Event
from tests.engine.kosmos.positions import KOSMOS, do, edition, go, hand, offered, position

EDITIONS = ("standard", "en", "ru", "nim")
PUBLIC_EVENTS = {
    "round", "lose", "take", "draw", "gold", "detective", "marker", "exchange", "swap", "travel", "roll", "reroll",
    "arrive", "turn_over", "chit", "escape", "discard", "grey", "lay_off", "home", "clear", "shuffle", "over",
}  # fmt: skip


def played(players: int, moves: int, seed: int = 0, name: str = "standard") -> tuple[KosmosState, list[Event]]:
    """A game some moves on, with what happened."""
    state = KOSMOS.start(players, edition(name), Seeded(bytes([seed]) * 16))
    random = Random(seed)
    log: list[Event] = []
    while state.to_act is not None and moves:
        log += state.play(random.randrange(len(state.actions())))
        moves -= 1
    return state, log  # type: ignore[return-value]


@pytest.mark.parametrize("moves", [0, 3, 20, 60, 150])
def test_what_lies_open_is_in_every_view_and_true(moves: int) -> None:
    """K-90: figures, days, gold, supply, detective, chits, display, marker, sizes, both piles."""
    state, _ = played(4, moves, seed=moves)
    table = state.table
    for seat in (0, 3, None):
        view = state.view(seat)
        assert view["city"] == table.city
        assert view["days"] == table.days
        assert (view["gold"], view["supply"]) == (table.gold, 24 - sum(table.gold))
        assert view["detective"] == CITIES[table.detective]
        assert (view["red"], view["blue"]) == (table.red, table.blue)
        assert view["display"] == [None if card < 0 else NAMES[card] for card in table.display]
        assert (view["marker"], view["marker_taken"], view["first"]) == (table.marker, table.marker_taken, table.first)
        assert view["travel_cards"] == [len(hand.travel) for hand in state.hands]
        assert view["event_cards"] == [len(hand.events) for hand in state.hands]
        assert view["decks"] == {"travel": len(state.decks[0].order), "event": len(state.decks[1].order)}
        assert view["piles"] == {
            name: [NAMES[card] for card in deck.discards]
            for name, deck in zip(("travel", "event"), state.decks, strict=True)
        }


def test_events_are_for_everyone_but_for_a_drawn_card() -> None:
    """K-90, K-91: of all that happens only which card was drawn is for one seat."""
    names = set()
    for seed, name in enumerate(EDITIONS * 3):
        for to, what in played(2 + seed % 5, 5000, seed, name)[1]:
            names.add(what["event"])
            assert (to is not None) == (what["event"] == "drew")
            assert to is None or to == what["seat"]
    assert names == PUBLIC_EVENTS | {"drew"}


def test_a_card_taken_from_the_display_is_known_to_all() -> None:
    """K-90: until it is shown again."""
    state = position(3, display="t2 s5 t3 s6", hands={0: "s8"})
    state.decks[0].known[0] = ()
    do(state, "take", place="event")
    assert state.view(1)["known"][0] == ["t3"]
    assert state.view(None)["known"][0] == ["t3"]


def test_cards_slid_under_a_pile_and_a_hand_laid_down_are_public() -> None:
    """K-90."""
    state = position(
        3,
        edition(home_cards="bottom"),
        phase="travel",
        at="New York",
        hands={0: "t2 s4 s5 t6 s8 offer"},
        pile="t3 swap",
    )
    log = go(state, "t2 s4 s5 = 11")
    assert {"event": "lay_off", "seat": 0, "cards": ["t6", "s8", "offer"]} in log
    assert state.view(1)["piles"] == {"travel": ["t6", "s8", "t3", "t2", "s4", "s5"], "event": ["offer", "swap"]}


def test_every_roll_is_public() -> None:
    """K-90: also while it may still be repeated."""
    state = position(3, phase="travel", place="balloon", hands={0: "t3 s7"}, rolls=[4])
    log = go(state, "t3 s7 | ride = 3 + die")
    assert {"event": "roll", "seat": 0, "roll": 4} in log
    assert state.view(2)["leg"] == state.view(None)["leg"] == {"days": 3, "roll": 4}


def test_only_its_owner_sees_which_card_was_drawn() -> None:
    """K-91: the others are told that one was drawn, and of which deck."""
    state = position(3, gold=[4, 1, 1], deck="s8 offer", hands={1: "t2", 2: "t3"})
    for deck, card in (("travel", "s8"), ("event", "offer")):
        events = state.play(list(state.actions()).index(offered(state, do="buy", deck=deck)[0]))
        assert Event(0, {"event": "drew", "seat": 0, "card": card}) in events
        assert Event(None, {"event": "draw", "seat": 0, "deck": deck}) in events
        assert card not in json.dumps([event.what for event in events if event.to is None])
        assert card in state.view(0)["hand"]
        assert state.view(1)["known"][0] == []


def exchanged(state: KosmosState, seat: int, deck: int) -> bool:
    """Exchange an unseen card of a hand for another kind of the deck that it came from."""
    offset = deck * FIRST_EVENT
    hand = state.hands[seat]
    record, draws = state.decks[deck].record, state.decks[deck].draws[seat]
    for place, kind in enumerate(draws):
        if record.drawn[seat][place] != record.shuffle or record.shown[seat]:
            continue
        for index, card in enumerate(state.decks[deck].order):
            if card != kind + offset and NAMES[card] not in ("storm", "delay"):
                hand.cards(deck).remove(kind + offset)
                hand.cards(deck).append(card)
                hand.cards(deck).sort()
                draws[place] = card - offset
                state.decks[deck].order[index] = kind + offset
                return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("deck", [0, 1])
def test_a_hidden_card_changes_its_owners_view_and_no_other(deck: int) -> None:
    """K-91: rivals and spectators see the same whatever it is."""
    changed = 0
    for seed in range(80):
        state, _ = played(4, 12 + seed, seed)
        clone = state.copy()
        if not exchanged(clone, 2, deck):
            continue
        changed += 1
        for seat in (0, 1, 3, None):
            assert clone.view(seat) == state.view(seat)
        assert clone.view(2) != state.view(2)
        if state.to_act not in (2, None):
            assert list(clone.actions()) == list(state.actions())
    assert changed >= 10


def test_a_spectator_has_no_hand() -> None:
    """K-91."""
    state, _ = played(3, 30, 1)
    assert (state.view(None)["seat"], state.view(None)["hand"]) == (None, None)
    assert state.view(1)["hand"] == hand(state, 1).split()


def test_nobody_sees_the_order_of_a_deck_nor_what_chance_will_bring() -> None:
    """K-92: other orders and another seed, and every view stays as it was."""
    for seed in range(12):
        state, _ = played(3, 10 * seed, seed)
        clone = state.copy()
        for deck in clone.decks:
            deck.order.reverse()
        clone.chance = Seeded(bytes([99]) * 16)
        for seat in (0, 1, 2, None):
            assert clone.view(seat) == state.view(seat)
        clone.stand_here()
        if state.to_act is not None:
            assert list(clone.actions()) == list(state.actions())


def test_a_drawn_event_card_is_no_secret_of_the_phase() -> None:
    """K-91: that a rival is asked about the detective would tell of a card in hand; others see the phase before it."""
    state = position(3, phase="travel", at="Paris", detective="Paris", hands={0: "distraction"})
    do(state, "stay")
    assert [state.view(seat)["phase"] for seat in (0, 1, 2, None)] == ["escape", "travel", "travel", "travel"]
