"""What is in the box and how a game begins: K-01 to K-12."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.chance import Seeded
from tests.engine.doubles import Highest, Lowest, Scripted
from tests.engine.kosmos.checks import all_cards
from tests.engine.kosmos.positions import KOSMOS, edition, named, position
from tests.marking import mostly_slow

COUNTS = (2, 3, 4, 5, 6)
TRAVEL_CARDS = {"t2": 5, "t3": 6, "t4": 7, "t5": 8, "t6": 4, "s4": 4, "s5": 6, "s6": 7, "s7": 8, "s8": 5}
EVENT_CARDS = {
    "distraction": 1, "offer": 1, "swap": 1, "elephant": 2, "detective": 1, "princess": 1, "opportunity": 1,
    "balloon": 2, "connections": 1, "submarine": 1, "propeller": 1, "storm": 1, "delay": 1,
}  # fmt: skip
CITIES = ["London", "Paris", "Brindisi", "Suez", "Bombay", "Calcutta", "Hong Kong", "Yokohama", "San Francisco",
          "New York", "London"]  # fmt: skip
SHIPS = ["ship", "ship"]
TRAINS = ["train", "train"]


def begin(players: int, name: str = "standard", chance: int = 0):
    return KOSMOS.start(players, edition(name), Seeded(bytes([chance]) * 16))


@pytest.mark.parametrize("players", COUNTS)
def test_the_travel_cards(players: int) -> None:
    """K-01: values and counts."""
    names = Counter({named([card]): count for card, count in all_cards(begin(players)).items()})
    assert {name: count for name, count in names.items() if len(name) == 2} == TRAVEL_CARDS
    assert sum(TRAVEL_CARDS.values()) == 60


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_event_cards(players: int) -> None:
    """K-02: fifteen of thirteen kinds, elephant and balloon twice."""
    names = Counter({named([card]): count for card, count in all_cards(begin(players)).items()})
    assert {name: count for name, count in names.items() if len(name) > 2} == EVENT_CARDS
    assert len(begin(players).decks[1].order) == sum(EVENT_CARDS.values()) == 15


def test_an_edition_may_have_other_event_cards() -> None:
    """K-02: the counts are data."""
    state = position(3, edition(events={"princess": 4, "storm": 0, "elephant": 0}))
    names = Counter(named(state.decks[1].order).split())
    assert (names["princess"], names["storm"], names["elephant"], names["balloon"]) == (4, 0, 0, 2)


def test_the_chits() -> None:
    """K-03: nine of each colour, three gold and two of each other kind."""
    state = begin(4)
    for beside in (state.table.red, state.table.blue):
        assert Counter(beside[1:10]) == {"gold": 3, "travel": 2, "event": 2, "delay": 2}


@pytest.mark.parametrize("players", COUNTS)
def test_the_coins(players: int) -> None:
    """K-04: 24, one a player and the rest in the supply."""
    state = begin(players)
    assert state.table.gold == [1] * players
    assert state.table.supply == 24 - players


def test_the_die_has_six_sides() -> None:
    """K-04."""
    chance = Seeded(bytes(16))
    assert {chance.roll("die") for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert (Lowest().roll("die"), Highest().roll("die")) == (1, 6)


def test_the_cities() -> None:
    """K-05: in order, London at both ends."""
    assert edition()["board"]["cities"] == CITIES


@pytest.mark.parametrize("name", ["standard", "en", "ru", "nim"])
def test_the_legs(name: str) -> None:
    """K-06: what each leg asks for, stated or reconstructed."""
    legs = [[sorted(option) for option in leg] if leg != "elephant" else leg for leg in edition(name)["board"]["legs"]]
    assert legs == [
        [["ship", "train"]], [TRAINS], [["ship"]], [SHIPS], "elephant", [SHIPS], [SHIPS, ["ship", "train"]], [SHIPS],
        [TRAINS], [["ship", "ship", "train"]],
    ]  # fmt: skip


def test_it_is_said_which_legs_are_reconstructed() -> None:
    """K-06: the data say of each leg whether a document states it."""
    sources = {parameter.name: parameter.source for parameter in KOSMOS.parameters("standard")}
    reconstructed = {name for name, source in sources.items() if source == "reconstructed"}
    assert reconstructed == {
        "Paris-Brindisi", "Brindisi-Suez", "Calcutta-Hong Kong", "Yokohama-San Francisco", "San Francisco-New York",
    }  # fmt: skip
    stated = {"London-Paris", "Suez-Bombay", "Bombay-Calcutta", "Hong Kong-Yokohama", "New York-London"}
    assert {name for name, source in sources.items() if source == "stated"} == stated


@pytest.mark.parametrize("players", COUNTS)
def test_everyone_begins_alike(players: int) -> None:
    """K-10: London, day 0, one coin, three travel cards, no event; the detective in Brindisi."""
    state = begin(players)
    table = state.table
    assert table.city == [0] * players
    assert table.days == [0] * players
    assert table.gold == [1] * players
    assert [len(hand.travel) for hand in state.hands] == table.travel_cards == [3] * players
    assert [len(hand.events) for hand in state.hands] == table.event_cards == [0] * players
    assert state.view(None)["detective"] == "Brindisi"


def test_a_chit_of_each_colour_lies_open_beside_every_city_but_london() -> None:
    """K-10."""
    view = begin(3).view(None)
    for colour in ("red", "blue"):
        assert view[colour][0] is view[colour][10] is None
        assert all(view[colour][1:10])


def test_decks_and_chits_are_shuffled_apart() -> None:
    """K-10: another seed, another order, of each deck and of each colour."""
    one, other = begin(3, chance=1), begin(3, chance=2)
    assert one.decks[0].order != other.decks[0].order
    assert one.decks[1].order != other.decks[1].order
    assert one.table.red != other.table.red
    assert one.table.blue != other.table.blue
    assert one.table.red != one.table.blue


@pytest.mark.parametrize("players", mostly_slow(COUNTS, 2))
def test_lot_decides_who_begins(players: int) -> None:
    """K-11: every seat can be drawn, and the one drawn is on turn."""
    for seat in range(players):
        state = KOSMOS.start(players, edition(), Scripted({"first player": [seat]}))
        assert state.to_act == state.table.first == state.table.marker == seat  # type: ignore[attr-defined]
    assert {begin(players, chance=number).table.first for number in range(60)} == set(range(players))


@pytest.mark.parametrize("name", ["standard", "en", "ru", "nim"])
def test_two_players_have_no_connections(name: str) -> None:
    """K-12: fourteen event cards."""
    state = begin(2, name)
    assert len(state.decks[1].order) == 14
    assert "connections" not in named(state.decks[1].order).split()
