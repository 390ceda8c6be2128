"""What a word means, for somebody who plays in a terminal."""

from __future__ import annotations

import re

import pytest

from arena.play.rules_in_words import MOST, aim_in_words, explained
from engine import catalog

GAMES = pytest.mark.parametrize("name", catalog.installed())


@pytest.mark.slow
@GAMES
def test_every_card_term_and_rule_is_explained_in_a_few_lines_without_the_sources_notes(name: str) -> None:
    rules = catalog.rules(name)
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    board = rules.board(edition)  # type: ignore[attr-defined]
    ids = [f"{name[0].upper()}-{number}" for number in range(1, 100)]
    found = 0
    for word in [*board["terms"], *board["cards"], *ids]:
        lines = explained(rules, edition, word)
        assert len(lines) <= MOST
        assert max(map(len, lines)) <= 100
        text = " ".join(lines)
        assert not re.search(r"\((ruling|reconstructed)|is a ruling|\b00\d\b|`|\*", text), text
        assert not re.match(r"[KR]-\d", text), "its id stands behind a rule"
        found += "the rules do not say" not in text
    assert found > 40


def test_what_is_about_a_word_stands_before_what_mentions_it() -> None:
    rules = catalog.rules("kosmos")
    edition = rules.edition("standard")  # type: ignore[attr-defined]
    lines = explained(rules, edition, "Detective")
    assert lines[0].startswith("detective: A player who ends a turn in his city")
    assert re.fullmatch(r"and \d+ more", lines[-1])
    assert explained(rules, edition, "K-34")[-1].endswith("(K-34)")
    assert explained(rules, edition, "zeppelin") == ["the rules do not say zeppelin"]
    assert "first wins" in " ".join(aim_in_words(rules, edition, 2))
