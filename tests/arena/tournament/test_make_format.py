"""Formats by name, with options that are checked."""

from __future__ import annotations

import pytest

from arena.tournament.formats import FORMATS, Decisive, Format, FormatError, FormatOptions, make_format
from tests.arena.tournament.simulated import SimulatedTournament, names

SEED = bytes(range(16))
OPTIONS = {"gauntlet": FormatOptions(challengers=("bot00",))}


def make(name: str, seed: bytes = SEED) -> Format:
    return make_format(name, seed, OPTIONS.get(name))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_plays_and_draws_the_same_again(name: str) -> None:
    skills = {bot: 0.3 * place for place, bot in enumerate(names(9))}
    tournament = SimulatedTournament(lambda: make(name), skills, [2, 3])
    for _ in range(4):
        assert tournament.draws_the_same_when_resumed()
        tournament.play_round()
    again = SimulatedTournament(lambda: make(name), skills, [2, 3])
    again.play(4)
    assert [each.blocks for each in again.rounds] == [each.blocks for each in tournament.rounds]
    other = SimulatedTournament(lambda: make(name, bytes(16)), skills, [2, 3])
    other.play(4)
    assert [each.blocks for each in other.rounds] != [each.blocks for each in tournament.rounds]


@pytest.mark.parametrize("name", FORMATS)
def test_what_ends_by_itself_ends(name: str) -> None:
    tournament = SimulatedTournament(
        lambda: make(name), {bot: 0.5 * place for place, bot in enumerate(names(5))}, [2, 4]
    )
    if tournament.format.ends:
        tournament.finish(500)
        assert tournament.format.due(tournament.field, 100) == {}
    else:
        tournament.play(40)
        assert len(tournament.rounds) == 40


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        (
            "ladder",
            FormatOptions(),
            "there is no format ladder; there is balanced, decisive, gauntlet, groups.knockout, ",
        ),
        ("swiss", FormatOptions(challengers=("mine",)), "the format swiss takes no challengers; it is for gauntlet"),
        ("balanced", FormatOptions(error=0.1), "the format balanced takes no error; it is for decisive"),
        ("swiss", FormatOptions(blocks=2), r"takes no blocks; it is for groups\+knockout and knockout"),
        ("gauntlet", FormatOptions(), "name a challenger"),
    ],
)
def test_what_a_format_does_not_take_is_an_error(name: str, options: FormatOptions, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        make_format(name, SEED, options)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("error", 0.0, "error: 0 is not a probability between 0 and 0.5"),
        ("error", 0.5, "error: 0.5 is not"),
        ("margin", 5.0, "margin: 5 is not"),
        ("groups", 0, "groups: 0 is not a whole number from 1"),
        ("blocks", -1, "blocks: -1 is not a whole number from 1"),
    ],
)
def test_values_of_options_are_checked(option: str, value: float, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        FormatOptions(**{option: value})


def test_options_reach_the_format() -> None:
    strict = make_format("decisive", SEED, FormatOptions(error=0.01, margin=0.2))
    assert isinstance(strict, Decisive)
    tournament = SimulatedTournament(lambda: strict, {"a": 0.0, "b": 0.4}, [2])
    tournament.finish()
    assert max(strict.verdicts(tournament.field)[0][2:4]) >= 0.99
