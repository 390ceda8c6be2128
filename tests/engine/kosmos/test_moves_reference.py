"""What the engine offers and does, and what `tests.reference.kosmos` says to it, in games of any parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from engine.kosmos.decision import KosmosState
from engine.kosmos.edition import PARAMETERS
from tests.engine.kosmos.checks import KOSMOS, PHASES, start
from tests.engine.kosmos.test_travel_reference import hoarding
from tests.engine.lockstep import GAMES, PIECES, cases, counted
from tests.marking import mostly_slow
from tests.reference.kosmos import as_way, chits_met, legal, order_on_pile, travel_ways

PublicEvents = list[Mapping[str, Any]]


@pytest.mark.parametrize("piece", mostly_slow(range(PIECES), 2))
def test_games_in_lockstep(piece: int) -> None:
    """K-10, K-21, K-30 to K-36, K-40 to K-60, K-64 to K-66, K-70, in editions with any parameters."""
    phases: Counter[str] = Counter()
    questions = 0
    for number, data, players, random in cases(KOSMOS, PARAMETERS, range(5, 40), piece):
        state = start(data, players, "lockstep", number)
        met: list[tuple[str, bool]] = []
        while (seat := state.to_act) is not None:
            view, public = state.view(seat), state.view(None)
            phases[view["phase"]] += 1
            check_offer(state, view)
            action = state.actions()[index := hoarding(state, random)]
            public_events = [event.what for event in state.play(index) if event.to is None]
            if action["do"] in ("accept", "decline"):
                [answer] = [what for what in public_events if what["event"] == "chit"][:1]
                assert (answer["colour"], answer["taken"]) == (met.pop(0)[0], action["do"] == "accept")
                public_events = public_events[public_events.index(answer) + 1 :]
            else:
                met, public_events = arrival(public_events, public, data, seat)
            questions += check_chits(state, seat, met, public_events)
    assert questions > 0
    assert set(phases) >= set(PHASES) - (set() if GAMES > 200 else {"escape", "limit"})


def check_offer(state: KosmosState, view: Mapping[str, Any]) -> None:
    """The actions are those of the second implementation, each once."""
    legs = [action for action in state.actions() if action["do"] == "travel"]
    others = [action for action in state.actions() if action["do"] != "travel"]
    assert counted(others) == counted(legal(view, state.edition.data)), view
    if view["phase"] == "travel":
        assert Counter(map(as_way, legs)) == Counter(travel_ways(view, state.edition.data)), view
    else:
        assert not legs
    pile = view["piles"]["event"]
    for leg in legs:
        order = order_on_pile(leg["uses"], pile[-1] if pile else None)  # type: ignore[arg-type]
        assert order in (None, leg["events"]), (leg, pile)


def arrival(
    public_events: PublicEvents, public: Mapping[str, Any], data: Mapping[str, Any], seat: int
) -> tuple[list[tuple[str, bool]], PublicEvents]:
    """The chits that an arrival is about, and what was public_events after it; nothing where nobody arrived."""
    found = [number for number, what in enumerate(public_events) if what["event"] == "arrive"]
    if not found:
        return [], []
    [at] = found
    what, public_events = public_events[at], public_events[at + 1 :]
    if what["city"] == "London":
        return [], []
    cities, beside = public["city"][:], {colour: public[colour][:] for colour in ("red", "blue")}
    city = cities[seat] = what["progress"]
    hidden = [colour for colour in beside if beside[colour][city] == "face_down"]
    assert bool(hidden) == (data["parameters"]["chits_face_down"] and max(public["city"]) < city)  # K-10
    if hidden:
        assert public_events[0]["event"] == "turn_over"
        assert sorted(hidden) == sorted(public_events[0].keys() & set(beside))
        for colour in hidden:
            beside[colour][city] = public_events[0][colour]
    else:
        assert "turn_over" not in [what["event"] for what in public_events]
    return list(chits_met({"city": cities, **beside}, data, seat)), public_events


def check_chits(state: KosmosState, seat: int, met: list[tuple[str, bool]], public_events: PublicEvents) -> int:
    """Chits are carried out in their order up to the first question; whether it came to one."""
    chits = [what for what in public_events if what["event"] == "chit" and what["seat"] == seat]
    while met and not met[0][1]:
        what = chits.pop(0)
        assert (what["colour"], what["taken"]) == (met.pop(0)[0], True)
    if not met:
        return 0
    assert not chits
    assert state.to_act == seat
    view = state.view(seat)
    assert (view["phase"], view["chit"]["colour"]) == ("chit", met[0][0])
    return 1
