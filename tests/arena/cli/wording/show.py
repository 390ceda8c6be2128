"""`arena show`."""

from __future__ import annotations

import importlib.util

from arena.ledger.lock import locked
from tests.arena.cli.wording.scenario import SUSPENDED, Place, left_out, meta, scenario, tournament


def without_uvicorn(place: Place) -> None:
    real = importlib.util.find_spec
    place.monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "uvicorn" else real(name))
    place.tournament()


def being_played(place: Place) -> None:
    """Somebody holds its lock."""
    place.tournament(meta("finished", False))
    place.stack.enter_context(locked(place.folder / "t"))


SCENARIOS = [
    scenario("a finished tournament", "show t", given=tournament(), hide=["[0-9a-f]{64}"]),
    scenario("all of its games", "show t --games", given=tournament()),
    scenario(
        "some players are missing, one was suspended",
        "show t",
        given=tournament(
            meta("players", [2, 3, 4, 5]),
            meta("rated", SUSPENDED),
            "UPDATE meta SET value = json_set(value, '$.ponder', json('true')) WHERE key = 'time'",
        ),
        hide=["[0-9a-f]{64}"],
    ),
    scenario(
        "one that was interrupted",
        "show t",
        given=tournament(
            meta("finished", False),
            meta("seed", None),
        ),
        hide=["[0-9a-f]{64}"],
        first=4,
    ),
    scenario("one that is being played", "show t", given=being_played, hide=["[0-9a-f]{64}"], first=4),
    scenario(
        "the faults of a bot",
        "show t --faults crasher",
        "show t --faults greedy",
        "show t --faults random_bot",
        given=tournament(
            left_out("random_bot", "exit code 1 before it said hello: no luck", "hm", "no luck"),
        ),
    ),
    scenario("a bot that is not there", "show t --faults nobody", given=tournament()),
    scenario(
        "options that do not go together",
        "show t --web --games",
        "show t --faults crasher --games",
        "show t --web --json",
        "show t --port 80",
        "show t --open",
        "show t --web --port 0",
        given=tournament(),
    ),
    scenario("libraries that are missing", "show t --web", given=without_uvicorn),
]
