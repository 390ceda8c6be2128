"""Whatever a bot sends becomes a message or `Malformed`, and what is said about it is short and safe to print."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from arena.protocol.codec import FRAME_LIMIT, Malformed, decode, encode, incompatible
from arena.protocol.messages import Act, Bye, Fault, FromBot, Hello

ACT: dict[str, Any] = {"type": "act", "game_id": "g", "turn": 1, "index": 0}
HELLO: dict[str, Any] = {"type": "hello", "protocol": [1, 0], "name": "b"}


def read(message: Any) -> FromBot:
    return decode(msgpack.packb(message))


def refusal(frame: bytes) -> str:
    with pytest.raises(Malformed) as error:
        decode(frame)
    return str(error.value)


def test_a_hello_with_nothing_optional_has_the_defaults() -> None:
    assert read(HELLO) == Hello((1, 0), "b", "", "", [], 1, False)


def test_an_act_carries_any_whole_number_of_64_bits() -> None:
    for index in (0, -1, 10**9, -(2**63), 2**63 - 1):
        assert read({**ACT, "index": index}) == Act("g", 1, index)


@pytest.mark.parametrize("index", [0.0, 1.5, "0", True, None, [0], 2**63, 2**64 - 1, b"0"])
def test_an_index_of_another_kind_is_malformed(index: object) -> None:
    assert "`index` must be" in refusal(msgpack.packb({**ACT, "index": index}))


def test_unknown_fields_are_ignored() -> None:
    assert read({**ACT, "later": {"a": [1, None, 2.5]}, "ext": msgpack.ExtType(5, b"x")}) == Act("g", 1, 0)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_metric_that_is_no_finite_number_is_malformed(value: float) -> None:
    assert refusal(msgpack.packb({**ACT, "metrics": {"days": value}})) == "metric days is not a finite number"


def test_whole_numbers_do_as_metrics() -> None:
    assert read({**ACT, "metrics": {"nodes": 12, "most": 2**64 - 1}}) == Act(
        "g", 1, 0, None, {"nodes": 12.0, "most": 2.0**64}
    )


def test_a_frame_of_the_limit_is_read_and_one_byte_more_is_not() -> None:
    empty = len(msgpack.packb({**ACT, "filler": "x" * 60000})) - 60000
    assert read({**ACT, "filler": "x" * (FRAME_LIMIT - empty)}) == Act("g", 1, 0)
    assert "65537 bytes" in refusal(msgpack.packb({**ACT, "filler": "x" * (FRAME_LIMIT - empty + 1)}))


@pytest.mark.parametrize("nest", [b"\x91", b"\x81\xa1x"])
def test_deep_nesting_is_malformed(nest: bytes) -> None:
    depth = 20000
    assert refusal(msgpack.packb(ACT).replace(b"\x84", b"\x85", 1) + b"\xa1x" + nest * depth) == "nested too deeply"


@pytest.mark.parametrize("field", ["name", "version", "language"])
def test_texts_of_a_hello_hold_no_control_characters(field: str) -> None:
    for char in "\x00\n\x1b\x7f\x9b":
        assert refusal(msgpack.packb({**HELLO, field: f"a{char}b"})) == "a control character in 'a?b'"
    assert isinstance(read({**HELLO, field: "Größe 世界"}), Hello)


def test_names_of_games_and_metrics_hold_none_either() -> None:
    assert "control character" in refusal(msgpack.packb({**HELLO, "games": ["kosmos", "a\tb"]}))
    assert "control character" in refusal(msgpack.packb({**ACT, "metrics": {"a\rb": 1.0}}))


def test_what_is_said_about_a_frame_is_one_short_printable_line() -> None:
    for type_ in ("\x1b[31mred\n", "x" * 60000, "\u202ereversed"):
        text = refusal(msgpack.packb({"type": type_}))
        assert text.isprintable()
        assert len(text) <= 80


messages = st.fixed_dictionaries(
    {"type": st.sampled_from(["hello", "act", "bye", ""])},
    optional={
        "game_id": st.text(max_size=70) | st.none(),
        "turn": st.integers(-2, 2**32),
        "index": st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=3),
        "note": st.text(max_size=510) | st.none() | st.binary(max_size=3),
        "metrics": st.none() | st.dictionaries(st.text(max_size=3), st.floats() | st.integers(0, 2**64 - 1)),
        "protocol": st.lists(st.integers(-1, 3), max_size=3),
        "name": st.text(max_size=70),
        "games": st.lists(st.text(max_size=3), max_size=70),
        "parallel": st.integers(-1, 70),
        "deterministic": st.booleans() | st.none(),
    },
)


def outcome(frame: bytes) -> FromBot | str:
    """The message, or what is said about a frame that is none."""
    try:
        return decode(frame)
    except Malformed as error:
        return str(error)


unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.slow
@unhurried
@given(st.binary(max_size=200) | messages.map(msgpack.packb))
@example(b"\x82\xa4type\xa5hello\xa8protocol\xdd\xff\xff\xff\xff")
@example(b"\x82\xa4type\xa3act\xa7metrics\xdf\xff\xff\xff\xff")
@example(b"\xdf\xff\xff\xff\xff")
def test_decoding_ends_in_a_message_or_in_malformed(frame: bytes) -> None:
    found = outcome(frame)
    assert isinstance(found, Hello | Act) or (found.isprintable() and 0 < len(found) <= 120)


@unhurried
@given(st.integers(0, 2**16), st.integers(0, 255))
def test_a_changed_byte_does_no_worse(place: int, byte: int) -> None:
    frame = bytearray(msgpack.packb({**ACT, "note": "hi", "metrics": {"a": 1.5}}))
    frame[place % len(frame)] = byte
    found = outcome(bytes(frame))
    assert isinstance(found, Hello | Act) or (found.isprintable() and 0 < len(found) <= 120)


def test_versions_are_compared_by_their_major_number() -> None:
    assert incompatible(Hello((1, 0), "b")) is None
    assert incompatible(Hello((1, 99), "b")) is None
    assert incompatible(Hello((2, 0), "b")) == "speaks protocol 2.0, the referee speaks 1.0"
    assert incompatible(Hello((0, 9), "b")) == "speaks protocol 0.9, the referee speaks 1.0"


def test_msgpack_reads_what_the_referee_writes() -> None:
    assert msgpack.unpackb(encode(Bye())) == {"type": "bye"}
    fault = {"type": "fault", "game_id": None, "turn": None, "code": "mute", "text": "ü", "strikes_left": None}
    assert msgpack.unpackb(encode(Fault(None, None, "mute", "ü", None))) == fault
