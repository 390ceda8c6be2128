"""Formats by name, with options that are checked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.formats import (
    FORMATS,
    Decisive,
    Format,
    FormatError,
    FormatOptions,
    base,
    gauntlet,
    make_format,
    swiss,
)
from tests.arena.formats.simulated import SimulatedTournament, names

SEED = bytes(range(16))
OPTIONS = {"gauntlet": FormatOptions(challengers=("bot00",))}


PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text("utf-8")


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
            "format: 'ladder' is none of balanced, decisive, gauntlet, groups.knockout, ",
        ),
        ("swiss", FormatOptions(challengers=("mine",)), "the format swiss takes no challengers; it is for gauntlet"),
        (
            "balanced",
            FormatOptions(error=0.1),
            "the format balanced takes no error; it is for decisive and --until resolved",
        ),
        ("swiss", FormatOptions(blocks=2), r"takes no blocks; it is for groups\+knockout and knockout"),
        ("gauntlet", FormatOptions(), "name a challenger"),
        (
            "knockout",
            FormatOptions(until="resolved"),
            "the format knockout takes no until; it is for balanced and swiss",
        ),
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
    ],
)
def test_values_of_options_are_checked(option: str, value: Any, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        FormatOptions(**{option: value})


@pytest.mark.parametrize(("option", "value"), [("until", "bored"), ("groups", 0), ("blocks", -1)])
def test_values_of_options_are_checked_as_they_are_read(option: str, value: Any) -> None:
    with pytest.raises(msgspec.ValidationError, match=rf"\$\.{option}"):
        msgspec.convert({option: value}, FormatOptions)


def test_options_reach_the_format() -> None:
    strict = make_format("decisive", SEED, FormatOptions(error=0.01, margin=0.2))
    assert isinstance(strict, Decisive)
    tournament = SimulatedTournament(lambda: strict, {"a": 0.0, "b": 0.4}, [2])
    tournament.finish()
    found = strict.resolution(tournament.field)
    assert (found.error, found.margin, found.is_resolved) == (0.01, 0.2, True)


@pytest.mark.parametrize("name", FORMATS)
def test_the_page_for_organisers_describes_each_format_and_its_options(name: str) -> None:
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
    (text,) = (text for heading, text in sections.items() if name in heading.split(" and "))
    assert "arena tournament" in text
    for option in FORMATS[name].takes:
        assert f"--{option.removesuffix('s') if option == 'challengers' else option}" in text
    if name != "balanced":
        assert f"--format {name}" in text


def test_the_page_for_organisers_has_the_numbers_of_the_code() -> None:
    assert f"plays {base.HEAT_BLOCKS} blocks" in PAGE
    assert f"{1 - base.ERROR:.0%}".replace("%", " %") in PAGE
    assert f"differ by less than {base.RANKING_MARGIN}" in PAGE
    assert f"with {gauntlet._MOST_BEHIND} blocks" in PAGE
    assert f"up to {Decisive.delay} games" in PAGE
    assert f"next {swiss._REACH} in the standings" in PAGE
    assert f"about {swiss._EXCHANGE} places apart" in PAGE
