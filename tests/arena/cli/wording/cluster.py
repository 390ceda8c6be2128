"""`arena cluster`."""

from __future__ import annotations

from arena.cluster import scheduler
from tests.arena.cli.wording.scenario import Place, scenario


def without_dask(place: Place) -> None:
    place.monkeypatch.setattr(scheduler, "find_spec", lambda _: None)


SCENARIOS = [
    scenario("the extra is not installed", "cluster up 2", given=without_dask),
    scenario("what it cannot do", "cluster down 2"),
    scenario("no workers", "cluster up 0", "cluster up two", "cluster up 2 --port 0"),
]
