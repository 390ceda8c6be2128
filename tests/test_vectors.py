"""The golden vectors are current, hold every field of every message, and mean what both codecs say they mean."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgpack
import msgspec
import pytest
import zmq

from arena.protocol.codec import FRAME_LIMIT, Malformed, decode, encode
from arena.protocol.messages import FromBot, FromReferee
from arena.referee.zmtp import Command, Handshake, ZmtpReceiver
from generators.vectors.games import SOURCES
from generators.vectors.make import DOCUMENT, FOLDER, document_with, files, session_text

Vectors = list[dict[str, Any]]


def kept(name: str) -> Vectors:
    vectors: Vectors = json.loads((FOLDER / name).read_text("utf-8"))
    return vectors


MESSAGES = kept("messages.json")
MALFORMED = kept("malformed.json")
ZMTP = kept("zmtp.json")
DATA = {name: kept(f"{name}.json") for name in SOURCES}
EVERYTHING = [*MESSAGES, *(vector for vectors in DATA.values() for vector in vectors)]
FROM_BOT = [vector for vector in MESSAGES if vector["from"] == "bot"]
FROM_REFEREE = [vector for vector in MESSAGES if vector["from"] == "referee"]


def of_name(vector: Mapping[str, Any]) -> str:
    name: str = vector["name"]
    return name


@pytest.mark.slow
@pytest.mark.parametrize("name", files())
def test_the_files_are_what_the_script_writes(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == files()[name](), "python -m generators.vectors.make writes it anew"


def test_the_session_in_the_document_is_what_the_script_writes() -> None:
    document = DOCUMENT.read_text("utf-8")
    assert document == document_with(session_text(), document), "python -m generators.vectors.make writes it anew"


def test_names_are_unique() -> None:
    for vectors in (MESSAGES, MALFORMED, ZMTP, *DATA.values()):
        names = [vector["name"] for vector in vectors]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "vector", [*MESSAGES, *(vector for vectors in DATA.values() for vector in vectors)], ids=of_name
)
def test_the_bytes_mean_the_json(vector: Mapping[str, Any]) -> None:
    assert msgpack.unpackb(bytes.fromhex(vector["hex"])) == vector["json"]


@pytest.mark.parametrize("vector", FROM_BOT, ids=of_name)
def test_the_referee_reads_a_bots_frame_as_its_json(vector: Mapping[str, Any]) -> None:
    read = msgspec.to_builtins(decode(bytes.fromhex(vector["hex"])))
    for field, value in read.items():
        if field in vector["json"]:
            given = vector["json"][field]
            assert value == (tuple(given) if isinstance(value, tuple) else given)
    assert vector["json"].keys() >= read.keys() - OPTIONAL


OPTIONAL = {
    field.encode_name
    for struct in get_args(FromBot)
    for field in msgspec.structs.fields(struct)
    if field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT
}


@pytest.mark.parametrize("vector", FROM_REFEREE, ids=of_name)
def test_the_referee_writes_the_same_bytes_again(vector: Mapping[str, Any]) -> None:
    message = msgspec.convert(vector["json"], FromReferee)
    assert encode(message).hex() == vector["hex"]


@pytest.mark.parametrize("vector", MALFORMED, ids=of_name)
def test_what_is_no_message_is_refused(vector: Mapping[str, Any]) -> None:
    with pytest.raises(Malformed):
        decode(bytes.fromhex(vector["hex"]))


# Nothing is left out


def not_shown(struct: type, messages: Iterable[Mapping[str, Any]]) -> set[str]:
    """Fields of a message, and of the maps in it, that no example has; and optional ones that every example has."""
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    return _not_shown(info, [message for message in messages if message["type"] == info.tag], "")


def _not_shown(info: msgspec.inspect.StructType, examples: list[Mapping[str, Any]], prefix: str) -> set[str]:
    missing = set()
    for field in info.fields:
        name, path = field.encode_name, prefix + field.encode_name
        values = [example[name] for example in examples if name in example]
        if not any(value is not None for value in values):
            missing.add(path)
        if not field.required and len(values) == len(examples):
            missing.add(f"{path} left out")
        for part in field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else [field.type]:
            if isinstance(part, msgspec.inspect.NoneType) and None not in values:
                missing.add(f"{path} null")
            if isinstance(part, msgspec.inspect.StructType):
                missing |= _not_shown(part, [value for value in values if value is not None], f"{path}.")
    return missing


@pytest.mark.parametrize("struct", get_args(FromBot | FromReferee))
def test_every_field_of_every_message_is_shown(struct: type) -> None:
    assert not_shown(struct, [vector["json"] for vector in MESSAGES]) == set()


def test_a_field_without_a_vector_would_be_noticed() -> None:
    class Later(msgspec.Struct, tag="act", tag_field="type"):
        game_id: str
        mood: str
        colour: str | None = None

    examples = [{"type": "act", "game_id": "g", "colour": "red"}, {"type": "act", "game_id": "h", "colour": "red"}]
    assert not_shown(Later, examples) == {"mood", "colour left out", "colour null"}


def test_the_referee_reads_the_stream_of_a_bot_without_a_library() -> None:
    from_bot = [vector for vector in ZMTP if vector["from"] == "bot"]
    receiver = ZmtpReceiver(FRAME_LIMIT, 1)
    events = []
    for vector in from_bot:
        receiver.feed(bytes.fromhex(vector["hex"]))
        while (event := receiver.next()) is not None:
            events.append(event)
    by_name = {vector["name"]: vector for vector in ZMTP}
    bodies = [bytes.fromhex(vector["body"]) for vector in from_bot if "body" in vector]
    pong = bytes.fromhex(by_name["pong"]["hex"])
    assert events == [Handshake("DEALER", by_name["ready"]["token"].encode()), *bodies, Command(pong)]


def test_a_library_sends_the_same_bytes() -> None:
    """What libzmq sends to a plain socket, but for the version of its greeting and the bytes that it leaves open."""
    by_name = {vector["name"]: bytes.fromhex(vector["hex"]) for vector in ZMTP}
    token = next(vector["token"] for vector in ZMTP if "token" in vector)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        zmq.Context() as context,
        context.socket(zmq.DEALER) as bot,
    ):
        bot.set(zmq.LINGER, 0)
        bot.set(zmq.ROUTING_ID, token.encode())
        bot.connect(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        bot.send(b"x" * 1000)
        accepted, _ = server.accept()
        with accepted, accepted.makefile("rb") as stream:
            accepted.sendall(by_name["greeting-referee"] + by_name["ready-referee"])
            greeting = stream.read(64)
            assert greeting[10] == 3
            assert greeting[12:] == by_name["greeting"][12:]
            assert stream.read(len(by_name["ready"])) == by_name["ready"]
            assert stream.read(len(by_name["message-of-1000"])) == by_name["message-of-1000"]
