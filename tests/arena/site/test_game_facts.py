"""What the list of games says of a game besides who played."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from arena.site.game_facts import Featured, GameFacts, featured, game_facts, worth_a_look


def public(ranks: list[int] | None, first: list[int], **more: object) -> bytes:
    """The public part of a game of two; `first`: the chance of seat 0 at the end of each turn."""
    chances = [[turn, chance, 1000 - chance] for turn, chance in enumerate(first)]
    return json.dumps({"ranks": ranks, "chances": chances, "steps": [], **more}).encode()


def test_what_a_game_was_won_with_and_how_it_went() -> None:
    """The first quarter of its turns, when nobody is behind yet, and the end itself do not count."""
    data = public([1, 2], [10, 500, 60, 400, 500, 520, 480, 540, 1000], outcome="79 days", runner_up="81 days")
    assert game_facts(data) == GameFacts("79 days; next: 81 days", 60, 60)


def test_a_game_that_does_not_say_so_or_has_no_winner_of_its_own_is_not_recommended() -> None:
    assert game_facts(public(None, [500, 500])) == GameFacts()
    assert game_facts(b'{"ranks":[1,2]}') == GameFacts()
    shared = public([1, 1], [500] * 9, outcome="square 80", runner_up="square 80")
    assert game_facts(shared) == GameFacts("square 80; next: square 80")


def test_games_are_worth_a_look_for_a_comeback_or_a_close_end() -> None:
    facts = {
        "dull": GameFacts("", 400, 700),
        "back": GameFacts("", 80, 300),
        "far back": GameFacts("", 12, 90),
        "close": GameFacts("", 300, 40),
        "unknown": GameFacts("79 days"),
    }
    assert worth_a_look(facts) == {
        "back": "won from a chance of 8 %",
        "far back": "biggest comeback: won from a chance of 1 %, close finish",
        "close": "closest finish",
    }
    assert worth_a_look({}) == {}


def played(*games: str) -> list[Any]:
    return [SimpleNamespace(id=game, bots=["a", "b"]) for game in games]


def test_the_game_to_watch_is_a_comeback_else_close_else_the_latest_and_names_no_winner() -> None:
    dull, back, close = GameFacts("", 400, 700), GameFacts("", 80, 300), GameFacts("", 300, 40)
    words = "The biggest comeback: won from a chance of 8 %."
    assert featured(played("1", "2", "3"), {"1": dull, "2": back, "3": close}) == Featured("2", ["a", "b"], words)
    found = featured(played("1", "2"), {"1": close, "2": dull})
    assert found is not None
    assert (found.game, found.why.split(":")[0]) == ("1", "The closest finish")
    assert featured(played("1", "2", "3"), {"1": dull, "2": GameFacts()}) == Featured(
        "2", ["a", "b"], "The latest game."
    )
    assert featured(played("1"), {}) is None, "no game can be played back"
