"""What a decoder has found, in words that nobody needs msgspec for."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from arena.common.decoding_words import in_words
from arena.protocol.messages import FromBot

ACT = {"type": "act", "game_id": "g", "turn": 1, "index": 0}
HELLO = {"type": "hello", "protocol": [1, 0], "name": "x"}


def error_of(frame: bytes, kind: Any = FromBot) -> str:
    with pytest.raises(msgspec.MsgspecError) as caught:
        msgspec.msgpack.decode(frame, type=kind)
    return in_words(caught.value)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (5, "it must be a map from names to values, not a whole number"),
        ([1], "it must be a map from names to values, not a list"),
        ({}, "`type` is missing"),
        ({"type": "move"}, "`type` cannot be 'move'"),
        ({1: 2}, "it has a key that must be a text, not a whole number"),
        ({**ACT, "index": 0.5}, "`index` must be a whole number, not a float"),
        ({**ACT, "index": True}, "`index` must be a whole number, not true or false"),
        ({**ACT, "turn": -1}, "`turn` must be a whole number of at least 0"),
        ({**ACT, "note": "x" * 501}, "`note` must have at most 500 characters"),
        ({**ACT, "note": 1}, "`note` must be a text or null, not a whole number"),
        ({**ACT, "metrics": {"a": "b"}}, "`metrics[...]` must be a number, not a text"),
        ({**ACT, "metrics": {"": 1.0}}, "`metrics` has a key that must have at least 1 character"),
        ({**ACT, "metrics": dict.fromkeys(map(str, range(33)), 1.0)}, "`metrics` must have at most 32 entries"),
        ({**HELLO, "protocol": [1]}, "`protocol` must have exactly 2 entries, not 1"),
        ({**HELLO, "protocol": [1, "a"]}, "`protocol[1]` must be a whole number, not a text"),
        ({**HELLO, "games": [""]}, "`games[0]` must have at least 1 character"),
    ],
)
def test_what_is_wrong_with_a_message_is_said_in_our_words(message: Any, words: str) -> None:
    assert error_of(msgspec.msgpack.encode(message)) == words


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (b"\xc1", "it is no msgpack from byte 0 on"),
        (b"\x81", "it ends before it is complete"),
        (msgspec.msgpack.encode(ACT) + b"\0", "something follows its end, from byte 33 on"),
    ],
)
def test_what_is_no_msgpack_is_said_with_its_place(frame: bytes, words: str) -> None:
    assert error_of(frame) == words


class Odd(msgspec.Struct, forbid_unknown_fields=True):
    part: Annotated[float, msgspec.Meta(gt=0.5)] = 1.0
    way: Literal["a", "b"] = "a"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"part": 0.0}, "`part` must be a number of more than 0.5"),
        ({"way": "c"}, "`way` cannot be 'c'"),
        ({"more": 1}, "`more` is not known"),
    ],
)
def test_so_are_bounds_choices_and_unknown_fields(value: Any, words: str) -> None:
    assert error_of(msgspec.msgpack.encode(value), Odd) == words


def test_other_errors_are_left_as_they_are() -> None:
    with pytest.raises(msgspec.ValidationError) as of_python:
        msgspec.convert({1: 2}, dict[str, int])
    assert in_words(of_python.value) == "it has a key that must be a text, not a whole number"
    assert in_words(ValueError("Expected `str` - at `key` in `$`")) == "it has a key that must be a text"
    assert in_words(ValueError("no such thing")) == "no such thing"
