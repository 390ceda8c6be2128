"""Travel as the engine offers it and as `tests.reference.kosmos` works it out: the same ways at the same cost."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.kosmos.cards import CITIES
from engine.kosmos.decision import KosmosState
from engine.rules import Data
from tests.engine.kosmos.checks import COUNTS, EDITIONS, KOSMOS, start
from tests.engine.kosmos.positions import edition, offered, position
from tests.engine.plays import DEPTH
from tests.reference.kosmos import LEG_EVENTS, as_way, every_way, travel_ways

POSITIONS = 5_000 * DEPTH
PIECES = len(EDITIONS) * len(COUNTS)


def deal(random: Random, data: Data) -> tuple[list[str], str]:
    """A hand with many events, and perhaps a card on the pile."""
    events = [card for card in LEG_EVENTS for _ in range(data["events"][card])]
    held = random.sample(events, random.randint(0, 5))
    left = list((Counter(events) - Counter(held)).elements())
    travel = random.sample(
        [f"t{n}" for n in range(2, 7)] * 2 + [f"s{n}" for n in range(4, 9)] * 3, random.randint(2, 6)
    )
    return travel + held, random.choice([*left, ""]) if left else ""


@pytest.mark.parametrize("piece", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in range(1, 8))])
def test_all_ways_and_no_others(piece: int) -> None:
    """K-40 to K-49, K-51, K-55 to K-60: on every leg, with rides, further legs and princesses that copy."""
    random = Random(piece)
    interesting = 0
    for _ in range(150):
        india = random.random() < 0.5
        mix = {card: random.choice([1, 2]) for card in LEG_EVENTS}
        breaks = random.random() < 0.5
        data = edition(india_events=india, balloon_breaks_pairs=breaks, events=mix)
        hand, pile = deal(random, data)
        city = random.choice(CITIES[:10])
        ride, extra = random.random() < 0.4, random.random() < 0.3
        leg = data["board"]["legs"][CITIES.index(city)]
        state = position(
            3, data, phase="travel", at=city, hands={0: " ".join(hand)}, pile=pile, balloon=ride, legs=int(extra)
        )
        got = Counter(as_way(dict(action)) for action in offered(state, do="travel"))
        options = leg if isinstance(leg, str) else tuple(map(tuple, leg))
        expected = every_way(options, tuple(sorted(hand)), pile or None, ride, extra, india, breaks)
        assert got == Counter(expected), (city, hand, pile, ride, extra, india, breaks)
        interesting += len(expected) > 6
    assert interesting > 20


@pytest.mark.slow
@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("name", EDITIONS)
def test_every_position_of_random_games(name: str, players: int) -> None:
    """K-40 to K-60, in 40,000 positions over all editions and player counts."""
    data = KOSMOS.edition(name)
    random = Random(f"reference {name} {players}")
    seen = game = 0
    while seen < POSITIONS // PIECES:
        state = start(data, players, "reference", name, players, game)
        game += 1
        while state.to_act is not None:
            actions = state.actions()
            if state.table.phase == "travel":
                got = Counter(as_way(action) for action in actions if action["do"] == "travel")
                view = state.view(state.to_act)
                assert got == Counter(travel_ways(view, data)), view
                seen += 1
            state.play(hoarding(state, random))


def hoarding(state: KosmosState, random: Random) -> int:
    """A random action, event cards before others: with many of them there are many ways."""
    actions = state.actions()
    dear = [n for n, action in enumerate(actions) if action["do"] == "event" or action.get("deck") == "event"]
    return random.choice(dear) if dear and random.random() < 0.7 else random.randrange(len(actions))
