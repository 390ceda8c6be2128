"""Labels of versions are made and read in one way, whatever a ledger holds."""

from __future__ import annotations

import pytest

from arena.common.labels import bot_name, read_label, spelled_out, version_label, version_number


@pytest.mark.parametrize(
    ("name", "number", "label"), [("mine", 1, "mine"), ("mine", 2, "mine@2"), ("a b", 10, "a b@10")]
)
def test_a_label_is_made_of_name_and_number(name: str, number: int, label: str) -> None:
    assert version_label(name, number) == label
    assert (bot_name(label), version_number(label)) == (name, number)
    assert read_label(spelled_out(label)) == label


@pytest.mark.parametrize("text", ["@cmd|calc", "=1+1", "@", "a@", "a@x", "@7", "a@" + "9" * 99, "a@-1", "a@\u0663"])
def test_what_is_no_label_is_a_name(text: str) -> None:
    assert (bot_name(text), version_number(text)) == (text, 1)


@pytest.mark.parametrize("text", ["", "@2", "a@", "a@x", "a@0", "a@-1"])
def test_what_a_user_cannot_mean_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no version of a bot"):
        read_label(text)
