"""`arena games`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from engine import catalog
from tests.arena.cli.wording.scenario import Place, scenario


def own_editions(place: Place) -> None:
    place.write("mine.toml", 'base = "standard"\n\n[parameters]\nmax_rounds = 50\n')
    place.write("bad.toml", "parameter = 3\n")


def a_broken_plugin(place: Place) -> None:
    """Its module does not exist, and it comes before ours in the alphabet."""
    point = EntryPoint("a-game", "no_such_module_anywhere:RULES", catalog.GROUP)
    added = {catalog.GROUP: [point]}
    place.monkeypatch.setattr(
        catalog, "entry_points", lambda group: [*added.get(group, []), *entry_points(group=group)]
    )
    place.monkeypatch.setattr(catalog, "_catalog", cache(catalog._catalog.__wrapped__))


SCENARIOS = [
    scenario("all games", "games"),
    scenario("one game with its editions side by side", "games kosmos", first=9),
    scenario("an edition of one's own", "games kosmos --edition mine.toml", given=own_editions, first=4),
    scenario(
        "a plug-in that cannot be loaded",
        "games",
        "games a-game",
        "games --edition nim",
        given=a_broken_plugin,
        first=5,
    ),
    scenario(
        "what there is not",
        "games chess",
        "games kosmo",
        "games kosmos --edition nosuch",
        "games --edition none.toml",
        "games --edition bad.toml",
        "games --edition ''",
        given=own_editions,
    ),
]
