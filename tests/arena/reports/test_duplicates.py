"""Bots that are or play alike are told from those that do not."""

from __future__ import annotations

from numpy.random import RandomState

from arena.reports.duplicates import alike
from benchmarks.duplicates import field


def test_the_same_files_are_told_without_a_decision() -> None:
    [found] = alike({"ada": "1", "bob": "2", "eve": "1"}, {})
    assert found.in_words() == "ada and eve have the same files"


def test_a_copy_with_other_constants_plays_alike() -> None:
    [found] = alike({}, field(8, 0.0, 0.02, RandomState(1)))
    assert (found.bot, found.other) == ("b00", "copy")
    assert found.same / found.decisions > 0.95 > found.closest
    assert found.in_words().startswith("b00 plays as copy does in 9")


def test_bots_that_differ_as_others_do_are_not_named() -> None:
    assert alike({}, field(8, 0.0, 1.0, RandomState(1))) == []


def test_few_decisions_say_nothing() -> None:
    few = {bot: found[:150] for bot, found in field(8, 0.0, 0.0, RandomState(1)).items()}
    assert alike({}, few) == []


def test_decisions_without_an_answer_are_left_out() -> None:
    said: dict[str, list[int | None]] = {bot: [*found] for bot, found in field(8, 0.0, 0.0, RandomState(1)).items()}
    said["copy"] = [None if number % 2 else each for number, each in enumerate(said["copy"])]
    assert [(each.same, each.decisions) for each in alike({}, said)] == [(200, 200)]
