"""Editions that nobody wrote, for tests with hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.ravensburger.cards import MODES, SPECIALS
from engine.rules import Data
from tests.engine.ravensburger.positions import edition

# In the stable order, which a resolved edition keeps.
FORMS = [
    *(f"{pawn}_{way}_{steps}" for pawn in ("self", "leader", "others") for way in ("forward", "back")
      for steps in (1, 3, 20)),
    "draw_1", "draw_10", "lay_off_1", "lay_off_10", "place_rose",
]  # fmt: skip
COUNTS = st.lists(st.integers(0, 4), min_size=5, max_size=5)


@st.composite
def boards(draw: st.DrawFn) -> Data:
    """A track with its squares in any places; crowded, thin, or with nothing on it."""
    goal = draw(st.integers(2, 60))
    kinds = draw(st.lists(st.sampled_from(["", "rose", "stage", "spyglass", "handcuffs"]), min_size=goal - 1))
    squares: Data = {
        kind: [square for square, found in enumerate(kinds[: goal - 1], start=1) if found == kind]
        for kind in ("rose", "stage", "spyglass", "handcuffs")
    }
    return {"goal": goal, "stage_names": [f"Stage {square}" for square in squares["stage"]], **squares}


@st.composite
def edition_data(draw: st.DrawFn) -> Data:
    """A resolved edition such as a user's file may give."""
    events = draw(st.dictionaries(st.sampled_from(FORMS), st.integers(0, 4)))
    return edition(
        "standard",
        board=draw(boards()),
        cards={mode: draw(COUNTS) for mode in MODES} | {card: draw(st.integers(0, 8)) for card in SPECIALS},
        events={form: events[form] for form in FORMS if form in events},
        goal_hand_limit=draw(st.integers(0, 6)),
        backwards=draw(st.booleans()),
        keep_events=draw(st.booleans()),
        event_squares=draw(st.booleans()),
        max_rounds=draw(st.integers(1, 60)),
    )
