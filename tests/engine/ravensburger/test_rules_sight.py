"""Who may see what: R-90 and R-91. The tests of non-interference go further; these name each thing."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from engine.chance import Seeded
from engine.ravensburger import RULES
from engine.ravensburger.cards import ACTION, CODES, MODES, NAMES
from engine.ravensburger.decision import RavensburgerState
from engine.rules import Event
from tests.engine.ravensburger.checks import EDITIONS
from tests.engine.ravensburger.positions import asked, choices, do, edition, kept, lines, position

PUBLIC_EVENTS = {
    "round", "turn", "rose", "play", "move", "announce", "draw", "exchange", "discard", "leap", "purse", "keep",
    "order", "shuffle", "home", "over",
}  # fmt: skip


def played(players: int, moves: int, seed: int = 0, name: str = "standard") -> tuple[RavensburgerState, list[Event]]:
    """A game some moves on, with what happened."""
    state = RULES.start(players, edition(name), Seeded(bytes([seed]) * 16))
    random = Random(seed)
    log: list[Event] = []
    while state.to_act is not None and moves:
        plays = [index for index, action in enumerate(state.actions()) if action["do"] in ("play", "leap", "event")]
        index = random.choice(plays) if plays and random.random() < 0.7 else random.randrange(len(state.actions()))
        log += state.play(index)
        moves -= 1
    return state, log


def hidden(state: RavensburgerState, seat: int) -> RavensburgerState:
    """The same position, but nobody has seen the hand of that seat: it was dealt from the deck's first shuffle."""
    record = state.decks[ACTION].record
    state.decks[ACTION].known[seat] = ()
    for card in state.hands[seat].cards:
        record.pools[0][card] += 1
        record.drawn[seat].append(0)
        state.decks[ACTION].draws[seat].append(card)
    return state


def views(state: RavensburgerState, *without: int) -> list[object]:
    return [state.view(seat) for seat in (*range(state.players), None) if seat not in without]


#


@pytest.mark.parametrize("moves", [0, 1, 5, 40, 150, 400])
@pytest.mark.parametrize("name", EDITIONS)
def test_what_lies_open_is_in_every_view_and_true(name: str, moves: int) -> None:
    """R-90: pawns, rose, hand and deck sizes, both piles, who keeps an event card."""
    state, _ = played(4, moves, moves % 256, name)
    table = state.table
    for view in views(state):
        assert view["square"] == table.square
        assert view["rose"] == (MODES[table.rose] if moves else None)
        assert view["cards"] == [len(hand.cards) for hand in state.hands]
        assert view["kept"] == [kept(state, seat) is not None for seat in range(4)]
        assert view["decks"] == {"action": len(state.decks[0].order), "event": len(state.decks[1].order)}
        assert view["piles"] == {
            "action": [NAMES[card] for card in state.decks[0].discards],
            "event": [state.edition.event_names[card] for card in state.decks[1].discards],
        }
        assert (view["round"], view["first"]) == (table.round, table.first)
        assert view["on_turn"] == (table.on_turn if state.to_act is not None else None)


@pytest.mark.slow
def test_events_are_for_everyone_but_for_a_drawn_card() -> None:
    """R-90: of all that happens only which card was drawn is for one seat."""
    names = set()
    for seed in range(12):
        for to, what in played(2 + seed % 5, 5000, seed, EDITIONS[seed % 2])[1]:
            names.add(what["event"])
            assert (to is not None) == (what["event"] == "drew")
            assert to is None or to == what["seat"]
    assert names == PUBLIC_EVENTS | {"drew"}


def test_only_its_owner_sees_which_card_was_drawn() -> None:
    """R-90: the others are told that one was drawn, and of which deck."""
    state = position(3, edition("expert"), at=4, hands={0: "train-3 coach-1"}, orders="lay_off_1", deck="purse")
    events = state.play(choices(state).index("play train-3 7"))
    assert Event(0, {"event": "drew", "seat": 0, "deck": "event", "card": "lay_off_1"}) in events
    assert "lay_off_1" not in json.dumps([event.what for event in events if event.to is None])
    assert (state.view(0)["drawn"], state.view(1)["drawn"], state.view(None)["drawn"]) == ("lay_off_1", None, None)
    do(state, "keep")
    assert (state.view(0)["event"], state.view(1)["event"], state.view(None)["event"]) == ("lay_off_1", None, None)
    assert [view["kept"] for view in views(state)] == [[True, False, False]] * 4
    assert state.view(0)["drawn"] is None
    do(state, "draw 1")
    assert (state.view(1)["hand"], state.view(0)["hand"]) == (["purse"], ["coach-1"])
    assert state.view(0)["known"][1] == state.view(None)["known"][1] == []


def test_cards_played_and_discarded_are_seen_by_all() -> None:
    """R-90: and events carried out."""
    state = position(3, at=[4, 70, 0], hands={0: "train-3 coach-1", 1: "rose purse coach-2"}, orders="self_forward_1")
    log = do(state, "play train-3 7", "discard purse")
    assert {"play 0 train-3 7", "order 0 self_forward_1 False", "discard 1 purse turn"} <= set(log)


def exchanged(state: RavensburgerState, seat: int) -> bool:
    """Exchange an unseen card of a hand for another kind of the deck that it came from."""
    hand, record, deck = state.hands[seat], state.decks[ACTION].record, state.decks[ACTION].order
    unseen = Counter(hand.cards) - Counter(state.decks[ACTION].known[seat])
    draws = state.decks[ACTION].draws[seat]
    for place, kind in enumerate(draws):
        if record.drawn[seat][place] != record.shuffle or not unseen[kind]:
            continue
        for index, card in enumerate(deck):
            if card != kind:
                hand.cards.remove(kind)
                hand.cards.append(card)
                hand.cards.sort()
                draws[place], deck[index] = card, kind
                return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITIONS)
def test_a_hidden_card_changes_its_owners_view_and_no_other(name: str) -> None:
    """R-90: rivals and spectators see the same whatever it is."""
    changed = 0
    for seed in range(60):
        state, _ = played(4, 3 + seed, seed, name)
        clone = state.copy()
        if not exchanged(clone, 2):
            continue
        changed += 1
        assert views(clone, 2) == views(state, 2)
        assert clone.view(2) != state.view(2)
    assert changed >= 20


def test_the_kept_event_card_changes_its_owners_view_and_no_other() -> None:
    """R-90."""
    seen = []
    for card in ("draw_1", "place_rose"):
        state = position(3, edition("expert"), at=4, hands={0: "train-3 coach-1"}, orders=card)
        top, other = state.decks[1].order[-1], state.edition.event_codes["draw_1"]
        events = state.play(choices(state).index("play train-3 7")) + state.play(choices(state).index("keep"))
        assert (top == other) == (card == "draw_1")
        seen.append((views(state, 0), lines(event for event in events if event.to is None), state.view(0)))
    assert seen[0][:2] == seen[1][:2]
    assert seen[0][2] != seen[1][2]


def test_nobody_sees_the_order_of_a_deck_nor_what_chance_will_bring() -> None:
    """R-90: other orders and another seed, and every view stays as it was."""
    for seed in range(12):
        state, _ = played(3, 10 * seed, seed, EDITIONS[seed % 2])
        clone = state.copy()
        for deck in clone.decks:
            deck.order.reverse()
        clone.chance = Seeded(bytes([99]) * 16)
        assert views(clone) == views(state)
        clone.stand_here()
        assert list(clone.actions()) == list(state.actions())


def test_a_spectator_has_no_hand() -> None:
    """R-90."""
    state, _ = played(3, 30, 1)
    assert [state.view(None)[key] for key in ("seat", "hand", "event", "drawn")] == [None] * 4
    assert state.view(1)["hand"] == [NAMES[card] for card in state.hands[1].cards]


#


def sent_back(cards: str, deck: str, card: str, orders: str = "") -> RavensburgerState:
    """Seat 0 plays `card`, which sends seat 1 back, of whom nobody but itself knows what it holds."""
    hands = {0: f"{card} coach-5", 1: cards}
    state = position(3, at=[4, 30, 20], hands=hands, deck=deck, orders=orders, rest="pile")
    return hidden(state, 1)


@pytest.mark.parametrize(
    ("card", "play", "orders"),
    [("handcuffs", "play handcuffs 1", ""), ("train-3", "play train-3 7", "others_back_2"),
     ("train-3", "play train-3 7", "leader_back_3")],
)  # fmt: skip
def test_who_does_not_play_the_purse_shows_nothing(card: str, play: str, orders: str) -> None:
    """R-91: the same is sent to all others whether the question was asked or not."""
    asking = sent_back("purse coach-1", "coach-2", card, orders)
    silent = sent_back("coach-2 coach-1", "purse", card, orders)
    assert views(asking, 1) == views(silent, 1)
    log = do(asking, play)
    assert asked(asking) == "1 defend"
    log += do(asking, "retreat")
    assert log == do(silent, play)
    assert asked(asking) == asked(silent) == "1 turn"
    assert views(asking, 1) == views(silent, 1)
    assert asking.view(1) != silent.view(1)


def test_while_the_question_is_asked_nobody_else_sees_it() -> None:
    """R-91: the turn is the other's all the time, and only who is asked is told what."""
    state = sent_back("purse coach-1", "coach-2", "handcuffs")
    do(state, "play handcuffs 1")
    for seat in (0, 2, None):
        view = state.view(seat)
        assert (view["phase"], view["turn"], view["on_turn"]) == (None, None, 0)
        assert "purse" not in view["known"][1]
    assert state.view(1)["phase"] == "defend"


@pytest.mark.parametrize("name", EDITIONS)
def test_nobody_else_sees_who_is_asked_what(name: str) -> None:
    """R-91: in no phase."""
    for seed in range(30):
        state, _ = played(3, 2 * seed, seed, name)
        for seat in (0, 1, 2, None):
            if seat != state.to_act and state.to_act is not None:
                assert (state.view(seat)["phase"], state.view(seat)["turn"]) == (None, None)


def test_a_purse_that_is_played_is_seen_by_all() -> None:
    """R-91: it shows only then."""
    state = sent_back("purse coach-1", "coach-2", "handcuffs")
    do(state, "play handcuffs 1")
    assert state.view(0)["hidden"]["action"]["pools"]["0"][CODES["purse"]] == 1
    assert do(state, "purse") == ["purse 1", "turn 1"]
    assert state.view(0)["piles"]["action"][-1] == "purse"
