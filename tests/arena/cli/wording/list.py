"""`arena list`."""

from __future__ import annotations

import time

from tests.arena.cli.wording.scenario import MOMENT, Place, meta, scenario


def three(place: Place) -> None:
    """One of them cannot be read."""
    place.tournament(name="tournaments/default")
    place.tournament(meta("last_run", MOMENT.replace("10", "11")), name="tournaments/default-2")
    place.write("tournaments/damaged/ledger.sqlite")


def far_east(place: Place) -> None:
    """Somewhere where it is 05:45 later than in UTC."""
    place.monkeypatch.setenv("TZ", "XXX-05:45")
    time.tzset()
    place.stack.callback(time.tzset)
    place.stack.callback(place.monkeypatch.delenv, "TZ")
    for name in ("default", "日本語", "Ελλάς"):
        place.tournament(name=f"tournaments/{name}")


SCENARIOS = [
    scenario(
        "the one last run comes first",
        "list",
        "list tournaments/default",
        given=three,
        hide=[r"20\d\d-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d"],
    ),
    scenario("the time has its zone, and wide letters their room", "list", given=far_east),
    scenario("no tournament", "list", "list elsewhere"),
]
