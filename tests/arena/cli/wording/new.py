"""`arena new`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import Place, scenario


def nothing_but_programs(place: Place) -> None:
    """Every program is found, and no library."""
    place.monkeypatch.setattr("arena.starters._succeeds", lambda _: False)
    place.monkeypatch.setattr("arena.starters.shutil.which", lambda program, **_: program)


def no_programs(place: Place) -> None:
    place.monkeypatch.setattr("arena.starters.shutil.which", lambda _, **__: None)


SCENARIOS = [
    scenario("a bot in Python", "new fogg --lang python", "new deep/mine --lang Python --game ravensburger"),
    scenario("a bot that is a program of others", "new fish --from gtp", given=no_programs),
    scenario("the rules of a game", "new word-race --rules", "new dice --rules --json"),
    scenario("the languages, where libraries are missing", "new --list", given=nothing_but_programs),
    scenario("the languages, where programs are missing", "new --list", given=no_programs),
    scenario(
        "a bot in a language whose libraries are missing",
        "new fogg --lang c",
        given=nothing_but_programs,
        hide=["(?<=fogg: ).*"],
    ),
    scenario(
        "what cannot be made",
        "new mine",
        "new --lang python",
        "new mine --lang perl",
        "new mine --lang typscript",
        "new Mine --lang python",
        "new there --lang python",
        "new mine --lang python --game halma",
        "new mine --from xboard",
        "new mine --from uci --rules",
        "new kosmos --rules",
        "new random --rules",
        "new Skull --rules",
        given=lambda place: place.write("there/notes"),
    ),
]
