"""`arena compare`: with made-up games, as in `tests/arena/tournament/`."""

from __future__ import annotations

from collections.abc import Callable

from arena.cli import live, log
from arena.tournament import dispatch
from tests.arena.cli.wording.scenario import Given, Place, scenario
from tests.arena.tournament.conftest import Lab, make_lab

AGAINST = "--against entries/a.py --against entries/b.py"
FEW = f"{AGAINST} --players 2,3 --seed 1 --jobs 1"
BOTH = "entries/old.py entries/new.py"
NAMED = "(?<=old-new-)[0-9a-f]{8}"
"""A folder is called by a hash over all settings."""
CONTENT = '(?<="fingerprint": ").*'
FATAL = r"\(fatal: .*\)"
"""What git says."""


def lab(prepare: Callable[[Place, Lab], object] = lambda *_: None) -> Given:
    """Two bots and their opponents, whose games are decided by their seeds."""

    def given(place: Place) -> None:
        made = make_lab(place.folder, place.monkeypatch)
        place.monkeypatch.setattr(log, "workers", lambda: made.make)
        made.bots("old", "new", "a", "b")
        prepare(place, made)

    return given


def leads(name: str) -> Given:
    def prepare(_: Place, lab: Lab) -> None:
        lab.leads = {name}

    return lab(prepare)


def fails(*names: str) -> Given:
    def prepare(_: Place, lab: Lab) -> None:
        lab.retires = set(names)

    return lab(prepare)


def looks(place: Place, lab: Lab) -> None:
    """It says what is known after every game, of which each is recorded by itself."""
    place.monkeypatch.setattr(dispatch, "_MOST", 1)
    place.monkeypatch.setattr(live, "SELDOM", -1.0)
    place.monkeypatch.setattr(live, "_LOOK_SHARE", 0)
    lab.leads = {"new"}


def same(place: Place, _: Lab) -> None:
    for folder in ("before", "now"):
        place.write(f"{folder}/mine.py")


def versions(place: Place, lab: Lab) -> None:
    """A tournament in which `a` had two versions; the first is lost."""
    lab.run("a b", games=4, players="2")
    place.write("entries/a.py", "# better")
    lab.run("a b", games=8, players="2")


def interrupted(_: Place, lab: Lab) -> None:
    lab.interrupt_after = 30


def left_out(_: Place, lab: Lab) -> None:
    lab.left_out = {"a": "no such luck", "new": "no such luck either"}


SCENARIOS = [
    scenario("better", f"compare {BOTH} {FEW}", f"compare {BOTH} {FEW}", given=leads("new"), hide=[NAMED]),
    scenario("worse", f"compare {BOTH} {FEW}", given=leads("old"), hide=[NAMED]),
    scenario("within the margin", f"compare {BOTH} {FEW} --better-by 0.2", given=lab(), hide=[NAMED]),
    scenario("not known", f"compare {BOTH} {FEW} --games 20", given=lab(), hide=[NAMED]),
    scenario("what is said while it plays", f"compare {BOTH} {FEW} --better-by 20%", given=lab(looks), hide=[NAMED]),
    scenario("as JSON", f"compare {BOTH} {FEW} --games 20 --json", given=lab(), hide=[CONTENT, NAMED]),
    scenario("the same content", "compare before/mine.py now/mine.py", given=lab(same)),
    scenario("the same content as JSON", "compare before/mine.py now/mine.py --json", given=lab(same), hide=[CONTENT]),
    scenario("no repository", "compare entries/old.py", given=lab(), hide=[FATAL]),
    scenario(
        "an opponent of the same name",
        f"compare {BOTH} --against other/new.py --games 4 --players 2",
        given=lab(lambda place, _: place.write("other/new.py", "# another")),
        first=0,
    ),
    scenario("the new bot fails", f"compare {BOTH} {FEW}", given=fails("new"), hide=[NAMED]),
    scenario("the old bot fails", f"compare {BOTH} {FEW}", given=fails("old"), hide=[NAMED]),
    scenario("both fail", f"compare {BOTH} {FEW}", given=fails("old", "new"), hide=[NAMED]),
    scenario("interrupted", f"compare {BOTH} {FEW} --fresh", given=lab(interrupted), hide=[NAMED]),
    scenario("a bot that cannot take part", f"compare {BOTH} {FEW}", given=lab(left_out)),
    scenario(
        "versions that there are not",
        "compare a@3 a@2",
        "compare c@1 a@2",
        "compare a@1 a@2",
        "compare a@1 --in none",
        given=lab(versions),
    ),
    scenario(
        "what cannot be compared",
        "compare none.py",
        "compare @greedy",
        "compare entries/*.py entries/a.py",
        f"compare {BOTH} --against entries/a.py --players 6",
        f"compare {BOTH} --better-by 2",
        f"compare {BOTH} --error no",
        f"compare {BOTH} --games 0",
        given=lab(),
    ),
]
