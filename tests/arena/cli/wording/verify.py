"""`arena verify`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import Place, meta, scenario, tournament

JSON = r"(?<=cannot be read: ).*"
ALTERED = "p3-b0000-r1"


def altered(sql: str):
    """One game is not what it was; `?` in the SQL stands for it."""
    return tournament(sql.replace("?", f"'{ALTERED}'"))


def two_altered(place: Place) -> None:
    place.tournament(
        "UPDATE games SET digest = 'x' WHERE id = 'p2-b0001-r1'",
        "UPDATE seats SET scores = '{' WHERE game = 'p2-b0000-r0'",
    )


def not_in_the_schedule(place: Place) -> None:
    place.tournament("UPDATE games SET id = 'p2-b0077-r0' WHERE id = 'p2-b0001-r1'")
    for table in ("seats", "steps"):
        place.sql(f"UPDATE {table} SET game = 'p2-b0077-r0' WHERE game = 'p2-b0001-r1'")


SCENARIOS = [
    scenario("all games are as recorded", "verify t", given=tournament()),
    scenario(
        "another action",
        "verify t",
        given=altered("UPDATE steps SET idx = idx + 1 WHERE game = ? AND n = 1"),
    ),
    scenario(
        "somebody else chose",
        "verify t",
        given=altered("UPDATE steps SET by = 'substitute' WHERE game = ? AND n = 2"),
    ),
    scenario("another seat", "verify t", given=altered("UPDATE steps SET seat = 9 WHERE game = ? AND n = 3")),
    scenario("another digest", "verify t", given=altered("UPDATE games SET digest = 'x' WHERE id = ?")),
    scenario("another ending", "verify t", given=altered("UPDATE games SET ending = 'walkover' WHERE id = ?")),
    scenario("other ranks", "verify t", given=altered("UPDATE seats SET rank = 4 - rank WHERE game = ?")),
    scenario(
        "other scores",
        "verify t",
        given=altered("UPDATE seats SET scores = json_set(scores, '$.days', 1) WHERE game = ?"),
    ),
    scenario("the end is missing", "verify t", given=altered("DELETE FROM steps WHERE game = ? AND n > 10")),
    scenario(
        "damaged",
        "verify t",
        given=altered("UPDATE seats SET scores = '{' WHERE game = ? AND seat = 1"),
        hide=[JSON],
    ),
    scenario("two altered games, one of them damaged", "verify t", given=two_altered, hide=[JSON]),
    scenario("a game that is not in the schedule", "verify t", given=not_in_the_schedule),
    scenario(
        "an edition that cannot be",
        "verify t",
        given=tournament("UPDATE meta SET value = json_set(value, '$.events.offer', 1000000000) WHERE key = 'edition'"),
    ),
    scenario(
        "what was exported",
        "export t --to export",
        "verify export",
        f"verify export/games/{ALTERED}.json",
        "verify export --bots",
        f"verify export/games/{ALTERED}.json --head 00",
        given=altered("UPDATE steps SET note = 'I resign' WHERE game = ? AND by = 'bot'"),
    ),
    scenario(
        "a bot in the place of what it played in",
        "verify mine.py",
        "verify t @greedy",
        "verify t @greedy --bots",
        "verify t --bots mine.py",
        "verify t u",
        given=tournament(),
    ),
    scenario("another seed", "verify t", given=tournament(meta("seed", "00"))),
]
