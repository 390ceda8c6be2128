"""`arena show`."""

from __future__ import annotations

import importlib.util
import os

from arena.ledger.lock import locked
from tests.arena.cli.wording.scenario import MOMENT, SUSPENDED, Place, left_out, meta, scenario, tournament


def without_uvicorn(place: Place) -> None:
    real = importlib.util.find_spec
    place.monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "uvicorn" else real(name))
    place.tournament()


def being_played(place: Place) -> None:
    """Somebody holds its lock."""
    place.tournament(meta("finished", False))
    place.stack.enter_context(locked(place.folder / "t"))


def last_run(place: Place) -> None:
    place.tournament(name="tournaments/default")
    place.tournament(meta("last_run", MOMENT.replace("10", "11")), name="tournaments/default-2")


def no_tournaments(place: Place) -> None:
    """Folders that hold no tournament, or a damaged one."""
    for name, content in (
        ("notes/notes", b""),
        ("file", b""),
        ("empty-ledger/ledger.sqlite", b""),
        ("a-text/ledger.sqlite", b"not a database, but long enough to be taken for one" * 40),
        ("short/ledger.sqlite", b"short"),
        ("tournaments/damaged/ledger.sqlite", b""),
    ):
        place.write(name, content)
    (place.folder / "empty").mkdir()
    place.write("bookmarks/ledger.sqlite")
    place.sql("CREATE TABLE bookmarks (url TEXT)", "PRAGMA user_version = 2", name="bookmarks")
    place.tournament(name="newer")
    place.sql("PRAGMA user_version = 99", name="newer")
    place.tournament(name="no-tables")
    place.sql("PRAGMA foreign_keys = OFF", "DROP TABLE faults", "DROP TABLE times", name="no-tables")
    place.tournament("DELETE FROM meta", name="no-meta")
    place.tournament("UPDATE meta SET value = '{'", name="bad-meta")
    place.tournament("UPDATE seats SET rank = 'x' WHERE game = 'p2-b0000-r0'", name="bad-rank")
    place.tournament("UPDATE seats SET scores = '[' WHERE game = 'p2-b0000-r0'", name="bad-scores")
    place.tournament("DELETE FROM seats WHERE game = 'p2-b0000-r0'", name="no-seats")
    place.tournament(name="cut-off")
    os.truncate(place.folder / "cut-off" / "ledger.sqlite", 4096)


VERSIONS = (
    "INSERT INTO entrants SELECT 'greedy@2', path, 'ff', language, declared_version, deterministic, parallel, left_out,"
    " builds, author FROM entrants WHERE name = 'greedy'",
    "INSERT INTO entrants SELECT 'greedy@3', path, 'fe', language, declared_version, deterministic, parallel,"
    " 'exit code 1: no luck', builds, author FROM entrants WHERE name = 'greedy'",
    "UPDATE seats SET bot = 'greedy@2' WHERE bot = 'greedy' AND game LIKE 'p2-b0001-%'",
    "INSERT INTO field_events (round, place, kind, bot) VALUES (1, 5, 'leave', 'greedy'), (1, 5, 'join', 'greedy@2')",
    "UPDATE field_notes SET moment = '2026-01-01T10:00:00.000000Z'",
    "INSERT INTO field_notes SELECT n, '2026-01-02T10:00:00.000000Z', 'goes east' FROM field_events WHERE place = 5",
)
"""SQL by which `greedy` changed once, and could not take part after another change."""

DAMAGED = (
    *("nowhere", "empty", "notes", "file", "empty-ledger", "a-text", "short", "bookmarks", "newer", "no-tables"),
    *("no-meta", "bad-meta", "bad-rank", "bad-scores", "no-seats", "cut-off", ""),
)

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
    scenario("a bot that is not there", "show t --faults nobody", "show t nobody --history", given=tournament()),
    scenario(
        "the versions of its bots",
        "show t --history",
        "show t --history greedy",
        given=tournament(*VERSIONS),
        hide=[r"20\d\d-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d"],
    ),
    scenario(
        "the history of a field that did not change",
        "show t --history crasher",
        given=tournament("DELETE FROM field_notes", meta("rated", SUSPENDED)),
    ),
    scenario(
        "options that do not go together",
        "show t --web --games",
        "show t --faults crasher --games",
        "show t --web --json",
        "show t --port 80",
        "show t --open",
        "show t --web --port 0",
        "show t greedy",
        "show t --history --games",
        given=tournament(),
    ),
    scenario("the one last run here", "show --games", given=last_run, first=0),
    scenario("none here", "show"),
    scenario(
        "folders without a tournament, or with a damaged one",
        *(f"show {name}" for name in DAMAGED),
        given=no_tournaments,
        hide=[r"(?<=cannot be read: ).*?(?=\. Take)", r"(?<=this arena reads )\d+"],
    ),
    scenario("libraries that are missing", "show t --web", given=without_uvicorn),
]
