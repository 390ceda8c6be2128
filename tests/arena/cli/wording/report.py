"""`arena report`."""

from __future__ import annotations

from tests.arena.cli.wording.scenario import SUSPENDED, Place, left_out, meta, scenario, tournament

TIMELESS = ("UPDATE days SET day = '2026-01-01'",)
RATINGS = (r" +\d+\.\d\d ± \d+\.\d\d", r"[+-]\d+\.\d\d \(.*?\)", r"[<>]?\d+ %(?= +(no|yes)\n)")
"""Fitted figures; other tests look at them."""
HIDDEN = (
    *("[0-9a-f]{64}", r"[0-9a-f]{15,16}…", *RATINGS),
    *(r"(?<=- Machine: ).*(?:\n(?=out\|   )out\|.*)*", r"(?<=- This statement: ).*"),
)


def a_site(place: Place) -> None:
    place.tournament()
    place.write("site/index.html")


SCENARIOS = [
    scenario("the statement", "report t", given=tournament(*TIMELESS), hide=HIDDEN),
    scenario(
        "the statement of a tournament of which much is left out",
        "report t",
        given=tournament(
            meta("rated", SUSPENDED),
            meta("players", [2, 3, 4, 5]),
            meta("finished", False),
            left_out("random_bot", "exit code 1 before it said hello: no luck", "hm"),
            "INSERT INTO voids (game, attempt, bots, error, lost, charged) VALUES"
            " ('p2-b0009-r0', 1, '[]', '', 0, NULL), ('p2-b0009-r0', 2, '[]', '', 0, NULL)",
            *TIMELESS,
        ),
        hide=HIDDEN,
    ),
    scenario(
        "a bot for its author",
        "report t --bot crasher",
        "report t --bot greedy --most 2",
        given=tournament(),
        hide=[RATINGS[0], r"(?<= 0 )  *[<>]?\d+ %"],
    ),
    scenario(
        "a bot that could not take part",
        "report t --bot random_bot",
        given=tournament(
            left_out("random_bot", "exit code 1 before it said hello: no luck", "hm"),
            "UPDATE seats SET bot = 'greedy' WHERE bot = 'random_bot'",
        ),
        first=6,
    ),
    scenario("as a page", "report t --bot crasher --html mine.html --site site", given=a_site),
    scenario(
        "what does not go together",
        "report t --site site",
        "report t --most 3",
        "report t --bot nobody",
        "report t --bot greedy@2",
        "report t --bot ''",
        "report t --bot greedy --most 0",
        "report t --bot greedy --html nowhere/mine.html",
        "report t --bot greedy --html mine.html --json",
        "report t --bot greedy --site site",
        "report t --bot greedy --html mine.html --site nowhere",
        given=a_site,
    ),
]
