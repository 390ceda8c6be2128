"""`arena join`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import Place, scenario


def no_key(place: Place) -> None:
    place.write("ada.key", "name = 'ada'\n")


SCENARIOS = [
    scenario("no such file", "join tcp://127.0.0.1:1 --key nobody.key -- true"),
    scenario("a file that is no key", "join tcp://127.0.0.1:1 --key ada.key -- true", given=no_key),
]
