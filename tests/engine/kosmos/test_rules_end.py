"""When a game ends and who is where: K-80 to K-85."""

from __future__ import annotations

import pytest

from tests.engine.kosmos.positions import (
    do,
    edition,
    events_of,
    finish_round,
    finish_turn,
    go,
    hand,
    offered,
    position,
    top,
)

LAST_LEG = "t2 s4 s5"
WAY = "t2 s4 s5 = 11"


def arriving(players: int, home: int, rules=None, **more):
    """Seat `home` arrives now, the seats before it are home, the others far from it."""
    seats = tuple(range(home))
    cities = ["London"] * home + ["New York"] + ["Suez"] * (players - home - 1)
    hands = {home: LAST_LEG} | more.pop("hands", {})
    return position(players, rules, phase="travel", turn=home, at=cities, home=seats, hands=hands, **more)


# K-80


@pytest.mark.parametrize(("players", "needed"), [(2, 1), (3, 2), (4, 3), (5, 4), (6, 4)])
def test_the_game_ends_with_the_round_of_the_decisive_arrival(players: int, needed: int) -> None:
    """K-80: not with the arrival before it, and not before the round is over."""
    state = arriving(players, needed - 1, first=0)
    log = go(state, WAY)
    if players > needed:
        assert not events_of(log, "over") or needed == 1
    log += finish_round(state)
    assert state.to_act is None
    assert len(events_of(log, "over")) == 1
    if needed > 1:
        state = arriving(players, needed - 2, first=0)
        go(state, WAY)
        finish_round(state)
        assert state.to_act is not None


@pytest.mark.parametrize(("players", "decisive"), [(3, 2), (4, 3), (6, 4)])
def test_who_arrives_within_the_last_round_counts(players: int, decisive: int) -> None:
    """K-80: turns after the decisive arrival are still played."""
    cities = ["New York"] * players
    seats = tuple(range(decisive - 1))
    hands = {decisive - 1: LAST_LEG, players - 1: "t3 s6 s6"}
    state = position(players, phase="travel", turn=decisive - 1, at=cities, home=seats, hands=hands, first=0)
    go(state, WAY)
    for _ in range(decisive, players - 1):
        finish_turn(state)
    assert state.to_act == players - 1
    do(state, "take", place="event" if players == 6 else "gold")
    do(state, "pass")
    go(state, "t3 s6 s6 = 9")
    assert state.to_act is None
    assert state.table.arrived == [*range(decisive), players - 1]
    assert state.scores()[players - 1] == {"days": 9, "arrived": 1, "cities": 10, "gold": 1}


def test_nobody_has_a_turn_beyond_the_last_round() -> None:
    """K-80: seats that played before the decisive arrival are done, in every edition."""
    for name in ("standard", "en", "ru", "nim"):
        state = position(
            3, edition(name), phase="travel", turn=2, first=1, at=["London", "Suez", "New York"], home=(0,),
            hands={2: LAST_LEG},
        )  # fmt: skip
        go(state, WAY)
        assert state.to_act is None
        assert state.scores()[1]["arrived"] == 0


# K-81, K-83


def ended(players: int, rules=None, arrived: tuple[int, ...] = (), **table):
    """A game at its end."""
    return position(players, rules, phase="over", home=arrived, **table)


def test_fewest_days_win_among_those_within_eighty() -> None:
    """K-81: and 80 is within."""
    assert ended(3, arrived=(0, 1, 2), days=[79, 80, 78]).ranks() == [2, 3, 1]
    assert ended(3, arrived=(0, 1), days=[81, 80, 0]).ranks() == [2, 1, 3]
    assert ended(4, arrived=(2, 0, 1), days=[80, 81, 82, 0]).ranks() == [1, 3, 2, 4]


def test_equal_days_go_by_the_order_of_arrival() -> None:
    """K-81."""
    assert ended(3, arrived=(2, 0, 1), days=[75, 75, 75]).ranks() == [2, 3, 1]


def test_if_all_are_late_the_first_to_arrive_wins() -> None:
    """K-81: days no longer count."""
    assert ended(3, arrived=(1, 2, 0), days=[81, 95, 90]).ranks() == [3, 1, 2]


def test_a_full_ranking() -> None:
    """K-83: in time by days, late by arrival, then those not home by cities reached, equal ones tied."""
    state = ended(
        6, arrived=(3, 1, 0), days=[99, 82, 10, 80, 20, 0], at=["Paris", "Paris", "Suez", "Paris", "New York", "Suez"]
    )
    assert state.ranks() == [3, 2, 5, 1, 4, 5]
    state = ended(
        6, arrived=(2, 4, 5), days=[1, 2, 70, 3, 70, 60], at=["Paris", "London", "Suez", "Paris"] + ["Suez"] * 2
    )
    assert state.ranks() == [4, 6, 2, 4, 3, 1]


def test_the_event_of_the_end_has_the_ranks() -> None:
    """K-83."""
    state = arriving(3, 1, days=[70, 50, 0], first=0)
    log = go(state, WAY) + finish_round(state)
    assert events_of(log, "over") == [{"event": "over", "ranks": [2, 1, 3]}]
    assert state.ranks() == [2, 1, 3]


# K-82


@pytest.mark.parametrize(
    ("name", "arrived", "days", "gold", "ranks"),
    [
        # The only one to arrive.
        ("standard", (0,), [70, 10], [0, 9], [1, 2]),
        ("standard", (1,), [10, 80], [0, 9], [2, 1]),
        ("standard", (0,), [81, 10], [9, 0], [2, 1]),
        ("en", (0,), [81, 10], [0, 9], [1, 2]),
        ("ru", (0,), [81, 10], [9, 0], [2, 1]),
        ("nim", (0,), [81, 10], [9, 0], [2, 1]),
        # Both in one round.
        ("standard", (0, 1), [80, 79], [5, 0], [2, 1]),
        ("standard", (0, 1), [80, 95], [0, 5], [1, 2]),
        ("standard", (0, 1), [78, 78], [2, 3], [2, 1]),
        ("standard", (0, 1), [78, 78], [3, 3], [1, 1]),
        ("en", (0, 1), [90, 95], [0, 3], [1, 2]),
        ("en", (0, 1), [95, 90], [3, 0], [2, 1]),
        ("en", (1, 0), [90, 90], [3, 2], [1, 2]),
        # Late first: lost in any case.
        ("standard", (0, 1), [81, 95], [5, 0], [2, 1]),
        # Neither arrived.
        ("standard", (), [5, 50], [1, 9], [1, 2]),
        ("standard", (), [50, 50], [9, 1], [1, 1]),
    ],
)
def test_two_players(name: str, arrived: tuple[int, ...], days: list[int], gold: list[int], ranks: list[int]) -> None:
    """K-82, K-83: the parameter, days over 80 or not, gold, a draw; neither home, then days."""
    assert ended(2, edition(name), arrived, days=days, gold=gold).ranks() == ranks


def test_two_players_neither_home() -> None:
    """K-83: by cities reached, then the fewest days; nothing else counts."""
    assert ended(2, at=["Suez", "Paris"], days=[90, 1]).ranks() == [1, 2]
    assert ended(2, at=["Suez", "Suez"], days=[31, 30], gold=[4, 1]).ranks() == [2, 1]
    assert ended(2, at=["Suez", "Suez"], gold=[4, 1]).ranks() == [1, 1]
    assert ended(3, at=["Suez", "Suez", "Paris"], days=[31, 30, 1]).ranks() == [1, 1, 3], "of more than two days do not"


@pytest.mark.parametrize(("name", "at_once"), [("standard", True), ("nim", True), ("ru", True), ("en", False)])
def test_the_first_of_two_arriving_late(name: str, at_once: bool) -> None:
    """K-82, parameter late_first_loses: the game ends there, and the other has won."""
    state = position(
        2, edition(name), phase="travel", at="New York", days=[70, 100], hands={0: LAST_LEG, 1: "t3 s6 s6"}
    )
    log = go(state, WAY)
    assert state.table.days[0] == 81
    assert (state.to_act is None) == at_once
    if at_once:
        assert events_of(log, "over") == [{"event": "over", "ranks": [2, 1]}]
    else:
        log = finish_round(state)
        assert state.ranks() == [1, 2]


def test_the_first_of_two_arriving_in_time() -> None:
    """K-82, K-80: the round is played on, and the other may be quicker."""
    state = position(2, phase="travel", at="New York", days=[69, 70], hands={0: LAST_LEG, 1: "t3 s6 s6"})
    go(state, WAY)
    assert state.to_act == 1
    do(state, "take", place="gold")
    do(state, "pass")
    log = go(state, "t3 s6 s6 = 9")
    assert events_of(log, "over") == [{"event": "over", "ranks": [2, 1]}]
    assert state.table.days == [80, 79]


def test_the_second_of_two_arriving_late() -> None:
    """K-82: only the first to arrive is asked for 80 days."""
    state = position(2, phase="travel", at="New York", days=[69, 71], hands={0: LAST_LEG, 1: "t6 s6 s7"})
    go(state, WAY)
    do(state, "take", place="gold")
    do(state, "pass")
    go(state, "t6 s6 s7 = 19")
    assert state.ranks() == [1, 2]


def test_late_first_matters_to_two_players_only() -> None:
    """K-82, K-81: with three the first over 80 ends nothing."""
    state = arriving(3, 0, days=[75, 0, 0])
    go(state, WAY)
    assert state.to_act == 1


# K-84, K-85


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_game_ends_after_so_many_rounds(rounds: int) -> None:
    """K-84: a player who is on the way then did not arrive."""
    state = position(3, edition(max_rounds=rounds), at=["Suez", "Paris", "Paris"])
    for _ in range(rounds - 1):
        finish_round(state)
        assert state.to_act is not None
    finish_round(state)
    assert (state.to_act, state.table.round) == (None, rounds)
    assert state.ranks() == [1, 2, 2]
    assert [row["arrived"] for row in state.scores()] == [0, 0, 0]


@pytest.mark.parametrize(("players", "rounds"), [(2, 40), (3, 100), (6, 100)])
def test_forty_rounds_for_two_and_a_hundred_for_more_are_the_default(players: int, rounds: int) -> None:
    """K-84."""
    for name in ("standard", "en", "ru", "nim"):
        state = position(players, edition(name), round=rounds - 1)
        finish_round(state)
        assert state.to_act is not None
        finish_round(state)
        assert state.to_act is None


@pytest.mark.parametrize(("most", "of_two", "rounds"), [(7, 40, 7), (100, 3, 3)])
def test_a_game_of_two_keeps_to_both_limits(most: int, of_two: int, rounds: int) -> None:
    """K-84: an edition that only shortens every game shortens those of two as well."""
    state = position(2, edition(max_rounds=most, max_rounds_of_two=of_two), at="Suez", days=[40, 30])
    for _ in range(rounds):
        assert state.to_act is not None
        finish_round(state)
    assert (state.to_act, state.ranks()) == (None, [2, 1])


def test_what_the_substitute_does() -> None:
    """K-85: leftmost card that may be taken, no action, no leg, the first discard of the stable order."""
    cards = {0: "t3 t4 s7 s8 swap offer connections"}
    state = position(4, display="s4 t5 t6 t2 s5", hands=cards, gold=[9, 1, 1, 1])
    log = finish_turn(state)
    assert events_of(log, "take") == [{"event": "take", "seat": 0, "place": "gold", "card": "s4"}]
    assert not events_of(log, "gold") + events_of(log, "travel") + events_of(log, "draw")
    assert [what["card"] for what in events_of(log, "discard")] == ["t3", "t4"]
    assert hand(state, 0) == "s4 s7 s8 offer swap connections"


def test_the_substitute_takes_no_card_that_is_barred() -> None:
    """K-85, K-31: the leftmost that may be taken."""
    state = position(5, display="- - - - t2 s5", turn=0)
    log = finish_turn(state)
    assert events_of(log, "take")[0]["place"] == "exchange"


def test_the_substitute_within_a_leg() -> None:
    """K-85: no roll again, no chit's card, nothing against the detective."""
    state = position(
        3, phase="travel", hands={0: "t3 s7 balloon distraction"}, gold=[3, 1, 1], rolls=[6], detective="Paris",
        red={"Paris": "travel"},
    )  # fmt: skip
    go(state, "t3 s7 | balloon = 3 + die")
    assert state.actions()[state.substitute_action()] == {"do": "keep", "roll": 6}
    state.play(state.substitute_action())
    assert state.actions()[state.substitute_action()]["do"] == "decline"
    finish_turn(state)
    assert (state.table.days[0], hand(state, 0), state.table.gold[0]) == (11, "distraction", 3)
    state = position(3, edition("ru"), phase="travel", hands={0: "t3 s7"}, red={"Paris": "delay"})
    go(state, "t3 s7 = 10")
    assert state.actions()[state.substitute_action()]["do"] == "decline"


def test_a_retired_seat_stays_and_the_others_play_on() -> None:
    """K-85: it has its turns; the game ends with the round in which the last still played arrives."""
    state = arriving(3, 0, retired=[1])
    go(state, WAY)
    finish_round(state)
    assert state.to_act is not None
    state = arriving(4, 1, retired=[2, 3])
    go(state, WAY)
    assert state.to_act == 2
    finish_round(state)
    assert state.to_act is None
    assert state.ranks() == [1, 2, 3, 3]


def test_retiring_makes_one_event_and_changes_nothing_else() -> None:
    """K-85."""
    state = position(4)
    before = state.view(None)
    [event] = state.retire(2)
    assert event.what == {"event": "retired", "seat": 2}
    assert state.retire(2) == []
    assert state.view(None) == before | {"retired": [2]}


def test_a_retired_seat_still_counts_for_the_last_to_arrive() -> None:
    """K-85, K-65: it never reaches a city, so nobody is the last of all to reach it."""
    state = position(
        3, phase="travel", at=["London", "Paris", "London"], hands={0: "t3 s7"}, blue={"Paris": "gold"}, retired=[2]
    )
    go(state, "t3 s7 = 10")
    assert state.table.blue[1] == "gold"
    assert not offered(state, do="accept")
    assert top(state, 0, 2) == "t3 s7"
