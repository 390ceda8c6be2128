"""`arena export`."""

from __future__ import annotations

import sys

from tests.arena.cli.wording.scenario import Place, scenario, tournament


def something_else(place: Place) -> None:
    place.tournament()
    place.write("notes/thesis.txt")
    place.write("file")


def without_pyarrow(place: Place) -> None:
    place.tournament()
    for name in ("pyarrow", "pyarrow.parquet"):
        place.monkeypatch.setitem(sys.modules, name, None)


SCENARIOS = [
    scenario(
        "a folder, and the table alone",
        "export t --to ex",
        "export t --to ex",
        "export t --to table.csv",
        given=tournament(),
    ),
    scenario(
        "libraries that are missing",
        "export t --to table.parquet",
        "export t --decisions data",
        given=without_pyarrow,
    ),
    scenario("all decisions", "export t --decisions data --jobs 1", given=tournament()),
    scenario(
        "what does not go together",
        "export t",
        "export nowhere --to ex",
        "export t --to t.csv --format parquet",
        "export t --to ex --format xml",
        "export t --to notes",
        "export t --to file",
        "export t --to ex --decisions data",
        "export t --to ex --jobs 2",
        "export t --decisions data --format csv",
        "export t --decisions notes",
        "export t --decisions file",
        given=something_else,
    ),
]
