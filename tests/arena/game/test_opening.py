"""The opening of a game without chance: drawn from its seed, told to all, and found out if it was changed."""

from __future__ import annotations

import msgspec
import pytest

from arena.game.opening import check_openings
from arena.game.replay import verify
from engine.rules import EditionError

STANDARD = {"name": "standard"}


def played(game):
    while not game.game.over:
        game.answer(0)
    return game.game.record()


def opening_of(record):
    return [step.index for step in record.steps if step.by == "referee"]


def test_its_actions_come_first_and_bots_are_told_of_them(scripted):
    game = scripted(2, openings=3)
    told = game.ask().events
    assert [event["event"] for event in told].count("stepped") == 3
    record = played(game)
    assert [step.by for step in record.steps[:3]] == ["referee"] * 3
    assert len(opening_of(record)) == 3
    assert verify(record, game.rules, STANDARD) == verify(record, game.rules, STANDARD, openings=3) == []


def test_it_never_ends_the_game(scripted):
    game = scripted(2, openings=100)
    assert not game.game.over
    assert len(opening_of(played(game))) < 100


def test_another_opening_is_found_out(scripted):
    record = played(scripted(2, openings=2))
    first, *rest = record.steps
    index = 1 - first.index
    other = msgspec.structs.replace(first, index=index, action={"step": index + 1})
    changed = msgspec.structs.replace(record, steps=[other, *rest])
    race = scripted(2).rules
    assert "its opening does not follow from its seed" in verify(changed, race, STANDARD)
    assert verify(record, race, STANDARD, openings=3) == ["its opening does not follow from its seed"]
    assert verify(played(scripted(2)), race, STANDARD, openings=2) == ["its opening does not follow from its seed"]


def test_an_edition_may_list_openings(scripted):
    lines = {**STANDARD, "openings": [["{'step': 2}", "{'step': 1}"]]}
    game = scripted(2, edition=lines, openings=1)
    record = played(game)
    assert opening_of(record) == [1, 0]
    assert verify(record, game.rules, lines, openings=1) == []


ONE, TWO = "{'step': 1}", "{'step': 2}"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([[ONE], [], [TWO, "jump"]], "entry 3, ply 2: 'jump' is not allowed there with 2 players, only {'step': 1}, {"),
        ([[ONE, TWO], [TWO] * 9], "entry 2, ply 6: .* is not allowed there with 2 players, only nothing: the game is"),
        (
            [[TWO] * 5],
            "openings: entry 1 ends the game with 2 players. Change it in the edition, or play with --openin",
        ),
    ],
)
def test_a_listed_opening_that_cannot_be_played_is_refused(scripted, lines, said):
    rules = scripted(2).rules
    check_openings(rules, {**STANDARD, "openings": [[ONE, TWO], []]}, [2, 3])
    check_openings(rules, STANDARD, [2])
    with pytest.raises(EditionError, match=said):
        check_openings(rules, {**STANDARD, "openings": lines}, [2, 3])
