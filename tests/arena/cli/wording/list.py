"""`arena list`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import MOMENT, Place, meta, scenario


def three(place: Place) -> None:
    """One of them cannot be read."""
    place.tournament(name="tournaments/default")
    place.tournament(meta("last_run", MOMENT.replace("10", "11")), name="tournaments/default-2")
    place.write("tournaments/damaged/ledger.sqlite")


SCENARIOS = [
    scenario("the one last run comes first", "list", given=three, hide=[r"20\d\d-\d\d-\d\d \d\d:\d\d"]),
    scenario("no tournament", "list", "list elsewhere"),
]
