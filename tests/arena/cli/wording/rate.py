"""`arena rate`: with made-up games, as in `tests/arena/tournament/`."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from arena.cli import log
from arena.ledger import Ledger
from arena.tournament import anchors
from generators.anchors import record
from tests.arena.cli.wording.scenario import Given, Place, scenario
from tests.arena.tournament.conftest import Lab, make_lab

NAMED = "(?<=rate/)[a-z0-9-]+-[0-9a-f]{8}"
"""A folder is called by a hash over all settings."""
HEAD = "(?<=head )[0-9a-f]{12}"
FEW = "--players 2,3 --jobs 1 --error 2.5"


def lab(prepare: Callable[[Place, Lab], object] = lambda *_: None) -> Given:
    """Recorded anchors, whose games are decided by their seeds."""

    def given(place: Place) -> None:
        made = make_lab(place.folder, place.monkeypatch)
        place.monkeypatch.setattr(log, "workers", lambda: made.make)
        place.monkeypatch.setattr(anchors, "admit", made.admit)
        place.monkeypatch.setattr(anchors, "RECORDED", place.folder / "recorded")
        paths = dict(zip("abcd", made.bots(*"abcd"), strict=True))
        made.bots("mine", "other")
        made.leads = {"a"}
        with Ledger.open(made.run("a b c d", game="kosmos", games=120, out="known").folder) as ledger:
            found = record(ledger, {name: f"entries/{name}.py" for name in paths}, 1, 120)
        made.leads = set()
        place.write("recorded/kosmos.json", msgspec.json.encode(msgspec.structs.replace(found, head="5" * 64)))
        prepare(place, made)

    return given


def leads(_: Place, lab: Lab) -> None:
    lab.leads = {"mine"}


def fails(_: Place, lab: Lab) -> None:
    lab.retires = {"mine"}


def interrupted(_: Place, lab: Lab) -> None:
    lab.interrupt_after = lab.played.total() + 30


def left_out(_: Place, lab: Lab) -> None:
    lab.left_out = {"mine": "no such luck"}


def none_recorded(place: Place, lab: Lab) -> None:
    place.monkeypatch.setattr(anchors, "ROUNDS", 4)
    place.monkeypatch.setattr(anchors, "RECORDED", place.folder / "nothing")
    lab.left_out = {"explorer": "it does not start"}


def checkpoints(_: Place, lab: Lab) -> None:
    lab.bots("step-9", "step-10", "step-100")
    lab.leads = {"step-100"}


MINE = "rate entries/mine.py"
SCENARIOS = [
    scenario("rated", f"{MINE} {FEW}", f"{MINE} {FEW}", given=lab(), hide=[NAMED]),
    scenario("as JSON", f"{MINE} {FEW} --json", given=lab(), hide=[NAMED]),
    scenario("not known well enough", f"{MINE} {FEW} --games 60", given=lab(), hide=[NAMED]),
    scenario("a bot that wins all games", f"{MINE} {FEW}", given=lab(leads), hide=[NAMED]),
    scenario(
        "checkpoints", f"rate entries/step-*.py {FEW} --games 60 --to curve.html", given=lab(checkpoints), hide=[NAMED]
    ),
    scenario("interrupted", f"{MINE} {FEW}", given=lab(interrupted), hide=[NAMED]),
    scenario("a bot that fails", f"{MINE} {FEW}", given=lab(fails), hide=[NAMED]),
    scenario("a bot that cannot take part", f"{MINE} {FEW}", given=lab(left_out)),
    scenario("no anchors are recorded", f"{MINE} {FEW} --games 60", given=lab(none_recorded), hide=[NAMED]),
    scenario(
        "what cannot be rated",
        "rate",
        "rate none.py",
        "rate recorded",
        f"{MINE} --error 0",
        f"{MINE} --players 9",
        given=lab(),
    ),
]
