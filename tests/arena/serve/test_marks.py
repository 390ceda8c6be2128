"""Who gets a mark, keeps it and loses it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from arena.rating import SkillDifference
from arena.serve.league import MarkRule
from arena.serve.marks import marks, marks_csv

PASS = MarkRule("pass", beats="greedy")
GOOD = MarkRule("good", top=0.25)


class Known(NamedTuple):
    """Ratings with equal errors."""

    ratings: Mapping[str, float]
    error: float = 1.0

    def difference(self, one: str, other: str) -> SkillDifference:
        """Return what is known of two bots."""
        return SkillDifference(self.ratings[one] - self.ratings[other], self.error)


def of(rating: float, *, label: str = "ada", had: bool = False, error: float = 1.0) -> bool:
    """Return whether a bot has the mark, if it is so much better than `greedy`, whose error is 1."""
    known = Known({label: rating, "greedy": 0.0, "bob": -4.0, "eve": 4.0}, error)
    field = {"ada": label, "bob": "bob", "eve": "eve"}
    return "pass" in marks([PASS], field, known, {"ada": ["pass"] if had else []})["ada"]


def test_a_mark_needs_more_than_95_percent_at_one_look_since_there_are_many() -> None:
    assert Known({"ada": 2.0, "greedy": 0.0}).difference("ada", "greedy").above(0.0) > 0.95
    assert not of(2.0)
    assert of(4.0)


def test_who_has_a_mark_keeps_it_until_it_is_likely_not_good_enough() -> None:
    assert of(0.1, had=True)
    assert not of(0.1)
    assert not of(-0.1, had=True)


def test_a_later_version_has_to_be_surer() -> None:
    assert of(3.4)
    assert not of(3.4, label="ada@9")
    assert of(5.0, label="ada@9")


def test_the_first_of_a_field_get_the_mark_and_keep_it_a_little_further() -> None:
    field = {f"s{place}": f"s{place}" for place in range(8)}
    ratings = {f"s{place}": -10.0 * place for place in range(8)}
    assert [name for name, found in marks([GOOD], field, Known(ratings), {}).items() if found] == ["s0", "s1"]
    third = marks([MarkRule("good", top=0.4)], field, Known(ratings), {"s3": ["good"], "s5": ["good"]})
    assert [name for name, found in third.items() if found] == ["s0", "s1", "s2", "s3"]


def test_who_is_not_in_the_field_keeps_its_marks() -> None:
    assert marks([PASS], {}, Known({"greedy": 0.0}), {"ada": ["pass"]}) == {"ada": ["pass"]}


def test_marks_stay_where_the_reference_has_not_played() -> None:
    assert marks([PASS], {"ada": "ada"}, Known({"ada": 9.0}), {"ada": ["pass"]}) == {"ada": ["pass"]}
    assert marks([PASS], {"ada": "ada"}, Known({"ada": 9.0}), {}) == {"ada": []}


def test_a_mark_that_is_no_longer_in_the_file_is_nobodys() -> None:
    before = {name: ["pass", "removed"] for name in ("ada", "gone")}
    assert marks([PASS], {"ada": "ada"}, Known({"ada": 9.0, "greedy": 0.0}), before) == {
        "ada": ["pass"],
        "gone": ["pass"],
    }


def test_a_table_has_a_line_for_each_submitter() -> None:
    text = marks_csv([PASS, GOOD], {"eve": [], "ada": ["good"]})
    assert text == "submitter,pass,good\nada,0,1\neve,0,0\n"
