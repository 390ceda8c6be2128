"""Transcript twins: the bytes that leave the referee tell a reader nothing of the cards that it has not seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from arena.referee.table import bot_seed
from engine.chance import derive
from tests.twins.worlds import KOSMOS, Plan, Told, played, twins

PHASES = ("take", "action", "travel", "reroll", "chit", "escape", "limit")
EVERYTHING = 10**9
ENOUGH = 4
"""Pairs that differ in the rivals' hands, wanted for each phase that ends one; as many that differ in the decks."""


def phases_of(edition: str) -> tuple[str, ...]:
    """In `ru` the hand limit is nobody's choice."""
    return PHASES[:-1] if edition == "ru" else PHASES


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("edition", ["standard", "ru"])
def test_a_seat_is_sent_equal_bytes(edition: str, players: int) -> None:
    """K-90 to K-92, for every seat, up to a decision in every phase and up to the end of the game."""
    data = KOSMOS.edition(edition)
    data["knobs"]["inattention_days"] = 2
    missing = Counter({(phase, what): ENOUGH for phase in phases_of(edition) for what in ("hands", "decks")})
    missing["seat asked otherwise", "rivals"] = 1
    seats = Counter[int]()
    for number in range(300):
        if not +missing and len(seats) == players:
            break
        random = Random(f"{edition} {players} {number}")
        reader = number % players
        plan = Plan(data, players, reader, EVERYTHING, f"{edition} {players} {number}", faults=number % 3 == 0)
        reached = played(plan).phases
        for phase in phases_of(edition):
            cuts = [cut for cut, then in enumerate(reached, start=1) if then == phase]
            wanted = missing[phase, "hands"] > 0 or missing[phase, "decks"] > 0 or reader not in seats
            if not cuts or not wanted:
                continue
            first, twin = twins(replace(plan, decisions=random.choice(cuts)), random)
            assert first.phases[-1] == phase
            assert first.frames == twin.frames
            missing[phase, "hands"] -= first.hands != twin.hands
            missing[phase, "decks"] -= first.decks != twin.decks
            missing["seat asked otherwise", "rivals"] -= first.asked != twin.asked
            seats[reader] += 1
    assert not +missing, f"not reached, or no pair differed: {+missing}"
    assert len(seats) == players


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("edition", ["standard", "en", "ru", "nim"])
def test_a_whole_game_is_sent_in_equal_bytes(edition: str, players: int) -> None:
    """Up to `end`, with faults and retirements on the way; what was never shown still differs."""
    differing = 0
    for reader in range(players):
        plan = Plan(
            KOSMOS.edition(edition), players, reader, EVERYTHING, f"whole {edition} {players}", faults=reader > 0
        )
        first, twin = twins(plan, Random(reader))
        assert first.over
        assert twin.over
        assert first.frames == twin.frames
        differing += first.decks != twin.decks
    assert differing


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("edition", ["standard", "ru"])
def test_a_spectator_reads_equal_events_and_views(edition: str, players: int) -> None:
    differing = Counter[str]()
    compared = 0
    for number in range(12):
        random = Random(f"nobody {edition} {players} {number}")
        label = f"nobody {edition} {players} {number}"
        plan = Plan(KOSMOS.edition(edition), players, None, random.randrange(10, 150), label, faults=number % 3 == 0)
        first, twin = twins(plan, random)
        assert not first.differs(twin)
        compared += len(first.views.keys() & twin.views.keys())
        differing["hands"] += first.hands != twin.hands
        differing["decks"] += first.decks != twin.decks
    assert compared > 100
    assert differing["hands"] >= 6
    assert differing["decks"] >= 6


@pytest.mark.parametrize("players", [2, 4, 6])
def test_event_decks_that_run_out_tell_nothing_either(players: int) -> None:
    """Without a grey card the event deck is shuffled from its pile, so that hands hold cards of several shuffles."""
    data = KOSMOS.edition("standard")
    data["events"] = dict.fromkeys(data["events"], 0) | {"swap": 1, "detective": 2, "elephant": 2, "princess": 2}
    shuffles = differing = 0
    for number in range(16):
        reader = None if number % 4 == 0 else number % players
        plan = Plan(data, players, reader, 40 if reader is not None else 40 * players, f"no grey {players} {number}")
        first, twin = twins(plan, Random(number))
        assert not first.differs(twin)
        assert first.deal is not None
        shuffles += len(first.deal.orders["event deck"]) > 1
        differing += first.hands != twin.hands
    assert shuffles
    assert differing >= 4


def test_faults_are_among_what_is_compared() -> None:
    """Their text is sent too: a rival's list of actions must not show in it."""
    told: list[Told] = []
    for number in range(9):
        plan = Plan(KOSMOS.edition("ru"), 3, number % 3, EVERYTHING, f"faults {number}", faults=True)
        told += twins(plan, Random(number))
    assert all(first.frames == twin.frames for first, twin in zip(told[::2], told[1::2], strict=True))
    sent = b"".join(frame for one in told for frame in one.frames)
    assert {code for one in told for code in one.faults.values()} == {"illegal", "late", "stale", "malformed"}
    for code in (b"illegal", b"late", b"stale", b"malformed", b"retired"):
        assert code in sent


def test_a_bot_seed_is_its_own_stream() -> None:
    """It stays out of the twins, as it has to follow from the game's seed; nothing of the deal is drawn from it."""
    seed = bytes(range(16))
    seeds = [bot_seed(seed, seat) for seat in range(6)]
    assert len(set(seeds)) == 6
    assert seeds == [bot_seed(seed, seat) for seat in range(6)]
    assert all(0 <= one < 2**64 for one in seeds)
    chance = derive(seed, "chance")
    assert all(one.to_bytes(8) not in (chance[:8], chance[8:], seed[:8], seed[8:]) for one in seeds)
