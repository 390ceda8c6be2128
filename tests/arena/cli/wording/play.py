"""`arena play`."""

from __future__ import annotations

import pytest

from tests.arena.cli.wording.scenario import Place, scenario


def bots(place: Place) -> None:
    place.bots("greedy", "random_bot", "strider", "crasher")
    place.write("notes.txt")
    place.write("no.pem", "nothing")


SCENARIOS = [
    scenario("help", "play --help"),
    scenario("more players than seats", "play greedy.py random_bot.py --players 2 --text", given=bots),
    scenario("fewer players than the game needs", "play --persons A,B,C,D,E,F,G --text"),
    scenario("a seat that there is not", "play --seat 3 --text"),
    scenario("a name that is none", "play --persons Ann,@x --text"),
    scenario("two persons of one name", "play --persons Ann,Ann --text"),
    scenario("bots of different games", "play greedy.py strider.py --text", given=bots),
    scenario("what is no bot", "play notes.txt --text", given=bots),
    scenario("hints by several bots", "play --hints @all --text"),
    scenario("a network and a terminal", "play --host 127.0.0.1 --text"),
    scenario("a certificate without its key", "play --tls-cert no.pem"),
    scenario("a certificate that is none", "play --tls-cert no.pem --tls-key no.pem", given=bots),
    scenario(
        "a bot that cannot play",
        "play strider.py --game kosmos --text --hints none",
        given=bots,
        marks=[pytest.mark.slow],
    ),
]
