"""Editions that nobody wrote, for tests with hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.kosmos.cards import CHITS, COLOURS, EVENT_NAMES, LONDON
from engine.rules import Data
from tests.engine.kosmos.checks import KOSMOS


def counts_of(names: tuple[str, ...], total: int) -> st.SearchStrategy[dict[str, int]]:
    """That many things shared out over the names."""
    picks = st.lists(st.sampled_from(names), min_size=total, max_size=total)
    return picks.map(lambda picked: {name: picked.count(name) for name in names})


OPTIONS = [
    ["train"] * trains + ["ship"] * ships for trains in range(3) for ships in range(3) if 1 <= trains + ships <= 3
]
LEGS = st.one_of(
    st.just("elephant"),
    st.lists(st.sampled_from(OPTIONS), min_size=1, max_size=2, unique_by=lambda option: str(option)),
)
EVENTS = st.one_of(
    st.fixed_dictionaries({name: st.integers(0, 3) for name in EVENT_NAMES}),
    # No grey card, so that the deck runs out; several princesses.
    st.fixed_dictionaries({name: st.integers(0, 2) for name in EVENT_NAMES}).map(
        lambda counts: counts | {"storm": 0, "delay": 0, "princess": 3}
    ),
    st.just(dict.fromkeys(EVENT_NAMES, 0)),
    st.just(dict.fromkeys(EVENT_NAMES, 0) | {"storm": 2}),
)


@st.composite
def edition_data(draw: st.DrawFn) -> Data:
    """A resolved edition such as a user's file may give."""
    data = KOSMOS.edition("standard")
    data["parameters"] = {
        "chits_face_down": draw(st.booleans()),
        "blue_chit": draw(st.sampled_from(["last", "second"])),
        "refuse_chits": draw(st.booleans()),
        "decline_chit_cards": draw(st.booleans()),
        "over_limit": draw(st.sampled_from(["choose", "blind"])),
        "india_events": draw(st.booleans()),
        "home_cards": draw(st.sampled_from(["top", "bottom"])),
        "late_first_loses": draw(st.booleans()),
        "balloon_breaks_pairs": draw(st.booleans()),
        "inattention_days": draw(st.integers(0, 80)),
        "max_rounds": draw(st.integers(1, 40)),
        "max_rounds_of_two": draw(st.integers(1, 40)),
    }
    data["board"]["legs"] = draw(st.lists(LEGS, min_size=LONDON, max_size=LONDON))
    data["events"] = draw(EVENTS)
    data["chits"] = {colour: draw(counts_of(CHITS, LONDON - 1)) for colour in COLOURS}
    return data
