"""ZMTP as bytes in and events out: what is read does not depend on how it is split, and nothing keeps much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee import zmtp
from arena.referee.zmtp import (
    COMMAND_LIMIT,
    GREETING,
    Command,
    Event,
    Handshake,
    Oversized,
    Parts,
    ZmtpError,
    ZmtpReceiver,
)

LIMIT = 300
PARTS = 5
HELLO = GREETING + zmtp.ready(b"DEALER", b"token")
MADE = Handshake("DEALER", b"token")
LIBZMQ = b"\xff" + bytes(7) + b"\x01\x7f\x03\x01" + GREETING[12:]
"""As libzmq 4.3 greets: with an old length in its signature, and as 3.1."""


def read(pieces: Sequence[bytes]) -> list[Event | str]:
    """All events of a stream that comes in these pieces; an error ends it, as its text."""
    receiver = ZmtpReceiver(LIMIT, PARTS)
    found: list[Event | str] = []
    for piece in pieces:
        try:
            event = receiver.take_short(memoryview(piece))
            if event is None:
                event = receiver.take_bytes(memoryview(piece))  # type: ignore[assignment]
            while event is not None:
                found.append(event)
                event = receiver.next()  # type: ignore[assignment]
        except ZmtpError as error:
            found.append(str(error))
        assert receiver.kept <= len(GREETING) + 9 + max(LIMIT, COMMAND_LIMIT)
    return found


def frame(body: bytes, flags: int = 0, long: bool = False) -> bytes:
    if long or len(body) > 255:
        return bytes((flags | 2,)) + len(body).to_bytes(8) + body
    return bytes((flags, len(body))) + body


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """A handshake and frames, now and then with something wrong in it."""
    body = st.binary(max_size=40) | st.integers(250, LIMIT + 20).map(bytes)
    flags = st.sampled_from([0, 0, 0, 1, 1, 4, 4, 5, 8, 128])
    frames = st.builds(frame, body, flags, st.booleans())
    sound = st.sampled_from(
        [zmtp.message(b"x"), zmtp.command(b"PING", b"\0\1context"), frame(b"a", 1) + frame(b"b"), frame(b"", 1) * 9]
    )
    stream = HELLO + b"".join(draw(st.lists(frames | sound | st.binary(max_size=12), max_size=12)))
    cut = draw(st.integers(0, len(stream)))
    return stream[:cut] + draw(st.binary(max_size=2)) + stream[cut:]


def split(stream: bytes, cuts: Sequence[int]) -> Iterator[bytes]:
    begin = 0
    for cut in sorted({each % (len(stream) + 1) for each in cuts}):
        yield stream[begin:cut]
        begin = cut
    yield stream[begin:]


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(streams() | st.binary(max_size=200), st.lists(st.integers(0, 10_000), max_size=12))
def test_every_split_of_a_stream_gives_the_same_events(stream: bytes, cuts: list[int]) -> None:
    whole = read([stream])
    assert read(list(split(stream, cuts))) == whole
    assert read([stream[at : at + 1] for at in range(len(stream))]) == whole


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=400))
def test_arbitrary_bytes_behind_a_handshake_give_events_or_one_error(data: bytes) -> None:
    events = read([HELLO + data])
    assert events[0] == MADE
    errors = [each for each in events if isinstance(each, str | Oversized)]
    assert events[len(events) - len(errors) :] == errors
    assert len(errors) <= 1
    assert sum(len(each) for each in events if isinstance(each, bytes)) <= len(data)


@pytest.mark.parametrize("greeting", [GREETING, LIBZMQ, GREETING[:10] + b"\x09\x09" + GREETING[12:]])
@pytest.mark.parametrize(("size", "long"), [(0, False), (0, True), (1, False), (255, False), (255, True), (256, True)])
def test_frames_of_every_form_follow_a_handshake(greeting: bytes, size: int, long: bool) -> None:
    body = b"x" * size
    assert read([greeting + zmtp.ready(b"DEALER", b"token") + frame(body, 0, long)]) == [MADE, body]
    assert frame(body) == zmtp.message(body)


def test_several_messages_of_one_read_come_one_by_one() -> None:
    assert read([HELLO + b"".join(zmtp.message(bytes((n,))) for n in range(100))]) == [
        MADE,
        *(bytes((n,)) for n in range(100)),
    ]


def test_the_parts_of_a_message_are_counted_and_not_kept() -> None:
    stream = HELLO + frame(b"a" * LIMIT, 1) * 3 + frame(b"b") + zmtp.message(b"next")
    assert read([stream]) == [MADE, Parts(4), b"next"]


def test_of_parts_without_end_only_so_many_are_read() -> None:
    assert read([HELLO + frame(b"", 1) * 1_000_000]) == [MADE, Parts(PARTS + 1)]
    receiver = ZmtpReceiver(LIMIT, PARTS)
    receiver.feed(HELLO + frame(bytes(LIMIT), 1)[:-1])
    assert receiver.next() == MADE
    assert receiver.next() is None
    assert receiver.kept == 0, "a part is dropped as it comes"


@pytest.mark.parametrize("flags", [0, 1])
@pytest.mark.parametrize("size", [LIMIT + 1, 16 << 20, 2**63, 2**64 - 1])
def test_an_oversized_frame_is_refused_at_its_header(flags: int, size: int) -> None:
    assert read([HELLO + bytes((flags | 2,)) + size.to_bytes(8)]) == [MADE, Oversized(size)]


@pytest.mark.parametrize("context", [b"", b"c" * 16, b"c" * 20])
def test_a_ping_is_answered_with_its_context(context: bytes) -> None:
    [_, answered] = read([HELLO + zmtp.command(b"PING", b"\0\x64" + context)])
    assert answered == Command(zmtp.command(b"PONG", context[:16]))
    assert read([HELLO + zmtp.command(b"LATER", b"any")])[1:] == [Command(b"")]


def test_properties_are_found_whatever_their_order_and_case() -> None:
    body = b"\x05READY" + b"".join(
        bytes((len(name),)) + name + len(value).to_bytes(4) + value
        for name, value in ((b"X-Mine", b"1"), (b"IDENTITY", b"me"), (b"socket-type", b"REQ"))
    )
    assert read([GREETING + frame(body, 4)]) == [Handshake("REQ", b"me")]


@pytest.mark.parametrize(
    ("stream", "text"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "the connection does not begin with the signature of ZMTP"),
        (b"\xff" + bytes(8) + b"\x7e", "the connection does not begin with the signature of ZMTP"),
        (GREETING[:10] + b"\x01", "a ZMTP of before version 3"),
        (GREETING[:12] + b"CURVE".ljust(20, b"\0") + GREETING[32:], "the security mechanism 'CURVE' instead of 'NULL'"),
        (GREETING + zmtp.message(b"x"), "a frame before the command READY"),
        (GREETING + zmtp.command(b"HELLO", b""), "the command 'HELLO' instead of READY"),
        (GREETING + frame(b"\x05READY" + bytes(2000), 4), "a command of 2006 bytes (limit 1024)"),
        (GREETING + frame(b"\x05READY\x08Identity\0\0\1\0" + b"t" * 256, 4), "a routing id of 256 bytes (limit 255)"),
        (GREETING + frame(b"\x05READY\x08Identity\xff\xff\xff\xff", 4), "longer than the command"),
        (GREETING + frame(b"\x05READY\x08Id", 4), "a property of READY without a value"),
        (GREETING + frame(b"", 4), "a command without a name"),
        (HELLO + b"\x08", "a frame with the flags 0x08"),
        (HELLO + b"\x05\x01x", "a command that claims to have more parts"),
        (HELLO + frame(b"x" * 2000, 4), "a command of 2000 bytes (limit 1024)"),
        (HELLO + zmtp.command(b"ERROR", b"\x03why"), "the peer reports an error"),
    ],
)
def test_what_is_wrong_is_named(stream: bytes, text: str) -> None:
    events = read([stream + zmtp.message(b"later")])
    assert isinstance(events[-1], str)
    assert text in events[-1]
    assert b"later" not in events
