"""`arena join`."""

from __future__ import annotations

from arena.gateway.keys import new_key, write_key
from tests.arena.cli.wording.scenario import Place, scenario


def no_key(place: Place) -> None:
    place.write("ada.key", "name = 'ada'\n")


def a_key(place: Place) -> None:
    write_key(place.folder / "ada.key", new_key("ada", new_key("gateway", None).public))


SCENARIOS = [
    scenario("no such file", "join tcp://127.0.0.1:1 --key nobody.key -- true"),
    scenario("a file that is no key", "join tcp://127.0.0.1:1 --key ada.key -- true", given=no_key),
    scenario("nobody says where", "join --key ada.key -- true", given=a_key),
    scenario("no program", "join tcp://127.0.0.1:1 --key ada.key", given=a_key),
]
