"""Words that are not allowed: what is said, and what is suggested."""

from __future__ import annotations

import pytest

from arena.common.allowed_words import refused, suggested

FORMATS = ["balanced", "gauntlet", "swiss", "groups+knockout"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("swis", "swiss"), ("SWISS", "swiss"), (" balancd ", "balanced"), ("guantlet", "gauntlet")],
)
def test_a_misspelled_word_is_answered_by_the_word_that_was_meant(typed: str, meant: str):
    assert suggested(typed, FORMATS) == f". Did you mean {meant}?"


@pytest.mark.parametrize("typed", ["league", "", 7, None])
def test_what_is_like_no_word_gets_no_suggestion(typed: object):
    assert suggested(typed, FORMATS) == ""


def test_all_words_are_named_and_an_only_one_as_such():
    assert refused("league", FORMATS) == "'league' is none of balanced, gauntlet, swiss, groups+knockout"
    assert refused("resolvd", ["resolved"]) == "'resolvd' is not allowed, only resolved is"
