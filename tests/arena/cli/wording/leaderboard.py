"""`arena leaderboard`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import SUSPENDED, left_out, meta, scenario, tournament

SCENARIOS = [
    scenario("a table for every number of players", "leaderboard t", given=tournament()),
    scenario(
        "one table in each format",
        *(f"leaderboard t --players 3 --format {each}" for each in ("github", "html", "csv")),
        given=tournament(),
    ),
    scenario(
        "bots that were suspended or left out",
        *(f"leaderboard t --players 3 --format {each}" for each in ("plain", "github", "html")),
        given=tournament(
            meta("rated", SUSPENDED), left_out("random_bot", "exit code 1 before it said hello: no luck", "no luck")
        ),
    ),
    scenario(
        "options that there are not",
        "leaderboard t --players 4",
        "leaderboard t --players many",
        "leaderboard t --format xml",
        "leaderboard t --format ''",
        "leaderboard t --rating true-skill",
        "leaderboard t --json --format csv",
        given=tournament(),
    ),
]
