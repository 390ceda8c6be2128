"""`arena serve`."""

from __future__ import annotations

import importlib.util

from tests.arena.cli.wording.scenario import Place, scenario

SECRET = r"(?<=/enter/)[\w-]{32}"
MOMENTS = r"(?<=rounds: ).*"
LEAGUE = 'name = "Course"\n[rounds]\nevery = "10 min"\n[season]\nname = "autumn"\n'


def a_league(place: Place) -> None:
    place.write("league.toml", LEAGUE + '[[mark]]\nname = "pass"\nbeats = "greedy"\n')
    place.write("class.csv", "submitter,group\nada,1\ngrace,2\n")


def wrong(text: str, top: str = ""):
    """A league whose file says this, too, at its end or its top."""

    def given(place: Place) -> None:
        place.write("league.toml", top + LEAGUE + text)

    return given


def without_cronsim(place: Place) -> None:
    real = importlib.util.find_spec
    place.monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "cronsim" else real(name))


SCENARIOS = [
    scenario("the extra is not installed", "serve", given=without_cronsim),
    scenario("no file", "serve"),
    scenario("a first file", "serve --init", "serve --init"),
    scenario("who takes part", "serve --add ada,a/b", "serve --add greedy", "serve --add nobody.csv", given=a_league),
    scenario("names alike", "serve --add ada,Ada", "serve --add eve --organiser eve", given=a_league),
    scenario("addresses", "serve --add class.csv", "serve --organiser prof", given=a_league, hide=(SECRET,)),
    scenario("what the file asks for", "serve --check", given=a_league, hide=(MOMENTS,)),
    scenario("an unknown key", "serve --check", given=wrong("[web]\nprot = 1\n")),
    scenario("a key that the league says itself", "serve --check", given=wrong("[plan]\nbots = []\n")),
    scenario("half of what TLS takes", "serve --check", given=wrong('[web]\ntls_cert = "c.pem"\n')),
    scenario("everything as drop folder", "serve --check", given=wrong('[submissions]\ndrop = "."\n')),
    scenario("a bot that is not there", "serve --check", given=wrong("", 'references = ["@gredy"]\n')),
    scenario("a mark against nobody", "serve --check", given=wrong('[[mark]]\nname = "pass"\nbeats = "gredy"\n')),
    scenario("a backup", "serve --backup there", "serve --backup there", given=a_league),
]
